"""What a format is: a name, options, a function that exports a level, and what of the format can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from generator.errors import BadInput
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:  # listing formats and their options must not import numpy
    from pathlib import Path, PurePath

    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.merge.outcome import Merged
    from exporters.merge.taken import Taken
    from exporters.reading.files import ExportFiles
    from exporters.reading.seen import ShownLevel
    from exporters.theme import Theme
    from exporters.theme.tileset import TilesetFile
    from generator.interiors.drawings import DrawnFiles
    from generator.interiors.editor_room import EditorRoom
    from generator.interiors.named import NamedLayout
    from generator.level import Level
    from generator.values import Value

    Merger = Callable[[bytes, bytes, bytes, Taken], Merged]
    """Merges a file's base, a person's version and the new version, which has what is taken of the second."""

BUILT_IN_THEME = "undercroft"
_ROOM_NAMES = ("room", "hallway")  # what the names of maps and scenes of rooms begin with


def late(module: str, function: str) -> Callable[..., Any]:
    """Return a function whose module is imported when it is first called: listing formats is cheap."""
    return partial(_call, module, function)


def _call(module: str, function: str, *args: object) -> object:
    return getattr(import_module(module), function)(*args)


OptionValue = bool | int | str | Mapping[str, str]


class Job(NamedTuple):
    """The input of an exporter: the level, the stem of the file names, its options, and the dressed level."""

    level: Level
    name: str
    options: Mapping[str, Any]  # each an OptionValue, of the type that the exporter declares
    look: Callable[[], tuple[Theme, Layers]]  # computed when it is first called

    @property
    def theme(self) -> Theme:
        """The theme that the atlas indexes of the layers refer to."""
        return self.look()[0]

    @property
    def layers(self) -> Layers:
        """The dressed level."""
        return self.look()[1]


class SeveralLevelsError(BadInput):
    """A file shows all levels of a run, and is not read back."""


class MainFile(NamedTuple):
    """One kind of a level's main files that can be read back.

    `identity` returns the facts about its level in the file (style, seed, spec, fingerprint, if present) or
    raises SeveralLevelsError, and `options` the exporter's options that are visible in it, for a file that
    nothing else is known of. `made_with` says whether an export with given options, without the format's
    prefix, has such a main file. `room_suffixes` are those of the files of its rooms, in a folder beside it.
    `has_only_taken` says of an export and a person's version, both parsed, whether nothing else was changed
    than what is taken of it. It may change both, which nobody reads again.
    """

    format: str
    suffix: str
    read: Callable[[str, ExportFiles, Theme, Level], ShownLevel]
    identity: Callable[[str, ExportFiles], Mapping[str, str]]
    options: Callable[[str, ExportFiles], Mapping[str, object]]
    made_with: Callable[[Mapping[str, object]], bool] = lambda options: True
    room_suffixes: tuple[str, ...] = ()
    has_only_taken: Callable[[Any, Any, Taken], bool] | None = None

    def is_room(self, path: PurePath) -> bool:
        """Check by its name whether a file in the folder beside a main file is that of a room."""
        suffix, is_named = path.suffix.lower(), path.stem.startswith(_ROOM_NAMES)
        return suffix in self.room_suffixes and (is_named or suffix != self.suffix)


class Exporter(NamedTuple):
    """One format. `suffixes` are those of the files named after the level, with the main one first.

    `export` is a plain function of its job: it reads no clock and writes no file. `themed` says whether
    the files depend on the theme. `options` are keyed by their names, without the format's prefix.
    `lost` gets the path and bytes of a file that a person has changed, and the new files. It returns the
    names of changed things that the new level no longer has, and raises ValueError for an unreadable file.
    `overrides` says whether such a file, which is written once, changes parts of the level itself.

    The rest is for formats that are read, too: `main_files` are brought back as levels; `mergers` merge a
    person's version of a file into the new one, by suffix; `tilesets` reads tilesets for themes, by suffix,
    from the bytes of a file, its name, and the chosen one of several; `draw_room` makes the files to draw a
    layout in, and `drawn_rooms` reads such files as rooms, by suffix. `drawn_level` reads files that somebody
    drew as the rooms of a level. `of_run` makes the file that shows all levels of a run together, from the
    run's name and the jobs of the levels, whose looks are in one theme. `shows_runs` says whether it does
    with given options, without the format's prefix. `missing` has a line for each of the game's own files
    that options name and the game around a folder lacks.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    options: Mapping[str, Value]
    export: Callable[[Job], Bundle]
    themed: bool = True
    lost: Callable[[str, bytes, Mapping[str, bytes]], Sequence[str]] | None = None
    overrides: Callable[[bytes], bool] | None = None
    main_files: tuple[MainFile, ...] = ()
    mergers: Mapping[str, Merger] = {}
    tilesets: Mapping[str, Callable[[bytes, str, int | None], TilesetFile]] = {}
    draw_room: Callable[[NamedLayout, Theme, str], Bundle] | None = None
    drawn_rooms: Mapping[str, Callable[[Path, DrawnFiles], Iterable[EditorRoom]]] = {}
    drawn_level: Mapping[str, Callable[[Path, DrawnFiles], EditorRoom]] = {}
    of_run: Callable[[str, Sequence[Job]], Bundle] | None = None
    shows_runs: Callable[[Mapping[str, object]], bool] = lambda options: True
    missing: Callable[[Mapping[str, Any], Path], Iterable[str]] | None = None
