"""Plays every game of a small flow, as docs/flows.md tells its rules. It knows nothing of the proof.

Each step, each key, each lock and each secret is a choice of its own, and all that can follow is looked at.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.styles.gungeon.flows.records import Flow, FlowConnection, FlowKey, FlowLock, FlowRoom


class _Passage(NamedTuple):
    """From one place to another; opened, if at all, from the places named and with the keys named."""

    a: str
    b: str
    back: bool  # whether it can be walked from b to a
    opened_from: str = ""  # a, b or both; empty if it is open
    needs: tuple[str, ...] = ()
    secret: bool = False


class _Game(NamedTuple):
    at: str
    taken: frozenset[int]
    opened: frozenset[int]


class _Rules:
    def __init__(self, flow: Flow, shut: int = -1) -> None:
        self.flow = flow
        self.keys = [key for key in flow.keys for _ in range(key.copies)]
        self.passages = [each for number, each in _passages(flow) if number != shut]

    def moves(self, game: _Game, secrets: bool) -> Iterator[tuple[_Game, bool]]:
        """Yield what may be done next, and whether it finds a secret."""
        for number, key in enumerate(self.keys):
            if key.room == game.at:
                yield game._replace(taken=game.taken | {number}), False
        for number, way in enumerate(self.passages):
            if game.at not in (way.a, way.b) or (way.secret and not secrets):
                continue
            if way.opened_from and number not in game.opened:
                if game.at in way.opened_from.split() and self._has(game, way.needs):
                    yield game._replace(opened=game.opened | {number}), way.secret
            elif game.at == way.a or way.back:
                yield self.entered(game, way.b if game.at == way.a else way.a), False

    def entered(self, game: _Game, room: str) -> _Game:
        must = {number for number, key in enumerate(self.keys) if key.must and key.room == room}
        return game._replace(at=room, taken=game.taken | must)

    def _has(self, game: _Game, needs: tuple[str, ...]) -> bool:
        for name in needs:
            held = sum(self.keys[number].name == name for number in game.taken)
            if any(key.name == name and key.consumed for key in self.keys):
                held -= sum(name in self.passages[number].needs for number in game.opened)
            if held < 1:
                return False
        return True

    def games(self, *, secrets: bool) -> dict[_Game, set[_Game]]:
        """Return each game that can be reached, with those that follow it without finding a secret."""
        queue = [self.entered(_Game("", frozenset(), frozenset()), self.flow.start)]
        after: dict[_Game, set[_Game]] = {}
        while queue:
            game = queue.pop()
            if game not in after:
                moves = list(self.moves(game, secrets))
                after[game] = {each for each, finds in moves if not finds}
                queue += [each for each, _ in moves]
        return after


def _passages(flow: Flow) -> Iterator[tuple[int, _Passage]]:
    for number, way in enumerate(flow.connections):
        lock = next((lock for lock in flow.locks if {*lock.on} == {way.a, way.b}), None)
        needs = lock.needs if lock else ()
        if way.opens_from:
            near, far = way.opens_from, way.b if way.opens_from == way.a else way.a
            if lock and lock.on[0] == far:  # two doors: one to open from the near room, one with a lock
                middle = f"hallway{number}"
                yield number, _Passage(near, middle, True, near)
                yield number, _Passage(middle, far, True, f"{middle} {far}", needs)
            else:
                yield number, _Passage(near, far, True, near, needs)
        elif way.one_way:
            yield number, _Passage(way.a, way.b, False, way.a if lock else "", needs)
        else:
            ends = f"{way.a} {way.b}" if lock or way.secret else ""
            yield number, _Passage(way.a, way.b, True, ends, needs, way.secret)


def verdict(flow: Flow) -> str:
    """Return `stuck`, `room R`, `lock A - B` for what is wrong with a flow, or nothing."""
    after = _Rules(flow).games(secrets=True)
    before: dict[_Game, set[_Game]] = {game: set() for game in after}
    for game, followed in after.items():
        for each in followed:
            before[each].add(game)
    queue = [game for game in after if game.at in flow.goals]
    alive = set(queue)
    while queue:
        for game in before[queue.pop()] - alive:
            alive.add(game)
            queue.append(game)
    if len(alive) < len(after):
        return "stuck"
    hidden = _hidden(flow)
    open_flow = _without_secrets(flow)
    reached = _reached(flow) | hidden & _reached(open_flow)
    for room in flow.rooms:
        if room.id not in reached:
            return f"room {room.id}"
    for number, way in enumerate(flow.connections):
        lock = next((lock for lock in flow.locks if {*lock.on} == {way.a, way.b}), None)
        around = _reached(open_flow if hidden & {way.a, way.b} else flow, number)
        if lock and not lock.optional and {way.a, way.b} <= around:
            return f"lock {lock.on[0]} - {lock.on[1]}"
    return ""


def _reached(flow: Flow, shut: int = -1) -> set[str]:
    return {game.at for game in _Rules(flow, shut).games(secrets=False)}


def _hidden(flow: Flow) -> set[str]:
    """The rooms that only secret doors lead to."""
    known, size = {flow.start}, 0
    while size < len(known):
        size = len(known)
        for way in flow.connections:
            if not way.secret and known & {way.a, way.b}:
                known |= {way.a, way.b}
    return {room.id for room in flow.rooms} - known


def _without_secrets(flow: Flow) -> Flow:
    return Flow(
        flow.name,
        flow.rooms,
        tuple(way._replace(secret=False) for way in flow.connections),
        flow.locks,
        flow.keys,
    )


def random_flow(seed: int) -> Flow:
    """A small flow of all that a flow's file may ask for: mostly a tree, often with a loop or two."""
    chance = random.Random(seed)
    ids = "sabcdefz"[: chance.randint(3, 6)]
    ids = ids[:-1] + "z"
    kinds = {"s": "start", "z": "boss"}
    pairs = {(ids[chance.randrange(at)], ids[at]) for at in range(1, len(ids))}
    pairs |= set(chance.sample(sorted(combinations(ids, 2)), chance.choice((0, 0, 1, 2))))
    ways, locks = [], []
    names = [f"k{number}" for number in range(chance.randint(1, 3))]
    for pair in sorted(pairs):
        a, b = chance.sample(pair, 2) if chance.random() < 0.3 else pair
        form = chance.choices(("plain", "drop", "shortcut", "secret"), (70, 14, 10, 6))[0]
        opens_from = chance.choice((a, b)) if form == "shortcut" else ""
        ways.append(FlowConnection(a, b, form == "drop", opens_from, form == "secret"))
        if form != "secret" and chance.random() < 0.45:
            needs = chance.sample(names, 2 if len(names) > 1 and chance.random() < 0.15 else 1)
            on = (a, b) if chance.random() < 0.5 else (b, a)
            locks.append(FlowLock(on, tuple(needs), chance.random() < 0.5))
    consumed = {name: chance.random() < 0.6 for name in names}
    keys = [
        FlowKey(
            name,
            chance.choice(ids),
            consumed[name],
            chance.choice((1, 1, 1, 2)),
            False,
            chance.random() < 0.3,
        )
        for name in (*names, *chance.choices(names, k=chance.randint(0, 2)))
    ]
    rooms = tuple(FlowRoom(room, kinds.get(room, "normal")) for room in ids)
    return Flow("t", rooms, tuple(ways), tuple(locks), tuple(keys))
