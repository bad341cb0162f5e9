"""The invariants of the enemies in levels of the `gungeon` style."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.checks.base import Problem, problem
from generator.checks.encounters import budget_problems, roster_problems
from generator.encounters.budget import STAGES, chapter_of_stage, stage_of_danger, threat_of_crowd
from generator.interiors.chapters import main_name
from generator.kinds import FLOOR, RUBBLE, Kit, shipped_kit
from generator.level import Level
from generator.styles.gungeon.furnishing.site import stages_of
from generator.styles.gungeon.furnishing.tables import danger_of, enemy_row
from generator.styles.gungeon.spec import GungeonSpec


def enemies_apart(level: Level) -> Iterator[Problem]:
    """Check that enemies of one room stand at least the spec's spacing apart."""
    assert isinstance(level.spec, GungeonSpec)
    least = level.spec.enemy_spacing
    by_room: dict[int | None, list[tuple[int, int]]] = {}
    for marker in level.markers:
        if marker.kind == "enemy":
            enemies = by_room.setdefault(marker.room, [])
            if any((marker.x - x) ** 2 + (marker.y - y) ** 2 < least**2 for x, y in enemies):
                message = f"the enemy at {marker.x},{marker.y} is less than {least} tiles from another"
                yield problem(enemies_apart, f"marker {marker.id}", message)
            enemies.append((marker.x, marker.y))


def enemies_of_the_roster(level: Level) -> Iterator[Problem]:
    """Check that enemies are in the roster, and of a chapter that suits the room's distance."""
    assert isinstance(level.spec, GungeonSpec)
    numbers, name = map(chapter_of_stage, _stages(level)), level.spec.chapter
    if name == "none" and level.spec.rules_at_hand() is None:
        name = ""  # unknown
    kit = _kit_at_hand(level)
    chapters = [(number, main_name(number, kit) if name == "none" else name) for number in numbers]
    yield from roster_problems(enemies_of_the_roster, level, chapters)


def encounters_within_budget(level: Level) -> Iterator[Problem]:
    """Check that the enemies of a room cost no more than the table of enemies allows."""
    rules = level.spec.rules_at_hand()
    if rules is None:
        return
    budgets = []
    for room, danger, stage in zip(level.rooms, _dangers(level), _stages(level), strict=True):
        row, terrain = enemy_row(danger, level.spec.load_kit()), level.terrain[room.bounds.slices]
        floor = int(np.count_nonzero((terrain == FLOOR) | (terrain == RUBBLE)))
        crowd = row.crowd(row.enemies[1], floor)
        budgets.append(threat_of_crowd(crowd, stage, 0, rules).budget)
    yield from budget_problems(encounters_within_budget, level, budgets)


def _dangers(level: Level) -> list[int]:
    """Return each room's danger: percent of the greatest distance, moved only as its difficulty demands."""
    furthest = max((room.distance or 0 for room in level.rooms), default=0) or 1
    dangers = [100 * (room.distance or 0) // furthest for room in level.rooms]
    if level.spec.rules_at_hand() is None:  # only the kit's crowds give the difficulty of a danger
        return dangers
    kit = level.spec.load_kit()
    return [
        danger_of(danger, room.difficulty, kit) for danger, room in zip(dangers, level.rooms, strict=True)
    ]


def _kit_at_hand(level: Level) -> Kit:
    """Return the level's kit, or the shipped one if the level has only the digest of its kit."""
    return shipped_kit() if level.spec.rules_at_hand() is None else level.spec.load_kit()


def _stages(level: Level) -> list[int]:
    """Return the stage whose enemies suit each room: that of its zone's chapter, if it has one.

    Only the kit knows what a difficulty and a chapter of a flow mean. Without it, the last stage counts.
    """
    assert isinstance(level.spec, GungeonSpec)
    if "flow" in level.facts and level.spec.rules_at_hand() is None:
        last = level.spec.enemy_stages[1]
        return [STAGES if f"zone.{room.zone}" in level.facts else last for room in level.rooms]
    stages, kit = [], _kit_at_hand(level)
    for room, danger in zip(level.rooms, _dangers(level), strict=True):
        chapter = str(level.facts.get(f"zone.{room.zone}", "")) if room.zone else ""
        of_zone = stages_of(chapter, kit)
        stages.append(stage_of_danger(danger, of_zone or level.spec.enemy_stages))
    return stages
