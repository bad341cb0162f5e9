"""From an edited file to the edited level: find the original, export it again, compare, apply the edits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exporters.bundle import Bundle
from exporters.dress import dressed
from exporters.edits.record import folder_record
from exporters.exporting import Before, Given
from exporters.reading.changes import PersonsEdits, changes, conflicts
from exporters.reading.edited import broken, counted, edited
from exporters.reading.exports import Export, export_at, files_of
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of, main_file, stem_of
from exporters.reading.original import Original, generated_before, original
from exporters.reading.seen import Edits
from exporters.reading.taken import taken_out, without_taken
from exporters.theme import Theme
from generator.errors import BadInput
from generator.level import Level

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun

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
    """The result of reading an edited file.

    `level` is the original itself if nobody edited the file. `problems` are rules that the edits break,
    `notes` edits that a level cannot have; one line each.
    """

    name: str
    original: Original
    changes: PersonsEdits
    level: Level
    problems: list[str]
    export: Export

    @property
    def path(self) -> Path:
        """The file."""
        return self.export.path

    @property
    def options(self) -> Mapping[str, object]:
        """What the file was exported with, by dotted key."""
        return self.export.options

    @property
    def notes(self) -> list[str]:
        """The edits that a level cannot have."""
        return self.changes.notes

    def said(self) -> str:
        """Summarise the edits in one line."""
        return summary_of(self.changes.edits)

    def in_place(self) -> Bundle | None:
        """Export the edited level in the form of the file, without the theme's own files.

        None if nobody edited the file, or if files of this form cannot be written.
        """
        if self.level is self.original.level:
            return None
        own = (f"{self.name}.", f"{self.name}/")
        bundle = self.export.of(self.level).only(lambda path: path.startswith(own))
        if self.path.name.endswith("_edit.tscn"):
            less = taken_out(self.export, self.level, self.changes)
            if less is not None:
                bundle.put(self.path.name, less)
        bundle.mark_edited(self.name)
        return bundle

    def bases(self) -> Bundle:
        """Export the files as they were before anybody edited them."""
        return self.export.of(self.original.level)

    def theirs(self, bases: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the files to merge, without the edits that the `new` exports have. `bases` is `bases()`."""
        files = {file.relative_to(self.path.parent).as_posix(): file for file in files_of(self.path)}
        less = {
            path: without_taken(file, self.changes, bases.get(path), new.get(path))
            for path, file in files.items()
        }
        return {path: data for path, data in less.items() if data is not None}


def summary_of(edits: Edits) -> str:
    """Summarise edits in one line: how many of each sort."""
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
    """Read the level of an exported file, with a person's changes to the file. See `docs/import.md`.

    `theme` and `options` take precedence over those that it was exported with, which are known from the
    record of its folder, or from its level.json. Raises BadInput for an unreadable file, and if the level
    that it was exported from cannot be found.
    """
    return brought_back(file, level_file, theme, options)


def brought_back(
    file: str | os.PathLike[str],
    level_file: str | os.PathLike[str] | None,
    theme: Theme | str | os.PathLike[str] | None,
    options: Mapping[str, object] | None,
    dry_run: DryRun | None = None,
) -> BroughtBack:
    """Do what `bring_back` does, perhaps in a dry run."""
    path = main_file(Path(file))
    form, name = form_of(path), stem_of(path)
    if not path.exists():
        raise BadInput(f"{path}: cannot be read: there is no such file; check the name")
    identity = form.identity(path.name, ExportFiles(path.parent))
    level_path = None if level_file is None else Path(level_file)
    source = original(path, identity, path.parent / f"{name}.level.json", level_path)
    with folder_record(path.parent, name, dry_run) as record:
        known, before = record.exported(name), generated_before(record, name, source.level)
    chosen = Given(theme, options or {})
    chosen.check([form.format])
    export = export_at(path, chosen, Before(path.parent, name, known), {})
    difference = compared(source.level, export)
    after = edited(source.level, difference.edits)
    return BroughtBack(name, source, difference, after, broken(before, after), export)


def compared(level: Level, export: Export, now_of: Level | None = None) -> PersonsEdits:
    """Compare an export of the level with a file, or with an export of `now_of`."""
    theme, path, main = export.theme_for(level), export.path, export.main
    bundle, look = export.of(level), dressed(level, theme)[0]
    exported = export.form.read(main, ExportFiles(Path("export"), bundle), look, level)
    if now_of is None:
        now = export.form.read(path.name, ExportFiles(path.parent), look, level)
    else:
        files = export.of(now_of)
        now = export.form.read(main, ExportFiles(Path("export"), files), look, level)
    return changes(exported, now, level, look)


def onto(level: Level, before: Level, edits: PersonsEdits, ahead: PersonsEdits) -> PersonsEdits | None:
    """Translate edits of an older level, `before`, to edits of `level`, which already has the edits `ahead`.

    Edits that `level` already has are left out. None if two edits conflict, or if doors have other ids.
    """
    if conflicts(edits.edits, ahead.edits) or len(before.doors) != len(level.doors):
        return None
    return edits._replace(edits={k: v for k, v in edits.edits.items() if k not in ahead.edits})
