"""What holds for the enemies of levels of the `gungeon` style."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.checks.base import Problem, problem
from generator.checks.encounters import budget_problems, roster_problems
from generator.encounters.budget import chapter_of_stage, stage_of_danger, threat_of_crowd
from generator.interiors.chapters import main_name
from generator.kinds import FLOOR, RUBBLE, Kit, shipped_kit
from generator.level import Level
from generator.styles.gungeon.furnishing.site import stages_of
from generator.styles.gungeon.furnishing.tables import danger_of, enemy_row
from generator.styles.gungeon.spec import GungeonSpec


def enemies_apart(level: Level) -> Iterator[Problem]:
    """Enemies of one room stand at least the spec's spacing apart."""
    assert isinstance(level.spec, GungeonSpec)
    least = level.spec.enemy_spacing
    by_room: dict[int | None, list[tuple[int, int]]] = {}
    for marker in level.markers:
        if marker.kind == "enemy":
            others = by_room.setdefault(marker.room, [])
            if any((marker.x - x) ** 2 + (marker.y - y) ** 2 < least**2 for x, y in others):
                what = f"the enemy at {marker.x},{marker.y} is less than {least} tiles from another"
                yield problem(enemies_apart, f"marker {marker.id}", what)
            others.append((marker.x, marker.y))


def enemies_of_the_roster(level: Level) -> Iterator[Problem]:
    """Enemies are of the roster, and of a chapter that suits the way there."""
    assert isinstance(level.spec, GungeonSpec)
    numbers, name = map(chapter_of_stage, _stages(level)), level.spec.chapter
    if name == "none" and level.spec.rules_at_hand() is None:
        name = ""  # nobody knows
    kit = _kit_at_hand(level)
    chapters = [(number, main_name(number, kit) if name == "none" else name) for number in numbers]
    yield from roster_problems(enemies_of_the_roster, level, chapters)


def encounters_within_budget(level: Level) -> Iterator[Problem]:
    """The enemies of a room cost no more than the most that the table of enemies asks for."""
    if level.spec.rules_at_hand() is None:
        return
    budgets = []
    for room, danger, stage in zip(level.rooms, _dangers(level), _stages(level), strict=True):
        row, terrain = enemy_row(danger), level.terrain[room.bounds.slices]
        floor = int(np.count_nonzero((terrain == FLOOR) | (terrain == RUBBLE)))
        crowd = row.crowd(row.enemies[1], floor)
        budgets.append(threat_of_crowd(crowd, stage, 0).budget)
    yield from budget_problems(encounters_within_budget, level, budgets)


def _dangers(level: Level) -> list[int]:
    """How far each room is: percent of the way to the furthest, as near to that as its difficulty allows."""
    furthest = max((room.distance or 0 for room in level.rooms), default=0) or 1
    dangers = [100 * (room.distance or 0) // furthest for room in level.rooms]
    if level.spec.rules_at_hand() is None:  # only the kit's crowds say how difficult a danger is
        return dangers
    return [danger_of(danger, room.difficulty) for danger, room in zip(dangers, level.rooms, strict=True)]


def _kit_at_hand(level: Level) -> Kit:
    """The level's kit; the shipped one in place of one of which there is but a digest."""
    return shipped_kit() if level.spec.rules_at_hand() is None else level.spec.load_kit()


def _stages(level: Level) -> list[int]:
    """The stage whose enemies suit each room: that of its zone's chapter, if it has any."""
    assert isinstance(level.spec, GungeonSpec)
    stages, kit = [], _kit_at_hand(level)
    for room, danger in zip(level.rooms, _dangers(level), strict=True):
        chapter = str(level.facts.get(f"zone.{room.zone}", "")) if room.zone else ""
        of_zone = stages_of(chapter, kit)
        stages.append(stage_of_danger(danger, of_zone or level.spec.enemy_stages))
    return stages
