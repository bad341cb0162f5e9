"""The overlay that a page draws on a level's picture: rooms, and the paths between them, in tiles.

A room is a node, on one of its own tiles. A path is a line from node to node through doors. Inside a room
with several cells it goes from cell to cell, because a straight line could cross another room's cells.

        o───┐           o  the node of an L
            │           +  the door
            + ── o
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.objects import starts_shut
from exporters.owners import enclosed
from generator.geometry import Point, Side
from generator.level import Door, Hallway, Level, Room

_Corner = tuple[float, float]


def rooms_of(level: Level) -> list[dict[str, Any]]:
    """Make a table per room: its kind, its node's position, and the rings of its outline as x, y, x, y, …."""
    return [
        {
            "kind": room.kind,
            "distance": room.distance,
            "at": _node(level, room),
            "rings": [[part for corner in ring for part in corner] for ring in room.outline],
        }
        for room in level.rooms
    ]


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


def gates_of(level: Level) -> list[list[Any]]:
    """List keys and locks as rows of a kind, a position x, y, and the kind's own data.

    `key` and `lever`: the name that locks use. `lock`: the names of its keys. `one_way`: one step into its
    room. `barred`: one step out of the room that it opens from.
    """
    rows: list[list[Any]] = []
    for marker in level.markers:
        if marker.kind == "key":
            kind = "lever" if marker.properties.get("lever") is True else "key"
            rows.append([kind, marker.x + 0.5, marker.y + 0.5, str(marker.properties.get("opens", ""))])
    for door in level.doors:
        x, y = _middle_of(door)
        side = Side.named(door.side)
        if door.needs:
            rows.append(["lock", x, y, *door.needs])
        if door.one_way:
            rows.append(["one_way", x, y, -side.dx, -side.dy])
        if door.opens_from is not None:
            out = 1 if door.opens_from == door.rooms[0] else -1
            rows.append(["barred", x, y, out * side.dx, out * side.dy])
    return rows


def _flat(corners: list[_Corner]) -> list[float]:
    """Flatten corners to numbers, without repeated corners in a row."""
    kept = [corner for i, corner in enumerate(corners) if i == 0 or corner != corners[i - 1]]
    return [part for corner in kept for part in corner]


def _to_door(level: Level, room: Room, door: Door) -> list[_Corner]:
    """Return the corners from the room's node to the centre of a door."""
    end = _middle_of(door)
    if not (level.grid and room.cells):
        return [_node(level, room), end]
    near = min(room.cells, key=lambda cell: _apart(_middle(level, cell), end))
    return [*(_middle(level, cell) for cell in _walk(room, _node_cell(level, room), near)), end]


def _middle_of(door: Door) -> _Corner:
    xs, ys = zip(*door.tiles, strict=True)
    return (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2


def _along(level: Level, hallway: Hallway) -> list[_Corner]:
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
    nodes = [_node(level, level.rooms[door.rooms[0]]) for door in (first, last)]
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


def _node(level: Level, room: Room) -> _Corner:
    """Place a room's node inside the room, since the centre of an L may be in another room."""
    if level.grid and room.cells:
        return _middle(level, _node_cell(level, room))
    x, y, width, height = room.bounds
    is_open = np.array([kind.fly for kind in level.terrain_kinds])  # a number over a pit is easy to read
    free = enclosed(room) & is_open[level.terrain[room.bounds.slices]]
    if free[height // 2, width // 2] or not free.any():
        return x + width / 2, y + height / 2
    column, row = _open_place(free)
    return x + column + 0.5, y + row + 0.5


def _open_place(free: npt.NDArray[np.bool_]) -> Point:
    """Find, among the free tiles with much space around them, the one nearest to the middle."""
    from scipy import ndimage  # slow to load, and most rooms are free in their middle

    space = ndimage.distance_transform_cdt(np.pad(free, 1), "chessboard")[1:-1, 1:-1]
    rows, columns = np.nonzero(2 * space >= space.max())
    height, width = free.shape
    apart = (2 * columns + 1 - width) ** 2 + (2 * rows + 1 - height) ** 2
    nearest = int(apart.argmin())
    return int(columns[nearest]), int(rows[nearest])


def _node_cell(level: Level, room: Room) -> Point:
    """Find the cell nearest to the centre of all cells. The first one wins a tie."""
    middles = [_middle(level, cell) for cell in room.cells]
    x, y = (sum(parts) / len(parts) for parts in zip(*middles, strict=True))
    return min(room.cells, key=lambda cell: _apart(_middle(level, cell), (x, y)))


def _middle(level: Level, cell: Point) -> _Corner:
    assert level.grid
    rect = level.grid.cell_rect(cell)
    return rect.x + rect.width / 2, rect.y + rect.height / 2


def _apart(first: _Corner, second: _Corner) -> float:
    """Compute the squared distance."""
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2
