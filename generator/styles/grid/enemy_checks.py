"""The invariants of the enemies in levels on a grid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.checks.base import Problem, owners
from generator.checks.encounters import budget_problems, roster_problems
from generator.encounters.budget import budget_of, chapter_of_stage
from generator.interiors.chapters import Chapter
from generator.level import Level
from generator.styles.grid.battlegrounds import room_places
from generator.styles.grid.chapters import chapter_of
from generator.styles.grid.spec import GridSpec


def chapter_at_hand(level: Level) -> Chapter | None:
    """Return the level's chapter, or None if the level has only the digest of the kit that it belongs to."""
    assert isinstance(level.spec, GridSpec)
    return chapter_of(level.spec, level.seed) if level.spec.rules_at_hand() else None


def enemies_of_the_roster(level: Level) -> Iterator[Problem]:
    """Check that enemies are in the roster, and belong to the stage's chapter or an earlier one."""
    assert isinstance(level.spec, GridSpec)
    chapter = chapter_at_hand(level)
    name = chapter.name if chapter else str(level.facts.get("chapter"))
    current = chapter_of_stage(level.spec.stage), name
    yield from roster_problems(enemies_of_the_roster, level, [current] * len(level.rooms))


def encounters_within_budget(level: Level) -> Iterator[Problem]:
    """Check that the enemies of a room cost no more than its budget."""
    assert isinstance(level.spec, GridSpec)
    rules = level.spec.rules_at_hand()
    if rules is None:
        return
    ways = room_places([(room.kind, room.distance) for room in level.rooms], "")
    walked = level.passable("walk") & (owners(level) >= 0)
    budgets = []
    for room, room_place in zip(level.rooms, ways, strict=True):
        floor = int(np.count_nonzero(walked[room.bounds.slices]))
        budgets.append(budget_of(room.kind, level.spec.stage, room.difficulty, room_place.way, floor, rules))
    yield from budget_problems(encounters_within_budget, level, budgets)
