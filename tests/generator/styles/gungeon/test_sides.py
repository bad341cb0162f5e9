"""Sides: the place before an entrance and the entrance's own tiles agree, wherever a room lies."""

from __future__ import annotations

import pytest

from generator.geometry import Rect, Side
from generator.styles.gungeon.route import SIDES, RoomSide

STRIDE = 200
RECT = Rect(40, 30, 17, 12)


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("direction", range(4))
def test_a_hallway_that_steps_in_from_its_place_covers_the_entrance(direction: int, width: int) -> None:
    side = RoomSide(7, direction, RECT, None, width, STRIDE)
    for place in {*side.middle_places(), *side.all_places()}:
        entrance = side.entrance(place)
        way = SIDES[direction]
        assert (entrance.room, entrance.side) == (7, way)
        assert len(entrance.tiles) == width
        x, y = place % STRIDE, place // STRIDE
        square = {(x + i, y + j) for i in range(width) for j in range(width)}
        assert square.isdisjoint({(i, j) for i in range(40, 57) for j in range(30, 42)})
        steps = [{(i - way.dx * n, j - way.dy * n) for i, j in square} for n in range(3)]
        assert not steps[1] & set(entrance.tiles), "a tile is for the hallway's own wall"
        assert set(entrance.tiles) <= steps[2]


def test_doors_lie_off_corners_or_in_exits() -> None:
    plain = RoomSide(0, 0, RECT, None, 2, STRIDE)
    assert plain.offsets == sum(1 << offset for offset in range(2, 17 - 2 - 2 + 1))
    exits = {Side.EAST: ((3, 4, 5), (8,))}
    east = RoomSide(0, 1, RECT, exits, 2, STRIDE)
    assert east.offsets == 1 << 3 | 1 << 4 | 1 << 5 | 1 << 8
    assert [east.entrance(place).tiles[0] for place in east.middle_places()] == [(56, 34), (56, 38)]
    assert [east.entrance(place).tiles[0][1] - 30 for place in sorted(east.all_places())] == [3, 8]
    north = RoomSide(0, 0, RECT, exits, 2, STRIDE)
    assert (north.offsets, north.middle_places(), north.all_places()) == (0, [], [])
