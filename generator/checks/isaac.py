"""What holds for levels of the `isaac` style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.checks.base import Problem, check, connections, problem
from generator.kinds import SECRET_ROOM_KINDS
from generator.level import Level


@check
def secret_rooms_away_from_dead_ends(level: Level) -> Iterator[Problem]:
    """No secret room is beside a room with a single door, nor beside another one."""
    if level.style != "isaac":
        return
    doors = Counter(room for pair in connections(level) for room in pair)
    for door in level.doors:
        a, b = door.rooms
        if door.kind != "secret" or b is None:
            continue
        kinds = level.rooms[a].kind, level.rooms[b].kind
        if set(kinds) <= SECRET_ROOM_KINDS:
            yield problem(secret_rooms_away_from_dead_ends, f"door {door.id}", "joins two secret rooms")
        for room in (a, b):
            if level.rooms[room].kind not in SECRET_ROOM_KINDS and doors[room] == 1:
                what = f"leads from a secret room to room {room}, a dead end"
                yield problem(secret_rooms_away_from_dead_ends, f"door {door.id}", what)
