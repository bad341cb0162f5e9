"""The states of a player on a gated map, and the search through them.

`lock_proof` says why what it leaves out may be left out. The search is breadth first (Moore 1959).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from generator.algorithms.gated_map import GatedMap
from generator.algorithms.lock_bits import COUNT_BITS, BitGate, BitMap, bits_of

PICK, OPEN, CROSS, FIND = "pick", "open", "cross", "find"

Act = tuple[str, int]
"""An action and its object: `PICK` a key, `OPEN` a gate, `CROSS` a one-way gate, `FIND` a secret one."""

_ONE_KEY = (1 << COUNT_BITS) - 1  # the mask of a kind's count


class TooManyStatesError(Exception):
    """A `search` has found more states than it may look at."""

    def __init__(self, search: StateSearch) -> None:
        super().__init__()
        self.search = search


class Aim(Enum):
    """What a search is for, which decides what it may leave out."""

    STUCK = "whether there is a state without a way out"
    STORY = "all states that a player may be in, act by act"
    PLACES = "the places that can be reached by the best choices"


class PlayState(NamedTuple):
    """The nodes that can be walked freely, and the keys and gates that still matter, as bits.

    `held` are the kinds of keys that are held and cannot run out, `counts` how many of each other kind are
    held, `left` the keys not yet taken, `opened` the gates that were opened by hand.
    """

    region: int
    held: int
    counts: int
    left: int
    opened: int

    def count(self, kind: int) -> int:
        """Return how many keys of a kind that can run out are held."""
        return self.counts >> COUNT_BITS * kind & _ONE_KEY


PlayMove = tuple[list[Act], PlayState]


class StateSearch:
    """All states that can be reached from the start, each once for all that are equal to it."""

    def __init__(
        self, world: GatedMap, most: int, aim: Aim = Aim.STUCK, never: frozenset[int] = frozenset()
    ) -> None:
        self.map, self.most, self.aim = BitMap(world, never), most, aim
        self.states: list[PlayState] = []
        self.reached = 0  # nodes, and those that are equal to them
        self._skipped: list[int] = []  # for each state, gates to trees that are equal to another one
        self._numbers: dict[object, int] = {}
        self._came: list[int] = []
        self._dead: int | None = None  # a state in which nothing can be done
        self._after: dict[int, list[int]] = {}
        self._keyed: dict[int, int] = {}
        self._orbits = self.map.trees.orbits() if aim is Aim.PLACES else []

    def run(self, until: int = -1) -> None:
        """Look at all states, but stop when a player is stuck, or has reached all of `until`.

        Raises TooManyStatesError.
        """
        self._number(self._settled(1 << self.map.start, PlayState(0, 0, 0, self.map.all_keys, 0), []), -1)
        queue = deque([0])
        while queue and until & ~self.reached:
            # Whoever looks for places looks at what was found last, which is far away.
            at = queue.pop() if self.aim is Aim.PLACES else queue.popleft()
            after = self._after[at] = []
            for acts, state in self._moves(self.states[at], self._skipped[at]):
                known = len(self.states)
                number = self._number(state, at)
                if number == known:
                    queue.append(number)
                if acts[0][0] != FIND:  # finding a secret must not be required
                    after.append(number)
            if self.aim is Aim.STUCK and not after and not self.states[at].region & self.map.goals:
                self._dead = at
                return

    def first_dead(self) -> int | None:
        """Find a state from which no goal can be reached; for `Aim.STORY`, the first in the order of acts."""
        if self._dead is not None:
            return self._dead
        before: list[list[int]] = [[] for _ in self.states]
        for number, after in self._after.items():
            for each in after:
                before[each].append(number)
        alive = [bool(state.region & self.map.goals) for state in self.states]
        queue = [number for number, is_goal in enumerate(alive) if is_goal]
        for number in queue:
            for each in before[number]:
                if not alive[each]:
                    alive[each] = True
                    queue.append(each)
        return alive.index(False) if False in alive else None

    def story(self, number: int) -> tuple[Act, ...]:
        """Return the actions that lead to a state, or to one that is equal to it."""
        path: list[int] = []
        while number >= 0:
            path.append(number)
            number = self._came[number]
        told: list[Act] = []
        state = self._settled(1 << self.map.start, PlayState(0, 0, 0, self.map.all_keys, 0), told)
        for wanted in path[-2::-1]:
            told_next, state = next(
                (acts, after)
                for acts, after in self._moves(state, 0)
                if self._numbers.get(self._key(after)[0]) == wanted
            )
            told += told_next
        return tuple(told)

    def places(self) -> set[int]:
        """Return the places that were reached."""
        return {place for place, node in enumerate(self.map.node_of) if self.reached >> node & 1}

    def hardest(self) -> int | None:
        """Return the number of the lock whose being open or not divides the states most evenly, if any."""
        shares: dict[int, int] = {}
        for gate in self.map.gates:
            if gate.needs:
                ends = 1 << gate.a | 1 << gate.b
                is_open = sum(
                    bool(state.opened & gate.bit) or not ends & ~state.region for state in self.states
                )
                shares[gate.number] = min(is_open, len(self.states) - is_open)
        return max(shares, key=lambda number: shares[number], default=None)

    # States that are equal

    def _number(self, state: PlayState, came: int) -> int:
        """Return the number of a state, a new one if there is none. Raises TooManyStatesError."""
        key, skipped = self._key(state)
        number = self._numbers.setdefault(key, len(self.states))
        if number == len(self.states):
            if number >= self.most:
                raise TooManyStatesError(self)
            self.states.append(state)
            self._skipped.append(skipped)
            self._came.append(came)
            if self.aim is Aim.PLACES:
                for node in bits_of(state.region & ~self.reached):
                    self.reached |= self._orbits[node]
        return number

    def _key(self, state: PlayState) -> tuple[object, int]:
        """Return what states that are equal share, and the gates to what is equal to something else."""
        return self._fixed_key(state) if self.aim is Aim.PLACES else self._merged_key(state)

    def _fixed_key(self, state: PlayState) -> tuple[object, int]:
        """Tell trees apart by where they hang."""
        trees, skipped = self.map.trees, 0
        hanging: list[tuple[int, ...]] = []
        for node in trees.rooted:
            codes: list[int] = []
            for child in trees.children[node]:
                code = trees.code(child, state.region, state.left, state.opened, None)
                gate = trees.gate_to[child]
                if gate and code in codes and not state.region >> child & 1:
                    skipped |= gate.bit
                codes.append(code)
            hanging.append((node, *sorted(codes)))
        core = (state.region & trees.core, state.left & trees.core_keys, state.opened & trees.core_gates)
        return (core, state.held, state.counts, tuple(hanging)), skipped

    def _merged_key(self, state: PlayState) -> tuple[object, int]:
        """Take the region as one node, and count what hangs on it."""
        trees = self.map.trees
        region, _, _, left, opened = state
        here = self._keys_in(region, left) & ~self.map.apart
        hanging: list[int] = []
        around: list[object] = []
        seen: set[int] = set()
        skipped, wasters = 0, []
        if region & trees.core:
            parts, inside = trees.parts(region)
            for part in parts:
                code = trees.part_code(part, left, opened)
                skipped |= part.doors if code in seen else 0
                seen.add(code)
                around.append(code)
            wasters = [gate.asks for gate in inside if gate.spends and not opened & gate.bit]
            for node in trees.rooted:
                if region >> node & 1:
                    trees.hang(node, region, hanging)
        else:
            around.append((left & trees.core_keys, opened & trees.core_gates))
            for node in trees.rooted:
                codes = [trees.code(child, region, left, opened, hanging) for child in trees.children[node]]
                around.append((node, *sorted(codes)))
        counts: dict[int, int] = {}
        for child in hanging:
            code = trees.code(child, region, left, opened, None)
            gate = trees.gate_to[child]
            if gate and code in counts:
                skipped |= gate.bit
            counts[code] = counts.get(code, 0) + 1
        of_kinds = tuple((here & mask).bit_count() for mask in self.map.of_kind) if here else ()
        key = (
            *(state.held, state.counts, left & self.map.apart, of_kinds, bool(region & self.map.goals)),
            *(tuple(sorted(wasters)), tuple(sorted(counts.items())), tuple(sorted(around, key=repr))),
        )
        return key, skipped

    # What a player does

    def _moves(self, state: PlayState, skipped: int) -> Iterator[PlayMove]:
        has_drops, _, _ = self.map.beyond(state.region)
        if self.aim is Aim.STUCK and not has_drops:
            if state.region & self.map.goals:
                return  # a goal stays in reach
            waste = self._waste(state)
            if waste:
                yield self._opened(state, waste)
                return
        yield from self._picks(state)
        wasted: set[object] = set()
        for gate in self.map.by_hand:
            if not gate.bit & skipped and self._opens(state, gate):
                if state.region >> gate.a & state.region >> gate.b & 1:  # it joins what is joined
                    if gate.asks in wasted:
                        continue
                    wasted.add(gate.asks)
                yield self._opened(state, gate)
        yield from self._steps(state, skipped)

    def _picks(self, state: PlayState) -> Iterator[PlayMove]:
        seen = 0
        for kind, node, mask in self.map.slots:
            here = state.left & mask
            if here and node & state.region and (here & self.map.apart or not seen >> kind & 1):
                seen |= 0 if here & self.map.apart else 1 << kind
                acts: list[Act] = []
                taken = self._taken(state, here & -here, acts)
                yield acts, self._settled(state.region, taken, acts)

    def _steps(self, state: PlayState, skipped: int) -> Iterator[PlayMove]:
        """Yield the steps out of the region: by one-way gates, and to keys that must be taken."""
        passable = self._passable(state)
        entered = 0
        for node in bits_of(state.region):
            for bit, beside in self.map.beside[node]:
                if passable & bit & ~skipped and not (state.region | entered) >> beside & 1:
                    entered |= 1 << beside
                    acts: list[Act] = []
                    taken = self._taken(state, state.left & self.map.must_at[beside], acts)
                    yield acts, self._settled(state.region | 1 << beside, taken, acts)
            for bit, head in self.map.ahead[node]:
                if passable & bit & ~skipped and not state.region >> head & 1:
                    acts = [(CROSS, self.map.gates[bit.bit_length() - 1].number)]
                    yield acts, self._settled(1 << head, state, acts)

    def _opens(self, state: PlayState, gate: BitGate) -> bool:
        """Check whether a gate can be opened by hand and is not yet, and whether that makes a difference."""
        in_a, in_b = state.region >> gate.a & 1, state.region >> gate.b & 1
        if state.opened & gate.bit or not (in_a or (in_b and not (gate.one_way or gate.from_a))):
            return False
        spends = gate.spends & ~state.held
        if not (spends or gate.from_a or gate.secret) or (in_a and in_b and not spends):
            return False  # it is open to whoever holds its keys, or joins what is joined
        return not gate.needs & ~(state.held | spends) and all(
            state.count(kind) >= gate.price(kind) for kind in bits_of(spends)
        )

    def _opened(self, state: PlayState, gate: BitGate) -> PlayMove:
        counts = state.counts
        for kind in bits_of(gate.spends & ~state.held):
            counts -= gate.price(kind) << COUNT_BITS * kind
        acts: list[Act] = [(FIND if gate.secret else OPEN, gate.number)]
        opened = state._replace(counts=counts, opened=state.opened | gate.bit)
        return acts, self._settled(state.region, opened, acts)

    def _waste(self, state: PlayState) -> BitGate | None:
        """Return a lock to waste a key on: it leads to nothing, and only its kind of keys can run out."""
        if self.map.has_prices:
            return None
        running_out = 0
        for gate in self.map.by_hand:
            if not gate.bit & state.opened:
                running_out |= gate.spends & ~state.held
        if running_out & (running_out - 1) or not running_out:
            return None
        ends = [
            (self._end_kind(state, gate), gate.number, gate)
            for gate in self.map.by_hand
            if gate.spends & ~state.held and not (gate.from_a or gate.secret) and self._opens(state, gate)
        ]
        return min((end for end in ends if end[0] >= 0), default=(0, 0, None))[2]

    def _end_kind(self, state: PlayState, gate: BitGate) -> int:
        """Return the class of the empty dead end behind a gate; 0 if it joins nothing new, -1 for others."""
        trees = self.map.trees
        for node in (gate.a, gate.b):
            if not state.region >> node & 1:
                is_end = trees.gate_to[node] is gate and not trees.children[node]
                is_full = state.left & self.map.key_bits_at[node] or self.map.goals >> node & 1
                return trees.kind[node] if is_end and not is_full else -1
        return 0

    # What cannot do harm, and what does not matter any more

    def _settled(self, region: int, state: PlayState, acts: list[Act]) -> PlayState:
        """Return a player's state at some nodes, once all is done that can never do harm. Adds those acts."""
        state = self._taken(state, self._must(region, state.left), acts)
        safe_but, shy_of = self._unsafe(region)
        while True:
            before = region, state
            grown, doors = self._grown(region, state)
            if grown != region:
                region = grown
                safe_but, shy_of = self._unsafe(region)
            here = self._keys_in(region, state.left)
            for kind in bits_of(safe_but):
                here &= ~self.map.of_kind[kind]
            for node in bits_of(doors):
                must = state.left & self.map.must_at[node]
                if not any(self.map.of_kind[kind] & must for kind in bits_of(safe_but)):
                    here |= must
                    region |= 1 << node
            state = self._taken(state, here, acts)
            for gate in self.map.by_hand:
                is_free = gate.from_a and not (gate.secret or gate.spends & ~state.held)
                if is_free and self._opens(state._replace(region=region), gate) and not shy_of >> gate.b & 1:
                    state = state._replace(opened=state.opened | gate.bit)
                    acts.append((OPEN, gate.number))
            state = self._forgotten(region, state)
            if (region, state) == before:
                return state._replace(region=region)

    def _unsafe(self, region: int) -> tuple[int, int]:
        """Return the kinds of keys that it may do harm to take at once, and the nodes not to open to."""
        if self.aim is Aim.PLACES:
            return 0, 0
        if self.aim is Aim.STORY:
            return -1 & (1 << len(self.map.kinds)) - 1, -1
        _, nodes, kinds = self.map.beyond(region)
        return kinds, nodes

    def _forgotten(self, region: int, state: PlayState) -> PlayState:
        """Drop what cannot matter any more: keys and gates out of reach, and keys for no lock or for all."""
        _, gates, keys = self.map.future(region)
        held, counts, left, opened = state.held, state.counts, state.left & keys, state.opened & gates
        for kind, needing in enumerate(self.map.needing):
            if held >> kind & 1:
                left &= ~self.map.of_kind[kind]
                if not needing & gates:
                    held ^= 1 << kind
                continue
            locks = self.map.keys_for(kind, needing & gates & ~opened)
            count = counts >> COUNT_BITS * kind & _ONE_KEY
            lasts = count >= locks and self.aim is not Aim.STORY
            if not locks or lasts:
                left &= ~self.map.of_kind[kind]
                counts -= count << COUNT_BITS * kind
                held |= (1 << kind) if locks or needing & gates & opened else 0
        passable = self._passable(state._replace(held=held, opened=0))
        return PlayState(0, held, counts, left, opened & ~passable)

    def _must(self, region: int, left: int) -> int:
        """Return the keys that are taken by whoever is at some nodes."""
        must = 0
        for node in bits_of(region):
            must |= self.map.must_at[node]
        return must & left

    def _keys_in(self, region: int, left: int) -> int:
        here = 0
        for _, node, mask in self.map.slots:
            if node & region:
                here |= mask
        return here & left

    def _taken(self, state: PlayState, keys: int, acts: list[Act]) -> PlayState:
        keys &= state.left
        if not keys:
            return state
        held, counts = state.held, state.counts
        for bit in bits_of(keys):
            kind = self.map.key_kind[bit]
            acts.append((PICK, self.map.key_number[bit]))
            if self.map.spent >> kind & 1 and not held >> kind & 1:
                counts += 1 << COUNT_BITS * kind
            elif not self.map.spent >> kind & 1:
                held |= 1 << kind
        return state._replace(held=held, counts=counts, left=state.left & ~keys)

    def _passable(self, state: PlayState) -> int:
        """Return the gates that can be passed: those opened, and those open to the keys held."""
        keyed = self._keyed.get(state.held)
        if keyed is None:
            keyed = self.map.always
            for gate in self.map.by_keys:
                if not gate.needs & ~state.held:
                    keyed |= gate.bit
            self._keyed[state.held] = keyed
        return keyed | state.opened

    def _grown(self, region: int, state: PlayState) -> tuple[int, int]:
        """Return the nodes that can be walked freely from a region, and those beside with a must key."""
        passable, left, must_at = self._passable(state), state.left, self.map.must_at
        doors = 0
        while True:
            queue = list(bits_of(region))
            for node in queue:
                for bit, beside in self.map.beside[node]:
                    if passable & bit and not region >> beside & 1:
                        if left & must_at[beside]:
                            doors |= 1 << beside
                        else:
                            region |= 1 << beside
                            queue.append(beside)
            ring = self._ring(region, passable, left) if self.map.has_one_ways else region
            if ring == region:
                return region, doors & ~region
            region = ring

    def _ring(self, region: int, passable: int, left: int) -> int:
        """Add to a region what one can walk to and come back from by one-way gates."""
        ways = self.map
        forth = [(ways.beside, ways.ahead), (ways.beside, ways.behind)]
        reached: list[int] = []
        for two_way, one_way in forth:
            found, queue = region, list(bits_of(region))
            for node in queue:
                for bit, beside in (*two_way[node], *one_way[node]):
                    if passable & bit and not found >> beside & 1 and not left & ways.must_at[beside]:
                        found |= 1 << beside
                        queue.append(beside)
            reached.append(found)
            if found == region:
                return region
        return reached[0] & reached[1]
