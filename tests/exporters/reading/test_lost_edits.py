"""The contents of `Lost edits` are not part of the level, and are silently ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

import generator
from exporters.edits.merging import merge
from exporters.reading.back import bring_back
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.exported import exported, level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles


@pytest.mark.parametrize("form", ["map", "ldtk", "scene"])
def test_what_was_lost_in_a_merge_does_not_come_back(form: str, tmp_path: Path) -> None:
    """Work all over a level, and another level of the same name: most of it has no place any more."""
    before, after = level_of("isaac"), generator.generate("isaac", 5, rooms=9)
    main = exported(before, form, tmp_path / "before")
    base, edit = main.read_bytes(), editor_of(main, before)
    for number, tile in enumerate(free_tiles(before)[:200:20]):
        edit.paint(tile, "pit") if number % 2 else edit.add_marker("chest", tile, {"tier": "gold"})
    for marker in before.markers[1:9]:
        edit.move_marker(marker.id, (marker.x + 1, marker.y))
    edit.save()
    now = exported(after, form, tmp_path / "after")
    merged = merge(now.name, base, main.read_bytes(), now.read_bytes())
    assert len(merged.conflicts) >= 3
    now.write_bytes(merged.data)
    back = bring_back(now)
    assert [note for note in back.notes if "ost" in note] == []
    kept = {marker.kind for marker in back.level.markers} - {marker.kind for marker in after.markers}
    assert not kept
    assert len(back.level.markers) == len(after.markers)
