"""Levels of the `rebirth` style that each break one rule, by the check that must find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from generator import Level, generate
from generator.level import Room


@cache
def level(stage: int = 4, curse: str = "none") -> Level:
    return generate("rebirth", 7, stage=stage, curse=curse)


def with_room(sound: Level, number: int, **values: object) -> Level:
    rooms = [replace(room, **values) if room.id == number else room for room in sound.rooms]  # type: ignore[arg-type]
    return replace(sound, rooms=tuple(rooms))


def room_of(sound: Level, kind: str) -> Room:
    return next(room for room in sound.rooms if room.kind == kind)


def neighbour_of(sound: Level, kind: str) -> Room:
    number = room_of(sound, kind).id
    door = next(door for door in sound.doors if number in door.rooms)
    return next(sound.rooms[one] for one in door.rooms if one is not None and one != number)


def changed(room: str, **values: object) -> Callable[[], Level]:
    return lambda: with_room(level(), room_of(level(), room).id, **values)


def beside(kind: str, new_kind: str) -> Callable[[], Level]:
    """A level in which the room next to one of a kind is of another kind than it was."""
    return lambda: with_room(level(), neighbour_of(level(), kind).id, kind=new_kind)


def without_door_of(kind: str) -> Callable[[], Level]:
    def broken() -> Level:
        number = room_of(level(), kind).id
        kept = [door for door in level().doors if number not in door.rooms]
        return replace(level(), doors=tuple(replace(door, id=i) for i, door in enumerate(kept)))

    return broken


def with_door(**values: object) -> Callable[[], Level]:
    return lambda: replace(level(), doors=(replace(level().doors[0], **values), *level().doors[1:]))  # type: ignore[arg-type]


def door_elsewhere() -> Level:
    """The first door's tiles are the second's."""
    return with_door(tiles=level().doors[1].tiles)()


def bosses_apart() -> Level:
    """A labyrinth whose bosses share no door: one has become the end of another way."""
    sound = level(3, "labyrinth")
    second = [room for room in sound.rooms if room.kind == "boss"][1]
    shop = room_of(sound, "shop")
    return with_room(with_room(sound, second.id, kind="shop"), shop.id, kind="boss")


def above_the_start() -> Level:
    sound = level(11)
    return with_room(sound, room_of(sound, "normal").id, shape="1x1", cells=((6, 5),))


def secret_beside_the_start() -> Level:
    sound = level(11)
    start = next(door for door in sound.doors if door.rooms[0] == 0)
    assert start.rooms[1] is not None
    return with_room(sound, start.rooms[1], kind="secret")


def far_away_ultra_secret() -> Level:
    sound = level()
    return with_room(sound, room_of(sound, "ultra_secret").id, cells=((0, 0),))


# For each check what breaks it; several where it looks at several things.
BROKEN: dict[str, tuple[Callable[[], Level], ...]] = {
    "cells-fit-shapes": (
        changed("normal", shape="pentagon"),
        changed("boss", shape="IIV"),
        changed("boss", cells=()),
        changed("boss", cells=((13, 2),), shape="1x1"),
        changed("start", cells=((6, 7),)),
        above_the_start,
    ),
    "doors-where-slots-meet": (
        without_door_of("shop"),
        without_door_of("secret"),
        with_door(rooms=(0, 11)),
        with_door(side="north"),
        door_elsewhere,
        changed("shop", shape="IIH"),
    ),
    "special-rooms-are-single-cells": (changed("shop", shape="2x2"), changed("boss", shape="LTL")),
    "bosses-are-deep": (changed("boss", depth=1), bosses_apart),
    "secret-rooms-away-from-bosses": (
        beside("secret", "boss"),
        beside("secret", "super_secret"),
        beside("secret", "secret"),
        without_door_of("secret"),
        changed("start", kind="super_secret"),
        secret_beside_the_start,
    ),
    "ultra-secret-rooms-alone": (beside("shop", "ultra_secret"), far_away_ultra_secret),
    "rooms-as-rules-allow": (
        changed("shop", kind="normal"),
        changed("treasure", kind="boss"),
        changed("normal", kind="grave"),
        changed("normal", kind="challenge"),
        changed("super_secret", kind="secret"),
        changed("normal", kind="chest"),
        changed("normal", kind="arcade"),
    ),
    "facts-follow-from-the-seed": (
        lambda: replace(level(), seed=level().seed + 1),
        lambda: replace(level(), seed=1 << 32),
        lambda: replace(level(), facts={**level().facts, "curse": "lost"}),
        lambda: replace(level(), facts={}),
        lambda: replace(level(), rooms=level().rooms[:5], doors=(), markers=()),
    ),
}
