"""Locks and their keys, shortcuts, and doors that let nobody back: what every format says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.level import Door, Level, Marker

NEEDS_BETWEEN = ", "  # the keys of a lock, where a format has no lists


def is_gate(door: Door) -> bool:
    """Whether a door asks more of who comes to it than that it is open."""
    return bool(door.needs) or door.one_way or door.opens_from is not None


def needs_text(needs: Sequence[str]) -> str:
    """The keys of a lock as one text; their names hold neither commas nor blanks."""
    return NEEDS_BETWEEN.join(needs)


def keys_by_name(level: Level) -> dict[str, list[Marker]]:
    """The markers of a level's keys and levers by the name that locks ask for, in the order of their ids."""
    found: dict[str, list[Marker]] = {}
    for marker in level.markers:
        if marker.kind == "key":
            found.setdefault(str(marker.properties.get("opens", "")), []).append(marker)
    return found


def keys_of_door(door: Door, keys: Mapping[str, list[Marker]]) -> list[Marker]:
    """The markers of all keys that a door needs, of `keys_by_name`."""
    return [marker for name in door.needs for marker in keys.get(name, ())]
