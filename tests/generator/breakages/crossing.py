"""Rooms and hallways that cannot be crossed."""

from __future__ import annotations

from generator import Level

from .base import Breakage, doors_of, first, found, inwards, own_half, with_terrain


def door_into_a_niche(level: Level) -> Level:
    """All round the floor straight inside one of a room's doors are pits."""
    door = first(each for each in level.doors if len(doors_of(level, level.rooms[each.rooms[0]])) > 1)
    step = inwards(door)
    niche = {(x + step.dx, y + step.dy) for x, y in own_half(door)}
    around = {(x + dx, y + dy) for x, y in niche for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))}
    room = level.rooms[door.rooms[0]].bounds.shrunk(1)
    return with_terrain(level, {tile: "pit" for tile in around - niche if room.contains(*tile)})


BREAKAGES: tuple[Breakage, ...] = found("rooms-can-be-crossed", door_into_a_niche)
