"""The special rooms of the `isaac` style: the rows of its kit that apply."""

from __future__ import annotations

from functools import lru_cache

from generator.kinds import Kit
from generator.styles.grid.special_rooms import SpecialRoom, rows_of, state_facts
from generator.styles.isaac.spec import IsaacSpec


def special_rooms(spec: IsaacSpec, labyrinth: bool = False) -> tuple[SpecialRoom, ...]:
    """List the rows that come by chance under `spec`, at dead ends and with the style's dice, in order."""
    return tuple(row for row in style_rows(spec, labyrinth) if not row.must and not row.row.is_hidden)


def style_rows(spec: IsaacSpec, labyrinth: bool) -> tuple[SpecialRoom, ...]:
    """List all rows that use the style's dice and apply under `spec`."""
    return _style_rows(spec, labyrinth, spec.load_kit())


@lru_cache(maxsize=64)
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
