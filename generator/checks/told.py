"""Problems of a level as lines for people: what is where, and no problem that follows from another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.checks.base import Problem, name_of
from generator.checks.body import body_gets_everywhere, nobody_is_shut_off
from generator.checks.crossing import rooms_can_be_crossed
from generator.checks.encounters import fair_at_the_door
from generator.checks.keys import nobody_gets_stuck
from generator.checks.markers import (
    enemies_away_from_doors,
    markers_in_rooms,
    markers_on_ground,
    markers_suit_rooms,
)
from generator.checks.record import numbers_stand_for_something
from generator.checks.rooms import one_start, reached_on_foot
from generator.level import Level
from generator.things import all_called

_WALKED = (reached_on_foot, rooms_can_be_crossed, body_gets_everywhere, nobody_is_shut_off)
_OF_PLACE = (*_WALKED, fair_at_the_door, enemies_away_from_doors, markers_suit_rooms)

# A marker that breaks one of the rules breaks these, too: nobody can walk to what is in a wall.
_FOLLOWS = {
    name_of(cause): {name_of(check) for check in checks}
    for cause, checks in {
        markers_in_rooms: (markers_on_ground, *_OF_PLACE),
        markers_on_ground: _OF_PLACE,
        **{check: _WALKED[number:] for number, check in enumerate(_WALKED, 1)},
    }.items()
}
_FROM_START = {name_of(check) for check in (reached_on_foot, body_gets_everywhere, nobody_gets_stuck)}


def told(found: Iterable[Problem], level: Level) -> list[str]:
    """List problems of a level, one line each, without those that follow from others.

    Things are called by their kind and tile, as well as by their number.
    """
    return [_line(problem, level) for problem in _causes([*found])]


def _causes(found: list[Problem]) -> Iterator[Problem]:
    broken: dict[str, set[str]] = {}
    for problem in found:
        broken.setdefault(problem.place, set()).add(problem.check)
    is_lost = any(problem.check == name_of(one_start) for problem in found)
    for problem in found:
        causes = broken[problem.place] if problem.place.startswith("marker ") else set()
        follows = any(problem.check in _FOLLOWS.get(cause, ()) for cause in causes)
        if not follows and not (is_lost and problem.check in _FROM_START):
            yield problem


def _line(problem: Problem, level: Level) -> str:
    if problem.check == name_of(numbers_stand_for_something):
        return str(problem)
    place = all_called(level, problem.place)
    _, _, thing = place.partition(" (")
    what = problem.what.removeprefix(f"the {thing.removesuffix(')')} ") if thing else problem.what
    return str(problem._replace(place=place, what=all_called(level, what)))
