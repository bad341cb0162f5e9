"""What a page draws over a level's picture: its rooms, and the ways between them, in tiles.

A room is a node, at a tile that is its own; a way is a line from node to node through its doors.
"""

from __future__ import annotations

from typing import Any

from generator.level import Door, Level, Room


def rooms_of(level: Level) -> list[dict[str, Any]]:
    """A table a room: what it is, where its node stands, and its outline, in tiles."""
    return [
        {
            "kind": room.kind,
            "distance": room.distance,
            "layout": room.layout,
            "at": _node(level, room),
            "rings": [[part for corner in ring for part in corner] for ring in room.outline],
        }
        for room in level.rooms
    ]


def ways_of(level: Level) -> list[list[Any]]:
    """For each way its kind and its corners x, y, x, y, …: from room to room through its doors, in tiles."""
    doors, rooms = level.doors, level.rooms
    ways: list[list[Any]] = []
    for door in doors:
        a, b = door.rooms
        if b is not None:
            points = [_node(level, rooms[a]), _middle(door), _node(level, rooms[b])]
            ways.append([door.kind, *_flat(points)])
    for hallway in level.hallways:
        one, other = (doors[each] for each in hallway.doors)
        ends = [_node(level, rooms[door.rooms[0]]) for door in (one, other)]
        ways.append(["hallway", *_flat([ends[0], _middle(one), _middle(other), ends[1]])])
    return ways


def _flat(points: list[tuple[float, float]]) -> list[float]:
    return [part for point in points for part in point]


def _middle(door: Door) -> tuple[float, float]:
    """The middle of a door's tiles."""
    xs, ys = zip(*door.tiles, strict=True)
    return (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2


def _node(level: Level, room: Room) -> tuple[float, float]:
    """The middle of the room's cell that is next to the room's middle: an L's own middle may be another's."""
    if level.grid and room.cells:
        rects = [level.grid.cell_rect(cell) for cell in room.cells]
        middles = [(rect.x + rect.width / 2, rect.y + rect.height / 2) for rect in rects]
        x, y = (sum(parts) / len(parts) for parts in zip(*middles, strict=True))
        return min(middles, key=lambda middle: (middle[0] - x) ** 2 + (middle[1] - y) ** 2)
    bounds = room.bounds
    return bounds.x + bounds.width / 2, bounds.y + bounds.height / 2
