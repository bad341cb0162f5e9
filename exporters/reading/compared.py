"""The edits of a file: what differs from a fresh export of the level that it shows."""

from __future__ import annotations

from pathlib import Path

from exporters.bundle import Bundle
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.exports import Export
from exporters.reading.files import ExportFiles
from exporters.theme.districts import theme_of_level
from exporters.theme.loader import fitted
from generator.level import Level


def compared(
    level: Level, export: Export, now_of: Level | None = None, exported: Bundle | None = None
) -> PersonsEdits:
    """Compare an export of the level with a file, or with an export of `now_of`.

    `exported` is that export, if it was made before.
    """
    theme, path, main = export.theme_for(level), export.path, export.main
    bundle = export.of(level) if exported is None else exported
    look = theme_of_level(fitted(theme, level.kinds), level)
    before = ExportFiles(Path("export"), bundle)
    shown = export.form.read(main, before, look, level)
    name, files = path.name, export.files
    if now_of is not None:
        name, files = main, ExportFiles(Path("export"), export.of(now_of))
    files.things = before.things
    now = export.form.read(name, files, look, level)
    found = changes(shown, now, level, look)
    if exported is None or not (export.form.has_only_taken and found.edits):
        return found
    held, taken = (before.held(main), files.held(name)), found.taken.of_file(path, path)
    return found._replace(taken=found.taken._replace(is_all=export.form.has_only_taken(*held, taken)))
