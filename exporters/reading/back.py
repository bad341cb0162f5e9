"""From an edited file to the edited level: find the original, export it again, compare, apply the edits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import exporters
from exporters.bundle import Bundle
from exporters.dress import dressed
from exporters.reading.changes import PersonsEdits, changes, conflicts
from exporters.reading.edited import broken, counted, edited
from exporters.reading.files import ExportFiles
from exporters.reading.forms import FileForm, form_of, main_file, stem_of
from exporters.reading.original import Original, original
from exporters.reading.seen import Edits
from exporters.reading.taken import taken_out, without_added
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
    """The result of reading an edited file.

    `level` is the original itself if nobody edited the file. `problems` are rules that the edits break,
    `notes` edits that a level cannot have; one line each.
    """

    name: str
    original: Original
    changes: PersonsEdits
    level: Level
    problems: list[str]
    path: Path = Path()
    options: Mapping[str, object] = MappingProxyType({})

    @property
    def notes(self) -> list[str]:
        """The edits that a level cannot have."""
        return self.changes.notes

    def said(self) -> str:
        """A summary of the edits in one line."""
        return summary_of(self.changes.edits)

    def in_place(
        self, theme: Theme | str | os.PathLike[str] | None, options: Mapping[str, object]
    ) -> Bundle | None:
        """The edited level, exported in the form of the file, without the theme's own files.

        None if nobody edited the file, or if files of this form cannot be written.
        """
        form = form_of(self.path)
        chosen = {**self.options, **{k: v for k, v in options.items() if k.startswith(f"{form.format}.")}}
        if self.level is self.original.level:
            return None
        made = exporters.export(self.level, form.format, options=chosen, theme=theme, name=self.name)
        own = {
            path: data for path, data in made.items() if path.startswith((f"{self.name}.", f"{self.name}/"))
        }
        if self.path.name.endswith("_edit.tscn"):
            less = taken_out(self.path, self.level, self.name, self.changes, theme, chosen)
            own |= {self.path.name: less} if less is not None else {}
        bundle = Bundle(own)
        bundle.mark_edited(self.name)
        return bundle

    def theirs(self) -> dict[str, bytes]:
        """The files to merge with their new exports, without the new markers that these already have."""
        if not self.changes.added or self.path.suffix not in (".tmj", ".ldtk", ".tscn"):
            return {}
        return {self.path.name: without_added(self.path, self.path.read_bytes(), self.changes.added)}


def summary_of(edits: Edits) -> str:
    """A summary of edits in one line: how many of each sort."""
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
    """The level of an exported file, with a person's changes to the file; see `docs/import.md`.

    `theme` and `options` are those that it was exported with; options visible in the file can be left out.
    Raises BadInput for an unreadable file, and if the level that it was exported from cannot be found.
    """
    path = main_file(Path(file))
    form, name = form_of(path), stem_of(path)
    if not path.exists():
        raise BadInput(f"{path}: cannot be read: there is no such file; check the name")
    files = ExportFiles(path.parent)
    identity = form.identity(path.name, files)
    given = None if level_file is None else Path(level_file)
    found = original(path, identity, path.parent / f"{name}.level.json", given)
    chosen = {**form.options(path.name, files), **(options or {})}
    made = compared(found.level, path, name, form, theme, chosen)
    after = edited(found.level, made.edits)
    problems = broken(found.level, after) if made.edits else []
    return BroughtBack(name, found, made, after, problems, path, chosen)


def compared(
    level: Level,
    path: Path,
    name: str,
    form: FileForm,
    theme: Theme | str | os.PathLike[str] | None,
    options: Mapping[str, object],
    now_of: Level | None = None,
) -> PersonsEdits:
    """The differences between an export of the level and a file, or an export of `now_of`."""
    given = theme if isinstance(theme, Theme) else load_theme(theme, level.kinds)
    bundle = exporters.export(level, form.format, options=options, theme=given, name=name)
    look = dressed(level, given)[0]
    main = f"{name}{form.suffix}"
    if main not in bundle:
        raise BadInput(
            f"{path}: an export with these options has no {main}; give the options that it was exported with"
        )
    was = form.read(main, ExportFiles(Path("export"), bundle), look, level)
    if now_of is None:
        now = form.read(path.name, ExportFiles(path.parent), look, level)
    else:
        made = exporters.export(now_of, form.format, options=options, theme=given, name=name)
        now = form.read(main, ExportFiles(Path("export"), made), look, level)
    return changes(was, now, level, look)


def onto(level: Level, before: Level, found: PersonsEdits, ahead: PersonsEdits) -> PersonsEdits | None:
    """Translate edits of an older level, `before`, to edits of `level`, which already has the edits `ahead`.

    Edits that `level` already has are left out. None if two edits conflict, or if doors have other ids.
    """
    if conflicts(found.edits, ahead.edits) or len(before.doors) != len(level.doors):
        return None
    return found._replace(edits={k: v for k, v in found.edits.items() if k not in ahead.edits})
