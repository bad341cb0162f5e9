"""What a person painted goes where its room or hallway is in another level, and nowhere else."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import exporters
from exporters.reading.carried import carried
from exporters.reading.seen import Edits
from exporters.writing import write
from generator import generate
from generator.geometry import Point
from generator.level import Level
from generator.level_file import load_level

from .chain_edits import free_tiles
from .editors import editor_of


def tiles_of(level: Level, number: int) -> set[Point]:
    """The tiles of a room, by the number of edges to the left of each."""
    room = level.rooms[number]
    edges = [(a, b) for ring in room.outline for a, b in pairwise((*ring, ring[0])) if a[0] == b[0]]
    return {
        (x, y)
        for y in range(room.bounds.y, room.bounds.bottom)
        for x in range(room.bounds.x, room.bounds.right)
        if sum(a[0] <= x and min(a[1], b[1]) <= y < max(a[1], b[1]) for a, b in edges) % 2
    }


def terrain_at(level: Level, tile: Point) -> str:
    return str(level.terrain_kinds[level.terrain[tile[1], tile[0]]].name)


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_what_was_painted_outside_of_all_rooms_does_not_get_into_one(seed: int) -> None:
    level, new = generate("gungeon", seed), generate("gungeon", seed + 50)
    rooms, others = (
        {tile for room in each.rooms for tile in tiles_of(each, room.id)} for each in (level, new)
    )
    every = {(x, y) for y in range(level.height) for x in range(level.width)}
    painted: Edits = {
        ("terrain", *tile): "pit" for tile in every - rooms if terrain_at(level, tile) in ("wall", "floor")
    }
    moved = carried(painted, level, new)
    assert not {key[1:] for key in moved.edits} & others
    assert any(line.endswith(": the new level has a room there") for line in moved.lost.values())
    assert carried(painted, level, level).edits.items() >= painted.items()


def test_a_wall_stays_at_the_corner_that_its_room_has_kept(tmp_path: Path) -> None:
    """The large room is a small one now, at what was its last corner."""
    level, new = generate("rebirth", 1), generate("rebirth", 101)
    old, now = next(
        (old.bounds, now.bounds)
        for old in level.rooms
        for now in new.rooms
        if old.shape == "2x2"
        and (old.bounds.right, old.bounds.bottom) == (now.bounds.right, now.bounds.bottom)
    )
    tile = next(
        tile
        for tile in product(range(now.x + 2, now.right - 2), range(now.y + 2, now.bottom - 2))
        if terrain_at(level, tile) == terrain_at(new, tile) == "floor"
        and not any((marker.x, marker.y) == tile for each in (level, new) for marker in each.markers)
    )
    gone = next(tile for tile in free_tiles(level) if old.contains(*tile) and not now.contains(*tile))
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    edit = editor_of(tmp_path / "cellar.tmj", level)
    for each in (tile, gone):
        edit.paint(each, "wall")
    edit.save()
    write(exporters.export(new, ["json", "tiled"], name="cellar"), tmp_path, "merge")
    merged = load_level(tmp_path / "cellar.level.json")
    differing = {(x, y) for y, x in np.argwhere(merged.terrain != new.terrain).tolist()}
    assert differing == {tile} and terrain_at(merged, tile) == "wall"
    assert "its room has another shape" in (tmp_path / "cellar.conflicts.txt").read_text("utf-8")
