"""A file that a person edited -> the edited level: find the original, export it again, compare, apply."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import exporters
from exporters.dress import dressed
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.edited import broken, counted, edited
from exporters.reading.files import ExportFiles
from exporters.reading.forms import FileForm, form_of, main_file, stem_of
from exporters.reading.original import Original, original
from exporters.reading.seen import Edits
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.errors import BadInput
from generator.level import Level

_NAMES = {
    "terrain": ("tile painted", "tiles painted"),
    "decor_added": ("thing added", "things added"),
    "decor_removed": ("thing removed", "things removed"),
    "doors": ("door changed", "doors changed"),
    "markers_added": ("marker added", "markers added"),
    "markers_moved": ("marker moved", "markers moved"),
    "markers_removed": ("marker removed", "markers removed"),
    "properties": ("property changed", "properties changed"),
}


class BroughtBack(NamedTuple):
    """What an edited file came to.

    `level` is the original itself if nobody edited the file. `problems` are the rules that the edits broke,
    `notes` what of them a level has no place for; a line each.
    """

    name: str
    original: Original
    changes: PersonsEdits
    level: Level
    problems: list[str]

    @property
    def notes(self) -> list[str]:
        """What could not be taken."""
        return self.changes.notes

    def said(self) -> str:
        """The edits in a line."""
        return said_of(self.changes.edits)


def said_of(edits: Edits) -> str:
    """Edits in a line, by their sorts."""
    numbers = counted(edits)
    return (
        ", ".join(f"{number} {_NAMES[name][number != 1]}" for name, number in numbers.items()) or "no edits"
    )


def bring_back(
    file: str | os.PathLike[str],
    *,
    level_file: str | os.PathLike[str] | None = None,
    theme: Theme | str | os.PathLike[str] | None = None,
    options: Mapping[str, object] | None = None,
) -> BroughtBack:
    """The level of an exported file with what a person changed in it; see `docs/import.md`.

    `theme` and `options` are those that it was exported with; what can be seen of options in the file need
    not be given. Raises BadInput for a file that cannot be read, and if nobody knows the level that it was
    exported from.
    """
    path = main_file(Path(file))
    form, name = form_of(path), stem_of(path)
    files = ExportFiles(path.parent)
    told = form.told(path.name, files)
    given = None if level_file is None else Path(level_file)
    found = original(path, told, path.parent / f"{name}.level.json", given)
    made = compared(
        found.level, path, name, form, theme, {**form.options(path.name, files), **(options or {})}
    )
    after = edited(found.level, made.edits)
    problems = broken(found.level, after) if made.edits else []
    return BroughtBack(name, found, made, after, problems)


def compared(
    level: Level,
    path: Path,
    name: str,
    form: FileForm,
    theme: Theme | str | os.PathLike[str] | None,
    options: Mapping[str, object],
) -> PersonsEdits:
    """What differs between a file and what an export of the level gives now."""
    given = theme if isinstance(theme, Theme) else load_theme(theme, level.kinds)
    bundle = exporters.export(level, form.format, options=options, theme=given, name=name)
    look = dressed(level, given)[0]
    main = f"{name}{form.suffix}"
    if main not in bundle:
        raise BadInput(
            f"{path}: an export with these options has no {main}; give those that it was made with"
        )
    was = form.read(main, ExportFiles(Path("export"), bundle), look, level)
    now = form.read(path.name, ExportFiles(path.parent), look, level)
    return changes(was, now, level, look)
