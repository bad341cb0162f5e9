"""The special rooms of a kit (`special_rooms.toml`), with their conditions evaluated for a level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.kinds import Kit
from generator.kinds.conditions import FACTS, Facts, hold
from generator.kinds.special_rooms import SecondRoll, SpecialRoomRow
from generator.named_tuple import NamedTuple
from generator.reasons import passed_over
from generator.rng import Stream
from generator.spec import LevelSpec
from generator.spec.base import GameState

# The facts for conditions in a style that has neither stages nor a state: the first stage of a new game.
BEGINNING: Facts = {
    **dict.fromkeys(FACTS, 0),
    "stage": 1,
    "first_floor": 1,
    "main_chapter": 1,
    "full_health": 1,
    "red_hearts": 6,
    "heart_containers": 6,
}


class Chance(NamedTuple):
    """Two rolls, one after the other: the first chance, and a second that may be 0 in 1."""

    first: tuple[int, int]
    second: tuple[int, int]

    def rolled(self, word: int) -> bool:
        """Check whether either roll succeeds: the first by a word's upper half, the second by its lower."""
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
    """A kind that may be placed, its chance, and the kind that it may turn into, with that chance.

    `allowed` and `other_allowed` are whether the two kinds' needs hold; `row` is the rule.
    """

    row: SpecialRoomRow
    kind: str
    chance: Chance
    allowed: bool
    other_kind: str
    other_chance: Chance
    other_allowed: bool
    must: bool
    passes: bool
    draws: Mapping[str, Any]

    @property
    def place(self) -> str:
        """Where it is placed."""
        return self.row.place

    def kinds(self) -> frozenset[str]:
        """Return the kinds that may come."""
        kinds: set[str] = set()
        if self.passes:
            return frozenset()
        if self.chance.is_possible and self.allowed and not self.other_chance.is_certain:
            kinds.add(self.kind)
        if self.chance.is_possible and self.other_allowed and self.other_chance.is_possible:
            kinds.add(self.other_kind)
        return frozenset(kinds)

    def roll(self, stream: Stream) -> str | None:
        """Roll the kind that comes this time, or None. Takes two words."""
        placed, turn = stream.word(), stream.word()
        turned = self.other_chance.rolled(turn)
        allowed = self.other_allowed if turned else self.allowed
        if not allowed:
            passed_over("special_room", self.row.name, "its `needs` do not hold")
            return None
        if not self.chance.rolled(placed):
            passed_over("special_room", self.row.name, "its `chance` did not come up")
            return None
        return self.other_kind if turned else self.kind


_NEVER = (0, 1)


def rows_of(kit: Kit, style: str, facts: Facts, *, own_dice: bool = False) -> tuple[SpecialRoom, ...]:
    """List the rules of a style that apply under these facts, in their order.

    These are the rules that use the style's dice, or with `own_dice` those with their own dice.
    """
    return tuple(
        settled(row, facts)
        for row in kit.rules.special_rooms
        if style in row.styles
        and row.has_own_dice == own_dice
        and (hold(row.only, facts) or passed_over("special_room", row.name, "its `only` does not hold"))
    )


def settled(row: SpecialRoomRow, facts: Facts) -> SpecialRoom:
    """Evaluate a rule's conditions for these facts."""
    variant = row.becomes
    return SpecialRoom(
        row=row,
        kind=row.room,
        chance=_chance(row.chance, row.again, facts),
        allowed=hold(row.needs, facts),
        other_kind=variant.room if variant else row.room,
        other_chance=_chance(variant.chance, variant.again, facts) if variant else Chance(_NEVER, _NEVER),
        other_allowed=hold(row.needs if variant is None or variant.needs is None else variant.needs, facts),
        must=row.must,
        passes=row.passes is not None and row.passes.holds(facts),
        draws=row.draws,
    )


def kit_facts(kit: Kit, spec: LevelSpec) -> dict[str, int]:
    """Return the facts that a kit adds: the spec's values, or their defaults."""
    state = getattr(spec, "state", None)
    own = dict(state.own) if isinstance(state, GameState) else {}
    return {name: own.get(name, row.default) for name, row in kit.rules.facts.items()}


def _chance(chance: str, again: SecondRoll | None, facts: Facts) -> Chance:
    second = _fraction(again.chance, facts) if again else _NEVER
    if again and not again.when.holds(facts):
        second = 0, second[1]  # rolled all the same if the dice are the game's own
    return Chance(_fraction(chance, facts), second)


def _fraction(text: str, facts: Facts) -> tuple[int, int]:
    numerator, denominator = text.split("/")
    return max(0, facts[numerator]) if numerator in facts else int(numerator), int(denominator)
