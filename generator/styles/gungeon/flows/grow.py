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
from generator.reasons import came, passed_over
from generator.rng import Stream
from generator.styles.gungeon.flows.flow_file import MAX_GROWN
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
_MAX_PROVED = 12  # places at which a rule with locks is tried and proved


def grow(flow: Flow, seed: int) -> Flow:
    """Apply a flow's rules and put every key in a room. The result is proved, unless no rule changed it.

    Raises GenerationFailed, and SpecError if there are too many rooms.
    """
    growth = _Growth(flow, seed)
    growth.apply_all()
    if flow.budget:
        growth.spend(flow.budget)
    grown = growth.flow
    finished = hide_keys(grown, seed)
    if grown is not flow:
        # `hide_keys` has already proved that nobody gets stuck.
        problem = shape_problem(finished) or (walking_problem(finished) if finished is grown else None)
        if problem:
            raise GenerationFailed(f"gungeon flow {flow.name!r}", 1, f"with its rules, {problem}", seed)
    return finished


class _Growth:
    """A flow while rules are applied to it. It remembers which rules made each connection."""

    def __init__(self, flow: Flow, seed: int) -> None:
        self.flow = flow
        self._seed = seed
        self._makers: dict[frozenset[str], tuple[str, ...]] = {}  # outermost first
        self._applied: Counter[RuleUse] = Counter()

    def apply_all(self) -> None:
        """Apply each rule as often as its times say; one with a weight the least times."""
        stream = Stream(self._seed, "gungeon.flow.grow")
        for use in self.flow.uses:
            for _ in range(use.times[0] if use.weight else stream.between(*use.times)):
                if len(self.flow.rooms) + len(self.flow.rules[use.name].rooms) > MAX_GROWN:
                    message = f"its rules make more than {MAX_GROWN} rooms; ask for fewer times"
                    raise SpecError(f"{self.flow.where}: rule: {message}")
                problem = self._apply(use, stream)
                if problem:
                    raise self._failed(problem)

    def spend(self, budget: tuple[int, int]) -> None:
        """Apply rules, picked by weight, until there are as many rooms as this level draws.

        A rule that would add too many is passed over, and so is one that fits nowhere, until another one has
        made new connections.
        """
        stream = Stream(self._seed, "gungeon.flow.budget")
        weights = {use: stream.between(*use.weight) for use in self.flow.uses if use.weight}
        wanted = stream.between(*budget)
        nowhere: set[RuleUse] = set()
        while len(self.flow.rooms) < wanted:
            rooms = len(self.flow.rooms)
            most = budget[1] if rooms < budget[0] else wanted
            uses = [
                use
                for use, weight in weights.items()
                if weight and use not in nowhere and self._applied[use] < use.times[1]
            ]
            uses = [
                use
                for use in uses
                if rooms < rooms + len(self.flow.rules[use.name].rooms) <= most
                or passed_over("rule", use.name, "would make more rooms than the budget of `grow` allows")
            ]
            if not uses:
                break
            use = stream.weighted(uses, [weights[use] for use in uses])
            if self._apply(use, stream):
                nowhere.add(use)
            else:
                nowhere.clear()
        if len(self.flow.rooms) < budget[0]:
            reason = (
                f"its rules stop at {len(self.flow.rooms)} rooms, and [grow] asks for at least {budget[0]}; "
                "give a rule more times, or another rule a weight"
            )
            raise self._failed(reason)

    def _apply(self, use: RuleUse, stream: Stream) -> str | None:
        """Apply a rule once more, to a random one of the connections that suit it, or say why not."""
        rule = self.flow.rules[use.name]
        connections = [
            connection
            for connection in _places(self.flow, use, rule)
            if use.inside in ("", *self._makers.get(frozenset(connection[:2]), ()))
        ]
        stream.shuffle(connections)
        prefix = next(
            prefix
            for prefix in (f"{use.name}{number}" for number in count(1))
            if not any(room.id.startswith(f"{prefix}_") for room in self.flow.rooms)
        )
        for connection in connections[:_MAX_PROVED] if rule.locks else connections:
            grown = _rewritten(self.flow, rule, connection, prefix)
            problem = walking_problem(with_all_keys(grown)) if rule.locks else None
            if problem is None:
                came("rule", use.name)
                self._keep(grown, use, connection)
                return None
            if is_undecided(problem) and not use.weight:
                raise SpecError(f"{self.flow.where}: rule {use.name}: with it, the flow {problem}")
        inside = f" inside {use.inside}" if use.inside else ""
        found = f"found no {'-'.join(use.on)} connection{inside} to apply to"
        passed_over("rule", use.name, found)
        return f"the rule {use.name} {found}"

    def _keep(self, grown: Flow, use: RuleUse, replaced: FlowConnection) -> None:
        """Go on with what a rule made of the flow, and note which connections are its own."""
        makers = (*self._makers.get(frozenset(replaced[:2]), ()), use.name)
        before = {frozenset(connection[:2]) for connection in self.flow.connections}
        after = (frozenset(connection[:2]) for connection in grown.connections)
        self._makers |= {pair: makers for pair in after if pair not in before}
        self.flow = grown
        self._applied[use] += 1

    def _failed(self, reason: str) -> GenerationFailed:
        return GenerationFailed(f"gungeon flow {self.flow.name!r}", 1, reason, self._seed)


def _places(flow: Flow, use: RuleUse, rule: FlowRule) -> list[FlowConnection]:
    """List the plain connections of rooms of the rule's kinds, each from the room nearer to the start."""
    kinds = {room.id: room.kind for room in flow.rooms}
    joined = Counter(room for connection in flow.connections for room in (connection.a, connection.b))
    added = Counter(room for connection in rule.connections for room in (connection.a, connection.b))
    gained = {end: added[end] - (not rule.keeps) for end in ("A", "B")}
    far = distances(flow)
    suitable = []
    for connection in flow.connections:
        if connection != FlowConnection(connection.a, connection.b) or flow.lock_of(connection):
            continue  # not a plain one
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
