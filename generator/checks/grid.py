"""What holds for levels of both grid styles, and what checks of them look at."""

from __future__ import annotations

from collections.abc import Iterator

from generator.checks.base import Problem, check, connections, problem
from generator.kinds import SECRET_ROOM_KINDS
from generator.level import Level
from generator.spec import GridSpec


@check
def special_rooms_are_dead_ends(level: Level) -> Iterator[Problem]:
    """A special room has one door, but for secret ones and a pair of boss rooms."""
    if not isinstance(level.spec, GridSpec):
        return
    neighbours: dict[int, list[str]] = {room.id: [] for room in level.rooms}
    for a, b in connections(level):
        neighbours[a].append(level.rooms[b].kind)
        neighbours[b].append(level.rooms[a].kind)
    for room in level.rooms:
        if room.kind in ("start", "normal") or room.kind in SECRET_ROOM_KINDS:
            continue
        ways = [kind for kind in neighbours[room.id] if not (kind == room.kind == "boss")]
        if len(ways) > 1:
            what = f"the {room.kind} room has {len(ways)} doors"
            yield problem(special_rooms_are_dead_ends, f"room {room.id}", what)
