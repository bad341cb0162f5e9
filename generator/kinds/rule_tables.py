"""The rule tables of a kit: difficulties, facts of the game, what rooms give, and the draws of bosses."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import shown
from generator.kinds.chapters import STAGES
from generator.kinds.columns import (
    Column,
    RowTable,
    choice,
    flag,
    fraction,
    many,
    name,
    number,
    numbers,
    reads,
    record,
    span,
    table,
    text,
)
from generator.kinds.conditions import FactCondition, condition
from generator.kinds.kind_tables import DIFFICULTIES
from generator.kinds.style_names import REBIRTH
from generator.named_tuple import NamedTuple
from generator.node import Node


class DifficultyRow(NamedTuple):
    """The share of each difficulty, by name, if all of `only` hold."""

    shares: Mapping[str, int]
    only: tuple[FactCondition, ...] = ()


_share_of_each = table(number(0, 1000), keys=choice(*DIFFICULTIES))


@reads(_share_of_each.schema)
def _shares(node: Node) -> dict[str, int]:
    shares = _share_of_each(node)
    if not sum(shares.values()):
        node.fail(f"{shown(node.value)} has no share above 0; write {{ easy = 1 }}")
    return {difficulty: shares[difficulty] for difficulty in DIFFICULTIES if shares.get(difficulty)}


DIFFICULTY = RowTable(
    "difficulty",
    "The difficulties of normal rooms. The first row `[[difficulty.STYLE]]` whose conditions hold counts.",
    {
        "only": Column(many(condition), "the conditions of the row", (), form='`["second_stage"]`'),
        "shares": Column(
            _shares, "how often each comes: " + ", ".join(DIFFICULTIES), form="`{ easy = 1, medium = 2 }`"
        ),
    },
)


class FactRow(NamedTuple):
    """A fact of the player's game that specs give as `state.NAME`."""

    name: str
    range: tuple[int, int]
    default: int
    help: str = "a fact of the kit"
    unit: str = ""


STATE = RowTable(
    "state",
    "A fact about the player's game: a spec gives it as `state.NAME`, and conditions can test it.",
    {
        "range": Column(span(-1_000_000, 1_000_000), "its range"),
        "default": Column(
            number(-1_000_000, 1_000_000),
            "its value if a spec does not give it",
            "the least",
            form="a number",
        ),
        "help": Column(text, "what it means, for `describe` and the dock", "a fact of the kit"),
        "unit": Column(text, "its unit", ""),
    },
)


class Gift(NamedTuple):
    """What each room of a kind gives to the player of a run. See `CARRIED`."""

    stage: int = 1
    chance: str = "1/1"
    needs: Mapping[str, int] = {}
    gives: Mapping[str, int | bool | list[int]] = {}
    sets: Mapping[str, int] = {}


_amount = number(-1_000_000, 1_000_000)
_between = span(-1_000_000, 1_000_000)


@reads({"anyOf": [{"const": True}, _amount.schema, _between.schema]})
def _given(node: Node) -> int | bool | list[int]:
    if node.value is True:
        return True
    return list(_between(node)) if isinstance(node.value, list) else _amount(node)


CARRIED = RowTable(
    "carried",
    "What the player of a run takes out of a room of a kind. All rows `[[carried.KIND]]` are rolled.",
    {
        "stage": Column(number(1, STAGES), "the first stage on which it applies", 1),
        "chance": Column(fraction, "how likely it is", "1/1", form='`"1/2"`'),
        "needs": Column(table(_amount), "the least that the player must have", {}, form="`{ keys = 1 }`"),
        "gives": Column(
            table(_given),
            "what is added: a number, or a range to draw from; a negative number is taken away; `true` "
            "sets the fact",
            {},
            form="`{ coins = [1, 2] }`",
        ),
        "sets": Column(table(_amount), "what a fact is set to", {}, form="`{ keys = 0 }`"),
    },
)


# --- how the remake chooses bosses before Repentance: `[[rebirth.boss]]` -----------------------------

_stages = many(number(1, STAGES))
_draws = number(0, 100)
_end = record(
    {
        "stages": _stages,
        "variants": many(number(0, 2)),
        "aside": number(1, 1000),
        "once": name,
        "after_devil_room": flag,
        "draws": _draws,
    },
    ("stages",),
)

BOSS_DRAWS = RowTable(
    REBIRTH,
    "How the game chooses a boss before Repentance: the rows `[[rebirth.boss]]`, from the top.",
    {
        "stages": Column(_stages, "the stages on which the row applies", "all", form="a list of stages"),
        "chance": Column(
            number(1, 1000), "the row takes one draw, and hits 1 time in this many", "always", form="a number"
        ),
        "percent": Column(numbers(3, 0, 100), "the same in percent, for each variant of the stage", "always"),
        "draws": Column(_draws, "how many more draws follow a hit", 0, form="a number"),
        "on_first_stages": Column(
            _draws,
            "how many more draws follow a hit on the first stage of a chapter, below stage 9",
            0,
            form="a number",
        ),
        "ends": Column(many(_end), "where a hit ends the choice", (), form="`[{ stages = [4] }]`"),
    },
)
