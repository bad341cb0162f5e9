"""Where levels lie: on the grid, beside their neighbours, and above the rooms in whose notch they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporters
from exporters.formats.ldtk.areas import NOBODY, Neighbour, PlacedLevel, neighbours_of, plan_of
from generator.errors import BadInput
from generator.geometry import Point, Rect
from tests.exporters.small_level import built

from .conftest import Case

RECTS = st.builds(Rect, *[st.integers(-40, 40)] * 2, *[st.sampled_from([1, 3, 8, 30])] * 2)


def slowly(one: PlacedLevel, place: int, other: PlacedLevel) -> list[Neighbour]:
    """What LDtk says of two levels, by its documentation."""
    a, b = one.rect, other.rect
    gap_x = max(a.x - b.right, b.x - a.right)
    gap_y = max(a.y - b.bottom, b.y - a.bottom)
    if gap_x < 0 and gap_y < 0:
        if abs(one.depth - other.depth) > 1:
            return []
        return [Neighbour(place, "<o>"[1 + other.depth - one.depth])]
    if one.depth != other.depth or max(gap_x, gap_y) > 0:
        return []
    across = "w" if b.right == a.x else "e"
    down = "n" if b.bottom == a.y else "s"
    return [Neighbour(place, down + across if gap_x == gap_y == 0 else across if gap_x == 0 else down)]


@given(st.lists(st.builds(PlacedLevel, RECTS, st.integers(-1, 2)), max_size=12), st.booleans())
def test_neighbours_are_those_of_a_slow_search(levels: list[PlacedLevel], large: bool) -> None:
    """Overlapping ones first, each part in the order of the levels."""
    if large:  # one that covers more than buckets are made for
        levels = [*levels, PlacedLevel(Rect(-5000, -5000, 10_000, 10_000), 0)]
    for one, found in zip(levels, neighbours_of(levels), strict=True):
        others = [(i, each) for i, each in enumerate(levels) if each is not one]
        wanted = [neighbour for i, each in others for neighbour in slowly(one, i, each)]
        over = [each for each in wanted if each.direction in "<o>"]
        assert found == over + [each for each in wanted if each not in over]


def test_levels_lie_on_the_grid(case: Case) -> None:
    """A room's level covers its cells, in whole steps of the world's grid."""
    root = case.project.json
    rooms = [level for level in case.project.levels if level["identifier"].startswith("Room_")]
    if root["worldLayout"] != "GridVania":
        assert case.level.grid is None or not rooms
        return
    assert case.level.grid and len(rooms) == len(case.level.rooms)
    (width, height), size = case.level.grid.cell_size, case.theme.tile_size
    assert (root["worldGridWidth"], root["worldGridHeight"]) == (width * size, height * size)
    for room, level in zip(case.level.rooms, rooms, strict=True):
        xs, ys = zip(*room.cells, strict=True)
        assert level["worldX"] == min(xs) * width * size and level["worldY"] == min(ys) * height * size
        assert level["pxWid"] == (max(xs) - min(xs) + 1) * width * size
        assert level["pxHei"] == (max(ys) - min(ys) + 1) * height * size


def test_a_room_in_a_notch_stands_one_higher(make: Callable[[str], Case]) -> None:
    """Both see each other across the depths; of two Ls in one another's notch one is the higher."""
    levels = {level["identifier"]: level for level in make("notches").project.levels}
    host, guest = levels["Room_0_start"], levels["Room_1_boss"]
    assert (host["worldDepth"], guest["worldDepth"]) == (0, 1)
    assert {"levelIid": guest["iid"], "dir": ">"} in host["__neighbours"]
    assert guest["__neighbours"] == [{"levelIid": host["iid"], "dir": "<"}]
    found = [level["worldDepth"] for level in levels.values()]
    assert found.count(0) >= len(found) - 4 and max(found) <= 2
    assert levels["Room_7_ultra_secret"]["__neighbours"] == []


def test_rooms_over_one_another_are_refused_before_memory_is_spent() -> None:
    """A file by hand may say so of as many rooms as it likes."""
    level = built([("start", [(0, 0)])])
    heap = replace(level, rooms=tuple(replace(level.rooms[0], id=i) for i in range(30)))
    with pytest.raises(BadInput, match=r"ldtk.levels: some rooms overlap; give ldtk.levels=one"):
        exporters.export(heap, "ldtk")
    assert exporters.export(heap, "ldtk", {"ldtk.levels": "one"})


POLYOMINOES = st.lists(
    st.sampled_from(
        [
            [(0, 0)],
            [(0, 0), (1, 0)],
            [(0, 0), (0, 1)],
            [(0, 0), (1, 0), (0, 1), (1, 1)],
            [(0, 0), (1, 0), (0, 1)],
            [(0, 0), (1, 0), (1, 1)],
            [(0, 0), (0, 1), (1, 1)],
            [(1, 0), (0, 1), (1, 1)],
        ]
    ),
    min_size=1,
    max_size=9,
)


@settings(max_examples=60)
@given(POLYOMINOES, st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=9, max_size=9))
def test_levels_of_one_depth_never_overlap(shapes: list[list[Point]], places: list[Point]) -> None:
    """However rooms of several cells lie in one another's notches; and each tile has one owner."""
    taken: set[Point] = set()
    rooms = []
    for shape, (x, y) in zip(shapes, places, strict=False):
        cells = [(x + dx, y + dy) for dx, dy in shape]
        if taken.isdisjoint(cells):
            taken.update(cells)
            rooms.append(("normal", cells))
    level = built(rooms)
    layers = exporters.Layers(*[level.terrain.astype(np.int32) - 1] * 5)
    plan = plan_of(level, True, layers.ground >= 0)
    for i, one in enumerate(plan.areas):
        for other in plan.areas[:i]:
            a, b = one.rect, other.rect
            apart = a.x >= b.right or b.x >= a.right or a.y >= b.bottom or b.y >= a.bottom
            assert apart or one.depth != other.depth
    for room in level.rooms:
        cells = [level.grid.cell_rect(cell) for cell in room.cells] if level.grid else []
        assert all((plan.owners[cell.slices] == room.id).all() for cell in cells)
    assert ((plan.owners != NOBODY) | (level.terrain == 0)).all()
