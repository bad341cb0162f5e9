"""Rooms of any outline: which part of a drawing is outside, and where its exits are.

# # # D D # #      the ring round everything and the walls along the outline belong to the room:
# # # . . # #      exits: N 3-4
  # . . . # #      map:
  # # # # #          ..
                   ...
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from generator.arrays import Mask
from generator.geometry import Rect, Side
from generator.interiors.drawn.room import DrawnObject, EditorRoom
from generator.interiors.exits import Exit
from generator.kinds import VOID, WALL, Kinds
from generator.level import Tiles

_GAPS = "gaps"  # in a list of exits: the gaps in the wall


class Outline(NamedTuple):
    """What follows from a drawing's walls: header lines, the area outside [y, x], and its glyph."""

    header: tuple[tuple[str, str], ...]
    void: Mask
    outside: str
    exits: tuple[DrawnObject, ...]


def is_free(room: EditorRoom, bounds: Rect) -> bool:
    """Check whether a room has a free outline with exits: it says so, or has an exit object."""
    return bool(room.header.get("exits")) or bool(_exit_objects(room, bounds))


def free_outline(room: EditorRoom, bounds: Rect) -> Outline:
    """Return the exits, and the area outside the walls. Raises LayoutError."""
    terrain = room.terrain[bounds.slices]
    objects = _exit_objects(room, bounds)
    header_exits = room.header.get("exits")
    if objects:
        exits = ", ".join(str(_exit(item, bounds)) for item in objects)
    else:
        requested = [part.strip() for part in str(header_exits).split(",")]
        gaps = [str(gap) for gap in openings(terrain, room.kinds)] if _GAPS in requested else []
        exits = ", ".join([*gaps, *(part for part in requested if part != _GAPS)])
    if not exits:
        raise room.fail("has no exit; draw an object of the class exit on the wall, or leave a gap there")
    framed = np.pad(terrain == VOID, 1, constant_values=True)
    near = np.zeros(terrain.shape, bool)
    for dy in range(3):
        for dx in range(3):
            near |= framed[dy : dy + terrain.shape[0], dx : dx + terrain.shape[1]]
    void = (terrain == VOID) | ((terrain == WALL) & near)
    return Outline((("exits", exits),), void[1:-1, 1:-1], " ", objects)


def _exit_objects(room: EditorRoom, bounds: Rect) -> tuple[DrawnObject, ...]:
    """Return the exit objects that touch the outermost ring, as any others lead to the next level."""
    inside = bounds.shrunk(1)
    return tuple(
        item
        for item in room.objects
        if item.kind == "exit"
        and (
            item.tiles.x < inside.x
            or item.tiles.y < inside.y
            or item.tiles.right > inside.right
            or item.tiles.bottom > inside.bottom
        )
    )


def _exit(item: DrawnObject, bounds: Rect) -> Exit:
    """Return the exit that an object stands for, on the side where most of it is in the wall."""
    tiles, inside = item.tiles, bounds.shrunk(1)
    beyond = {
        Side.NORTH: inside.y - tiles.y,
        Side.SOUTH: tiles.bottom - inside.bottom,
        Side.WEST: inside.x - tiles.x,
        Side.EAST: tiles.right - inside.right,
    }
    wide = max(tiles.width, 1) >= max(tiles.height, 1)
    sides = [side for side, depth in beyond.items() if depth > 0]
    side = min(sides, key=lambda candidate: candidate.is_vertical_way is not wide)
    if item.properties.get("any"):
        return Exit(side, 0, -1)
    if side.is_vertical_way:
        low, high, start, length = tiles.x, tiles.right, inside.x, inside.width
    else:
        low, high, start, length = tiles.y, tiles.bottom, inside.y, inside.height
    first, last = max(low - start, 0), min(high - start, length) - 1
    return Exit(side, first, max(first, last))


def openings(terrain: Tiles, kinds: Kinds) -> Iterable[Exit]:
    """Find the gaps in the outermost ring [y, x], side by side."""
    walk = kinds.terrain_where("walk")[terrain]
    for side, line in (
        (Side.NORTH, walk[0, 1:-1]),
        (Side.EAST, walk[1:-1, -1]),
        (Side.SOUTH, walk[-1, 1:-1]),
        (Side.WEST, walk[1:-1, 0]),
    ):
        padded = np.concatenate([[False], line, [False]])
        edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
        for first, end in zip(edges[::2], edges[1::2], strict=True):
            yield Exit(side, first, end - 1)
