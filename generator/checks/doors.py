"""The invariants of the doors and hallways of a level of any style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from generator.checks.base import (
    Problem,
    RoomNumbers,
    hallway_tiles,
    halves,
    mask_of,
    owners,
    places,
    problem,
    terrain_number,
)
from generator.geometry import Point, Side
from generator.interiors.interior import joined
from generator.level import Level
from generator.styles.registry import DRAWN


def doors_two_sided(level: Level) -> Iterator[Problem]:
    """Check that a door's tiles are door terrain and inside its room's bounds.

    Between two rooms, half of them are in each, and the halves face each other over the door's side.
    """
    names = [kind.name for kind in level.terrain_kinds]
    for door in level.doors:
        subject = f"door {door.id}"
        for x, y in door.tiles:
            if names[level.terrain[y, x]] != "door":
                yield problem(doors_two_sided, subject, f"tile {x},{y} is {names[level.terrain[y, x]]}")
        first, second = halves(door)
        for room, tiles in zip(door.rooms, (first, second), strict=True):
            if room is not None and not all(level.rooms[room].bounds.contains(*tile) for tile in tiles):
                yield problem(doors_two_sided, subject, f"has tiles outside room {room}")
        if door.rooms[1] is not None:
            side = Side.named(door.side)
            if [(x + side.dx, y + side.dy) for x, y in first] != list(second):
                yield problem(doors_two_sided, subject, f"its halves do not meet over the {door.side} side")
            if level.grid is not None and not _touch(level, door.rooms[0], door.rooms[1], side):
                yield problem(doors_two_sided, subject, f"rooms {list(door.rooms)} share no {door.side} side")


def _touch(level: Level, a: int, b: int, side: Side) -> bool:
    cells = set(level.rooms[b].cells)
    return any((x + side.dx, y + side.dy) in cells for x, y in level.rooms[a].cells)


def doors_in_line(level: Level) -> Iterator[Problem]:
    """Check that a door's tiles in a wall are a row or column without gaps, across the door's side."""
    for door in level.doors:
        across = (1, 0) if Side.named(door.side).is_vertical_way else (0, 1)
        for room, tiles in zip(door.rooms, halves(door), strict=True):
            if room is None:
                continue
            x, y = tiles[0] if tiles else (0, 0)
            run = [(x + i * across[0], y + i * across[1]) for i in range(len(tiles))]
            if not tiles or list(tiles) != run:
                message = f"its tiles in room {room} are not a line across its {door.side} side"
                yield problem(doors_in_line, f"door {door.id}", message)


def doors_lead_out(level: Level) -> Iterator[Problem]:
    """Check that a door is between the floor of its room and the other room or its hallway.

    A door without a second room is the end of exactly one hallway.
    """
    owner, walk = owners(level), [kind.walk for kind in level.terrain_kinds]
    behind: dict[int, set[Point]] = {}
    ends = Counter(number for hallway in level.hallways for number in hallway.doors)
    for hallway in level.hallways:
        for number in hallway.doors:
            behind[number] = set(hallway.tiles)
    for door in level.doors:
        subject, side = f"door {door.id}", Side.named(door.side)
        if ends[door.id] != (door.rooms[1] is None):
            yield problem(doors_lead_out, subject, f"is an end of {ends[door.id]} hallways")
        ways_out = zip(door.rooms, halves(door), (side, side.opposite), strict=True)
        for room, tiles, out in ways_out:
            if room is None:
                continue
            for x, y in tiles:
                if not _leads(owner, room, (x, y), out) or not walk[level.terrain[y - out.dy, x - out.dx]]:
                    message = f"tile {x},{y} is not in the {out.label} wall of room {room}, before its ground"
                    yield problem(doors_lead_out, subject, message)
                if door.id in behind and (x + out.dx, y + out.dy) not in behind[door.id]:
                    message = f"tile {x},{y} does not lead {out.label} into its hallway"
                    yield problem(doors_lead_out, subject, message)


def _leads(owner: RoomNumbers, room: int, tile: Point, out: Side) -> bool:
    """Check whether a tile of a room is at its edge, with another of its tiles behind it."""
    height, width = owner.shape
    (x, y), (dx, dy) = tile, (out.dx, out.dy)
    if not (0 < x < width - 1 and 0 < y < height - 1):
        return False
    return bool(owner[y, x] == room == owner[y - dy, x - dx] != owner[y + dy, x + dx])


def door_tiles_once(level: Level) -> Iterator[Problem]:
    """Check that every tile of door terrain belongs to one door."""
    counts = Counter(tile for door in level.doors for tile in door.tiles)
    for (x, y), count in counts.items():
        if count > 1:
            yield problem(door_tiles_once, f"tile {x},{y}", f"belongs to {count} doors")
    stray = (level.terrain == terrain_number(level, "door")) & ~mask_of(level, list(counts))
    for x, y in places(stray):
        yield problem(door_tiles_once, f"tile {x},{y}", "is door, and belongs to none")


# --- hallways ----------------------------------------------------------------------------------------


_IN_HALLWAYS = ("hallway", "rubble", "pit")


def hallways_apart(level: Level) -> Iterator[Problem]:
    """Check that hallways have their terrain, are outside rooms, and are a wall apart from others.

    Parts of a hallway may be rubble, or pits beside it.

    They are a wall apart from rooms that they do not join, too, unless a person drew the level.
    """
    names = [kind.name for kind in level.terrain_kinds]
    owner = np.full((level.height + 2, level.width + 2), -1, np.int32)  # with a rim: [y + 1, x + 1]
    for hallway in level.hallways:
        subject = f"hallway {hallway.id}"
        xs, ys = np.array(hallway.tiles, np.intp).reshape(-1, 2).T
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            if names[level.terrain[y, x]] not in _IN_HALLWAYS:
                yield problem(hallways_apart, subject, f"tile {x},{y} is {names[level.terrain[y, x]]}")
        near = np.unique([owner[ys + dy, xs + dx] for dy in (0, 1, 2) for dx in (0, 1, 2)])
        for neighbour in near[near >= 0].tolist():
            yield problem(hallways_apart, subject, f"touches hallway {neighbour}")
        owner[ys + 1, xs + 1] = hallway.id
    for room in level.rooms if level.hallways else ():
        x, y, width, height = room.bounds
        doors = {door.id for door in level.doors if room.id in door.rooms}
        for neighbour in np.unique(owner[y : y + height + 2, x : x + width + 2]).tolist():
            is_apart = neighbour < 0 or level.style == DRAWN
            if not is_apart and doors.isdisjoint(level.hallways[neighbour].doors):
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
        first, last = (set(level.doors[door].tiles) for door in hallway.doors)
        tiles = first.union(last, hallway.tiles)
        if joined(first, tiles) != tiles:
            yield problem(hallways_join_doors, f"hallway {hallway.id}", "does not lead from door to door")


def hallways_join_one_class(level: Level) -> Iterator[Problem]:
    """Check that the doors at both ends of a hallway are of the same class of exits."""
    for hallway in level.hallways:
        first, last = (level.doors[door].joins or "plain exits" for door in hallway.doors)
        if first != last:
            message = f"joins {first} at one end and {last} at the other"
            yield problem(hallways_join_one_class, f"hallway {hallway.id}", message)


def hallway_tiles_once(level: Level) -> Iterator[Problem]:
    """Check that every tile of hallway terrain belongs to a hallway, which lists it once."""
    for hallway in level.hallways:
        if len(set(hallway.tiles)) != len(hallway.tiles):
            yield problem(hallway_tiles_once, f"hallway {hallway.id}", "names a tile twice")
    for x, y in places((level.terrain == terrain_number(level, "hallway")) & ~hallway_tiles(level)):
        yield problem(hallway_tiles_once, f"tile {x},{y}", "is hallway, and belongs to none")
