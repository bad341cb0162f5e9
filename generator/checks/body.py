"""Checks that a large body gets through a level, as the spec's `body` promises, and through shut rooms.

It uses scipy's morphology on the finished level, independently of how rooms are made: a square body can be
wherever an erosion of the walkable tiles by that square leaves a tile.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from generator.arrays import Mask, beside
from generator.checks.base import (
    Problem,
    body_of,
    body_places,
    covered_by,
    hazards,
    mask_of,
    needs_no_way,
    pieces_of,
    problem,
    steps_of,
)
from generator.geometry import Side
from generator.interiors.interior import STANDS_ON
from generator.level import Door, Level, Marker

_VERTICAL = tuple(side.label for side in Side if side.is_vertical_way)


def body_gets_everywhere(level: Level) -> Iterator[Problem]:
    """Check that a square body of the spec's `body` tiles can walk through every door and to every marker.

    It never steps on a hazard on its way through the doors, and uses secret or red doors only to secret
    rooms. It must cover a marker's tile or one beside it. Markers that need not be reachable do not count:
    lights, a flying boss.
    """
    side = level.spec.body
    starts = [marker for marker in level.markers if marker.kind == "player_start"]
    if side == 1 or not starts:
        return
    walk, closed = level.passable("walk"), np.zeros(level.terrain.shape, bool)
    for door in level.doors:
        if door.kind in level.kinds.secret_doors:
            closed[tuple(np.array(door.tiles, np.intp).reshape(-1, 2).T[::-1])] = True
    safe = walk & ~hazards(level)
    open_ways = np.pad(_home(safe & ~closed, starts[0], side), side)
    all_ways = np.pad(_home(safe, starts[0], side), side)
    for door in level.doors:
        home = all_ways if door.kind in level.kinds.secret_doors else open_ways
        if not _leads_through(door, home, side):
            message = f"a body of {side} x {side} tiles does not fit through"
            yield problem(body_gets_everywhere, f"door {door.id}", message)
    covered = covered_by(_home(walk, starts[0], side), side)
    near = covered | beside(covered)
    for marker in level.markers:
        reached = covered if marker.kind in STANDS_ON else near
        if not reached[marker.y, marker.x] and not needs_no_way(level, marker):
            message = (
                f"a body of {side} x {side} tiles cannot reach the {marker.kind} at {marker.x},{marker.y}"
            )
            yield problem(body_gets_everywhere, f"marker {marker.id}", message)


def _home(free: Mask, start: Marker, side: int) -> Mask:
    """Return the tiles [y, x] where the top left of a body can be on a walk from the start."""
    from scipy import ndimage

    places = body_places(free, side)
    pieces, _ = ndimage.label(places)
    top, left = max(start.y - side + 1, 0), max(start.x - side + 1, 0)
    counts = np.bincount(pieces[top : start.y + 1, left : start.x + 1].ravel())
    counts[0] = 0
    home: Mask = (pieces == counts.argmax()) & places
    return home


def nobody_is_shut_off(level: Level) -> Iterator[Problem]:
    """Check that whoever is shut in a room gets from each of its doors to the others and to every marker.

    Fights shut the doors: their tiles are no way here. Some of the floor before each door must be joined to
    the rest. A larger body, as the spec has it, may reach what is beside a door only from within the door.
    Markers that need not be reachable do not count: lights, a flying boss.

    ##DDD##      Three tiles wide, with pits from its middle on: while the door is open, one gets from one
    #  ~  #      half of the room to the other in the door itself.
    #  ~  #
    #######
    """
    shut = level.passable("walk") & ~mask_of(level, [tile for door in level.doors for tile in door.tiles])
    for side in sorted({1, level.spec.body}):
        pieces = np.pad(pieces_of(shut, side), 1)  # with a rim: [y + 1, x + 1]
        before = {
            (room, door.id): {int(pieces[y + 1, x + 1]) for x, y in tiles}
            for door in level.doors
            for room, tiles in steps_of(door)
        }
        mains = _mains(before)
        for (room, door), found in before.items():
            if mains[room] not in found:
                message = f"{body_of(side)} cannot walk from it to the rest of room {room} while it is shut"
                yield problem(nobody_is_shut_off, f"door {door}", message)
        for marker in level.markers if side == 1 else ():
            main = None if marker.room is None else mains.get(marker.room)
            if main and pieces[marker.y + 1, marker.x + 1] != main and not needs_no_way(level, marker):
                what = f"the {marker.kind} at {marker.x},{marker.y}"
                message = f"one cannot walk to {what} while the doors of room {marker.room} are shut"
                yield problem(nobody_is_shut_off, f"marker {marker.id}", message)


def _mains(before: Mapping[tuple[int, int], set[int]]) -> dict[int, int]:
    """Return for each room the piece that most of its doors lead to."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for (room, _), found in before.items():
        counts[room].update(found)
    return {
        room: max(count, key=lambda piece: (bool(piece), count[piece], -piece), default=0)
        for room, count in counts.items()
    }


def _leads_through(door: Door, home: Mask, side: int) -> bool:
    """Check whether a body gets from one side of a door to the other within it, padded by the body's side.

    ....        The places within the tiles of the door and a body's length before and behind it:
    ....        one component of them must reach from the first row to the last.
    #DD#
    #DD#
    ....
    ....
    """
    from scipy import ndimage

    if not door.tiles:
        return False
    xs, ys = zip(*door.tiles, strict=True)
    around = home[min(ys) : max(ys) + 2 * side + 1, min(xs) : max(xs) + 2 * side + 1]
    strip = around[:, side:-side] if door.side in _VERTICAL else around[side:-side].T  # [along, across]
    length, width = strip.shape
    if width < side:
        return False
    places = strip[: length - side + 1, : width - side + 1]
    if places.all(axis=0).any():  # straight through, as nearly always
        return True
    pieces, _ = ndimage.label(places)
    return not set(pieces[0].tolist()).isdisjoint(set(pieces[-1].tolist()) - {0})
