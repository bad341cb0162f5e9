"""Walks through a flow: how far its rooms are, and the shortest path to the goal."""

from __future__ import annotations

from generator.algorithms.graph import steps_from
from generator.styles.gungeon.flows.records import Flow


def steps(flow: Flow) -> dict[str, list[str]]:
    """List the rooms that each leads to on a first visit, with all keys but without secret doors.

    One-way connections and shut shortcuts lead one way only.
    """
    beside: dict[str, list[str]] = {room.id: [] for room in flow.rooms}
    for connection in flow.connections:
        if connection.secret:
            continue
        if connection.opens_from != connection.b:
            beside[connection.a].append(connection.b)
        if not connection.one_way and connection.opens_from != connection.a:
            beside[connection.b].append(connection.a)
    return beside


def distances(flow: Flow) -> dict[str, int]:
    """Return each room's distance from the start. Rooms behind secret doors only are omitted."""
    return steps_from(flow.start, steps(flow))


def path_to_goal(flow: Flow) -> list[str]:
    """Return the rooms of the shortest path from the start to the furthest goal, both included."""
    beside, far = steps(flow), distances(flow)
    goal = max((goal for goal in flow.goals if goal in far), key=lambda goal: far[goal], default=flow.start)
    path = [goal]
    while path[-1] != flow.start:
        at = path[-1]
        path.append(next(room for room in far if far[room] == far[at] - 1 and at in beside[room]))
    return path[::-1]


def in_a_row(flow: Flow, quiet: set[str]) -> dict[str, int]:
    """Count, for each room, the fights in a row, without a quiet room, at the end of a shortest path."""
    beside, far = steps(flow), distances(flow)
    fights = {room.id for room in flow.rooms if room.kind == "normal"} - quiet
    runs: dict[str, int] = {}
    for room in sorted(far, key=lambda room: far[room]):
        before = [
            runs[earlier] for earlier in runs if room in beside[earlier] and far[earlier] == far[room] - 1
        ]
        runs[room] = 1 + max(before, default=0) if room in fights else 0
    return runs
