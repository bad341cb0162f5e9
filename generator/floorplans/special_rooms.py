"""The table of special rooms (`special_rooms.toml`), with its conditions settled for one spec."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from generator.spec import IsaacSpec

Facts = Mapping[str, int]


class Chance(NamedTuple):
    """Two rolls, one after the other: the first chance, and a second that may be 0 in 1."""

    first: tuple[int, int]
    second: tuple[int, int]

    def rolled(self, word: int) -> bool:
        """Whether one of the two succeeds: a random word's upper half decides the first, its lower half
        the second.
        """
        return (word >> 32) * self.first[1] >> 32 < self.first[0] or (word & 0xFFFFFFFF) * self.second[
            1
        ] >> 32 < self.second[0]


class SpecialRoom(NamedTuple):
    """A kind that may be placed, its chance, and the kind that it may turn into with that chance."""

    kind: str
    chance: Chance
    other_kind: str
    other_chance: Chance


class SpecialRooms(NamedTuple):
    """The table for one spec: rooms whose needs hold, and the door kinds by room kind."""

    rooms: tuple[SpecialRoom, ...]
    door_kinds: Mapping[str, str]


_NEVER = (0, 1)


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("generator") / "floorplans" / "special_rooms.toml").read_text("utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=64)
def special_rooms(spec: IsaacSpec) -> SpecialRooms:
    """The rows of the table that can happen under `spec`, in their order."""
    state = spec.state
    facts = {
        "stage": spec.stage,
        "second_stage": spec.stage % 2 == 0,
        "full_health": state.full_health,
        "coins": state.coins,
        "keys": state.keys,
        "devil_room_visited": state.devil_room_visited,
        "book_picked_up": state.book_picked_up,
        "mini_boss_met": state.mini_boss_met,
    }
    rooms = []
    for row in _table()["room"]:
        if all(_holds(condition, facts) for condition in row.get("needs", ())):
            other = row.get("becomes", {"kind": row["kind"], "chance": "0/1"})
            rooms.append(SpecialRoom(row["kind"], _chance(row, facts), other["kind"], _chance(other, facts)))
    later = spec.stage > 1
    return SpecialRooms(tuple(rooms), {kind: pair[later] for kind, pair in _table()["doors"].items()})


def _chance(row: Mapping[str, Any], facts: Facts) -> Chance:
    again = row.get("again")
    second = _fraction(again["chance"]) if again and _holds(again["when"], facts) else _NEVER
    return Chance(_fraction(row["chance"]), second)


def _fraction(text: str) -> tuple[int, int]:
    numerator, denominator = text.split("/")
    return int(numerator), int(denominator)


def _holds(condition: str, facts: Facts) -> bool:
    match condition.split():
        case [fact]:
            return bool(facts[fact])
        case ["not", fact]:
            return not facts[fact]
        case [fact, ">=", number]:
            return facts[fact] >= int(number)
        case [fact, "<", number]:
            return facts[fact] < int(number)
    raise ValueError(f"special_rooms.toml: {condition!r} is no condition")
