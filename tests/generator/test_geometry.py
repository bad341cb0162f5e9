"""Sides, half-open rectangles, and the one way from cells to tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import GridFrame, Rect, Side

SMALL = st.integers(-40, 40)
RECTS = st.builds(Rect, SMALL, SMALL, st.integers(0, 30), st.integers(0, 30))
ODD = st.sampled_from(range(5, 32, 2))


@pytest.mark.parametrize("side", Side)
def test_a_step_back_over_the_opposite_side_ends_where_it_began(side: Side) -> None:
    assert (side.dx + side.opposite.dx, side.dy + side.opposite.dy) == (0, 0)
    assert side.opposite.opposite is side
    assert side.is_vertical_way is (side.label in ("north", "south"))


def test_y_grows_downwards() -> None:
    assert (Side.NORTH.dx, Side.NORTH.dy) == (0, -1)
    assert (Side.EAST.dx, Side.EAST.dy) == (1, 0)


@given(SMALL, SMALL, st.sampled_from(Side))
def test_between_names_the_side_that_is_seen_from_the_first(x: int, y: int, side: Side) -> None:
    assert Side.between((x, y), (x + side.dx, y + side.dy)) is side


@pytest.mark.parametrize("other", [(0, 0), (1, 1), (2, 0), (0, -2)])
def test_what_is_not_one_step_away_shares_no_side(other: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="share no side"):
        Side.between((0, 0), other)


@given(RECTS)
def test_a_rectangle_is_half_open(rect: Rect) -> None:
    """It holds as many tiles as its area says, and neither its right column nor its bottom row."""
    inside = [(x, y) for x in range(-45, 75) for y in range(-45, 75) if rect.contains(x, y)]
    assert len(inside) == rect.width * rect.height
    assert not any(x == rect.right or y == rect.bottom for x, y in inside)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_slices_and_contains_mean_the_same_tiles(x: int, y: int, width: int, height: int) -> None:
    rect = Rect(x, y, width, height)
    painted = np.zeros((20, 20), bool)
    painted[rect.slices] = True
    assert {(int(a), int(b)) for b, a in np.argwhere(painted)} == {
        (a, b) for a in range(20) for b in range(20) if rect.contains(a, b)
    }


@given(RECTS)
def test_shrinking_takes_one_ring(rect: Rect) -> None:
    inner = rect.shrunk(1)
    assert (inner.x - rect.x, inner.y - rect.y) == (1, 1)
    assert (rect.right - inner.right, rect.bottom - inner.bottom) == (1, 1)


@given(SMALL, SMALL, ODD, ODD, st.integers(0, 9), st.integers(0, 9), st.sampled_from(Side))
def test_cells_tile_the_plane(ox: int, oy: int, width: int, height: int, x: int, y: int, side: Side) -> None:
    """Neighbouring cells touch without a gap and without sharing a tile."""
    frame = GridFrame((ox, oy), (width, height))
    rect, other = frame.cell_rect((x, y)), frame.cell_rect((x + side.dx, y + side.dy))
    assert (other.x - rect.x, other.y - rect.y) == (side.dx * width, side.dy * height)
    assert rect[2:] == other[2:] == (width, height)


@given(SMALL, SMALL, ODD, ODD, st.sampled_from([1, 3, 5]), st.sampled_from(Side))
def test_a_door_goes_through_both_walls_in_the_middle_of_the_side(
    ox: int, oy: int, width: int, height: int, door_width: int, side: Side
) -> None:
    frame = GridFrame((ox, oy), (width, height))
    rect, other = frame.cell_rect((4, 4)), frame.cell_rect((4 + side.dx, 4 + side.dy))
    own, theirs = frame.door_tiles((4, 4), side, door_width)
    assert len(own) == len(theirs) == door_width
    assert own == sorted(own) and theirs == sorted(theirs)
    assert all(rect.contains(*tile) and not rect.shrunk(1).contains(*tile) for tile in own)
    assert all(other.contains(*tile) for tile in theirs)
    assert [(x + side.dx, y + side.dy) for x, y in own] == theirs
    middle = own[door_width // 2]
    along = middle[0] - rect.x if side.is_vertical_way else middle[1] - rect.y
    assert along == (width if side.is_vertical_way else height) // 2


@given(SMALL, SMALL, ODD, ODD, st.sampled_from([1, 3, 5]), st.sampled_from(Side))
def test_both_rooms_of_a_door_find_the_same_tiles(
    ox: int, oy: int, width: int, height: int, door_width: int, side: Side
) -> None:
    frame = GridFrame((ox, oy), (width, height))
    own, theirs = frame.door_tiles((4, 4), side, door_width)
    back = frame.door_tiles((4 + side.dx, 4 + side.dy), side.opposite, door_width)
    assert back == (theirs, own)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1))
def test_the_rectangle_around_tiles_is_the_smallest(tiles: list[tuple[int, int]]) -> None:
    rect = Rect.around(tiles)
    assert all(rect.contains(x, y) for x, y in tiles)
    for side in (rect._replace(width=rect.width - 1), rect._replace(height=rect.height - 1)):
        assert not all(side.contains(x, y) for x, y in tiles)
    assert (rect.x, rect.y) == (min(x for x, _ in tiles), min(y for _, y in tiles))
