"""Grows a flow: rules replace connections by more rooms, and keys get their rooms.

After J. Dormans, "Level design as model transformation" (2011): the plan is a graph, and each rule has a
pattern and its replacement. What a rule makes is proved before it is kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count

from generator.errors import GenerationFailed, SpecError
from generator.rng import Stream
from generator.styles.gungeon.flows.hide import hide_keys, with_all_keys
from generator.styles.gungeon.flows.paths import distances
from generator.styles.gungeon.flows.proof import is_undecided, shape_problem, walking_problem
from generator.styles.gungeon.flows.records import (
    Flow,
    FlowConnection,
    FlowRule,
    RuleUse,
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
