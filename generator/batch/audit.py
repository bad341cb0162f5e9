"""Audits: run every check of `checks` on many levels."""

from __future__ import annotations

from typing import NamedTuple

from generator.batch.levels import level_maker
from generator.checks import problems
from generator.errors import GenerationFailed
from generator.spec import LevelSpec

BLOCK = 20  # seeds
_MAX_SHOWN = 20  # problems of one level


class Audited(NamedTuple):
    """The problems of a block of seeds, by seed. A seed without a level counts as a problem."""

    seeds: range
    problems: dict[int, list[str]]


def audit_block(task: tuple[LevelSpec, int, range]) -> Audited:
    """Check a block of seeds, given how many there are in all. Runs in a worker."""
    spec, number, seeds = task
    make = level_maker(spec, number)
    by_seed: dict[int, list[str]] = {}
    for seed in seeds:
        try:
            lines = [str(problem) for problem in problems(make(seed))]
        except GenerationFailed as error:
            lines = [str(error)]
        if lines:
            by_seed[seed] = lines[:_MAX_SHOWN]
    return Audited(seeds, by_seed)
