"""What holds for levels of the `gungeon` style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from generator.checks.base import Problem, check, connections, problem
from generator.floorplans.gungeon.plan import OFF_THE_WAY, keeps_off_the_way
from generator.level import Level
from generator.spec import GungeonSpec


@check
def hallways_apart(level: Level) -> Iterator[Problem]:
    """A hallway's tiles are of its terrain, in no room's bounds and in no other hallway, and a wall apart."""
    names = [kind.name for kind in level.terrain_kinds]
    owner = np.full((level.height + 2, level.width + 2), -1, np.int32)  # with a rim: [y + 1, x + 1]
    for hallway in level.hallways:
        place = f"hallway {hallway.id}"
        xs, ys = np.array(hallway.tiles, np.intp).reshape(-1, 2).T
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            if names[level.terrain[y, x]] != "hallway":
                yield problem(hallways_apart, place, f"tile {x},{y} is {names[level.terrain[y, x]]}")
        near = np.unique([owner[ys + dy, xs + dx] for dy in (0, 1, 2) for dx in (0, 1, 2)])
        for other in near[near >= 0].tolist():
            yield problem(hallways_apart, place, f"touches hallway {other}")
        owner[ys + 1, xs + 1] = hallway.id
    for room in level.rooms if level.hallways else ():
        x, y, width, height = room.bounds
        doors = {door.id for door in level.doors if room.id in door.rooms}
        for other in np.unique(owner[y : y + height + 2, x : x + width + 2]).tolist():
            if other >= 0 and doors.isdisjoint(level.hallways[other].doors):
                yield problem(hallways_apart, f"hallway {other}", f"touches the wall of room {room.id}")
        for other in np.unique(owner[1:, 1:][room.bounds.slices]).tolist():
            if other >= 0:
                yield problem(hallways_apart, f"hallway {other}", f"enters room {room.id}")


@check
def hallways_join_doors(level: Level) -> Iterator[Problem]:
    """A hallway's floor is one piece and touches the tiles of both of its doors."""
    for hallway in level.hallways:
        tiles = set(hallway.tiles)
        ends = [tile for door in hallway.doors for tile in level.doors[door].tiles]
        seen = set(level.doors[hallway.doors[0]].tiles)
        todo = list(seen)
        for x, y in todo:
            for tile in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if tile not in seen and (tile in tiles or tile in ends):
                    seen.add(tile)
                    todo.append(tile)
        if not seen.issuperset([*tiles, *ends]):
            yield problem(hallways_join_doors, f"hallway {hallway.id}", "does not lead from door to door")


@check
def rooms_off_the_way(level: Level) -> Iterator[Problem]:
    """No way to anywhere leads through boss rooms, shops and chest rooms: they have one door each.

    Not so where they are half of all rooms or more.
    """
    if not isinstance(level.spec, GungeonSpec) or not keeps_off_the_way([room.kind for room in level.rooms]):
        return
    doors = Counter(room for pair in connections(level) for room in pair)
    for room in level.rooms:
        if room.kind in OFF_THE_WAY and doors[room.id] > 1:
            what = f"the {room.kind} room has {doors[room.id]} doors"
            yield problem(rooms_off_the_way, f"room {room.id}", what)


@check
def loops_as_facts_say(level: Level) -> Iterator[Problem]:
    """There are as many connections beyond a spanning tree as the level's facts say."""
    if not isinstance(level.spec, GungeonSpec):
        return
    loops = len(level.hallways) - len(level.rooms) + 1
    if loops != level.facts.get("loops"):
        what = f"loops is {level.facts.get('loops')}, there are {loops}"
        yield problem(loops_as_facts_say, "facts", what)


@check
def enemies_apart(level: Level) -> Iterator[Problem]:
    """Enemies of one room stand at least the spec's spacing apart."""
    if not isinstance(level.spec, GungeonSpec):
        return
    least = level.spec.enemy_spacing
    by_room: dict[int | None, list[tuple[int, int]]] = {}
    for marker in level.markers:
        if marker.kind == "enemy":
            others = by_room.setdefault(marker.room, [])
            if any((marker.x - x) ** 2 + (marker.y - y) ** 2 < least**2 for x, y in others):
                what = f"the enemy at {marker.x},{marker.y} is less than {least} tiles from another"
                yield problem(enemies_apart, f"marker {marker.id}", what)
            others.append((marker.x, marker.y))
