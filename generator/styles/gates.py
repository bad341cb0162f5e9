"""What doors ask of the player in every style: keys, to come from one side, or not to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.kinds import Kinds

if TYPE_CHECKING:
    from generator.level import Door, Level, Property


def gate_kind(*, needs: bool, one_way: bool, opens: bool) -> str:
    """Return the kind of a door by what it asks: keys, to lead one way, to be opened from one side."""
    if needs:
        return "locked"
    if one_way:
        return "one_way"
    return "barred" if opens else ""


def gate_of(door: Door, kinds: Kinds) -> str:
    """Return the kind that a level's door has because of what it asks. Empty if it asks for nothing.

    What every door of its kind costs does not count: it stays of that kind.
    """
    if is_paid(door, kinds):
        return ""
    return gate_kind(needs=bool(door.needs), one_way=door.one_way, opens=door.opens_from is not None)


def is_paid(door: Door, kinds: Kinds) -> bool:
    """Check whether a door asks for keys as its kind does, the right ones or not."""
    is_plain = not door.one_way and door.opens_from is None
    return is_plain and bool(door.needs) and door.kind in kinds.costs


def key_properties(name: str, *, consumed: bool) -> dict[str, Property]:
    """Return the properties of the marker of a key."""
    return {"opens": name, "consumed": consumed}


def gate_facts(level: Level) -> dict[str, Property]:
    """Count a level's keys, locks, one-way doors and shortcuts, as the facts of a planned level give them."""
    shortcuts = sum(door.opens_from is not None for door in level.doors)
    return {
        "keys": sum(marker.kind == "key" for marker in level.markers),
        "locks": sum(bool(door.needs) for door in level.doors),
        "one_ways": sum(door.one_way for door in level.doors),
        **shortcut_fact(shortcuts),
    }


def shortcut_fact(shortcuts: int) -> dict[str, Property]:
    """Return the fact of the number of shortcuts, which levels without one do not have."""
    return {"shortcuts": shortcuts} if shortcuts else {}
