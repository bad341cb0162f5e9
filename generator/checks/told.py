"""Problems of a level as lines for people: what is where, and which of them do not follow from others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
from generator.pattern import pattern
from generator.things import MARKER, all_called

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


_WHOLE_LEVEL = pattern(r"(.*?)\b(?:rooms|markers): ")


def told(found: Iterable[Problem], level: Level) -> list[str]:
    """List problems of a level, one line each, which ends with the broken rule.

    Things are called by their kind and tile, as well as by their number.
    """
    name = all_called(level)
    return [_line(problem, name) for problem in found]


def causes(lines: Iterable[str]) -> list[str]:
    """Return the lines of `told` that do not follow from others.

    Each may have words before its place, and after it, before the colon.
    """
    rows = [(line, line.rpartition(" [")[2].removesuffix("]"), _up_to_marker(line)) for line in lines]
    broken: dict[str, set[str]] = {}
    for _, rule, marker in rows:
        if marker:
            broken.setdefault(marker, set()).add(rule)
    lost = tuple(
        found[1]
        for line, rule, _ in rows
        if rule == name_of(one_start) and (found := _WHOLE_LEVEL.match(line))
    )
    return [
        line
        for line, rule, marker in rows
        if not (marker and any(rule in _FOLLOWS.get(cause, ()) for cause in broken[marker]))
        and not (rule in _FROM_START and line.startswith(lost))
    ]


def _up_to_marker(line: str) -> str:
    found = MARKER.search(line)
    return line[: found.end()] if found else ""


def _line(problem: Problem, name: Callable[[str], str]) -> str:
    if problem.check == name_of(numbers_stand_for_something):
        return str(problem)
    place = name(problem.place)
    _, _, thing = place.partition(" (")
    what = problem.what.removeprefix(f"the {thing.removesuffix(')')} ") if thing else problem.what
    return str(problem._replace(place=place, what=name(what)))
