"""Floorplans of many seeds at once, as arrays, and whole levels; compiled if the style has kernels for that.

plans = floorplans("isaac", range(100_000), stage=3)
(plans.kind == plans.kinds.index("library")).any(axis=1).mean()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from generator.compiled.loader import FEW, compile_ahead
from generator.errors import GenerationFailed, SpecError, shown
from generator.level import Level
from generator.pipeline import built, generate
from generator.seeds import MAX_SEED, plain, read_seed
from generator.spec import LevelSpec, spec_of
from generator.styles.base import Plan
from generator.styles.columns import PlanColumns, columns_of_plans
from generator.styles.registry import style

COLUMNS_A_BLOCK = 10_000  # seeds per block if compiled kernels help


def floorplans(spec: LevelSpec | str | Path, seeds: Iterable[SupportsIndex], **values: Any) -> PlanColumns:
    """Make the floorplans of these seeds as arrays, the same as from `generate(..., until="floorplan")`.

    `values` replace values of the spec. Styles that can make many at once do so, compiled if numba is
    installed (`pip install 'undercroft[fast]'`). Raises SpecError for a bad spec or seed.
    """
    chosen = spec_of(spec, values)
    numbers = [seed_number(seed) for seed in seeds]
    return many_at_once(chosen, numbers) or _one_by_one(chosen, numbers)


def seed_number(seed: SupportsIndex) -> int:
    """Convert a seed to Python's own number. Raises SpecError if it is not a valid seed."""
    number = seed if type(seed) is int else plain(seed)
    if type(number) is not int or not 0 <= number <= MAX_SEED:
        raise SpecError(f"seeds: {shown(seed)} is not a whole number from 0 to {MAX_SEED}")
    return number


def many_at_once(spec: LevelSpec, seeds: Sequence[int]) -> PlanColumns | None:
    """Make the floorplans as arrays, or return None for a spec whose style makes them one by one."""
    chosen = style(spec.style)
    if not chosen.floorplans:
        return None
    if chosen.read_seed is read_seed:
        return chosen.floorplans(spec, seeds)
    plans = chosen.floorplans(spec, [chosen.read_seed(seed)[0] for seed in seeds])
    return plans and replace(plans, seeds=np.array(seeds, np.uint64))


def compile_for_workers(spec: LevelSpec, seeds: int, jobs: int) -> None:
    """Compile the kernels of a spec's style here if several workers would otherwise each do so."""
    if jobs != 1 and seeds > COLUMNS_A_BLOCK:
        compile_ahead(spec.style, lambda: many_at_once(spec, range(1, FEW + 1)))


def _one_by_one(spec: LevelSpec, seeds: Sequence[int]) -> PlanColumns:
    plans: list[Plan | GenerationFailed] = []
    for seed in seeds:
        try:
            plans.append(generate(spec, seed, until="floorplan"))
        except GenerationFailed as error:
            plans.append(error)
    return columns_of_plans(seeds, plans, spec.load_kit().kinds.secret_doors)


# --- whole levels ------------------------------------------------------------------------------------


def level_maker(spec: LevelSpec, seeds: int) -> Callable[[int], Level]:
    """Return a function that makes the level of a seed like `generate`. `seeds` is how many there will be."""
    chosen = style(spec.style)
    plan_of = chosen.plans(spec, seeds) if chosen.plans else None

    def make(seed: int) -> Level:
        if plan_of is None:
            return generate(spec, seed)
        number, text = chosen.read_seed(seed)
        return built(chosen, spec, number, text, plan_of(number))

    return make


def compile_for_levels(spec: LevelSpec, seeds: int, jobs: int) -> None:
    """Compile here what several workers would otherwise each compile for the levels of this many seeds."""
    chosen = style(spec.style)
    if jobs != 1 and chosen.plans and (plan_of := chosen.plans(spec, seeds)):
        compile_ahead(f"{spec.style} levels", lambda: plan_of(1))
