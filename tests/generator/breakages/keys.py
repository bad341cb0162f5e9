"""Keys and locks that do not fit, and doors that lock the player out or in."""

from __future__ import annotations

from dataclasses import replace

from generator import Level, Marker

from .base import GRID, Breakage, bare_floor, doors_of, first, found, rooms_of, with_door


def _with_doors(level: Level, room: int, **values: object) -> Level:
    for door in doors_of(level, level.rooms[room]):
        level = with_door(level, door.id, **values)
    return level


def boss_locked_without_a_key(level: Level) -> Level:
    """The only keys open something else."""
    return _with_doors(level, first(rooms_of(level, "boss")).id, kind="locked", needs=("moon_key",))


def key_that_opens_nothing_named(level: Level) -> Level:
    room = level.rooms[0]
    x, y = first(bare_floor(level, room))
    key = Marker(level.markers[-1].id + 1, "key", x, y, room.id, properties={"opens": "moon_key"})
    return replace(level, markers=(*level.markers, key))


def boss_opens_from_within(level: Level) -> Level:
    boss = first(rooms_of(level, "boss")).id
    return _with_doors(level, boss, opens_from=boss, kind="barred")


def key_behind_its_own_lock(level: Level) -> Level:
    boss = first(rooms_of(level, "boss"))
    x, y = first(bare_floor(level, boss))
    properties = {"opens": "moon_key", "consumed": False}
    key = Marker(level.markers[-1].id + 1, "key", x, y, boss.id, properties=properties)
    level = _with_doors(level, boss.id, kind="locked", needs=("moon_key",))
    return replace(level, markers=(*level.markers, key))


def lock_that_nobody_asked_for(level: Level) -> Level:
    """Its key lies in the start: the level can be played."""
    shop = first(rooms_of(level, "shop"))
    x, y = first(bare_floor(level, level.rooms[0]))
    properties = {"opens": "moon_key", "consumed": False}
    key = Marker(level.markers[-1].id + 1, "key", x, y, 0, properties=properties)
    return replace(
        _with_doors(level, shop.id, kind="locked", needs=("moon_key",)), markers=(*level.markers, key)
    )


BREAKAGES: tuple[Breakage, ...] = (
    *found("keys-fit-locks", boss_locked_without_a_key, key_that_opens_nothing_named),
    *found("nobody-gets-stuck", boss_opens_from_within, key_behind_its_own_lock, styles=("isaac", "gungeon")),
    *found("gates-as-plan-says", lock_that_nobody_asked_for, styles=GRID),
)
