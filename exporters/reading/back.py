"""From one edited file to the edited level: find the original, and read the file as one of a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from exporters.edits.record import FolderRecord, folder_record
from exporters.exporting import Given
from exporters.reading.changes import PersonsEdits
from exporters.reading.edited import broken, counted
from exporters.reading.files import ExportFiles
from exporters.reading.folder_level import FolderLevel
from exporters.reading.forms import form_of, main_file, stem_of
from exporters.reading.original import Original, original, recorded
from exporters.theme import Theme
from generator.errors import BadInput
from generator.level import Level
from generator.named_tuple import NamedTuple
from generator.styles.registry import DRAWN

_NAMES = {
    "terrain": ("tile painted", "tiles painted"),
    "decor_added": ("thing added", "things added"),
    "decor_removed": ("thing removed", "things removed"),
    "doors": ("door changed", "doors changed"),
    "doors_added": ("door added", "doors added"),
    "doors_removed": ("door removed", "doors removed"),
    "rooms_added": ("room added", "rooms added"),
    "rooms_moved": ("room moved or resized", "rooms moved or resized"),
    "rooms_removed": ("room removed", "rooms removed"),
    "markers_added": ("marker added", "markers added"),
    "markers_moved": ("marker moved", "markers moved"),
    "markers_removed": ("marker removed", "markers removed"),
    "looks": ("look changed", "looks changed"),
    "properties": ("property changed", "properties changed"),
}


class BroughtBack(NamedTuple):
    """The result of reading an edited file.

    `level` is the original itself if nobody edited the file. `problems` are rules that the edits break,
    `notes` edits that a level cannot have; one line each.
    """

    name: str
    original: Original
    changes: PersonsEdits
    level: Level
    problems: list[str]
    files: FolderLevel

    @property
    def path(self) -> Path:
        """The file."""
        return self.files.paths[0]

    @property
    def options(self) -> Mapping[str, object]:
        """What the file was exported with, by dotted key."""
        return self.files.export(self.path).options

    @property
    def notes(self) -> list[str]:
        """The edits that a level cannot have."""
        return self.changes.notes

    def said(self) -> str:
        """Summarise the edits in one line."""
        return summary_of(self.changes)


def summary_of(changes: PersonsEdits) -> str:
    """Summarise in one line what a person edited: how many edits of each sort."""
    made = {key: value for key, value in changes.edits.items() if key not in changes.followed}
    numbers = counted(made)
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
    """Read the level of an exported file, with a person's changes to the file. See `docs/import.md`.

    `theme` and `options` take precedence over those that it was exported with, which are known from the
    record of its folder, or from its level.json. Raises BadInput for an unreadable file, and if the level
    that it was exported from cannot be found.
    """
    folder, name = main_file(Path(file)).parent, stem_of(main_file(Path(file)))
    with folder_record(folder, name) as record:
        return brought_back(file, level_file, Given(theme, options or {}), record)


def brought_back(
    file: str | os.PathLike[str],
    level_file: str | os.PathLike[str] | None,
    chosen: Given,
    record: FolderRecord,
) -> BroughtBack:
    """Do what `bring_back` does, with the record of the file's folder."""
    path = main_file(Path(file))
    form, name = form_of(path), stem_of(path)
    if not path.exists():
        raise BadInput(f"{path}: cannot be read: there is no such file; check the name")
    identity = form.identity(path.name, ExportFiles(path.parent))
    level_path = None if level_file is None else Path(level_file)
    try:
        source = original(path, identity, path.parent / f"{name}.level.json", level_path)
    except BadInput:
        known = recorded(record, name, identity.get("fingerprint", ""))
        if known is None or level_path is not None:
            raise
        source = Original(known, f"the level that {path} was exported from")
    chosen.check([form.format])
    try:
        files = FolderLevel(path.parent, name, [path], chosen, record, source)
    except BadInput as error:
        if identity.get("fingerprint") or source.level.style != DRAWN:
            raise
        raise BadInput(f"{error}; or, if it is a drawing and not an export, leave out --level") from None
    problems = files.named(broken(files.generated, files.edited))
    return BroughtBack(
        name, source, files.edits.get(path, PersonsEdits({}, [])), files.edited, problems, files
    )
