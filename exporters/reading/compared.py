"""The edits of a file: what differs from a fresh export of the level that it shows."""

from __future__ import annotations

from pathlib import Path

from exporters.dress import dressed
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.exports import Export
from exporters.reading.files import ExportFiles
from generator.level import Level


def compared(level: Level, export: Export, now_of: Level | None = None) -> PersonsEdits:
    """Compare an export of the level with a file, or with an export of `now_of`."""
    theme, path, main = export.theme_for(level), export.path, export.main
    bundle, look = export.of(level), dressed(level, theme)[0]
    before = ExportFiles(Path("export"), bundle)
    exported = export.form.read(main, before, look, level)
    name, files = path.name, export.files
    if now_of is not None:
        name, files = main, ExportFiles(Path("export"), export.of(now_of))
    files.things = before.things
    now = export.form.read(name, files, look, level)
    return changes(exported, now, level, look)
