"""Finds rooms for the keys that a flow leaves open: off the way, and so that nobody gets stuck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from generator.errors import GenerationFailed
from generator.rng import Stream
from generator.styles.gungeon.flows.paths import path_to_goal, steps
from generator.styles.gungeon.flows.proof import all_keys, is_undecided, walking_problem
from generator.styles.gungeon.flows.records import Flow, FlowKey

_MAX_BLIND = 60  # tries to find rooms for all keys at once
_MAX_IN_ORDER = 20  # tries to find them key by key, once that has failed
_MAX_IN_TURN = 2_000  # steps of the search through all rooms, once both have failed
_NOT_HIDDEN_IN = ("start", "boss")


def hide_keys(flow: Flow, seed: int) -> Flow:
    """Choose a room for each key that has none, such that the flow is sound. Raises GenerationFailed.

    Rooms are drawn for all keys at once. With many locks behind each other that hardly ever works: then each
    key gets a room that is reached before its lock. If no draw works, all rooms are tried in turn.
    """
    if all(key.room for key in flow.keys):
        return flow
    stream = Stream(seed, "gungeon.flow.keys")
    weights = _weights(flow)
    for _ in range(_MAX_BLIND):
        tried = _blindly(flow, weights, stream)
        problem = walking_problem(tried)
        if problem is None:
            return tried
        if is_undecided(problem):
            raise _failed(flow, problem, seed)
    stream = Stream(seed, "gungeon.flow.keys_in_order")
    for _ in range(_MAX_IN_ORDER):
        placed = _in_order(flow, weights, stream)
        if placed is not None and walking_problem(placed) is None:
            return placed
    for placed in islice(_in_turn(replace(flow, keys=tuple(all_keys(flow.keys))), weights), _MAX_IN_TURN):
        if all(key.room for key in placed.keys) and walking_problem(placed) is None:
            return placed
    names = ", ".join(dict.fromkeys(key.name for key in flow.keys if not key.room))
    message = (
        f"found no rooms to hide the keys in ({names}); give each key a room, or add rooms before its lock"
    )
    raise _failed(flow, message, seed)


def with_all_keys(flow: Flow) -> Flow:
    """Put each key that has no room yet in the start room, where it blocks nothing."""
    return replace(flow, keys=tuple(key if key.room else key._replace(room=flow.start) for key in flow.keys))


def _failed(flow: Flow, reason: str, seed: int) -> GenerationFailed:
    return GenerationFailed(f"gungeon flow {flow.name!r}", _MAX_BLIND, reason, seed)


def _candidates(flow: Flow) -> list[str]:
    """List the rooms that may hold a key."""
    return [room.id for room in flow.rooms if room.kind not in _NOT_HIDDEN_IN]


def _weights(flow: Flow) -> dict[str, int]:
    """Weigh the rooms that may hold a key: rooms off the way are preferred, dead ends most of all."""
    rooms = _candidates(flow)
    in_sight = {*path_to_goal(flow), *(key.room for key in flow.keys)}
    rooms = [room for room in rooms if room not in in_sight] or rooms
    joined = Counter(room for connection in flow.connections for room in (connection.a, connection.b))
    rooms.sort(key=lambda room: joined[room] != 1)
    return {room: 6 if joined[room] == 1 else 1 for room in rooms}


def _blindly(flow: Flow, weights: dict[str, int], stream: Stream) -> Flow:
    """Choose a random room for each copy of a key without one."""
    rooms, shares = list(weights), list(weights.values())
    keys: list[FlowKey] = []
    for key in flow.keys:
        copies = [] if key.room else [stream.weighted(rooms, shares) for _ in range(key.copies)]
        keys += [key._replace(room=room, copies=1) for room in copies] or [key]
    return replace(flow, keys=tuple(keys))


def _in_order(flow: Flow, weights: dict[str, int], stream: Stream) -> Flow | None:
    """Put the keys in rooms that are reached before the locks they open.

    None if there is no room before a lock.
    """
    filled = replace(flow, keys=tuple(all_keys(flow.keys)))
    fallback = dict.fromkeys(_candidates(flow), 1)
    while not all(key.room for key in filled.keys):
        region = _region(filled)
        held = {key.name for key in filled.keys if key.room}
        shut = [
            lock.needs
            for lock in flow.locks
            if region.intersection(lock.on) and not held.issuperset(lock.needs)
        ]
        needs = stream.pick(shut) if shut else tuple(key.name for key in filled.keys)
        rooms = [room for room in weights if room in region] or [room for room in fallback if room in region]
        if not rooms:
            return None
        shares = [weights.get(room, 1) for room in rooms]
        keys = [
            key if key.room or key.name not in needs else key._replace(room=stream.weighted(rooms, shares))
            for key in filled.keys
        ]
        filled = replace(filled, keys=tuple(keys))
    return filled


def _in_turn(flow: Flow, weights: dict[str, int]) -> Iterator[Flow]:
    """Yield the flow with the first of its open keys in each room in turn, then the next one, and so on.

    Rooms off the way come first. Only flows in which a goal can be reached at best are followed up. Copies of
    a key are alike, so none goes into an earlier room than the one before it.
    """
    yield flow
    at = next((number for number, key in enumerate(flow.keys) if not key.room), None)
    if at is None or _region(with_all_keys(flow)).isdisjoint(flow.goals):
        return
    key, before = flow.keys[at], flow.keys[at - 1] if at else None
    rooms = list(dict.fromkeys([*weights, *_candidates(flow)]))
    if before and before.name == key.name:
        rooms = rooms[rooms.index(before.room) :]
    for room in rooms:
        keys = (*flow.keys[:at], key._replace(room=room), *flow.keys[at + 1 :])
        yield from _in_turn(replace(flow, keys=keys), weights)


def _region(flow: Flow) -> set[str]:
    """Return the rooms within reach of the start, with the keys on the way but without secret doors.

    Keys are not used up here and the way back does not matter; the proof looks at both.
    """
    beside = steps(flow)
    needs = {frozenset(lock.on): lock.needs for lock in flow.locks}
    region, held, size = {flow.start}, set[str](), 0
    while size < len(region):
        size = len(region)
        held |= {key.name for key in flow.keys if key.room in region}
        for room in sorted(region):
            region |= {
                neighbour
                for neighbour in beside[room]
                if held.issuperset(needs.get(frozenset((room, neighbour)), ()))
            }
    return region
