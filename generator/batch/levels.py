"""Whole levels of many seeds. Where a style has kernels for its floorplans, they make them, compiled."""

from __future__ import annotations

from collections.abc import Callable

from generator.compiled.loader import compile_ahead
from generator.level import Level
from generator.pipeline import generate
from generator.spec import LevelSpec
from generator.styles.registry import style


def level_maker(spec: LevelSpec, seeds: int) -> Callable[[int], Level]:
    """What makes the level of a seed, the same as `generate`, for so many seeds in all."""
    chosen = style(spec.style)
    plan_of = chosen.plans(spec, seeds) if chosen.plans else None

    def make(seed: int) -> Level:
        if plan_of is None:
            return generate(spec, seed)
        number, text = chosen.read_seed(seed)
        return chosen.build(spec, number, text, plan_of(number))

    return make


def compile_for_levels(spec: LevelSpec, seeds: int, jobs: int) -> None:
    """Compile here what several workers would each compile for the levels of so many seeds."""
    chosen = style(spec.style)
    if jobs != 1 and chosen.plans and (plan_of := chosen.plans(spec, seeds)):
        compile_ahead(f"{spec.style} levels", lambda: plan_of(1))
