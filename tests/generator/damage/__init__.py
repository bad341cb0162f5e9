"""Some 200 kinds of damage that a level can come to, each seen by a rule.

    python -m tests.generator.damage            # all kinds on levels of all styles and of two kits

The list was written before anybody looked at what is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from generator import Level, generate
from tests.generator.breakages.base import Unfit
from tests.generator.mutations import EXAMPLES, seen_by

from .content import CONTENT
from .draft import Damage, Draft
from .facts import FACTS
from .ground import GROUND

DAMAGE: dict[str, Damage] = {**CONTENT, **GROUND, **FACTS}
LEVELS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("isaac", {"stage": 3}),
    ("isaac", {"stage": 6, "door_width": 3}),
    ("rebirth", {"stage": 3}),
    ("rebirth", {"stage": 8, "hard": True}),
    ("gungeon", {"rooms": 14}),
    ("gungeon", {"flow": "two_keys"}),
    ("isaac", {"kit": str(EXAMPLES / "orbital")}),
    ("gungeon", {"kit": str(EXAMPLES / "orbital"), "rooms": 12}),
    ("gungeon", {"kit": str(EXAMPLES / "garden"), "rooms": 12}),
)

# What nobody can know to be damage without making the level again, and why. Where it is seen, it counts.
_ITS_OWN = "a property that a game may add, or a kit's letters may leave out"
_MADE_WITH = (
    "other values of the spec can make this level too: a flow, a drawing or fewer seats have their own"
)
FREE: dict[str, str] = {
    "ware_of_a_price_below_nothing": _ITS_OWN,
    "item_of_no_pool": _ITS_OWN,
    "exit_without_a_goal": _ITS_OWN,
    "bridge_in_the_floor": "drawings of `gungeon`, and a team's, may end a bridge on firm ground",
    "spec_of_huge_chests": _MADE_WITH,
    "spec_of_99_fights": _MADE_WITH,
    "spec_of_99_shops": _MADE_WITH,
    "spec_of_five_rooms": _MADE_WITH,
}


class Case(NamedTuple):
    """One kind of damage done to one level, and the rules that see it."""

    damage: str
    number: int
    seed: int
    rules: tuple[str, ...]


def cases(number: int, seed: int, names: tuple[str, ...] = ()) -> Iterator[Case]:
    """Do all damage, or some of it, that fits one of `LEVELS`. Damage that changes nothing does not fit."""
    style, values = LEVELS[number]
    level = generate(style, seed, **values)
    for name, damage in DAMAGE.items():
        if names and name not in names:
            continue
        table = damaged(level, damage, seed)
        if table is not None:
            yield Case(name, number, seed, seen_by(table, values.get("kit", "")))


def damaged(level: Level, damage: Damage, seed: int) -> dict[str, Any] | None:
    """The table of a level after some damage. None if it does not fit the level."""
    draft, untouched = Draft(level, seed), Draft(level, seed).table
    try:
        damage(draft)
    except Unfit:
        return None
    return None if draft.table == untouched else draft.table
