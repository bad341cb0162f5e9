"""Floorplans of the `rebirth` style for many seeds at once, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.compiled.loader import bulk
from generator.kinds.chapters import VARIANTS
from generator.shapes import SHAPES_BY_ID
from generator.styles.columns import PlanColumns, joined
from generator.styles.grid.columns import PlanArrays, plan_columns, unused_arrays
from generator.styles.rebirth import bulk_kernel
from generator.styles.rebirth.board import MAX_ROOMS, SIZE, new_floor
from generator.styles.rebirth.drawn_shapes import drawn_shapes
from generator.styles.rebirth.floorplan import new_luck
from generator.styles.rebirth.growth import Counts, LevelDraws, counts_of, curse_rate
from generator.styles.rebirth.rule_table import rule_table
from generator.styles.rebirth.seeds import codes_of, read_run_seed, start_seed_of
from generator.styles.rebirth.spec import RebirthSpec

_BLOCK = 4096  # seeds at once, in arrays with space for the largest floor
_STAGE, _CURSE, _MORE, _MORE_HARD, _VOID, _SEED = range(6)  # columns of a level's draws


def floorplans(spec: RebirthSpec, seeds: Sequence[int]) -> PlanColumns | None:
    """Make the floorplans of these seeds. None for a kit whose rules place rooms with their own dice.

    Raises SpecError for a seed that is not valid.
    """
    kit = spec.load_kit()
    kit.need(spec.style, ("start", "normal", "boss"))
    if any(row.has_own_dice and spec.style in row.styles for row in kit.rules.special_rooms):
        return None
    starts = np.array([start_seed_of(seed) for seed in seeds], np.int64)
    for index in np.flatnonzero(starts == 0).tolist():
        read_run_seed(seeds[index])
    kernel = bulk(bulk_kernel, spec.style, pays=len(seeds) >= spec.few)
    drawn = np.zeros((len(seeds), 6), np.int64)
    kernel.draw_levels(starts, spec.seed_slot, curse_rate(spec), spec.is_void, drawn)
    levels, variants = _levels(spec, drawn), _variants(spec, drawn[:, _STAGE])
    blocks = []
    for first in range(0, max(1, len(seeds)), _BLOCK):
        block = slice(first, first + _BLOCK)
        blocks.append(_block(spec, kernel, drawn[block], levels[block], variants[block]))
    facts = {
        "curse": np.array([level.curse for level in levels], np.str_),
        "edition": np.full(len(seeds), spec.edition),
        "seed_code": codes_of(starts),
        "generator_seed": drawn[:, _SEED],
        "target_rooms": np.array([level.rooms for level in levels], np.int64),
    }
    plans = PlanArrays(*map(joined, zip(*blocks, strict=True)))
    shapes = tuple(SHAPES_BY_ID[number].name for number in sorted(SHAPES_BY_ID))
    return plan_columns(spec, seeds, plans, facts, tuple(kit.kinds.rooms), shapes)


def _levels(spec: RebirthSpec, drawn: npt.NDArray[np.int64]) -> list[Counts]:
    """Return the counts of each level. Levels that differ only in the generator seed share theirs."""
    void = drawn[:, _VOID] % spec.void_sizes
    drawn_first = (drawn[:, column].tolist() for column in (_CURSE, _MORE, _MORE_HARD))
    all_draws = map(LevelDraws, *drawn_first, void.tolist(), repeat(0))
    known: dict[LevelDraws, Counts] = {}
    per_level = []
    for draws in all_draws:
        if draws not in known:
            known[draws] = counts_of(spec, draws)
        per_level.append(known[draws])
    return per_level


def _variants(spec: RebirthSpec, stage_seeds: npt.NDArray[np.int64]) -> list[int]:
    """Return the number of each stage's variant."""
    if spec.stage_variant != "random":
        return [VARIANTS.index(spec.stage_variant)] * len(stage_seeds)
    of_rest = [VARIANTS.index(spec.variant_of(6 + rest)) for rest in range(6)]  # 2 and 3 decide
    return [of_rest[rest] for rest in (stage_seeds % 6).tolist()]


def _block(
    spec: RebirthSpec,
    kernel: Any,
    drawn: npt.NDArray[np.int64],
    levels: Sequence[Counts],
    variants: Sequence[int],
) -> PlanArrays:
    """Make the floorplans of some levels, in arrays cut to the width they need."""
    out = unused_arrays(len(drawn), MAX_ROOMS, SIZE * SIZE)
    wanted = np.array([level.rooms for level in levels], np.int64)
    for level, variant, rows in _alike(levels, variants):
        table = rule_table(spec, level, variant, drawn_shapes(spec, level.curse, variant))
        state = new_floor(), new_luck(table.rules)
        kernel.make_plans(drawn[rows, _SEED], wanted[rows], rows, table.rules, *state, out)
    return out.cut()


def _alike(
    levels: Sequence[Counts], variants: Sequence[int]
) -> Iterator[tuple[Counts, int, npt.NDArray[np.int64]]]:
    """Group levels with the same rules: their counts without the rooms, the variant, and their indices."""
    rows: dict[tuple[Counts, int], list[int]] = {}
    short: dict[int, Counts] = {}
    for row, (level, variant) in enumerate(zip(levels, variants, strict=True)):
        if id(level) not in short:
            short[id(level)] = level._replace(rooms=0)
        rows.setdefault((short[id(level)], variant), []).append(row)
    for (level, variant), indices in rows.items():
        yield level, variant, np.array(indices, np.int64)
