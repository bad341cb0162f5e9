"""A quick proof by tiles that rooms and hallways can be crossed, for levels that were made a moment ago.

It asks more than `crossing` does: without its doors, the ground falls into rooms and hallways, each of one
piece, and whoever gets through a door goes straight ahead. So where it succeeds, `crossing` has nothing to
find; where it does not, `crossing` has to look. Nearly all levels are done by this, in a part of the time.
"""

from __future__ import annotations

import numpy as np

from generator.arrays import Ints, Mask
from generator.checks.base import body_places, hazards, mask_of, needs_no_way
from generator.geometry import Side
from generator.interiors.interior import STANDS_ON
from generator.level import Door, Level, Marker

_ONWARDS = (Side.EAST.label, Side.SOUTH.label)
_BESIDE = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))


def are_surely_crossed(level: Level) -> bool:
    """Check whether this proof shows that one can cross every room and hallway, as `crossing` asks."""
    walk = level.passable("walk")
    safe = walk & ~hazards(level)
    return _is_crossed(level, walk, 1) and _is_crossed(level, safe, level.spec.body)


def _is_crossed(level: Level, free: Mask, side: int) -> bool:
    """Check whether a body gets over free tiles [y, x] from a place's doors to the others and to markers."""
    from scipy import ndimage  # slow to load

    doors = mask_of(level, [tile for door in level.doors for tile in door.tiles])
    secret = [door for door in level.doors if door.kind in level.kinds.secret_doors]
    hidden = mask_of(level, [tile for door in secret for tile in door.tiles])
    inside = body_places(free & ~doors, side)
    parts: Ints = ndimage.label(inside)[0].astype(np.int64)
    through = body_places(free & ~hidden, side)
    through_secret = body_places(free, side) if secret else through
    halls = {door: len(level.rooms) + hallway.id for hallway in level.hallways for door in hallway.doors}
    main: dict[int, int] = {}  # the part that all doors of a place lead to
    for door in level.doors:
        around = (door.rooms[0], halls.get(door.id, -1) if door.rooms[1] is None else door.rooms[1])
        ends = _ends(door, through_secret if door in secret else through, parts, side)
        if any(main.setdefault(place, part) != part for place, part in zip(around, ends, strict=True)):
            return False
    return 0 not in main.values() and all(
        _is_reached(marker, parts, main.get(_place(marker, level), -1), side)
        for marker in level.markers
        if not needs_no_way(level, marker)
    )


def _ends(door: Door, through: Mask, parts: Ints, side: int) -> tuple[int, int]:
    """Return the parts that one comes from and gets to straight through a door, 0 for none."""
    xs, ys = zip(*door.tiles, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    if Side.named(door.side).is_vertical_way:
        through, parts = through.T, parts.T
        left, top, right, bottom = top, left, bottom, right
    for lane in range(top, bottom + 2 - side):  # the top left tiles of bodies
        if through[lane, left - side : right + 2].all():
            ends = int(parts[lane, left - side]), int(parts[lane, right + 1])
            return ends if door.side in _ONWARDS else ends[::-1]
    return 0, 0


def _place(marker: Marker, level: Level) -> int:
    if marker.hallway is not None:
        return len(level.rooms) + marker.hallway
    return -1 if marker.room is None else marker.room


def _is_reached(marker: Marker, parts: Ints, main: int, side: int) -> bool:
    """Check whether a body in a part covers a marker's tile or, if it is large, one beside it."""
    steps = _BESIDE if side > 1 and marker.kind not in STANDS_ON else _BESIDE[:1]
    return any(
        (parts[max(y - side + 1, 0) : y + 1, max(x - side + 1, 0) : x + 1] == main).any()
        for x, y in ((marker.x + dx, marker.y + dy) for dx, dy in steps)
    )
