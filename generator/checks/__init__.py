"""The invariants of a level, by name. `problems` runs them all and reports what does not hold, and where.

Each check is a generator of `Problem`s over any level that could be read, however odd. `CHECKS` hold for
levels of any style; a style's own are the `checks` of its record.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.checks import doors, hallways, keys, markers, numbers, record, rooms, tiles
from generator.checks.base import Check, Problem, name_of
from generator.checks.body import body_gets_everywhere
from generator.checks.crossing import rooms_can_be_crossed
from generator.level import Level
from generator.styles.registry import style, usable_styles

__all__ = ["CHECKS", "REQUIRED", "Check", "Problem", "checks_of", "name_of", "problems", "rules_to_allow"]

# What all other checks rely on: valid numbers and references.
_FIRST: tuple[Check, ...] = (numbers.numbers_stand_for_something,)

CHECKS: tuple[Check, ...] = (
    *_FIRST,
    record.tables_begin_with_nothing,
    record.seed_is_its_texts,
    record.rerolls_can_be_made_again,
    tiles.void_margin,
    tiles.closed_walls,
    tiles.ground_in_rooms,
    tiles.walls_round_rooms,
    tiles.things_apart,
    tiles.things_on_ground,
    rooms.one_start,
    rooms.rooms_apart,
    rooms.outlines_round_rooms,
    rooms.bounds_are_tight,
    rooms.distances_walked,
    rooms.reached_on_foot,
    rooms.boss_is_far,
    doors.doors_two_sided,
    doors.doors_in_line,
    doors.doors_lead_out,
    doors.door_tiles_once,
    hallways.hallways_apart,
    hallways.hallways_join_doors,
    hallways.hallway_tiles_once,
    markers.markers_in_rooms,
    markers.markers_apart,
    markers.markers_on_ground,
    markers.lights_where_it_burns,
    markers.enemies_away_from_doors,
    body_gets_everywhere,
    rooms_can_be_crossed,
    keys.keys_fit_locks,
    keys.nobody_gets_stuck,
)

# Without these a level is damaged or cannot be walked, so nobody may allow their problems.
REQUIRED: tuple[Check, ...] = (
    *_FIRST,
    record.tables_begin_with_nothing,
    record.seed_is_its_texts,
    record.rerolls_can_be_made_again,
    tiles.void_margin,
    tiles.closed_walls,
    rooms.one_start,
    rooms.outlines_round_rooms,
    rooms.bounds_are_tight,
    rooms.distances_walked,
    rooms.reached_on_foot,
    doors.doors_two_sided,
    doors.doors_in_line,
    doors.doors_lead_out,
    doors.door_tiles_once,
    hallways.hallways_join_doors,
    hallways.hallway_tiles_once,
    markers.markers_in_rooms,
    body_gets_everywhere,
    keys.keys_fit_locks,
    keys.nobody_gets_stuck,
)


def rules_to_allow() -> list[str]:
    """List the names of all rules, of every style, that a level may break on purpose."""
    of_styles = [check for style in usable_styles() for check in style.checks()]
    return sorted({name_of(check) for check in (*CHECKS, *of_styles) if check not in REQUIRED})


def checks_of(level: Level) -> Sequence[Check]:
    """Return the checks for any style, then those of the level's own style."""
    return (*CHECKS, *style(level.style).checks())


def problems(level: Level) -> list[Problem]:
    """List all problems of a level. The list is empty for a valid level."""
    first = [problem for check in _FIRST for problem in check(level)]
    if first:
        return first
    return [problem for check in checks_of(level) if check not in _FIRST for problem in check(level)]
