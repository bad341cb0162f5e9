"""A gated map in bits, and what of it looks the same: made once for each search of `lock_proof`.

Nodes are the places that plain gates join. Nodes, gates, keys and kinds of keys are bits of whole numbers.
Equal trees get equal codes as in A. Aho, J. Hopcroft and J. Ullman, "The design and analysis of computer
algorithms" (1974), example 3.2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

from generator.algorithms.gated_map import GatedMap, first_joined, joined_places

_MOST_KEPT = 500  # regions of which something is remembered
COUNT_BITS = 16  # of a kind's keys in the counts of a state


def bits_of(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits of a mask, the lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class BitGate:
    """A gate between two nodes: its bit, its ends as numbers, and its needs as a mask of kinds.

    `prices` are the kinds of which it uses up more than one key, and how many.
    """

    __slots__ = ("a", "b", "bit", "from_a", "needs", "number", "one_way", "prices", "secret", "spends")

    def __init__(self, number: int, index: int, ends: tuple[int, int], needs: int, spends: int) -> None:
        self.number, self.bit, (self.a, self.b) = number, 1 << index, ends
        self.needs, self.spends = needs, spends
        self.one_way = self.from_a = self.secret = False
        self.prices: tuple[tuple[int, int], ...] = ()

    @property
    def asks(self) -> tuple[int, tuple[tuple[int, int], ...]]:
        """All that it asks for."""
        return self.needs, self.prices

    @property
    def signature(self) -> tuple[object, bool, bool, bool]:
        """What makes it differ from other gates, its ends aside."""
        return self.asks, self.one_way, self.from_a, self.secret

    def price(self, kind: int) -> int:
        """Return how many keys of a kind that it spends it uses up."""
        return next((count for priced, count in self.prices if priced == kind), 1)

    @property
    def by_hand(self) -> bool:
        """Whether somebody opens it, once. Other locks are open to whoever holds their keys."""
        return self.from_a or self.secret or self.spends != 0


class BitMap:
    """A map without the gates of `never` and without keys that no gate needs."""

    def __init__(self, world: GatedMap, never: frozenset[int] = frozenset()) -> None:
        gates = tuple(gate for number, gate in enumerate(world.gates) if number not in never)
        numbers = [number for number in range(len(world.gates)) if number not in never]
        world = world._replace(gates=gates)
        self.kinds = sorted(world.wanted)
        index = {kind: at for at, kind in enumerate(self.kinds)}
        first = joined_places(world)
        self.firsts = sorted(set(first))
        node = {place: self.firsts.index(place) for place in self.firsts}
        self.node_of = [node[place] for place in first]
        self.start, self.goals = self.node_of[world.start], 0
        for goal in world.goals:
            self.goals |= 1 << self.node_of[goal]
        self.spent = sum(1 << index[kind] for kind in world.used_up if kind in index)
        self._set_gates(world, numbers, index)
        self._set_keys(world, index)
        self._set_neighbours()

    def _set_gates(self, world: GatedMap, numbers: list[int], index: dict[int, int]) -> None:
        self.gates: list[BitGate] = []
        for number, gate in zip(numbers, world.gates, strict=True):
            ends = self.node_of[gate.a], self.node_of[gate.b]
            needs = sum(1 << index[kind] for kind in set(gate.needs))
            if ends[0] == ends[1] and not needs & self.spent:
                continue  # it joins what is joined
            made = BitGate(number, len(self.gates), ends, needs, needs & self.spent)
            made.one_way, made.from_a, made.secret = gate.one_way, gate.opens_from_a, gate.secret
            spent = Counter(index[kind] for kind in gate.needs if kind in world.used_up)
            made.prices = tuple(sorted((kind, count) for kind, count in spent.items() if count > 1))
            self.gates.append(made)
        self.always = sum(gate.bit for gate in self.gates if not (gate.needs or gate.by_hand))
        self.has_one_ways = any(gate.one_way for gate in self.gates)
        self.by_hand = [gate for gate in self.gates if gate.by_hand]
        self.has_prices = any(gate.prices for gate in self.gates)
        # A lock whose keys last is open to whoever holds them; any lock is that once its keys cannot run out.
        self.by_keys = [gate for gate in self.gates if gate.needs and not (gate.from_a or gate.secret)]
        self.needing = [
            sum(gate.bit for gate in self.gates if gate.needs >> kind & 1) for kind in range(len(self.kinds))
        ]

    def _set_keys(self, world: GatedMap, index: dict[int, int]) -> None:
        """Give equal keys, of one kind in one place, bits that follow each other: the lowest goes first."""
        compelled: dict[int, set[int]] = defaultdict(set)
        for key, place in world.must:
            compelled[key].add(self.node_of[place])
        keys = sorted(
            (index[kind], self.node_of[place], tuple(sorted(compelled[number])), number)
            for number, (kind, place) in enumerate(world.keys)
            if kind in index
        )
        self.key_kind = [kind for kind, _, _, _ in keys]
        self.key_number = [number for _, _, _, number in keys]
        self.key_bits_at = [0] * len(self.firsts)
        self.must_at = [0] * len(self.firsts)
        self.of_kind = [0] * len(self.kinds)
        slots: dict[tuple[int, int, tuple[int, ...]], int] = {}
        for bit, (kind, node, must, _) in enumerate(keys):
            self.key_bits_at[node] |= 1 << bit
            self.of_kind[kind] |= 1 << bit
            slots[kind, node, must] = slots.get((kind, node, must), 0) | 1 << bit
            for each in must:
                self.must_at[each] |= 1 << bit
        self.slots = [(kind, 1 << node, mask) for (kind, node, _), mask in slots.items()]
        self.slots_at: list[list[tuple[int, bool, int]]] = [[] for _ in self.firsts]
        for (kind, node, must), mask in slots.items():
            self.slots_at[node].append((kind, bool(must), mask))
        self.elsewhere = {node for _, at, must, _ in keys if set(must) - {at} for node in (at, *must)}
        self.apart = sum(1 << bit for bit, (_, at, must, _) in enumerate(keys) if set(must) - {at})
        self.all_keys = (1 << len(keys)) - 1

    def _set_neighbours(self) -> None:
        empty: list[list[tuple[int, int]]] = [[] for _ in self.firsts]
        self.beside, self.ahead, self.behind = ([list(each) for each in empty] for _ in range(3))
        self.onward: list[int] = [0] * len(self.firsts)  # with all gates open
        self.openable_at = [0] * len(self.firsts)  # gates that can be used or opened from a node
        for gate in self.gates:
            self.openable_at[gate.a] |= gate.bit
            self.onward[gate.a] |= 1 << gate.b
            if gate.one_way:
                self.ahead[gate.a].append((gate.bit, gate.b))
                self.behind[gate.b].append((gate.bit, gate.a))
            else:
                self.onward[gate.b] |= 1 << gate.a
                self.openable_at[gate.b] |= gate.bit
                self.beside[gate.a].append((gate.bit, gate.b))
                self.beside[gate.b].append((gate.bit, gate.a))
        self._reach: dict[int, tuple[int, int, int]] = {}
        self._beyond: dict[int, tuple[bool, int, int]] = {}

    def keys_for(self, kind: int, gates: int) -> int:
        """Return how many keys of a kind some gates, each of which needs it, use up together."""
        if not self.has_prices:
            return gates.bit_count()
        return sum(self.gates[bit].price(kind) for bit in bits_of(gates))

    def onward_from(self, nodes: int, but: int = 0) -> int:
        """Return the nodes that can be reached from some with all gates open, without stepping on others."""
        reached, new = nodes, nodes
        while new:
            ahead = 0
            for node in bits_of(new):
                ahead |= self.onward[node]
            new = ahead & ~reached & ~but
            reached |= new
        return reached

    def future(self, region: int) -> tuple[int, int, int]:
        """Return the nodes that may still be reached from a region, and the gates and keys there."""
        lowest = (region & -region).bit_length() - 1
        found = self._reach.get(lowest)
        if found is None:
            nodes = self.onward_from(1 << lowest)
            gates = keys = 0
            for node in bits_of(nodes):
                gates |= self.openable_at[node]
                keys |= self.key_bits_at[node] | self.must_at[node]
            found = self._reach[lowest] = nodes, gates, keys
        return found

    def beyond(self, region: int) -> tuple[bool, int, int]:
        """Return what a one-way gate may lead to from a region, until the player is back in it.

        These are whether there is such a gate, the nodes beyond, and the kinds that gates there need.
        """
        if not self.has_one_ways:
            return False, 0, 0
        found = self._beyond.get(region)
        if found is None:
            future = self.future(region)[0]
            heads = 0
            for gate in self.gates:
                if gate.one_way and future >> gate.a & 1:
                    heads |= 1 << gate.b
            nodes = self.onward_from(heads & ~region, region) if heads & ~region else 0
            kinds = 0
            for gate in self.gates:
                if nodes >> gate.a & 1 or (nodes >> gate.b & 1 and not gate.one_way):
                    kinds |= gate.needs
            if len(self._beyond) >= _MOST_KEPT:
                self._beyond.clear()
            found = self._beyond[region] = bool(nodes), nodes, kinds
        return found

    @cached_property
    def trees(self) -> Trees:
        """The parts of the map that one gate each joins to the rest."""
        return Trees(self)


class CorePart:
    """A part of the core outside of a region, with its trees. Its gates lead within it or to the region."""

    def __init__(self, trees: Trees, order: list[int], gates: list[BitGate]) -> None:
        self.order, self.gates_in_order = order, gates
        self.nodes = sum(1 << node for node in order)
        self.gates = sum(gate.bit for gate in gates)
        self.keys = sum(trees.bitmap.key_bits_at[node] for node in order)
        for node in order:
            for child in trees.children[node]:
                self.gates |= trees.below[child][1]
                self.keys |= trees.below[child][2]
        self.doors = sum(gate.bit for gate in gates if not (self.nodes >> gate.a & self.nodes >> gate.b & 1))


class Trees:
    """The parts of a map that hang on it by one gate each: rooted trees, with a class for each that is equal.

    What is not part of a tree is the core.
    """

    def __init__(self, bitmap: BitMap) -> None:
        count = len(bitmap.firsts)
        self.bitmap = bitmap
        self.gate_to: list[BitGate | None] = [None] * count
        self.children: list[list[int]] = [[] for _ in range(count)]
        self._strip()
        stripped = sum(1 << node for node in range(count) if self.gate_to[node])
        self.core = ((1 << count) - 1) & ~stripped
        tree_gates = sum(gate.bit for gate in self.gate_to if gate)
        self.core_gates = sum(gate.bit for gate in bitmap.gates) & ~tree_gates
        self.core_keys = sum(bitmap.key_bits_at[node] for node in bits_of(self.core))
        self.rooted = [node for node in bits_of(self.core) if self.children[node]]
        self.below: list[tuple[int, int, int]] = [(0, 0, 0)] * count  # nodes, gates and keys of a tree
        self.kind: list[int] = [0] * count  # the class of a tree
        self._known: dict[object, int] = {}
        for node in self.rooted:
            for child in self.children[node]:
                self._classify(child)
        self._codes: list[dict[tuple[int, int], int]] = [{} for _ in range(count)]
        self._parts: dict[int, tuple[list[CorePart], list[BitGate]]] = {}
        self._part_codes: dict[tuple[int, int, int], int] = {}

    def _strip(self) -> None:
        gates: list[list[BitGate]] = [[] for _ in self.children]
        kept = {self.bitmap.start, *self.bitmap.elsewhere}
        for gate in self.bitmap.gates:
            for end in {gate.a, gate.b}:
                gates[end].append(gate)
            if gate.a == gate.b:
                kept.add(gate.a)
        leaves = [node for node, joined in enumerate(gates) if len(joined) == 1 and node not in kept]
        for leaf in leaves:
            if len(gates[leaf]) != 1:
                continue  # the last one of a part that the start is not in
            (gate,) = gates[leaf]
            parent = gate.b if gate.a == leaf else gate.a
            self.gate_to[leaf] = gate
            self.children[parent].append(leaf)
            gates[parent].remove(gate)
            gates[leaf] = []
            if len(gates[parent]) == 1 and parent not in kept:
                leaves.append(parent)

    def _classify(self, root: int) -> None:
        """Give each node of a tree its class, the furthest first."""
        order = [root]
        for node in order:
            order += self.children[node]
        for node in reversed(order):
            gate = self.gate_to[node]
            assert gate is not None  # the core has no class
            nodes, gates, keys = 1 << node, gate.bit, self.bitmap.key_bits_at[node]
            for child in self.children[node]:
                below = self.below[child]
                nodes, gates, keys = nodes | below[0], gates | below[1], keys | below[2]
            self.below[node] = nodes, gates, keys
            is_turned = gate.a == node and (gate.one_way or gate.from_a)
            self.kind[node] = self.named(
                (
                    *gate.signature,
                    is_turned,
                    bool(self.bitmap.goals >> node & 1),
                    tuple((kind, must, mask.bit_count()) for kind, must, mask in self.bitmap.slots_at[node]),
                    tuple(sorted(self.kind[child] for child in self.children[node])),
                )
            )

    def named(self, what: object) -> int:
        """Return a number for a value: the same one for equal values only."""
        return self._known.setdefault(what, len(self._known))

    def code(self, node: int, region: int, left: int, opened: int, inside: list[int] | None) -> int:
        """Return a number that two trees share if they are of one class and in the same state.

        Trees that hang on the region are added to `inside`; without it, the code holds them as they are.
        """
        nodes, gates, keys = self.below[node]
        known = (left & keys, opened & gates)
        if not nodes & region:
            found = self._codes[node].get(known)
            if found is not None:
                return found
        gate = self.gate_to[node]
        is_open = gate is not None and bool(opened & gate.bit)
        is_inside = bool(region >> node & 1)
        if is_inside and inside is not None:
            self.hang(node, region, inside)
            return self.named((self.kind[node], is_open, "here"))
        slots = tuple((left & mask).bit_count() for _, _, mask in self.bitmap.slots_at[node])
        children = sorted(self.code(child, region, left, opened, inside) for child in self.children[node])
        found = self.named((self.kind[node], is_open, is_inside, slots, tuple(children)))
        if not nodes & region:
            self._codes[node][known] = found
        return found

    def hang(self, node: int, region: int, inside: list[int]) -> None:
        """Add to `inside` the roots of the trees that hang on the region, at or behind one of its nodes."""
        waiting = [node]
        for each in waiting:
            for child in self.children[each]:
                if region >> child & 1:
                    waiting.append(child)
                else:
                    inside.append(child)

    def parts(self, region: int) -> tuple[list[CorePart], list[BitGate]]:
        """Return the connected parts of the core that is outside of a region, and the core's gates inside."""
        region &= self.core
        found = self._parts.get(region)
        if found is None:
            gates = [gate for gate in self.bitmap.gates if gate.bit & self.core_gates]
            outside = self.core & ~region
            edges = [(gate.a, gate.b) for gate in gates if outside >> gate.a & 1 and outside >> gate.b & 1]
            first = first_joined(len(self.children), edges)
            nodes: dict[int, list[int]] = defaultdict(list)
            for node in bits_of(outside):
                nodes[first[node]].append(node)
            within: dict[int, list[BitGate]] = {each: [] for each in nodes}
            inside: list[BitGate] = []
            for gate in gates:
                ends = [end for end in (gate.a, gate.b) if outside >> end & 1]
                (within[first[ends[0]]] if ends else inside).append(gate)
            if len(self._parts) >= _MOST_KEPT:
                self._parts.clear()
            found = self._parts[region] = (
                [CorePart(self, nodes[each], within[each]) for each in nodes],
                inside,
            )
        return found

    def part_code(self, part: CorePart, left: int, opened: int) -> int:
        """Return a number that two parts outside of a region share only if they are equal.

        Nodes are told apart by their order, so that not all equal parts are found.
        """
        known = (part.nodes, left & part.keys, opened & part.gates)
        code = self._part_codes.get(known)
        if code is None:
            rank = {node: at for at, node in enumerate(part.order)}
            gates = tuple(
                (*(rank.get(end, -1) for end in (gate.a, gate.b)), gate.signature, bool(opened & gate.bit))
                for gate in part.gates_in_order
            )
            nodes = tuple(
                (
                    node if node in self.bitmap.elsewhere else -1,
                    bool(self.bitmap.goals >> node & 1),
                    tuple(
                        (kind, must, (left & mask).bit_count())
                        for kind, must, mask in self.bitmap.slots_at[node]
                        if left & mask
                    ),
                    tuple(sorted(self.code(child, 0, left, opened, None) for child in self.children[node])),
                )
                for node in part.order
            )
            code = self._part_codes[known] = self.named((gates, nodes))
        return code

    def orbits(self) -> list[int]:
        """Return, for each node, a mask of the nodes that the map has in its stead if equal trees swap."""
        orbit = [1 << node for node in range(len(self.children))]
        members: dict[tuple[int, int], list[int]] = defaultdict(list)
        name = {node: self.named(("core", node)) for node in self.rooted}
        order = list(self.rooted)
        for node in order:
            for child in self.children[node]:
                members[name[node], self.kind[child]].append(child)
                name[child] = self.named((name[node], self.kind[child]))
                order.append(child)
        for equal in members.values():
            for child in equal:
                orbit[child] = sum(1 << each for each in equal)
        return orbit
