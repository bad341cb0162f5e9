"""Tables of special rooms (`special_rooms.toml` and the remake's), with their conditions settled for a level.

A row is a room that may be placed:

    only     conditions without which the row does not count at all
    chance   "1/7", or "fact/100"; none is 1
    again    a second roll, if its condition holds: `{ chance = "1/4", when = "full_health" }`
    becomes  the kind that it turns into, with a chance and perhaps a second roll of its own
    needs    conditions without which the room is not placed though the dice say so; `becomes` has its own
    must     a level without the room is none

A condition is FACT, not FACT, or FACT >= NUMBER, FACT < NUMBER.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from generator.rng import Stream
from generator.spec import GridSpec, IsaacSpec

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

    @property
    def is_possible(self) -> bool:
        """Whether one of the two may succeed."""
        return bool(self.first[0] or self.second[0])

    @property
    def is_certain(self) -> bool:
        """Whether one of the two must succeed."""
        return self.first[0] >= self.first[1] or self.second[0] >= self.second[1]


class SpecialRoom(NamedTuple):
    """A kind that may be placed, its chance, and the kind that it may turn into with that chance.

    `allowed` and `other_allowed` say whether their needs hold.
    """

    kind: str
    chance: Chance
    allowed: bool
    other_kind: str
    other_chance: Chance
    other_allowed: bool
    must: bool

    def kinds(self) -> frozenset[str]:
        """Those that may come."""
        kinds = set()
        if self.chance.is_possible and self.allowed and not self.other_chance.is_certain:
            kinds.add(self.kind)
        if self.chance.is_possible and self.other_allowed and self.other_chance.is_possible:
            kinds.add(self.other_kind)
        return frozenset(kinds)

    def roll(self, stream: Stream) -> str | None:
        """The kind that comes this time, or None; two words."""
        placed, other = stream.word(), stream.word()
        turned = self.other_chance.rolled(other)
        allowed = self.other_allowed if turned else self.allowed
        if not allowed or not self.chance.rolled(placed):
            return None
        return self.other_kind if turned else self.kind


_NEVER = (0, 1)


@cache
def _read(path: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("generator") / "floorplans" / path).read_text("utf-8"))


def rows_of(path: str, facts: Facts) -> tuple[SpecialRoom, ...]:
    """The rows of a table below `floorplans` that count where these facts hold, in their order."""
    rooms = []
    for row in _read(path)["room"]:
        if not _hold(row.get("only", ()), facts):
            continue
        other = row.get("becomes", {"kind": row["kind"], "chance": "0/1"})
        rooms.append(
            SpecialRoom(
                kind=row["kind"],
                chance=_chance(row, facts),
                allowed=_hold(row.get("needs", ()), facts),
                other_kind=other["kind"],
                other_chance=_chance(other, facts),
                other_allowed=_hold(other.get("needs", row.get("needs", ())), facts),
                must=row.get("must", False),
            )
        )
    return tuple(rooms)


@cache
def door_kinds(stage: int) -> Mapping[str, str]:
    """The kind of the door to a special room, by that room's kind."""
    return {kind: pair[stage > 1] for kind, pair in _read("doors.toml")["doors"].items()}


@lru_cache(maxsize=64)
def special_rooms(spec: IsaacSpec) -> tuple[SpecialRoom, ...]:
    """The rows of the `isaac` style's table that can happen under `spec`, in their order."""
    return rows_of("special_rooms.toml", state_facts(spec))


def state_facts(spec: GridSpec) -> dict[str, int]:
    """What the conditions of all styles may ask for."""
    state = spec.state
    return {
        "stage": spec.stage,
        "second_stage": spec.stage % 2 == 0,
        "full_health": state.full_health,
        "coins": state.coins,
        "keys": state.keys,
        "devil_room_visited": state.devil_room_visited,
        "book_picked_up": state.book_picked_up,
        "mini_boss_met": state.mini_boss_met,
    }


def _chance(row: Mapping[str, Any], facts: Facts) -> Chance:
    again = row.get("again")
    second = _fraction(again["chance"], facts) if again and _hold([again["when"]], facts) else _NEVER
    return Chance(_fraction(row.get("chance", "1/1"), facts), second)


def _fraction(text: str, facts: Facts) -> tuple[int, int]:
    numerator, denominator = text.split("/")
    return facts[numerator] if numerator in facts else int(numerator), int(denominator)


def _hold(conditions: Iterable[str], facts: Facts) -> bool:
    return all(_holds(condition, facts) for condition in conditions)


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
    raise ValueError(f"special rooms: {condition!r} is no condition")
