"""A handmade level of a grid style whose rooms are not rectangles, with several doors or none between two rooms.

A A B B .      A: an L of three cells with the shop in its notch, joined to it by two doors
A S B B U      B: two cells by two, joined to A by two doors
               U: a room without any door
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from generator.algorithms.outline import outline
from generator.geometry import Point, Side
from generator.level import Level, Marker, Room
from tests.exporters.small_level import GRID, Way, built

_ROOMS: tuple[tuple[str, list[Point]], ...] = (
    ("start", [(0, 0), (1, 0), (0, 1)]),
    ("normal", [(2, 0), (3, 0), (2, 1), (3, 1)]),
    ("shop", [(1, 1)]),
    ("ultra_secret", [(4, 1)]),
    ("secret", [(2, 2)]),
)
_WAYS = (
    Way(0, 2, (1, 0), Side.SOUTH),
    Way(0, 2, (0, 1), Side.EAST, "locked"),
    Way(0, 1, (1, 0), Side.EAST, width=3),
    Way(2, 1, (1, 1), Side.EAST, "curse"),
    Way(1, 4, (2, 1), Side.SOUTH, "secret", width=3),
)


def level() -> Level:
    """See above."""
    decor = {(5, 4): "rock", (40, 6): "boulder", (42, 12): "statue", (22, 14): "table", (20, 2): "torch"}
    markers = (
        Marker(0, "player_start", 8, 6, 0),
        Marker(1, "enemy", 45, 8, 1, properties={"role": "shooter"}),
        Marker(2, "item", 67, 15, 3),
    )
    made = built(_ROOMS, _WAYS, decor=decor, markers=markers)
    return replace(made, rooms=tuple(map(_as_placed, made.rooms)))


def _as_placed(room: Room) -> Room:
    """With its outline, and the distances that the doors give."""
    bounds = room.bounds
    area = np.zeros((bounds.height, bounds.width), np.bool_)
    for x, y, width, height in map(GRID.cell_rect, room.cells):
        area[y - bounds.y : y - bounds.y + height, x - bounds.x : x - bounds.x + width] = True
    rings = outline(area, (bounds.x, bounds.y))
    distance = {"start": 0, "normal": 1, "shop": 1}.get(room.kind)
    return replace(room, outline=rings, distance=distance)
