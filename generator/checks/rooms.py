"""The invariants of the rooms of a level of any style, and of the paths between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from generator.algorithms.graph import steps_from
from generator.algorithms.outline import Ring
from generator.checks.base import Problem, RoomNumbers, area_of, needs_no_way, owners, problem, steps
from generator.level import Level, Room


def one_start(level: Level) -> Iterator[Problem]:
    """Check that room 0 is the only start, and contains the only player_start."""
    kinds = [room.kind for room in level.rooms]
    if not kinds or kinds[0] != "start" or kinds.count("start") != 1:
        yield problem(one_start, "rooms", "room 0 is not the only start room")
    starts = [marker for marker in level.markers if marker.kind == "player_start"]
    if len(starts) != 1 or starts[0].room != 0:
        yield problem(
            one_start, "markers", f"there are {len(starts)} player_start markers, not one in room 0"
        )


def rooms_apart(level: Level) -> Iterator[Problem]:
    """Check that no two rooms have a tile in common, or in a grid style a cell.

    All tiles in its bounds count as those of a room whose outline has other bounds.
    """
    if level.grid is not None:
        counts = Counter(cell for room in level.rooms for cell in room.cells)
        for cell, count in counts.items():
            if count > 1:
                yield problem(rooms_apart, f"cell {list(cell)}", f"belongs to {count} rooms")
        return
    owner = np.full(level.terrain.shape, -1, np.int32)
    for room in level.rooms:
        area = np.ones((room.bounds.height, room.bounds.width), bool)
        if _around(room) == room.bounds:
            area = area_of(room.outline, room.bounds[:2], room.bounds[2:])
        taken = owner[room.bounds.slices]
        if (taken[area] >= 0).any():
            yield problem(rooms_apart, f"room {room.id}", f"overlaps room {int(taken[area].max())}")
        taken[area] = room.id


def outlines_round_rooms(level: Level) -> Iterator[Problem]:
    """Check that an outline is an outer ring and holes, clockwise round the room's tiles, without knots.

    Each ring turns at every corner, and starts eastwards from its uppermost, then leftmost corner. Holes come
    in the order of their first corners. The tiles are those of a grid style's cells, otherwise all in the
    bounds that are neither void nor another room's.
    """
    owner = owners(level)
    for room in level.rooms:
        subject, rings = f"room {room.id}", room.outline
        if not rings or any(len(ring) < 4 for ring in rings):
            yield problem(outlines_round_rooms, subject, "has no outline")
            continue
        knots = [corner for corner, count in Counter(c for ring in rings for c in ring).items() if count > 1]
        if knots:
            message = f"its outline has the corner {list(knots[0])} twice"
            yield problem(outlines_round_rooms, subject, message)
        for number, ring in enumerate(rings):
            if not _turns_clockwise(ring):
                message = f"ring {number} of its outline does not run clockwise from corner to corner"
                yield problem(outlines_round_rooms, subject, message)
        firsts = [ring[0][::-1] for ring in rings[1:]]
        if firsts != sorted(firsts):
            yield problem(outlines_round_rooms, subject, "the holes of its outline are not sorted")
        yield from _area_problems(level, room, owner)


def _turns_clockwise(ring: Ring) -> bool:
    """Check whether a ring runs clockwise, along rows and columns in turn, first to the east."""
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise((*ring, ring[0]))]
    if any((dx == 0) == (dy == 0) or (dy == 0) == bool(i % 2) for i, (dx, dy) in enumerate(steps)):
        return False
    twice = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise((*ring, ring[0])))
    return ring[0] == min(ring, key=lambda corner: corner[::-1]) and steps[0][0] > 0 and twice > 0


def _area_problems(level: Level, room: Room, owner: RoomNumbers) -> Iterator[Problem]:
    corner, size = room.bounds[:2], room.bounds[2:]
    area = area_of(room.outline, corner, size)
    if len(room.outline) > 1:
        outer, holes = (area_of(rings, corner, size) for rings in (room.outline[:1], room.outline[1:]))
        if (holes & ~outer).any():
            yield problem(
                outlines_round_rooms, f"room {room.id}", "a hole of its outline is outside the room"
            )
    if level.grid is None:
        of_others = ~np.isin(owner[room.bounds.slices], (-1, room.id))
        expected = (level.terrain[room.bounds.slices] != 0) & ~of_others
    else:
        expected = np.zeros(area.shape, bool)
        for cell in room.cells:
            rect = level.grid.cell_rect(cell)
            x, y = rect.x - corner[0], rect.y - corner[1]
            expected[max(y, 0) : max(y + rect.height, 0), max(x, 0) : max(x + rect.width, 0)] = True
    if not np.array_equal(area, expected):
        yield problem(outlines_round_rooms, f"room {room.id}", "its outline does not follow its tiles")


def bounds_are_tight(level: Level) -> Iterator[Problem]:
    """Check that a room's bounds are the smallest rectangle round its outline."""
    for room in level.rooms:
        smallest = _around(room)
        if smallest != room.bounds:
            message = f"its bounds are {list(room.bounds)}, but its outline has the bounds {list(smallest)}"
            yield problem(bounds_are_tight, f"room {room.id}", message)


