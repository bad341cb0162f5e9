"""What a check is, and what several of them look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from generator.kinds import LIGHT_MARKER_KINDS
from generator.level import Level, Marker


class Problem(NamedTuple):
    """What does not hold: the check's name, the place, and the finding."""

    check: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what} [{self.check}]"


Check = Callable[[Level], Iterator[Problem]]
CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """Put a function on the list of checks, under its name with dashes."""
    CHECKS[_name(function)] = function
    return function


def problem(check: Check, place: str, what: str) -> Problem:
    """What a check found, and where."""
    return Problem(_name(check), place, what)


def _name(check: Check) -> str:
    return check.__name__.replace("_", "-")


def connections(level: Level) -> Iterator[tuple[int, int]]:
    """Pairs of rooms that a body walks between without a secret door."""
    for door in level.doors:
        if door.rooms[1] is not None and door.kind != "secret":
            yield door.rooms[0], door.rooms[1]
    for hallway in level.hallways:
        first, second = (level.doors[door] for door in hallway.doors)
        if "secret" not in (first.kind, second.kind):
            yield first.rooms[0], second.rooms[0]


def needs_no_way(level: Level, marker: Marker) -> bool:
    """Whether nobody has to get there on foot: lights, a boss that flies, what no door leads to."""
    return (
        marker.kind in LIGHT_MARKER_KINDS
        or (marker.kind == "boss" and bool(marker.properties.get("flies")))
        or (marker.room is not None and level.rooms[marker.room].kind == "ultra_secret")
    )
