"""Remove edits from a scene to work in that were brought back, because the level's scene has them already.

Otherwise markers added there would exist twice, and tiles painted there would hide later changes in
`NAME.tscn`. Everything else in the scene stays.
"""

from __future__ import annotations

from collections.abc import Mapping

from exporters.dress import dressed
from exporters.formats.godot.read import read_scene
from exporters.merge.godot_taken import without_edits
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.exports import Export
from exporters.reading.files import ExportFiles
from exporters.reading.seen import ShownLevel
from generator.level import Level


def taken_out(export: Export, level: Level, edits: PersonsEdits, paths: Mapping[str, str]) -> bytes | None:
    """Take the edits `edits` out of an export's scene, since the edited `level` now has them.

    `paths` has the new paths of nodes that are elsewhere now; what a person put on them goes along.
    None if they cannot be separated; then the scene stays as it is.
    """
    theme, path, main = export.theme_for(level), export.path, export.main
    files = export.of(level)
    look, data = dressed(level, theme)[0], path.read_bytes()

    def shown(scene: str, data: bytes) -> ShownLevel:
        return read_scene(scene, ExportFiles(path.parent, {**files, scene: data}), look, level)

    before = shown(main, files[main])
    less = without_edits(data, edits.taken.added, paths)
    left = changes(before, shown(path.name, less), level, look)
    return less if not left.edits and set(left.notes) <= set(edits.notes) else None
