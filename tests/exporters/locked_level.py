"""`hallway_level` with a way of no return, a shortcut, a lock of two keys, a lever, and a hallway of a class."""

from __future__ import annotations

from dataclasses import replace

from generator.level import Level, Marker
from tests.exporters import hallway_level

NEEDS = ("gold_key", "silver_key")
LOCKED, ONE_WAY, BARRED = 2, 1, 4  # doors


def level() -> Level:
    """From the start by door 1 into room 1, and not back; from there by the shortcut 4 to the boss.

    Room 1 holds the silver key, which stays with the player, and the boss's room the golden one, which the
    lock of door 2 takes. The lever opens nothing.
    """
    made = hallway_level.level()
    doors = list(made.doors)
    doors[ONE_WAY] = replace(doors[ONE_WAY], kind="one_way", one_way=True)
    doors[LOCKED] = replace(doors[LOCKED], kind="locked", needs=NEEDS)
    doors[BARRED] = replace(doors[BARRED], kind="barred", opens_from=1)
    doors[:2] = [replace(door, joins="wide") for door in doors[:2]]
    keys = (
        Marker(5, "key", 31, 4, 1, properties={"opens": "silver_key", "consumed": False}),
        Marker(6, "key", 8, 17, 2, properties={"opens": "gold_key", "consumed": True}),
        Marker(7, "key", 12, 16, 2, properties={"opens": "gate", "consumed": False, "lever": True}),
    )
    facts = {"keys": 3, "locks": 1, "loops": 1, "one_ways": 1}
    return replace(made, doors=tuple(doors), markers=(*made.markers, *keys), facts=facts)


def with_musts() -> Level:
    """The same, but the silver key must be taken, and the lever, which is not asked."""
    made = level()
    markers = [
        replace(marker, properties={**marker.properties, "must": True})
        if marker.properties.get("opens") in ("silver_key", "gate")
        else marker
        for marker in made.markers
    ]
    return replace(made, markers=tuple(markers))


def locked_drop(key: str) -> Level:
    """The same, but the door that lets nobody back is locked too, and needs a key of that name."""
    made = level()
    doors = list(made.doors)
    doors[ONE_WAY] = replace(doors[ONE_WAY], kind="locked", needs=(key,))
    return replace(made, doors=tuple(doors), facts={**made.facts, "locks": 2})
