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

_MOST_OF_GROWN = 4  # connections of a room after a rule has added to them
_MOST_GROWN = 300  # rooms, those of rules included
_MOST_PROVED = 12  # places at which a rule with locks is tried and proved


def grow(flow: Flow, seed: int) -> Flow:
    """Apply a flow's rules and put every key in a room. The result is proved, unless no rule changed it.

    Raises GenerationFailed, and SpecError if there are too many rooms.
    """
    stream = Stream(seed, "gungeon.flow.grow")
    grown = flow
    for use in flow.uses:
        for _ in range(stream.between(*use.times)):
            if len(grown.rooms) + len(flow.rules[use.name].rooms) > _MOST_GROWN:
                what = f"its rules make more than {_MOST_GROWN} rooms; ask for fewer times"
                raise SpecError(f"{flow.where}: rule: {what}")
            grown = _applied(grown, use, stream, seed)
    whole = hide_keys(grown, seed)
    if grown is not flow:
        # `hide_keys` has already proved that nobody gets stuck.
        problem = shape_problem(whole) or (walking_problem(whole) if whole is grown else None)
        if problem:
            raise GenerationFailed(f"gungeon flow {flow.name!r}", 1, f"with its rules, {problem}", seed)
    return whole


def _applied(flow: Flow, use: RuleUse, stream: Stream, seed: int) -> Flow:
    """Apply a rule once more, to a random one of the connections that suit it."""
    rule = flow.rules[use.name]
    places = _places(flow, use, rule)
    stream.shuffle(places)
    prefix = next(
        prefix
        for prefix in (f"{use.name}{number}" for number in count(1))
        if not any(room.id.startswith(f"{prefix}_") for room in flow.rooms)
    )
    for place in places[:_MOST_PROVED] if rule.locks else places:
        grown = _rewritten(flow, rule, place, prefix)
        problem = walking_problem(with_all_keys(grown)) if rule.locks else None
        if problem is None:
            return grown
        if is_undecided(problem):
            raise SpecError(f"{flow.where}: rule {use.name}: with it, the flow {problem}")
    reason = f"the rule {use.name} found no {'-'.join(use.on)} connection to apply to"
    raise GenerationFailed(f"gungeon flow {flow.name!r}", max(1, len(places)), reason, seed)


def _places(flow: Flow, use: RuleUse, rule: FlowRule) -> list[FlowConnection]:
    """List the plain connections of rooms of the rule's kinds, each from the room nearer to the start."""
    kinds = {room.id: room.kind for room in flow.rooms}
    joined = Counter(room for one in flow.connections for room in (one.a, one.b))
    added = Counter(room for one in rule.connections for room in (one.a, one.b))
    more = {end: added[end] - (not rule.keeps) for end in ("A", "B")}
    far = distances(flow)
    found = []
    for one in flow.connections:
        if one.one_way or one.opens_from or one.secret or flow.lock_of(one):
            continue
        a, b = sorted((one.a, one.b), key=lambda room: (far.get(room, 0), room))
        if sorted((kinds[a], kinds[b])) != sorted(use.on):
            continue
        if all(joined[room] + more[end] <= _MOST_OF_GROWN for end, room in (("A", a), ("B", b))):
            found.append(FlowConnection(a, b))
    return found


def _rewritten(flow: Flow, rule: FlowRule, place: FlowConnection, prefix: str) -> Flow:
    """Replace a connection by what a rule makes. `prefix` begins the names of what is new."""
    names = {"A": place.a, "B": place.b} | {room.id: f"{prefix}_{room.id}" for room in rule.rooms}
    keys = {key.name: f"{prefix}_{key.name}" for key in rule.keys}
    pair = {place.a, place.b}
    kept = [one for one in flow.connections if rule.keeps or {one.a, one.b} != pair]
    zones = {room.id: room.zone for room in flow.rooms}
    zone = zones[place.a] if zones[place.a] == zones[place.b] else ""
    new = [
        one._replace(a=names[one.a], b=names[one.b], opens_from=names.get(one.opens_from, ""))
        for one in rule.connections
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
