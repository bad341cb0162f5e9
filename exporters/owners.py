"""Whose each tile is, where a level is split into its rooms and hallways.

Every tile has one owner: the room whose walls enclose it, the hallway whose floor it is, or else what it
stands beside: the top of a wall and its outer face, both drawn in the void, go to the wall's; a hallway's
walls to the hallway. So nothing is drawn twice, and all parts together are the level.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, Layers
from generator.geometry import Rect
from generator.kinds import VOID
from generator.level import Level, Room

Owners = npt.NDArray[np.int32]
NOBODY = -1
# Whom a tile of nobody's belongs to: a wall's top to the wall below it, an outer face to the one above.
_BESIDE = ((0, 1), (0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (-1, -1), (1, -1))
_MOST_STEPS = 4  # tiles from a room or hallway; nothing drawn is farther away on a level of ours


def owners(level: Level, layers: Layers) -> Owners:
    """[y, x]: the number of the owner of each tile: a room's id, or behind them a hallway's."""
    found = np.full(level.terrain.shape, NOBODY, np.int32)
    for room in level.rooms:
        for rect, inside in _room_tiles(level, room):
            found[rect.slices][inside] = room.id
    for hallway in level.hallways:
        xs, ys = np.array(hallway.tiles, np.intp).reshape(-1, 2).T
        free = found[ys, xs] == NOBODY
        found[ys[free], xs[free]] = len(level.rooms) + hallway.id
    drawn = np.logical_or.reduce([layer != EMPTY for layer in layers])
    stone = drawn & (level.terrain != VOID)  # before the void: a top goes with its wall
    for some in (stone, drawn):
        for _ in range(_MOST_STEPS):
            if not (some & (found == NOBODY)).any():
                break
            _spread(found, some)
    found[drawn & (found == NOBODY)] = 0
    return found


def _room_tiles(level: Level, room: Room) -> Iterator[tuple[Rect, npt.NDArray[np.bool_]]]:
    """The tiles that a room encloses, walls included, as rectangles and what of each is the room."""
    if level.grid:
        for part in level.room_rects(room):
            yield part, np.ones((part.height, part.width), np.bool_)
    else:
        yield room.bounds, _enclosed(room)


def _enclosed(room: Room) -> npt.NDArray[np.bool_]:
    """[y, x] of the room's bounds: what lies inside its outline, holes left out."""
    x, y, width, height = room.bounds
    inside = np.zeros((height, width), np.bool_)
    if not room.outline:
        return ~inside
    for ring in room.outline:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if ax == bx:  # each upright edge turns what is to its right inside out
                low, high = sorted((max(ay - y, 0), max(by - y, 0)))
                inside[low:high, max(ax - x, 0) :] ^= True
    return inside


def _spread(found: Owners, some: npt.NDArray[np.bool_]) -> None:
    """Give each of some tiles that is nobody's to the owner of a neighbour: the first by `_BESIDE`."""
    height, width = found.shape
    framed = np.full((height + 2, width + 2), NOBODY, np.int32)
    framed[1:-1, 1:-1] = found
    free = some & (found == NOBODY)
    for dx, dy in _BESIDE:
        beside = framed[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        taken = free & (beside != NOBODY)
        found[taken] = beside[taken]
        free &= ~taken


def extents(owner: Owners, low: npt.NDArray[np.int_], high: npt.NDArray[np.int_]) -> list[Rect]:
    """The rectangle that holds all tiles of each owner, in one go for all of them.

    `low` and `high` [number] are x and y of its first corner and its last, at least so far apart; an owner of
    nothing has an empty one.
    """
    low, high = low.copy(), high.copy()
    ys, xs = np.nonzero(owner != NOBODY)
    numbers = owner[ys, xs]
    for axis, values in enumerate((xs, ys)):
        np.minimum.at(low[:, axis], numbers, values)
        np.maximum.at(high[:, axis], numbers, values + 1)
    return [
        Rect(x, y, right - x, bottom - y) if right else Rect(0, 0, 0, 0)
        for (x, y), (right, bottom) in zip(low.tolist(), high.tolist(), strict=True)
    ]
