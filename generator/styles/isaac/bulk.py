"""Floorplans of the `isaac` style for many seeds at once, as arrays."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from generator.compiled.loader import bulk
from generator.rng import name_key
from generator.styles.columns import PlanColumns, Shorts
from generator.styles.grid.columns import PlanArrays, plan_columns, unused_arrays
from generator.styles.grid.spec import CURSES
from generator.styles.isaac import bulk_kernel
from generator.styles.isaac import floorplan as one
from generator.styles.isaac.growth_kernel import MAX_ROOMS, new_board
from generator.styles.isaac.plan_kernel import most_wanted
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.isaac.special_rooms import SpecTables, tables_of


def floorplans(spec: IsaacSpec, seeds: Sequence[int]) -> PlanColumns | None:
    """Make the floorplans of these seeds. None if rooms or locks are placed on a finished floorplan."""
    if spec.plan.asks:
        return None
    variants = [tables_of(spec, labyrinth) for labyrinth in (False, True)]
    if any(spec_tables.later for spec_tables in variants):
        return None
    kernel, numbers = bulk(bulk_kernel, spec.style, pays=len(seeds) >= spec.few), array("Q", seeds)
    curses = np.zeros(len(seeds), np.int16)
    kernel.draw_curses(numbers, name_key("isaac.curse"), spec.stage, spec.hard, curses)
    if spec.curse != "random":
        curses[:] = CURSES.index(spec.curse)
    most = max(_most_rooms(spec, spec_tables) for spec_tables in variants)
    out = unused_arrays(len(seeds), most, most)
    kinds = tuple(dict.fromkeys((*variants[0].kinds, *variants[1].kinds)))
    is_labyrinth = curses == CURSES.index("labyrinth")
    for labyrinth, spec_tables in enumerate(variants):
        rows = np.flatnonzero(is_labyrinth == labyrinth)
        if len(rows):
            _make(kernel, numbers, rows, spec_tables, one.most_tries(spec), out)
            _name_kinds(out.kind, rows, spec_tables.kinds, kinds)
    facts = {"curse": np.array(CURSES)[curses]}
    return plan_columns(spec, numbers, out.cut(), facts, kinds, ("1x1",))


def _most_rooms(spec: IsaacSpec, spec_tables: SpecTables) -> int:
    """Return how many rooms there can be, secret rooms included."""
    return min(MAX_ROOMS, max(spec.rooms, most_wanted(spec.stage)) + len(spec_tables.tables.hidden))


def _make(
    kernel: object,
    seeds: array[int],
    rows: npt.NDArray[np.intp],
    spec_tables: SpecTables,
    most: int,
    out: PlanArrays,
) -> None:
    chosen = array("Q", [seeds[row] for row in rows.tolist()]) if len(rows) < len(seeds) else seeds
    positions = array("q", rows.tolist())
    state = one.new_state()
    kernel.make_plans(chosen, positions, spec_tables.tables, most, state, new_board(), out)  # type: ignore[attr-defined]


def _name_kinds(
    indices: Shorts, rows: npt.NDArray[np.intp], own: tuple[str, ...], kinds: tuple[str, ...]
) -> None:
    """Renumber the kinds by their indices in the list of all kinds."""
    if own != kinds[: len(own)]:
        numbers = [kinds.index(kind) for kind in own]
        indices[rows] = np.array([*numbers, -1], np.int16)[indices[rows]]
