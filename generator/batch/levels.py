"""Whole levels of many seeds, with compiled kernels for the floorplans if the style has them."""

from __future__ import annotations

from collections.abc import Callable

from generator.compiled.loader import compile_ahead
from generator.level import Level
from generator.pipeline import generate
from generator.spec import LevelSpec
from generator.styles.registry import style


def level_maker(spec: LevelSpec, seeds: int) -> Callable[[int], Level]:
    """Return a function that makes the level of a seed like `generate`. `seeds` is how many there will be."""
    chosen = style(spec.style)
    plan_of = chosen.plans(spec, seeds) if chosen.plans else None

    def make(seed: int) -> Level:
        if plan_of is None:
            return generate(spec, seed)
        number, text = chosen.read_seed(seed)
        return chosen.build(spec, number, text, plan_of(number))

    return make


def compile_for_levels(spec: LevelSpec, seeds: int, jobs: int) -> None:
    """Compile here what several workers would otherwise each compile for the levels of this many seeds."""
    chosen = style(spec.style)
    if jobs != 1 and chosen.plans and (plan_of := chosen.plans(spec, seeds)):
        compile_ahead(f"{spec.style} levels", lambda: plan_of(1))
