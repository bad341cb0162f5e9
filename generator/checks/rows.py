"""Refuses a level of a kit whose rows ask for what its rooms could not keep.

Only the rules that rows can break are checked here, as they take a small part of the time that a level takes.
"""

from __future__ import annotations

from itertools import chain

from generator.checks import keys, markers, rooms, tiles
from generator.checks.base import Check, Problem
from generator.errors import GenerationFailed
from generator.kinds import Kit
from generator.level import Level
from generator.styles.registry import style

_CHECKS: tuple[Check, ...] = (
    markers.markers_suit_rooms,
    markers.markers_in_rooms,
    markers.markers_apart,
    markers.markers_on_ground,
    markers.lights_where_it_burns,
    markers.enemies_away_from_doors,
    tiles.things_on_ground,
    rooms.distances_walked,
    keys.keys_fit_locks,
)


def check_rows(level: Level, kit: Kit) -> None:
    """Raise GenerationFailed with the first problem of a level, and the row of the kit that it comes from."""
    checks = (*_CHECKS, *style(level.style).checks())
    problem = next(chain.from_iterable(check(level) for check in checks), None)
    if problem:
        row = _row(problem, level)
        remedy = "change the row, or draw layouts for it that keep the rule"
        reason = f"{kit.file_of(row)}: {row}: {problem}; {remedy}"
        raise GenerationFailed("level by the kit's rows", 1, reason, level.seed)


def _row(problem: Problem, level: Level) -> str:
    """Name the row of the room that a problem is in, or of all rooms, if it is in none."""
    kind, _, number = problem.place.partition(" ")
    room: int | None = None
    if number.isdecimal() and kind == "room":
        room = int(number)
    elif number.isdecimal() and kind == "marker":
        room = level.markers[int(number)].room
    elif kind == "tile":
        x, y = map(int, number.split(","))
        room = next((candidate.id for candidate in level.rooms if candidate.bounds.contains(x, y)), None)
    return "room" if room is None else f"room.{level.rooms[room].kind}"
