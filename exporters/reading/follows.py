"""What follows from the structure of a level: the rooms of markers, depths, distances, facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from generator.algorithms.graph import steps_from
from generator.checks.base import owners
from generator.checks.rooms import walked
from generator.geometry import GridFrame, Point
from generator.level import Door, Hallway, Level, Room

LOOPS = "loops"  # the fact that follows from the structure


def with_markers(level: Level, dropped: set[int], hallways: Mapping[int, int]) -> Level:
    """Give markers the rooms and hallways that they are in, and new lights the hallways beside them.

    The lights of closed hallways are gone.
    """
    owner, ways = owners(level), {tile: way.id for way in level.hallways for tile in way.tiles}
    markers = []
    for marker in level.markers:
        room, near = int(owner[marker.y, marker.x]), ways.get((marker.x, marker.y))
        if near is None and marker.hallway is not None:  # it hangs beside its hallway
            near = hallways.get(marker.hallway)
        elif near is None and marker.room is None and room < 0:
            around = ((marker.x + dx, marker.y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
            near = next((ways[tile] for tile in around if tile in ways), None)
        is_light = marker.kind in level.kinds.light_markers and room < 0 and near is None
        if marker.id not in dropped and not is_light:
            in_room = room >= 0
            markers.append(replace(marker, room=room if in_room else None, hallway=None if in_room else near))
    return replace(level, markers=tuple(markers))


def loops(level: Level) -> int:
    """Count the hallways beyond a spanning tree."""
    return len(level.hallways) - len(level.rooms) + 1


def with_facts(level: Level, before: Level) -> Level:
    """Count depths, distances and loops again."""
    if level.grid is not None:
        rooms = _with_depths(level)
        level = replace(level, rooms=rooms)
        distances = walked(level)
        return replace(level, rooms=tuple(replace(r, distance=distances.get(r.id)) for r in rooms))
    beside: dict[int, list[int]] = {room.id: [] for room in level.rooms}
    tree = level.hallways[: max(0, len(level.rooms) - 1)]
    pairs = [tuple(level.doors[door].rooms[0] for door in way.doors) for way in tree]
    pairs += [(door.rooms[0], door.rooms[1]) for door in level.doors if door.rooms[1] is not None]
    for a, b in pairs:
        beside[a].append(b)
        beside[b].append(a)
    depths = steps_from(0, beside) if level.rooms else {}
    distances = walked(level)
    rooms = tuple(
        replace(room, depth=depths.get(room.id, 0), distance=distances.get(room.id)) for room in level.rooms
    )
    facts = dict(level.facts)
    if LOOPS in before.facts and facts.get(LOOPS) == before.facts[LOOPS]:
        facts[LOOPS] = loops(level)
    return replace(level, rooms=rooms, facts=facts)


def _with_depths(level: Level) -> tuple[Room, ...]:
    """Give new rooms a depth: one more than the least of their neighbours. All others keep theirs."""
    depths = {room.id: room.depth for room in level.rooms if room.depth or room.kind == "start"}
    pairs = [(door.rooms[0], door.rooms[1]) for door in level.doors if door.rooms[1] is not None]
    for _ in level.rooms:
        for a, b in [*pairs, *((b, a) for a, b in pairs)]:
            if b not in depths and a in depths:
                depths[b] = 1 + min(depths[c] for pair in pairs for c in pair if b in pair and c in depths)
    return tuple(replace(room, depth=depths.get(room.id, 0)) for room in level.rooms)


def middles(grid: GridFrame | None, rooms: Iterable[Room], width: int) -> Iterator[list[Point]]:
    """Yield the tiles of doors in the middle of the sides between two cells of different rooms."""
    cells = {cell: room.id for room in rooms for cell in room.cells} if grid else {}
    for (x, y), room in cells.items():
        assert grid
        rect = grid.cell_rect((x, y))
        left, top = rect.x + (rect.width - width) // 2, rect.y + (rect.height - width) // 2
        if cells.get((x + 1, y), room) != room:
            yield [(rect.right - 1 + i, top + j) for j in range(width) for i in range(2)]
        if cells.get((x, y + 1), room) != room:
            yield [(left + i, rect.bottom - 1 + j) for j in range(2) for i in range(width)]


def tree_first(hallways: Sequence[Hallway], doors: Mapping[int, Door]) -> list[Hallway]:
    """Put the hallways of a spanning tree before those that make loops, in their order otherwise."""
    found = {0}
    tree: list[Hallway] = []
    left = list(hallways)
    while True:
        pairs = ((way, {doors[door].rooms[0] for door in way.doors}) for way in left)
        way = next((way for way, ends in pairs if len(ends & found) == 1), None)
        if way is None:
            break
        tree.append(way)
        left.remove(way)
        found |= {doors[door].rooms[0] for door in way.doors}
    in_tree = {way.doors for way in tree}
    return [
        *(way for way in hallways if way.doors in in_tree),
        *(way for way in hallways if way.doors not in in_tree),
    ]
