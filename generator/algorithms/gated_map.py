"""A map with keys, locks, one-way gates, shortcuts and secrets, which `lock_proof` proves.

It is a mission graph of J. Dormans, "Adventures in Level Design" (2010).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from generator.algorithms.graph import neighbours_of, steps_from


class Gate(NamedTuple):
    """A passage between the places a and b, plain if nothing else is given.

    `needs` are the kinds of keys that together open it; a kind that is used up may be there several times, as
    a cost. A `one_way` gate leads only from a to b, and is
    opened from a. One that `opens_from_a` is shut until somebody opens it from a. A `secret` gate is shut
    until somebody finds it, which is optional.
    """

    a: int
    b: int
    needs: tuple[int, ...] = ()
    one_way: bool = False
    opens_from_a: bool = False
    secret: bool = False

    @property
    def is_shut(self) -> bool:
        """Whether something must be done before anybody can pass."""
        return bool(self.needs or self.opens_from_a or self.secret)


class GatedMap(NamedTuple):
    """Places 0 to `places` - 1 and the gates between them. `keys` are pairs of a kind and a place.

    Keys of the kinds `used_up` open one lock each. Reaching one of the `goals` is enough. `must` are pairs of
    the number of a key and a place: whoever is at that place has the key, wanted or not.
    """

    places: int
    gates: tuple[Gate, ...]
    keys: tuple[tuple[int, int], ...]
    used_up: frozenset[int]
    start: int
    goals: frozenset[int]
    must: tuple[tuple[int, int], ...] = ()

    @property
    def wanted(self) -> frozenset[int]:
        """The kinds of keys that gates need."""
        return frozenset(kind for gate in self.gates for kind in gate.needs)

    @property
    def must_places(self) -> frozenset[int]:
        """The places where one gets a key that some gate needs."""
        wanted = self.wanted
        return frozenset(place for key, place in self.must if self.keys[key][0] in wanted)


def joined_places(world: GatedMap) -> list[int]:
    """Return, for each place, the first place that plain gates join it to, past no key that must be taken."""
    apart = world.must_places
    plain = [
        (gate.a, gate.b)
        for gate in world.gates
        if not (gate.is_shut or gate.one_way) and apart.isdisjoint((gate.a, gate.b))
    ]
    return first_joined(world.places, plain)


def first_joined(places: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """Return, for each of 0 to `places` - 1, the lowest number that edges join it to."""
    beside = neighbours_of(range(places), edges)
    first = [-1] * places
    for place in range(places):
        if first[place] < 0:
            for each in steps_from(place, beside):
                first[each] = place
    return first


def behind_secrets(world: GatedMap) -> frozenset[int]:
    """Return the places connected to the start only through secret gates."""
    first = first_joined(world.places, [(gate.a, gate.b) for gate in world.gates if not gate.secret])
    return frozenset(place for place in range(world.places) if first[place] != first[world.start])


def without_idle_secrets(world: GatedMap) -> GatedMap:
    """Make irrelevant secret gates plain: those that lead to a dead end with nothing in it."""
    wanted = world.wanted
    while True:
        first = joined_places(world)
        full = {first[place] for place in (world.start, *world.goals)}
        full |= {first[place] for kind, place in world.keys if kind in wanted}
        full |= {first[place] for place in world.must_places}
        exits = Counter(
            first[place]
            for gate in world.gates
            if gate.is_shut or first[gate.a] != first[gate.b]
            for place in (gate.a, gate.b)
        )
        empty = {place for place in exits if exits[place] == 1 and place not in full}
        idle = {
            number
            for number, gate in enumerate(world.gates)
            if gate.secret
            and not (gate.needs or gate.opens_from_a or gate.one_way)
            and (first[gate.a] == first[gate.b] or not empty.isdisjoint((first[gate.a], first[gate.b])))
        }
        if not idle:
            return world
        gates = [
            gate._replace(secret=False) if number in idle else gate for number, gate in enumerate(world.gates)
        ]
        world = world._replace(gates=tuple(gates))


def at_best_reached(world: GatedMap, never: frozenset[int] = frozenset()) -> set[int]:
    """Return the places that could be reached if keys lasted and every drop could be climbed back.

    Gates of `never` stay shut. If no key is used up and no gate is one-way, it is what can be reached.
    """
    keys_at: dict[int, set[int]] = defaultdict(set)
    for kind, place in world.keys:
        keys_at[place].add(kind)
    for key, place in world.must:
        keys_at[place].add(world.keys[key][0])
    gates_at: dict[int, list[int]] = defaultdict(list)
    waiting: dict[int, list[int]] = defaultdict(list)  # by a kind of key that they need
    for number, gate in enumerate(world.gates):
        if number not in never:
            for place in (gate.a, gate.b):
                gates_at[place].append(number)
    held: set[int] = set()
    reached = {world.start}
    queue = [world.start]
    for place in queue:
        found = keys_at[place] - held
        held |= found
        tried = gates_at[place] + [number for kind in sorted(found) for number in waiting.pop(kind, ())]
        for number in tried:
            gate = world.gates[number]
            if not (gate.a in reached or (gate.b in reached and not (gate.one_way or gate.opens_from_a))):
                continue
            missing = set(gate.needs) - held
            if missing:
                waiting[min(missing)].append(number)
                continue
            for end in (gate.a, gate.b):
                if end not in reached:
                    reached.add(end)
                    queue.append(end)
    return reached
