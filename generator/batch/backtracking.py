"""Backtracking: how many rooms are entered again on the shortest path to the goal, to fetch keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from generator.level import Level
from generator.named_tuple import NamedTuple

_MAX_STATES = 200_000

_Walk = tuple[int, int, int]  # the room; the keys taken and the connections opened, as bits


class _RoomWay(NamedTuple):
    """A connection from one room to another. `needs` are keys, and `opened` its bit if it must be opened."""

    to: int
    needs: tuple[str, ...]
    opened: int
    can_open: bool


def backtracking(level: Level) -> int | None:
    """Count the rooms entered again on the shortest path to an exit. Returns None if no path was found."""
    graph = _ways(level)
    keys = [marker for marker in level.markers if marker.kind == "key" and marker.room is not None]
    names = [str(key.properties.get("opens")) for key in keys]
    used_up = {name for name, key in zip(names, keys, strict=True) if key.properties.get("consumed")}
    goals = {marker.room for marker in level.markers if marker.kind == "exit"}
    goals = goals or {room.id for room in level.rooms if room.kind == "boss"}
    spent = {
        connection.opened: used_up.intersection(connection.needs)
        for connections in graph
        for connection in connections
        if connection.opened
    }

    def held(walk: _Walk) -> list[str]:
        have = [name for number, name in enumerate(names) if walk[1] >> number & 1]
        for opened, needed in spent.items():
            if walk[2] & opened:
                for name in needed:
                    have.remove(name)
        return have

    def entered(room: int, taken: int, opened: int) -> _Walk:
        for number, key in enumerate(keys):
            taken |= (key.room == room) << number
        return room, taken, opened

    first = entered(0, 0, 0)
    before: dict[_Walk, _Walk | None] = {first: None}
    queue = deque([first])
    while queue and len(before) < _MAX_STATES:
        walk = queue.popleft()
        if walk[0] in goals:
            return _entered_again(walk, before)
        have = held(walk)
        for connection in graph[walk[0]]:
            opened = walk[2]
            if connection.opened and not opened & connection.opened:
                if not (connection.can_open and set(connection.needs) <= set(have)):
                    continue
                opened |= connection.opened
            next_walk = entered(connection.to, walk[1], opened)
            if next_walk not in before:
                before[next_walk] = walk
                queue.append(next_walk)
    return None


def _entered_again(walk: _Walk, before: dict[_Walk, _Walk | None]) -> int:
    rooms = []
    at: _Walk | None = walk
    while at is not None:
        rooms.append(at[0])
        at = before[at]
    return len(rooms) - len(set(rooms))


def _ways(level: Level) -> list[list[_RoomWay]]:
    """List each room's connections out of it [room], without secret doors."""
    graph: list[list[_RoomWay]] = [[] for _ in level.rooms]
    for number, (first, second, doors) in enumerate(_pairs(level)):
        joining = [level.doors[door] for door in doors]
        if not level.kinds.secret_doors.isdisjoint(door.kind for door in joining):
            continue
        needs = tuple(need for door in joining for need in door.needs)
        opens = next((door.opens_from for door in joining if door.opens_from is not None), None)
        bit = 1 << number if needs or opens is not None else 0
        into = next((door.rooms[0] for door in joining if door.one_way), None)
        for a, b in ((first, second), (second, first)):
            if into in (None, b):
                graph[a].append(_RoomWay(b, needs, bit, opens in (None, a)))
    return graph


def _pairs(level: Level) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for door in level.doors:
        if door.rooms[1] is not None:
            yield door.rooms[0], door.rooms[1], (door.id,)
    for hallway in level.hallways:
        first, last = (level.doors[door].rooms[0] for door in hallway.doors)
        yield first, last, hallway.doors
