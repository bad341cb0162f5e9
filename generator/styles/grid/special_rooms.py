"""The facts for conditions on a grid, and the doors to special rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from generator.kinds import DIFFICULTIES, Kinds
from generator.kinds.conditions import Facts, hold
from generator.kinds.rules import Rules
from generator.named_tuple import NamedTuple
from generator.styles.grid.floorplan import DoorKinds
from generator.styles.grid.spec import GridSpec
from generator.styles.special_rooms import BEGINNING, Chance, SpecialRoom, kit_facts, rows_of

__all__ = [
    "Chance",
    "KindRow",
    "RerollRules",
    "SpecialRoom",
    "door_kinds",
    "kit_facts",
    "rows_of",
    "state_facts",
]


def state_facts(spec: GridSpec) -> dict[str, int]:
    """Return the facts for conditions of all styles on a grid. Facts of another style are 0."""
    state = spec.state
    return {
        **BEGINNING,
        "stage": spec.stage,
        "second_stage": spec.stage % 2 == 0,
        "first_floor": spec.stage % 2,
        "main_chapter": 0,
        "hard_mode": spec.hard,
        "full_health": state.full_health,
        "red_hearts": state.red_hearts,
        "heart_containers": state.heart_containers,
        "soul_hearts": state.soul_hearts,
        "coins": state.coins,
        "keys": state.keys,
        "devil_room_visited": state.devil_room_visited,
        "book_picked_up": state.book_picked_up,
        "mini_boss_met": state.mini_boss_met,
        **kit_facts(spec.load_kit(), spec),
    }


def door_kinds(stage: int, kinds: Kinds) -> Mapping[str, str]:
    """Map each special room's kind to the kind of the door that leads to it."""
    return _door_kinds(stage > 1, kinds)


@lru_cache(maxsize=64)
def _door_kinds(later: bool, kinds: Kinds) -> Mapping[str, str]:
    return DoorKinds({row.name: row.door[later] for row in kinds.rooms.values() if row.door}, kinds)


class KindRow(NamedTuple):
    """A special room that a style places: its possible kinds, and whether it always comes."""

    kinds: frozenset[str]
    is_certain: bool


def kind_row(row: SpecialRoom) -> KindRow:
    """Reduce a special room's row to a `KindRow`."""
    comes = row.chance.is_certain and row.allowed and row.other_allowed
    return KindRow(row.kinds(), row.must or comes)


class RerollRules(NamedTuple):
    """What a style knows about its rooms, for rerolls. The functions take the spec of the level first.

    `shares` takes the curse and gives the shares of the difficulties of normal rooms. `rows` gives the
    special rooms that the style places, in its order, in a labyrinth or elsewhere, and `own_rules` the rules
    of a team's kit that apply to a seed. `has_shape` takes the level's kinds, a room kind and a shape.
    Without `has_shapes` every room is a single cell, with a layout that has all doors. `why_normal` says why
    normal rooms of a labyrinth cannot become special; empty if they can.
    """

    shares: Callable[[Any, str], Mapping[str, int]]
    rows: Callable[[Any, bool], Sequence[KindRow]]
    own_rules: Callable[[Any, bool, int], Sequence[SpecialRoom]]
    has_shapes: bool
    has_shape: Callable[[Any, Kinds, str, str], bool]
    why_normal: str


# The difficulties that normal rooms are drawn from: the `[[difficulty.STYLE]]` rows of a kit.


def shares_of(rules: Rules, style: str, facts: Facts) -> Mapping[str, int]:
    """Return the share of each difficulty by name, easiest first, from the first row whose conditions hold.

    Without such a row all are equally likely.
    """
    for row in rules.difficulties.get(style, ()):
        if hold(row.only, facts):
            return row.shares
    return dict.fromkeys(DIFFICULTIES, 1)
