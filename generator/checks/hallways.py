"""The invariants of the hallways of a level of any style."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.checks.base import Problem, mask_of, places, problem, terrain_number
from generator.level import Level


def hallways_apart(level: Level) -> Iterator[Problem]:
    """Check that hallways have hallway terrain, are outside rooms, and are a wall apart from others."""
    names = [kind.name for kind in level.terrain_kinds]
    owner = np.full((level.height + 2, level.width + 2), -1, np.int32)  # with a rim: [y + 1, x + 1]
    for hallway in level.hallways:
        subject = f"hallway {hallway.id}"
        xs, ys = np.array(hallway.tiles, np.intp).reshape(-1, 2).T
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            if names[level.terrain[y, x]] != "hallway":
                yield problem(hallways_apart, subject, f"tile {x},{y} is {names[level.terrain[y, x]]}")
        near = np.unique([owner[ys + dy, xs + dx] for dy in (0, 1, 2) for dx in (0, 1, 2)])
        for neighbour in near[near >= 0].tolist():
            yield problem(hallways_apart, subject, f"touches hallway {neighbour}")
        owner[ys + 1, xs + 1] = hallway.id
    for room in level.rooms if level.hallways else ():
        x, y, width, height = room.bounds
        doors = {door.id for door in level.doors if room.id in door.rooms}
        for neighbour in np.unique(owner[y : y + height + 2, x : x + width + 2]).tolist():
            if neighbour >= 0 and doors.isdisjoint(level.hallways[neighbour].doors):
                yield problem(hallways_apart, f"hallway {neighbour}", f"touches the wall of room {room.id}")
        for neighbour in np.unique(owner[1:, 1:][room.bounds.slices]).tolist():
            if neighbour >= 0:
                yield problem(hallways_apart, f"hallway {neighbour}", f"enters room {room.id}")


def hallways_join_doors(level: Level) -> Iterator[Problem]:
    """Check that a hallway's floor is connected, touches the tiles of both its doors, and joins two rooms."""
    for hallway in level.hallways:
        rooms = {level.doors[door].rooms[0] for door in hallway.doors}
        if len(rooms) != 2:
            yield problem(hallways_join_doors, f"hallway {hallway.id}", f"joins no two rooms, only {rooms}")
        tiles = set(hallway.tiles)
        ends = {tile for door in hallway.doors for tile in level.doors[door].tiles}
        seen = set(level.doors[hallway.doors[0]].tiles)
        todo = list(seen)
        for x, y in todo:
            for tile in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if tile not in seen and (tile in tiles or tile in ends):
                    seen.add(tile)
                    todo.append(tile)
        if not seen.issuperset([*tiles, *ends]):
            yield problem(hallways_join_doors, f"hallway {hallway.id}", "does not lead from door to door")


def hallway_tiles_once(level: Level) -> Iterator[Problem]:
    """Check that every tile of hallway terrain belongs to a hallway, which lists it once."""
    for hallway in level.hallways:
        if len(set(hallway.tiles)) != len(hallway.tiles):
            yield problem(hallway_tiles_once, f"hallway {hallway.id}", "names a tile twice")
    known = mask_of(level, [tile for hallway in level.hallways for tile in hallway.tiles])
    for x, y in places((level.terrain == terrain_number(level, "hallway")) & ~known):
        yield problem(hallway_tiles_once, f"tile {x},{y}", "is hallway, and belongs to none")
