"""Conditions of rules: NAME, not NAME, or NAME OP INTEGER; and the facts that a NAME can be.

Conditions are read, never evaluated as code.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from generator.errors import hint, shown
from generator.json_schema import matching
from generator.kinds.columns import NAME, reads
from generator.named_tuple import NamedTuple
from generator.node import Node

Facts = Mapping[str, int]

OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
_CONDITION = f"(?:(not) )?({NAME})|({NAME}) (>=|<=|>|<|==|!=) (-?[0-9]{{1,9}})"


class FactCondition(NamedTuple):
    """A fact compared with a number: `coins >= 10`. `NAME` is `NAME != 0`, and `not NAME` is `NAME == 0`."""

    fact: str
    comparison: str
    number: int

    def holds(self, facts: Facts) -> bool:
        """Return whether the condition holds for these facts, which must include its fact."""
        return OPERATORS[self.comparison](facts[self.fact], self.number)


@reads(matching(_CONDITION), "a condition")
def condition(node: Node) -> FactCondition:
    """The condition in a text. Raises KitError."""
    match = re.fullmatch(_CONDITION, node.value) if isinstance(node.value, str) else None
    if not match:
        node.fail(
            f"{shown(node.value)} is not a condition; write NAME, not NAME, or NAME OP INTEGER, such as "
            '"coins >= 10"'
        )
    negated, name, compared, comparison, number = match.groups()
    if compared:
        return FactCondition(compared, comparison, int(number))
    return FactCondition(name, "==" if negated else "!=", 0)


def hold(conditions: Iterable[FactCondition], facts: Facts) -> bool:
    """Return whether all conditions hold."""
    return all(condition.holds(facts) for condition in conditions)


# --- facts that conditions can test, besides those that a kit adds with `[state.NAME]` ---------------

# For true and false, 1 and 0. The styles set their values: `styles/grid/special_rooms.py`.
FACTS: Mapping[str, str] = {
    "stage": "1 to 12; always 1 in a style without stages",
    "second_stage": "the second stage of its chapter",
    "first_floor": "the difficulties are those of a first stage (rebirth: stages from 9 on are all the same)",
    "main_chapter": "the chapter itself, not another variant of it",
    "hard_mode": "the spec's `hard`",
    "labyrinth": "the level has the curse of the labyrinth",
    "full_health": "red and soul hearts fill the containers",
    "poor_health": "half a red heart at most and no soul heart, or no container and one soul heart (rebirth)",
    "red_hearts": "half hearts",
    "heart_containers": "half hearts",
    "soul_hearts": "half hearts",
    "keys": "keys carried",
    "coins": "coins carried",
    "devil_room_visited": "a devil room was visited",
    "book_picked_up": "a book was picked up",
    "mini_boss_met": "this game has already had its mini-boss",
    "afterbirth": "the edition is afterbirth or later (rebirth)",
    "afterbirth_plus": "the edition is afterbirth_plus or later (rebirth)",
    "repentance": "the edition is repentance (rebirth)",
    "repentance_plus": "the edition is repentance, and its program decides: reading = game (rebirth)",
    "alternate_path": "the level is on the alternate path (rebirth)",
    "counted_stage": "the stage, on the alternate path one more (rebirth)",
    "second_counted_stage": "that is the second stage of its chapter (rebirth)",
    "mirror": "stage 2 of the alternate path, or its labyrinth of stage 1 (rebirth)",
    "void": "the level is the Void (rebirth)",
    "shops": "stage below 7, with the silver dollar below 9, and not from victory lap 3 on (rebirth)",
    "treasures": "stage below 7, with the bloody crown below 9 (rebirth)",
    "side_rooms": "not so late that only boss, secret and grave rooms are special (rebirth)",
    "dice_rooms": "as side_rooms; also on stage 11 if that is as the wiki says (rebirth)",
    "planetarium": "percent: 1, and 20 for each treasure room that was skipped, and what items add (rebirth)",
    "luna": "the item (rebirth)",
    "voodoo_head": "the item (rebirth)",
    "fragmented_card": "the trinket (rebirth)",
    "victory_lap": "the victory lap (rebirth)",
}

# The parts of the player's state that specs have without a kit, in one style or several, and that rooms may
# change. `state.character` is a word, which no row changes.
STATE_NUMBERS = frozenset(
    {
        *("red_hearts", "heart_containers", "soul_hearts", "bone_hearts", "keys", "coins"),
        *("victory_lap", "treasure_rooms_skipped", "planetarium_bonus"),
    }
)
STATE_TRUTHS = frozenset(
    {
        *("devil_room_visited", "book_picked_up", "mini_boss_met", "silver_dollar", "bloody_crown"),
        *("fragmented_card", "luna", "voodoo_head", "black_candle"),
    }
)
STATE_WORDS = frozenset({"character"})
TAKEN = frozenset({*FACTS, *STATE_NUMBERS, *STATE_TRUTHS, *STATE_WORDS})  # names no kit fact can have
RESERVED = frozenset({"not"})  # words of conditions


def unknown_facts(known: Sequence[str], facts: Iterable[str], label: str) -> Iterator[str]:
    """Yield the problems of unknown facts, with `label` at the beginning of each message."""
    for fact in facts:
        if fact not in known:
            remedy = hint(fact, known)
            if fact not in TAKEN and fact not in RESERVED:
                remedy += f", or add it with [state.{fact}]"
            yield f"{label}: unknown fact {shown(fact)}; {remedy}"
