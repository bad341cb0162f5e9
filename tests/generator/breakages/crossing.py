"""Rooms and hallways that cannot be crossed."""

from __future__ import annotations

from generator import Level
from generator.checks.base import doorsteps

from .base import (
    Breakage,
    Unfit,
    doors_of,
    first,
    found,
    inwards,
    name_at,
    own_half,
    with_decor,
    with_terrain,
)


def door_into_a_niche(level: Level) -> Level:
    """All round the floor straight inside one of a room's doors are pits."""
    door = first(each for each in level.doors if len(doors_of(level, level.rooms[each.rooms[0]])) > 1)
    step = inwards(door)
    niche = {(x + step.dx, y + step.dy) for x, y in own_half(door)}
    around = {(x + dx, y + dy) for x, y in niche for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))}
    room = level.rooms[door.rooms[0]].bounds.shrunk(1)
    return with_terrain(level, {tile: "pit" for tile in around - niche if room.contains(*tile)})


LIT = ("torch", "fire")


def pits_from_the_middle_of_a_door(level: Level) -> Level:
    """To the wall on the other side: only in the door itself, while it is open, are the two halves joined."""
    taken = {(marker.x, marker.y) for marker in level.markers}
    steps = doorsteps(level)
    for door in level.doors:
        room, step = level.rooms[door.rooms[0]], inwards(door)
        inside, own = room.bounds.shrunk(1), own_half(door)
        if len(own) < 3 or room.shape not in ("1x1", "rectangle"):
            continue
        x, y = own[len(own) // 2]
        line = [(x + i * step.dx, y + i * step.dy) for i in range(1, max(room.bounds[2:]) - 1)]
        line = [tile for tile in line if inside.contains(*tile)]
        before = {*steps[room.id]} - {line[0]}
        axis = 0 if step.dx == 0 else 1
        held = [
            (mark.x, mark.y)[axis] for mark in level.markers if mark.room == room.id and mark.kind not in LIT
        ]
        if not min(held, default=0) < line[0][axis] < max(held, default=0):
            continue
        is_ground = all(name_at(level, tile) in ("floor", "rubble", "pit") for tile in line)
        if is_ground and taken.isdisjoint(line) and before.isdisjoint(line):
            return with_decor(with_terrain(level, dict.fromkeys(line, "pit")), dict.fromkeys(line, "none"))
    raise Unfit


BREAKAGES: tuple[Breakage, ...] = (
    *found("rooms-can-be-crossed", door_into_a_niche),
    *found("nobody-is-shut-off", pits_from_the_middle_of_a_door),
)
