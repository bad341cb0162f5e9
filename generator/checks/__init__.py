"""The invariants of a level, by name. `problems` runs them all and says what does not hold, and where.

Each check is a generator of `Problem`s over any level that could be read, however odd.
"""

from __future__ import annotations

from generator.checks import anywhere, body, grid, gungeon, isaac, rebirth  # noqa: F401  # they list themselves
from generator.checks.base import CHECKS, Problem
from generator.level import Level

__all__ = ["CHECKS", "Problem", "problems"]


def problems(level: Level) -> list[Problem]:
    """Everything that does not hold; an empty list for a sound level."""
    return [problem for check in CHECKS.values() for problem in check(level)]
