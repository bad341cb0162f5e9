"""Places, the gates between them, and the regions that can be walked freely when some gates are open.

A region is a strongly connected component of the open gates (R. Tarjan, "Depth-first search and linear graph
algorithms", 1972); as there are few one-way gates, joining rings one by one finds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from generator.algorithms.breadth_first import steps_from


class Gate(NamedTuple):
    """A passage between the places a and b, plain if nothing else is given.

    `needs` are the kinds of keys that together open it. A `one_way` gate leads only from a to b, and is
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

    Keys of the kinds `used_up` open one lock each. Reaching one of the `goals` is enough.
    """

    places: int
    gates: tuple[Gate, ...]
    keys: tuple[tuple[int, int], ...]
    used_up: frozenset[int]
    start: int
    goals: frozenset[int]


Crossings = dict[int, list[tuple[int, int]]]
"""For each region, the numbers of the one-way gates that lead out of it for good, and where to."""


class Regions:
    """The regions of a map: two places share one if each can be reached from the other by open gates."""

    def __init__(self, world: GatedMap, shut: frozenset[int] = frozenset()) -> None:
        self._gates = {number: gate for number, gate in enumerate(world.gates) if number not in shut}
        always = [number for number, gate in self._gates.items() if not gate.is_shut]
        self._base = self._joined(list(range(world.places)), always)
        # Gates within a region need not be looked at again.
        self._others = [
            number for number, gate in self._gates.items() if self._base[gate.a] != self._base[gate.b]
        ]
        self._known: dict[int, tuple[list[int], Crossings]] = {}

    @property
    def can_always_return(self) -> bool:
        """Whether no one-way gate leads out of a region for good, whichever gates are open."""
        return not any(self._gates[number].one_way for number in self._others)

    def of(self, mask: int) -> tuple[list[int], Crossings]:
        """Return the first place of each place's region, and its crossings, for the open gates, as bits."""
        regions = self._known.get(mask)
        if regions is None:
            numbers = [n for n in self._others if mask >> n & 1 or not self._gates[n].is_shut]
            labels = self._joined(list(self._base), numbers)
            crossings: Crossings = {}
            for number in numbers:
                gate = self._gates[number]
                if labels[gate.a] != labels[gate.b]:
                    crossings.setdefault(labels[gate.a], []).append((number, labels[gate.b]))
            regions = self._known[mask] = labels, crossings
        return regions

    def _joined(self, parent: list[int], numbers: Iterable[int]) -> list[int]:
        def find(place: int) -> int:
            while parent[place] != place:
                parent[place] = parent[parent[place]]
                place = parent[place]
            return place

        def union(a: int, b: int) -> None:
            a, b = find(a), find(b)
            parent[max(a, b)] = min(a, b)

        gates = [self._gates[number] for number in numbers]
        for gate in gates:
            if not gate.one_way:
                union(gate.a, gate.b)
        after: dict[int, set[int]] = {}
        for gate in gates:
            if gate.one_way and find(gate.a) != find(gate.b):
                after.setdefault(find(gate.a), set()).add(find(gate.b))
        rings = [(a, b) for a, targets in after.items() for b in targets if a in steps_from(b, after)]
        for a, b in rings:
            union(a, b)
        return [find(place) for place in range(len(parent))]


def behind_secrets(world: GatedMap) -> frozenset[int]:
    """Return the places connected to the start only through secret gates."""
    open_gates = tuple(
        gate._replace(needs=(), one_way=False, opens_from_a=False) for gate in world.gates if not gate.secret
    )
    labels, _ = Regions(world._replace(gates=open_gates)).of(0)
    return frozenset(place for place in range(world.places) if labels[place] != labels[world.start])


def without_idle_secrets(world: GatedMap) -> GatedMap:
    """Make irrelevant secret gates plain: those that lead to a dead end with nothing in it."""
    wanted = {kind for gate in world.gates for kind in gate.needs}
    while True:
        two_way = tuple(gate for gate in world.gates if not (gate.is_shut or gate.one_way))
        labels, _ = Regions(world._replace(gates=two_way)).of(0)
        full = {labels[world.start], *(labels[goal] for goal in world.goals)}
        full |= {labels[place] for kind, place in world.keys if kind in wanted}
        joined = Counter(
            place for gate in world.gates if gate.is_shut or gate.one_way for place in (gate.a, gate.b)
        )
        exits: Counter[int] = Counter()
        for place, count in joined.items():
            exits[labels[place]] += count
        empty = {label for label in exits if exits[label] == 1 and label not in full}
        idle = {
            number
            for number, gate in enumerate(world.gates)
            if gate.secret
            and not (gate.needs or gate.opens_from_a or gate.one_way)
            and (labels[gate.a] == labels[gate.b] or not empty.isdisjoint((labels[gate.a], labels[gate.b])))
        }
        if not idle:
            return world
        gates = [
            gate._replace(secret=False) if number in idle else gate for number, gate in enumerate(world.gates)
        ]
        world = world._replace(gates=tuple(gates))
