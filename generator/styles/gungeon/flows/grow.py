"""Grows a flow: rules replace connections by more rooms, and keys get their rooms.

After J. Dormans, "Level design as model transformation" (2011): the plan is a graph, and each rule has a
pattern and its replacement. What a rule makes is proved before it is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

from generator.errors import GenerationFailed, SpecError
from generator.rng import Stream
from generator.styles.gungeon.flows.proof import all_keys, is_undecided, shape_problem, walking_problem
from generator.styles.gungeon.flows.records import (
    Flow,
    FlowConnection,
    FlowKey,
    FlowRule,
    RuleUse,
    distances,
    path_to_goal,
    steps,
)

_MAX_OF_GROWN = 4  # connections of a room after a rule has added to them
_MAX_GROWN = 300  # rooms, those of rules included
_MAX_PROVED = 12  # places at which a rule with locks is tried and proved


def grow(flow: Flow, seed: int) -> Flow:
    """Apply a flow's rules and put every key in a room. The result is proved, unless no rule changed it.

    Raises GenerationFailed, and SpecError if there are too many rooms.
    """
    stream = Stream(seed, "gungeon.flow.grow")
    grown = flow
    for use in flow.uses:
        for _ in range(stream.between(*use.times)):
            if len(grown.rooms) + len(flow.rules[use.name].rooms) > _MAX_GROWN:
                message = f"its rules make more than {_MAX_GROWN} rooms; ask for fewer times"
                raise SpecError(f"{flow.where}: rule: {message}")
            grown = _applied(grown, use, stream, seed)
    finished = hide_keys(grown, seed)
    if grown is not flow:
        # `hide_keys` has already proved that nobody gets stuck.
        problem = shape_problem(finished) or (walking_problem(finished) if finished is grown else None)
        if problem:
            raise GenerationFailed(f"gungeon flow {flow.name!r}", 1, f"with its rules, {problem}", seed)
    return finished


def _applied(flow: Flow, use: RuleUse, stream: Stream, seed: int) -> Flow:
    """Apply a rule once more, to a random one of the connections that suit it."""
    rule = flow.rules[use.name]
    connections = _places(flow, use, rule)
    stream.shuffle(connections)
    prefix = next(
        prefix
        for prefix in (f"{use.name}{number}" for number in count(1))
        if not any(room.id.startswith(f"{prefix}_") for room in flow.rooms)
    )
    for connection in connections[:_MAX_PROVED] if rule.locks else connections:
        grown = _rewritten(flow, rule, connection, prefix)
        problem = walking_problem(with_all_keys(grown)) if rule.locks else None
        if problem is None:
            return grown
        if is_undecided(problem):
            raise SpecError(f"{flow.where}: rule {use.name}: with it, the flow {problem}")
    reason = f"the rule {use.name} found no {'-'.join(use.on)} connection to apply to"
    raise GenerationFailed(f"gungeon flow {flow.name!r}", max(1, len(connections)), reason, seed)


def _places(flow: Flow, use: RuleUse, rule: FlowRule) -> list[FlowConnection]:
    """List the plain connections of rooms of the rule's kinds, each from the room nearer to the start."""
    kinds = {room.id: room.kind for room in flow.rooms}
    joined = Counter(room for connection in flow.connections for room in (connection.a, connection.b))
    added = Counter(room for connection in rule.connections for room in (connection.a, connection.b))
    gained = {end: added[end] - (not rule.keeps) for end in ("A", "B")}
    far = distances(flow)
    suitable = []
    for connection in flow.connections:
        if connection.one_way or connection.opens_from or connection.secret or flow.lock_of(connection):
            continue
        a, b = sorted((connection.a, connection.b), key=lambda room: (far.get(room, 0), room))
        if sorted((kinds[a], kinds[b])) != sorted(use.on):
            continue
        if all(joined[room] + gained[end] <= _MAX_OF_GROWN for end, room in (("A", a), ("B", b))):
            suitable.append(FlowConnection(a, b))
    return suitable


def _rewritten(flow: Flow, rule: FlowRule, replaced: FlowConnection, prefix: str) -> Flow:
    """Replace a connection by what a rule makes. `prefix` begins the names of what is new."""
    names = {"A": replaced.a, "B": replaced.b} | {room.id: f"{prefix}_{room.id}" for room in rule.rooms}
    keys = {key.name: f"{prefix}_{key.name}" for key in rule.keys}
    pair = {replaced.a, replaced.b}
    kept = [
        connection for connection in flow.connections if rule.keeps or {connection.a, connection.b} != pair
    ]
    zones = {room.id: room.zone for room in flow.rooms}
    zone = zones[replaced.a] if zones[replaced.a] == zones[replaced.b] else ""
    new = [
        connection._replace(
            a=names[connection.a], b=names[connection.b], opens_from=names.get(connection.opens_from, "")
        )
        for connection in rule.connections
    ]
    locks = [
        lock._replace(on=(names[lock.on[0]], names[lock.on[1]]), needs=tuple(keys[key] for key in lock.needs))
        for lock in rule.locks
    ]
    return replace(
        flow,
        rooms=(*flow.rooms, *(room._replace(id=names[room.id], zone=zone) for room in rule.rooms)),
        connections=(*kept, *new),
        locks=(*flow.locks, *locks),
        keys=(
            *flow.keys,
            *(key._replace(name=keys[key.name], room=names.get(key.room, "")) for key in rule.keys),
        ),
    )


# Finds rooms for the keys that a flow leaves open: off the way, and so that nobody gets stuck.

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
