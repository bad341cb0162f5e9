"""The special rooms of the `isaac` style: the rows of its kit that apply."""

from __future__ import annotations

from array import array

from generator.kinds import Kit
from generator.kinds.special_rooms import chance_order, turn_of
from generator.named_tuple import NamedTuple
from generator.reasons import cached_unless_noted
from generator.rng import name_key
from generator.styles.grid.own_rooms import TurnedRule, stream_name, with_turns
from generator.styles.grid.special_rooms import (
    KindRow,
    RerollRules,
    SpecialRoom,
    kind_row,
    rows_of,
    shares_of,
    state_facts,
)
from generator.styles.isaac.plan_kernel import STYLE_DICE, PlanTables
from generator.styles.isaac.spec import IsaacSpec


def special_rooms(spec: IsaacSpec, labyrinth: bool = False) -> tuple[SpecialRoom, ...]:
    """List the rows that come by chance under `spec`, at dead ends and with the style's dice, in order."""
    return tuple(row for row in style_rows(spec, labyrinth) if not row.must and not row.row.is_hidden)


def style_rows(spec: IsaacSpec, labyrinth: bool) -> tuple[SpecialRoom, ...]:
    """List all rows that use the style's dice and apply under `spec`."""
    return _style_rows(spec, labyrinth, spec.load_kit())


@cached_unless_noted(64)
def _style_rows(spec: IsaacSpec, labyrinth: bool, kit: Kit) -> tuple[SpecialRoom, ...]:
    return rows_of(kit, spec.style, state_facts(spec) | {"labyrinth": labyrinth})


def own_rules(spec: IsaacSpec, labyrinth: bool) -> tuple[SpecialRoom, ...]:
    """List the rules of a team's kit, with their own dice, that apply under `spec`."""
    kit = spec.load_kit()
    if kit.is_shipped:
        return ()
    return rows_of(kit, spec.style, state_facts(spec) | {"labyrinth": labyrinth}, own_dice=True)


def always(spec: IsaacSpec, labyrinth: bool) -> list[str]:
    """List the rooms that every floorplan has at dead ends. In a labyrinth some come again, in turn."""
    rows = [row for row in style_rows(spec, labyrinth) if row.must and not row.row.is_hidden]
    return by_turns(rows, labyrinth)


def hidden(spec: IsaacSpec, labyrinth: bool) -> list[str]:
    """List the rooms that only secret doors lead to."""
    return by_turns([row for row in style_rows(spec, labyrinth) if row.row.is_hidden], labyrinth)


def by_turns(rows: list[SpecialRoom], labyrinth: bool) -> list[str]:
    """List the kinds of the rows: one room of each, and then the additional ones of a labyrinth."""
    counts = [row.row.in_labyrinth if labyrinth else 1 for row in rows]
    turns = range(max(counts, default=0))
    return [row.kind for turn in turns for row, count in zip(rows, counts, strict=True) if turn < count]


# The difficulties that normal rooms of the `isaac` style are drawn from.


def difficulties_of(spec: IsaacSpec, curse: str) -> dict[str, int]:
    """Return the share of each difficulty by name, from the kit."""
    rules = spec.load_kit().rules
    return dict(shares_of(rules, spec.style, state_facts(spec) | {"labyrinth": curse == "labyrinth"}))


# A spec's rules for floorplans as numbers, for the kernels of the `isaac` style.


_NAMES = ("isaac.rooms", "isaac.grow", "isaac.enlarge", "isaac.special")  # in the order of plan_kernel
_FIRST_KINDS = ("normal", "start", "boss")  # likewise


class SpecTables(NamedTuple):
    """The numbers for the kernels, the kinds that these stand for, and the rules applied after them."""

    tables: PlanTables
    kinds: tuple[str, ...]
    later: tuple[TurnedRule, ...]


def tables_of(spec: IsaacSpec, labyrinth: bool) -> SpecTables:
    """Make the tables of a spec, with or without the curse of the labyrinth. Raises KitError."""
    return _tables_of(spec, labyrinth, spec.load_kit())


@cached_unless_noted(32)
def _tables_of(spec: IsaacSpec, labyrinth: bool, kit: Kit) -> SpecTables:
    kit.need(spec.style, ("start", "normal", "boss"))
    rows, later = _by_chance(spec, labyrinth)
    fixed, behind = always(spec, labyrinth), hidden(spec, labyrinth)
    came = (name for row in rows for name in (row.rule.kind, row.rule.other_kind))
    kinds = tuple(dict.fromkeys((*_FIRST_KINDS, *fixed, *came, *behind)))
    own = dict.fromkeys(row.rule.row.name for row in rows if row.turn != STYLE_DICE)
    names = [*_NAMES, *(stream_name(name) for name in own)]
    numbers: list[int] = []
    for row in rows:
        dice = names.index(stream_name(row.rule.row.name)) if row.turn != STYLE_DICE else STYLE_DICE
        numbers += _row(row.rule, kinds, dice, row.turn)
    rolls = sum(row.turn == STYLE_DICE for row in rows)
    tables = PlanTables(
        names=array("Q", map(name_key, names)),
        level=array("q", (spec.stage, labyrinth, spec.rooms, rolls, spec.secret_room == "demo")),
        always=bytes(map(kinds.index, fixed)),
        by_chance=array("q", numbers),
        hidden=bytes(map(kinds.index, behind)),
        secret=bytes(kind in kit.kinds.secret_rooms for kind in kinds),
    )
    return SpecTables(tables, kinds, later)


def _by_chance(spec: IsaacSpec, labyrinth: bool) -> tuple[list[TurnedRule], tuple[TurnedRule, ...]]:
    """List the rows that come by chance, in order, and the rules applied after them.

    A kit's rule with a `before` goes there among the style's own rows. Rows with the style's dice have
    STYLE_DICE in place of a turn.
    """
    own = with_turns(own_rules(spec, labyrinth))
    among = [row for row in own if row.rule.row.before]
    rows = [*(TurnedRule(room, STYLE_DICE) for room in special_rooms(spec, labyrinth)), *among]
    if len(rows) > 1 and among:
        order = chance_order(spec.load_kit().rules.special_rooms)
        rows.sort(key=lambda row: order.index(turn_of(row.rule.row)))
    return rows, tuple(row for row in own if not row.rule.row.before)


def _row(room: SpecialRoom, kinds: tuple[str, ...], dice: int, turn: int) -> list[int]:
    """Write a row as `plan_kernel` reads it."""
    chance, other_chance = room.chance, room.other_chance
    return [
        kinds.index(room.kind), room.allowed, *chance.first, *chance.second,
        kinds.index(room.other_kind), room.other_allowed, *other_chance.first, *other_chance.second,
        dice, turn,
    ]  # fmt: skip


def _kind_rows(spec: IsaacSpec, labyrinth: bool) -> list[KindRow]:
    """List the rooms that always come, such as shop and treasure, then those that come by chance."""
    fixed = [KindRow(frozenset({kind}), True) for kind in always(spec, labyrinth)]
    return fixed + [kind_row(row) for row in special_rooms(spec, labyrinth)]


REROLLS = RerollRules(
    shares=difficulties_of,
    rows=_kind_rows,
    own_rules=lambda spec, labyrinth, _: own_rules(spec, labyrinth),
    has_shapes=False,
    has_shape=lambda _spec, _kinds, _kind, shape: bool(shape == "1x1"),
    why_normal="in a labyrinth only the furthest dead ends are special",
)