def _around(room: Room) -> tuple[int, int, int, int]:
    """Return the smallest rectangle round the outline of a room."""
    corners = [corner for ring in room.outline for corner in ring]
    xs, ys = ([corner[axis] for corner in corners] or [0] for axis in (0, 1))
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def distances_walked(level: Level) -> Iterator[Problem]:
    """Check that a room's distance counts the rooms walked from the start, without secret and red doors.

    Only secret rooms, and rooms with only secret doors, can have no distance.
    """
    shown = {room for door in level.doors if door.kind not in level.kinds.secret_doors for room in door.rooms}
    distances = walked(level)
    for room in level.rooms:
        if room.distance != distances.get(room.id):
            message = (
                f"has distance {room.distance}, but the way there is {distances.get(room.id)} rooms long"
            )
            yield problem(distances_walked, f"room {room.id}", message)
        if distances.get(room.id) is None and room.kind not in level.kinds.secret_rooms and room.id in shown:
            yield problem(distances_walked, f"room {room.id}", f"this {room.kind} room cannot be reached")


def walked(level: Level) -> dict[int, int]:
    """Count the rooms walked from the start to each room. Rooms behind secret doors only are left out."""
    beside: dict[int, list[int]] = {room.id: [] for room in level.rooms}
    for a, b in steps(level):
        beside[a].append(b)
    return steps_from(0, beside) if level.rooms else {}


def reached_on_foot(level: Level) -> Iterator[Problem]:
    """Check that every room's doors and markers can be reached on foot from the player's start.

    Secret doors count as open here, as their rooms must be worth the bomb, and so do red ones. Lights need
    not be reachable, nor does a flying boss.
    """
    from scipy import ndimage  # slow to load

    starts = [marker for marker in level.markers if marker.kind == "player_start"]
    if not starts:
        return
    ways = level.passable("walk").copy()
    ways[starts[0].y, starts[0].x] = True
    parts, _ = ndimage.label(ways)
    on_foot = parts == parts[starts[0].y, starts[0].x]
    for door in level.doors:
        for x, y in door.tiles:
            if not on_foot[y, x]:
                yield problem(reached_on_foot, f"door {door.id}", f"tile {x},{y} cannot be reached on foot")
    for marker in level.markers:
        if not needs_no_way(level, marker) and not on_foot[marker.y, marker.x]:
            message = f"the {marker.kind} at {marker.x},{marker.y} cannot be reached on foot"
            yield problem(reached_on_foot, f"marker {marker.id}", message)


def boss_is_far(level: Level) -> Iterator[Problem]:
    """Check that no door or hallway joins the start to a boss room, unless all other rooms are boss rooms.

    A flow may do so: its author decides what is beside the start.
    """
    if "flow" in level.facts or {"start", "boss"}.issuperset(room.kind for room in level.rooms):
        return
    pairs = [(f"door {door.id}", door.rooms) for door in level.doors]
    pairs += [
        (
            f"hallway {hallway.id}",
            (level.doors[hallway.doors[0]].rooms[0], level.doors[hallway.doors[1]].rooms[0]),
        )
        for hallway in level.hallways
    ]
    for subject, pair in pairs:
        if {level.rooms[room].kind for room in pair if room is not None} == {"start", "boss"}:
            yield problem(boss_is_far, subject, "joins the start to a boss room")
