"""Which doors are shut, locks and keys, shortcuts and one-way doors, as all formats write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.kinds import Kinds
from generator.level import Door, Level, Marker

NEEDS_BETWEEN = ", "  # the keys of a lock, where a format has no lists


# The facts about every door in every file. Files of older versions have neither, or `shut`.
SHUT_FACTS = ("starts_shut", "secret", "shut")


def starts_shut(door: Door, kinds: Kinds) -> bool:
    """Check whether a door starts shut: because of its kind, its lock, or as a shortcut.

    Looks, bodies, navigation and the facts in all files follow from this.
    """
    return kind_starts_shut(door.kind, kinds) or bool(door.needs) or door.opens_from is not None


def kind_starts_shut(kind: str, kinds: Kinds) -> bool:
    """Check whether all doors of a kind start shut. Hidden ones do, or they would not be hidden."""
    return kind in kinds.doors_that_start_shut or kind in kinds.secret_doors


def shut_facts(door: Door, kinds: Kinds) -> dict[str, bool]:
    """Return what every file says about every door, so that no reader has to know its kind."""
    return {"starts_shut": starts_shut(door, kinds), "secret": door.kind in kinds.secret_doors}


def needs_text(needs: Sequence[str]) -> str:
    """Join the keys of a lock to one text. Their names contain no commas or spaces."""
    return NEEDS_BETWEEN.join(needs)


def keys_by_name(level: Level) -> dict[str, list[Marker]]:
    """Group the markers of keys and levers, in order of id, by the name that locks use."""
    by_name: dict[str, list[Marker]] = {}
    for marker in level.markers:
        if marker.kind == "key":
            by_name.setdefault(str(marker.properties.get("opens", "")), []).append(marker)
    return by_name


def keys_of_door(door: Door, keys: Mapping[str, list[Marker]]) -> list[Marker]:
    """Find the markers of all keys that a door needs. `keys` comes from `keys_by_name`."""
    return [marker for name in door.needs for marker in keys.get(name, ())]
