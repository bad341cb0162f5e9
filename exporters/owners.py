"""The owner of each tile, to split a level into its rooms and hallways.

Every tile has one owner: the room whose walls enclose it, or the hallway whose floor it is. A hallway's
walls belong to the hallway. The top of a wall and its outer face, both drawn in the void, belong to the
owner of the wall. So nothing is drawn twice, and all parts together make up the level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from exporters.theme import EMPTY
from generator.algorithms.outline import ring
from generator.arrays import Mask
from generator.geometry import Point, Rect
from generator.kinds import VOID
from generator.level import Door, DoorHalf, Level, Room

Owners = npt.NDArray[np.int32]
NOBODY = -1
# Where a tile looks for its owner: a wall's top belongs to the wall below it, an outer face to the one above.
_BESIDE = ((0, 1), (0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (-1, -1), (1, -1))
_MAX_STEPS = 4  # tiles from a room or hallway; in generated levels nothing is drawn farther away


def owners(level: Level, layers: Iterable[npt.NDArray[np.int32]]) -> Owners:
    """Find the owner of each tile [y, x]: a room's id, or the number of rooms plus a hallway's id."""
    owner = owners_of_rooms(level)
    # From the last hallway to the first, to which a tile of two belongs.
    hallways = [(way.id, way.tiles) for way in reversed(level.hallways)]
    places = np.fromiter(chain.from_iterable(chain.from_iterable(tiles for _, tiles in hallways)), np.intp)
    numbers = np.repeat(
        np.array([number for number, _ in hallways], np.int32), [len(tiles) for _, tiles in hallways]
    )
    xs, ys = places.reshape(-1, 2).T
    free = owner[ys, xs] == NOBODY
    owner[ys[free], xs[free]] = len(level.rooms) + numbers[free]
    drawn = np.logical_or.reduce([layer != EMPTY for layer in layers])
    stone = drawn & (level.terrain != VOID)  # stone first, so that a top gets the owner of its wall
    for mask in (stone, drawn):
        for _ in range(_MAX_STEPS):
            if not (mask & (owner == NOBODY)).any():
                break
            _spread(owner, mask)
    owner[drawn & (owner == NOBODY)] = 0
    return owner


def owners_of_rooms(level: Level) -> Owners:
    """Find the room of each tile [y, x], walls included; those of hallways are nobody's."""
    owner = np.full(level.terrain.shape, NOBODY, np.int32)
    for room in level.rooms:
        for rect, inside in _room_tiles(level, room):
            owner[rect.slices][inside] = room.id
    return owner


def _room_tiles(level: Level, room: Room) -> Iterator[tuple[Rect, npt.NDArray[np.bool_]]]:
    """Yield the tiles that a room encloses with its walls, as rectangles with a mask of the room's tiles."""
    if level.grid:
        for part in level.room_rects(room):
            yield part, np.ones((part.height, part.width), np.bool_)
    else:
        yield room.bounds, enclosed(room)


def enclosed(room: Room) -> Mask:
    """Find what lies inside a room's outline, without holes, [y, x] in its bounds."""
    if room.outline in ((), (ring(room.bounds),)):  # most are rectangles
        return np.ones((room.bounds.height, room.bounds.width), bool)
    return filled(room.outline, room.bounds)


def common(a: Rect, b: Rect) -> Rect:
    """Intersect two rectangles that overlap."""
    x, y = max(a.x, b.x), max(a.y, b.y)
    return Rect(x, y, min(a.right, b.right) - x, min(a.bottom, b.bottom) - y)


def halves_by_room(level: Level) -> dict[int, list[tuple[Door, DoorHalf]]]:
    """Group the doors of a level by room, with the half of each that lies in the room's wall."""
    by_room: dict[int, list[tuple[Door, DoorHalf]]] = {}
    for door in level.doors:
        for half in door.halves:
            by_room.setdefault(half.room, []).append((door, half))
    return by_room


def filled(rings: Iterable[Sequence[Point]], bounds: Rect) -> Mask:
    """Find what lies inside an outer ring of tile corners and outside its holes, [y, x] in some bounds."""
    x, y, width, height = bounds
    inside = np.zeros((height, width), np.bool_)
    for corners in rings:
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
            if ax == bx:  # each vertical edge flips inside and outside to its right
                low, high = sorted((max(ay - y, 0), max(by - y, 0)))
                inside[low:high, max(ax - x, 0) :] ^= True
    return inside


def _spread(owner: Owners, mask: npt.NDArray[np.bool_]) -> None:
    """Give each tile of `mask` without an owner the owner of a neighbour, in the order of `_BESIDE`."""
    height, width = owner.shape
    framed = np.full((height + 2, width + 2), NOBODY, np.int32)
    framed[1:-1, 1:-1] = owner
    free = np.flatnonzero(mask & (owner == NOBODY))
    ys, xs = np.divmod(free, width)
    places = (ys + 1) * (width + 2) + xs + 1
    for dx, dy in _BESIDE:
        beside = framed.take(places + dy * (width + 2) + dx)
        taken = beside != NOBODY
        owner.put(free[taken], beside[taken])
        free, places = free[~taken], places[~taken]


def extents(owner: Owners, low: npt.NDArray[np.int_], high: npt.NDArray[np.int_]) -> list[Rect]:
    """Find the smallest rectangles around the tiles of each owner.

    `low` and `high` [number] are x and y of corners that the rectangle of each owner includes in any case.
    An owner without tiles has an empty one.
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
