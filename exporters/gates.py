"""Locks and keys, shortcuts and one-way doors, as all formats write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.level import Door, Level, Marker

NEEDS_BETWEEN = ", "  # the keys of a lock, where a format has no lists


def is_gate(door: Door) -> bool:
    """Whether a door has a lock, is a shortcut, or leads one way only."""
    return bool(door.needs) or door.one_way or door.opens_from is not None


def needs_text(needs: Sequence[str]) -> str:
    """The keys of a lock as one text; their names contain no commas or spaces."""
    return NEEDS_BETWEEN.join(needs)


def keys_by_name(level: Level) -> dict[str, list[Marker]]:
    """The markers of keys and levers, in order of id, by the name that locks use."""
    found: dict[str, list[Marker]] = {}
    for marker in level.markers:
        if marker.kind == "key":
            found.setdefault(str(marker.properties.get("opens", "")), []).append(marker)
    return found


def keys_of_door(door: Door, keys: Mapping[str, list[Marker]]) -> list[Marker]:
    """The markers of all keys that a door needs; `keys` comes from `keys_by_name`."""
    return [marker for name in door.needs for marker in keys.get(name, ())]
