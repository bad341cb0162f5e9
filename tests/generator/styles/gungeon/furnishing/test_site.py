"""Where things that a room must hold may be."""

from __future__ import annotations

import numpy as np
import pytest

from generator.geometry import Rect
from generator.interiors.free_tiles import HeldTiles, tile_near_middle
from generator.kinds import DOOR, FLOOR, SHIPPED, WALL

BEHIND_A_GAP = """
#########
#.......D
#.......D
#.......D
####.####
#.......#
#.......#
#.......#
#.......#
#########
"""


def held(drawing: str) -> HeldTiles:
    rows = drawing.split()
    terrain = np.array([[{"#": WALL, "D": DOOR}.get(sign, FLOOR) for sign in row] for row in rows], np.uint8)
    return HeldTiles(terrain, np.zeros_like(terrain), SHIPPED)


@pytest.mark.parametrize(("body", "row"), [(1, 4), (2, 3), (3, 3)])
def test_a_body_gets_from_the_doors_to_the_tile_near_the_middle(body: int, row: int) -> None:
    """The larger part of the room is behind a gap of one tile."""
    tile = tile_near_middle(Rect(0, 0, 9, 10), held(BEHIND_A_GAP), (), body)
    assert tile == (4, row)


@pytest.mark.parametrize("body", [1, 2])
def test_without_a_door_all_of_the_largest_part_counts(body: int) -> None:
    assert tile_near_middle(Rect(0, 0, 5, 5), held("##### #...# #...# #...# #####"), (), body) == (2, 2)
