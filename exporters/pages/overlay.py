"""The overlay that a page draws on a level's picture: rooms, and the paths between them, in tiles.

A room is a node, on one of its own tiles. A path is a line from node to node through doors. Inside a room
with several cells it goes from cell to cell, because a straight line could cross another room's cells.

        o───┐           o  the node of an L
            │           +  the door
            + ── o
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from exporters.objects import starts_shut
from exporters.places import EXIT_ICON, Corner, apart, middle_of, middle_of_cell, node_cell, node_of
from generator.geometry import Point
from generator.kinds import Kinds
from generator.kinds.signs import Dots, sign_table
from generator.level import Door, Hallway, Level, Room


def rooms_of(level: Level) -> list[dict[str, Any]]:
    """Make a table per room: its kind, its node's position, and the rings of its outline as x, y, x, y, …."""
    return [
        {
            "kind": room.kind,
            "distance": room.distance,
            "at": node_of(level, room),
            "rings": [[part for corner in ring for part in corner] for ring in room.outline],
        }
        for room in level.rooms
    ]


@lru_cache(maxsize=64)
def page_signs(kinds: Kinds, rooms: tuple[str, ...]) -> Mapping[str, Any]:
    """Return what a page draws signs from: for each a path on dots from 0, 0, and the colours of keys.

    `rooms` and `doors` (and the exit) are by kind and icon, `keys`, `locks` and `levers` by the key's number.
    """
    table = sign_table()
    of_rooms = {kind: sign for kind in rooms if (sign := table.of_room(kinds.room(kind)))}
    icons = [*(row.icon for row in kinds.doors.values() if row.icon), EXIT_ICON]
    numbers = range(len(table.keys["colours"]))
    of_keys = {
        f"{sign}s": [dots_path(table.of_key(sign, number).dots) for number in numbers]
        for sign in ("key", "lock", "lever")
    }
    return {
        "rooms": {kind: dots_path(sign.dots) for kind, sign in of_rooms.items()},
        "inks": {kind: sign.ink for kind, sign in of_rooms.items()},
        "doors": {icon: dots_path(table.named(icon)) for icon in dict.fromkeys(icons)},
        "ways": {kind: dots_path(table.of_way(kind, 1, 0).dots) for kind in ("one_way", "barred")},
        **of_keys,
        "colours": [table.of_key("key", number).ink for number in numbers],
        "plain": table.plain,
        "edge": table.edge,
    }


def dots_path(dots: Dots) -> str:
    """Return a drawing as an SVG path: a rectangle for each run of dots in a row."""
    runs = ((y, run.start(), len(run[0])) for y, row in enumerate(dots) for run in re.finditer("#+", row))
    return "".join(f"M{x} {y}h{length}v1h-{length}z" for y, x, length in runs)


def paths_of(level: Level) -> list[list[Any]]:
    """List the paths from room to room: whether a door starts shut, and the corners x, y, x, y, …."""
    paths: list[list[Any]] = []
    for door in level.doors:
        a, b = door.rooms
        if b is not None:
            places = [*_to_door(level, level.rooms[a], door), *_to_door(level, level.rooms[b], door)[::-1]]
            paths.append([starts_shut(door, level.kinds), *_flat(places)])
    for hallway in level.hallways:
        is_shut = any(starts_shut(level.doors[door], level.kinds) for door in hallway.doors)
        paths.append([is_shut, *_flat(_along(level, hallway))])
    return paths


def _flat(corners: list[Corner]) -> list[float]:
    """Flatten corners to numbers, without repeated corners in a row."""
    kept = [corner for i, corner in enumerate(corners) if i == 0 or corner != corners[i - 1]]
    return [part for corner in kept for part in corner]


def _to_door(level: Level, room: Room, door: Door) -> list[Corner]:
    """Return the corners from the room's node to the centre of a door."""
    end = middle_of(door)
    if not (level.grid and room.cells):
        return [node_of(level, room), end]
    near = min(room.cells, key=lambda cell: apart(middle_of_cell(level, cell), end))
    return [*(middle_of_cell(level, cell) for cell in _walk(room, node_cell(level, room), near)), end]


def _along(level: Level, hallway: Hallway) -> list[Corner]:
    """Find the corners from node to node along a hallway's tiles: the shortest path with the fewest turns."""
    first, last = (level.doors[number] for number in hallway.doors)
    start, end = (door.tiles[len(door.tiles) // 2] for door in (first, last))
    free = {*hallway.tiles, *first.tiles, *last.tiles}
    corners = [start]
    queue = [(0, 0, start, (0, 0), tuple(corners))]  # steps, turns, where, heading, corners so far
    seen = set()
    while queue:
        steps, turns, at, heading, so_far = heappop(queue)
        if at == end:
            corners = [*so_far, end]
            break
        if (at, heading) in seen:
            continue
        seen.add((at, heading))
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            to = at[0] + way[0], at[1] + way[1]
            if to in free:
                turned = way != heading
                heappush(queue, (steps + 1, turns + turned, to, way, (*so_far, at) if turned else so_far))
    nodes = [node_of(level, level.rooms[door.rooms[0]]) for door in (first, last)]
    return [nodes[0], *((x + 0.5, y + 0.5) for x, y in corners), nodes[1]]


def _walk(room: Room, start: Point, end: Point) -> list[Point]:
    """Return the cells of the shortest path inside a room, including both ends."""
    before: dict[Point, Point] = {start: start}
    for cell in (queue := [start]):
        x, y = cell
        for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if beside in room.cells and beside not in before:
                before[beside] = cell
                queue.append(beside)
    walk = [end]
    while walk[-1] in before and walk[-1] != start:
        walk.append(before[walk[-1]])
    return walk[::-1]
