"""Proves that nobody gets stuck on a map with keys, locks, one-way gates, shortcuts and secrets.

The player's possible actions form a graph. A state is the player's region (the places that can be visited and
returned from), the keys picked up, and the gates opened. Picking up a key is a choice, and so is which lock
uses up a key, and whether a secret is found. The map is sound if the goal can be reached, without finding
another secret, from every state that can be reached: one search forwards from the start, and one backwards
from the goal. (The mission graphs are those of Dormans, "Adventures in Level Design", 2010; the search is
plain explicit-state model checking.)

Two rules keep the states few. A lock whose keys are never used up is open to whoever holds them: opening it
cannot do harm. And if the player can always come back for a key, leaving it there makes no difference, so
each key is taken at once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.algorithms.graph import steps_from

# Places, the gates between them, and the regions that can be walked freely when some gates are open.
#
# A region is a strongly connected component of the open gates (R. Tarjan, "Depth-first search and linear
# graph algorithms", 1972); as there are few one-way gates, joining rings one by one finds them.


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


MAX_STATES = 200_000
_MAX_FOR_STORY = 20_000  # states searched for a story that includes the keys
PICK, OPEN, CROSS, FIND = "pick", "open", "cross", "find"

Act = tuple[str, int]
"""An action and its object: `PICK` a key, `OPEN` a gate, `CROSS` a one-way gate, `FIND` a secret one."""


class Verdict(NamedTuple):
    """The result of a proof.

    `stuck` is the shortest story after which no goal can be reached any more, None if there is none;
    `without` are the kinds of keys that the player does not hold then. `unreached` are places that nobody can
    reach, `idle` the gates whose locks have no effect. An `undecided` map has more than `MAX_STATES` states.
    """

    stuck: tuple[Act, ...] | None
    without: tuple[int, ...]
    unreached: tuple[int, ...]
    idle: tuple[int, ...]
    states: int
    undecided: bool = False


class _TooManyStatesError(Exception):
    pass


def prove(world: GatedMap, most: int = MAX_STATES) -> Verdict:
    """Determine what is wrong with a map, if anything is. Looks at no more than `most` states."""
    wanted = Counter(kind for gate in world.gates for kind in gate.needs)
    # A key that fits only one lock is not missed elsewhere, so using it up does no harm.
    world = world._replace(used_up=frozenset(kind for kind in world.used_up if wanted[kind] > 1))
    searched = without_idle_secrets(world)
    search = _StateSearch(searched, most, takes_all=Regions(searched).can_always_return)
    try:
        search.run()
        dead = search.first_dead()
        if dead is not None and search.takes_all:
            search, dead = _full_story_search(searched, min(most, _MAX_FOR_STORY)) or (search, dead)
        unreached, idle = _unreached(world, most), _idle(world, most)
    except _TooManyStatesError:
        return Verdict(None, (), (), (), len(search.states), undecided=True)
    story = None if dead is None else search.story(dead)
    without = () if dead is None else search.missing(dead)
    return Verdict(story, without, unreached, idle, len(search.states))


def _full_story_search(world: GatedMap, most: int) -> tuple[_StateSearch, _PlayState] | None:
    """Return a search taking each key separately, and its first stuck state. None with too many states."""
    search = _StateSearch(world, most)
    try:
        search.run()
    except _TooManyStatesError:
        return None
    dead = search.first_dead()
    return None if dead is None else (search, dead)


def _unreached(world: GatedMap, most: int) -> tuple[int, ...]:
    """List the places that cannot be reached without secrets, except those that only secrets lead to."""
    reached = _reached(world, most)
    hidden = behind_secrets(world)
    if hidden:
        reached |= hidden & _reached(_all_found(world), most)
    return tuple(place for place in range(world.places) if place not in reached)


def _idle(world: GatedMap, most: int) -> tuple[int, ...]:
    """List the gates whose locks have no effect because both of their ends can be reached without them."""
    endless = world._replace(used_up=frozenset())
    hidden = behind_secrets(world)
    idle = []
    for number, gate in enumerate(world.gates):
        if not gate.needs:
            continue
        ends = {gate.a, gate.b}
        maps = [endless, world] if world.used_up else [world]  # the first one is searched quickly
        if ends & hidden:
            maps = [_all_found(variant) for variant in maps]
        if all(ends <= _reached(variant, most, number) for variant in maps):
            idle.append(number)
    return tuple(idle)


def _all_found(world: GatedMap) -> GatedMap:
    return world._replace(gates=tuple(gate._replace(secret=False) for gate in world.gates))


def _reached(world: GatedMap, most: int, shut: int | None = None) -> set[int]:
    """Return the places that can be reached by the best choices, optionally with one gate shut for good.

    Secret gates stay shut.
    """
    never = frozenset(number for number, gate in enumerate(world.gates) if gate.secret or number == shut)
    search = _StateSearch(world, most, never, takes_all=True)
    search.run()
    return search.places()


_PlayState = tuple[
    int, int, int
]  # the first place of the region; the keys picked up and the gates opened, as bits


class _StateSearch:
    """All states that can be reached from the start."""

    def __init__(
        self, world: GatedMap, most: int, never: frozenset[int] = frozenset(), *, takes_all: bool = False
    ) -> None:
        self.world, self.most, self.takes_all = world, most, takes_all
        used_up, gates = world.used_up, dict(enumerate(world.gates))
        wanted = {kind for gate in world.gates for kind in gate.needs}
        self._keys = [(n, kind, place) for n, (kind, place) in enumerate(world.keys) if kind in wanted]
        self._by_hand = [
            number
            for number, gate in gates.items()
            if number not in never
            and (gate.opens_from_a or gate.secret or not used_up.isdisjoint(gate.needs))
        ]
        self._by_keys = [
            number
            for number, gate in gates.items()
            if gate.needs and number not in never and number not in self._by_hand
        ]
        # Opening these uses nothing up.
        self._free = [n for n in self._by_hand if not gates[n].secret and used_up.isdisjoint(gates[n].needs)]
        self._spends = [(n, used_up.intersection(gates[n].needs)) for n in self._by_hand]
        self._regions = Regions(world, never)
        self.states: dict[_PlayState, tuple[_PlayState | None, Act | None]] = {}
        self.after: dict[_PlayState, list[_PlayState]] = {}

    def run(self) -> None:
        """Look at all states. Raises _TooManyStatesError."""
        first = self._settled(self.world.start, 0, 0)
        self.states[first] = (None, None)
        queue = deque([first])
        while queue:
            state = queue.popleft()
            reached = self.after[state] = []
            for act, successor in self._moves(state):
                if act[0] != FIND:  # finding a secret must not be required
                    reached.append(successor)
                if successor not in self.states:
                    if len(self.states) >= self.most:
                        raise _TooManyStatesError
                    self.states[successor] = (state, act)
                    queue.append(successor)

    def first_dead(self) -> _PlayState | None:
        """Find the first state, in the order of acts, from which no goal can be reached."""
        before: dict[_PlayState, list[_PlayState]] = {state: [] for state in self.states}
        for state, successors in self.after.items():
            for successor in successors:
                before[successor].append(state)
        queue = deque(state for state in self.states if self._is_goal(state))
        alive = set(queue)
        while queue:
            for state in before[queue.popleft()]:
                if state not in alive:
                    alive.add(state)
                    queue.append(state)
        return next((state for state in self.states if state not in alive), None)

    def story(self, state: _PlayState) -> tuple[Act, ...]:
        """Return the actions that lead to a state."""
        acts: list[Act] = []
        at: _PlayState | None = state
        while at is not None:
            at, act = self.states[at]
            if act is not None:
                acts.append(act)
        return tuple(acts[::-1])

    def missing(self, state: _PlayState) -> tuple[int, ...]:
        """Return the kinds of keys that are not held in a state."""
        held = self._held(state[1], state[2])
        return tuple(sorted({kind for kind, _ in self.world.keys if not held.get(kind)}))

    def places(self) -> set[int]:
        """Return all places of all regions that were reached."""
        reached: set[int] = set()
        for region, mask in {(state[0], self._open(state[1], state[2])) for state in self.states}:
            labels, _ = self._regions.of(mask)
            reached |= {place for place, label in enumerate(labels) if label == region}
        return reached

    def _is_goal(self, state: _PlayState) -> bool:
        labels, _ = self._regions.of(self._open(state[1], state[2]))
        return any(labels[goal] == state[0] for goal in self.world.goals)

    def _moves(self, state: _PlayState) -> Iterator[tuple[Act, _PlayState]]:
        region, picked, opened = state
        labels, crossings = self._regions.of(self._open(picked, opened))
        seen: set[tuple[int, int]] = set()
        for number, kind, place in self._keys:
            if labels[place] == region and not picked >> number & 1 and (kind, place) not in seen:
                seen.add((kind, place))
                yield (PICK, number), self._settled(region, picked | 1 << number, opened)
        held: dict[int, int] | None = None
        for number in self._by_hand:
            if opened >> number & 1 or not self._stands_before(labels, region, number):
                continue
            held = self._held(picked, opened) if held is None else held
            gate = self.world.gates[number]
            if all(held.get(kind, 0) > 0 for kind in gate.needs):
                act = FIND if gate.secret else OPEN
                yield (act, number), self._settled(region, picked, opened | 1 << number)
        for number, target in crossings.get(region, ()):
            yield (CROSS, number), self._settled(target, picked, opened)

    def _stands_before(self, labels: list[int], region: int, number: int) -> bool:
        """Check whether the region has an end of the gate from which it can be opened."""
        gate = self.world.gates[number]
        if labels[gate.a] == region:
            return True
        return labels[gate.b] == region and not (gate.opens_from_a or gate.one_way)

    def _settled(self, place: int, picked: int, opened: int) -> _PlayState:
        """Return the state of a player at a place. With `takes_all`, all keys in reach are taken."""
        while True:
            labels, _ = self._regions.of(self._open(picked, opened))
            region = labels[place]
            if not self.takes_all:
                return region, picked, opened
            before = picked, opened
            for number, _, lies in self._keys:
                picked |= (labels[lies] == region) << number
            held = self._held(picked, opened)
            for number in self._free:
                if self._stands_before(labels, region, number):
                    opened |= all(held.get(kind, 0) for kind in self.world.gates[number].needs) << number
            if (picked, opened) == before:
                return region, picked, opened

    def _held(self, picked: int, opened: int) -> dict[int, int]:
        """Count the keys of each kind that are held."""
        held: dict[int, int] = {}
        for number, kind, _ in self._keys:
            if picked >> number & 1:
                held[kind] = held.get(kind, 0) + 1
        for number, kinds in self._spends:
            if opened >> number & 1:
                for kind in kinds:
                    held[kind] -= 1
        return held

    def _open(self, picked: int, opened: int) -> int:
        """Return the gates that can be passed, as bits: those opened, and those open to the keys held."""
        mask = opened
        if self._by_keys:
            held = {kind for number, kind, _ in self._keys if picked >> number & 1}
            for number in self._by_keys:
                if held.issuperset(self.world.gates[number].needs):
                    mask |= 1 << number
        return mask
