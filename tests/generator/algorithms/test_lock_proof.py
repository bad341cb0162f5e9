"""The proof that nobody gets stuck, against an oracle that plays every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms.gated_map import Gate, GatedMap
from generator.algorithms.lock_proof import Verdict, prove
from generator.algorithms.lock_states import CROSS, FIND, OPEN, PICK

_Game = tuple[int, frozenset[int], frozenset[int]]  # where one stands, keys taken, gates opened


def is_sound(verdict: Verdict) -> bool:
    return not (verdict.undecided or verdict.stuck is not None or verdict.unreached or verdict.idle)


def _held(world: GatedMap, taken: frozenset[int], opened: frozenset[int]) -> Counter[int]:
    held = Counter(world.keys[key][0] for key in taken)
    for gate in opened:
        held.subtract(kind for kind in world.gates[gate].needs if kind in world.used_up)
    return held


def _moves(world: GatedMap, game: _Game, secrets: bool) -> Iterator[tuple[_Game, bool]]:
    """Every step, key and gate, one at a time, and whether it finds a secret: nothing is merged."""
    at, taken, opened = game
    held = _held(world, taken, opened)
    for key, (_, place) in enumerate(world.keys):
        if place == at:
            yield (at, taken | {key}, opened), False
    for number, gate in enumerate(world.gates):
        if at not in (gate.a, gate.b) or (gate.secret and not secrets):
            continue
        is_shut = bool(gate.needs or gate.opens_from_a or gate.secret) and number not in opened
        may_open = at == gate.a or not (gate.opens_from_a or gate.one_way)
        if is_shut and may_open and all(held[kind] >= count for kind, count in Counter(gate.needs).items()):
            yield (at, taken, opened | {number}), gate.secret
        if not is_shut and (at == gate.a or not gate.one_way):
            to = gate.b if at == gate.a else gate.a
            yield (to, taken | _must(world, to), opened), False


def _must(world: GatedMap, at: int) -> frozenset[int]:
    return frozenset(key for key, place in world.must if place == at)


def _games(world: GatedMap, shut: int | None = None, *, secrets: bool) -> dict[_Game, set[_Game]]:
    """Every game that can be reached, and those that follow it without a secret that must be found."""
    first = (world.start, _must(world, world.start), frozenset[int]())
    after: dict[_Game, set[_Game]] = {}
    queue = [first]
    while queue:
        game = queue.pop()
        if game not in after:
            moves = [each for each in _moves(world, game, secrets) if shut not in each[0][2]]
            after[game] = {each for each, finds in moves if not finds}
            queue += [each for each, _ in moves]
    return after


def _is_stuck_somewhere(world: GatedMap) -> bool:
    after = _games(world, secrets=True)
    alive = {game for game in after if game[0] in world.goals}
    while more := {game for game in after.keys() - alive if after[game] & alive}:
        alive |= more
    return len(alive) < len(after)


def _places(world: GatedMap, shut: int | None = None, *, secrets: bool = False) -> set[int]:
    if secrets:  # found by whoever wants to
        world = world._replace(gates=tuple(gate._replace(secret=False) for gate in world.gates))
    return {game[0] for game in _games(world, shut, secrets=False)}


def _hidden(world: GatedMap) -> set[int]:
    """The places that plain ways would not lead to, were all but secret gates plain."""
    plain = [Gate(gate.a, gate.b) for gate in world.gates if not gate.secret]
    return set(range(world.places)) - _places(world._replace(gates=tuple(plain)))


@st.composite
def worlds(draw: st.DrawFn) -> GatedMap:
    places = draw(st.integers(2, 5))
    place = st.integers(0, places - 1)
    kinds = draw(st.integers(0, 2))
    keys = draw(st.lists(st.tuples(st.integers(0, max(0, kinds - 1)), place), max_size=4 * bool(kinds)))
    gates = []
    for _ in range(draw(st.integers(1, 6))):
        a, b = draw(place), draw(place)
        needs = draw(st.sets(st.integers(0, kinds - 1), max_size=2)) if kinds else ()
        one_way, shortcut, secret = draw(
            st.sampled_from([(0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        )
        if a != b:
            needed = () if secret else tuple(sorted(needs))
            gates.append(Gate(a, b, needed, bool(one_way), bool(shortcut), bool(secret)))
    used_up = frozenset(draw(st.sets(st.integers(0, 1), max_size=2)))
    if draw(st.booleans()):  # some locks cost several keys
        gates = [
            gate._replace(
                needs=gate.needs + tuple(used_up.intersection(gate.needs)) * draw(st.integers(0, 2))
            )
            for gate in gates
        ]
    must = [(key, at) for key, (_, at) in enumerate(keys) if draw(st.booleans())]
    must += [(key, draw(place)) for key, _ in must if draw(st.integers(0, 4)) == 4]
    return GatedMap(places, tuple(gates), tuple(keys), used_up, 0, frozenset({draw(place)}), tuple(must))


@settings(max_examples=300)
@given(worlds())
def test_it_agrees_with_playing_every_game(world: GatedMap) -> None:
    verdict = prove(world)
    assert (verdict.stuck is not None) == _is_stuck_somewhere(world)
    if verdict.stuck is not None:
        return
    hidden = _hidden(world)
    reached = _places(world) | hidden & _places(world, secrets=True)
    assert verdict.unreached == tuple(sorted(set(range(world.places)) - reached))
    idle = [
        number
        for number, gate in enumerate(world.gates)
        if gate.needs
        and {gate.a, gate.b} <= _places(world, number, secrets=not hidden.isdisjoint((gate.a, gate.b)))
    ]
    assert verdict.idle == tuple(idle)


def test_the_story_is_the_shortest_one() -> None:
    """One falls into the pit without the key that lies on the way, or uses it up on the wrong door."""
    pit = Gate(0, 1, one_way=True)
    out = Gate(1, 2, needs=(0,))
    world = GatedMap(3, (pit, out), ((0, 0),), frozenset(), 0, frozenset({2}))
    verdict = prove(world)
    assert verdict.stuck == ((CROSS, 0),) and verdict.without == (0,)
    wrong = Gate(0, 1, needs=(0,))
    right = Gate(0, 2, needs=(0,))
    world = GatedMap(3, (wrong, right), ((0, 0),), frozenset({0}), 0, frozenset({2}))
    assert prove(world).stuck == ((PICK, 0), (OPEN, 0))


def test_a_lock_that_costs_several_keys_waits_for_all_of_them() -> None:
    """Three coins for the goal, one for a chest: with four nobody gets stuck, with three somebody does."""
    gates = (Gate(0, 1, needs=(0, 0, 0)), Gate(0, 2, needs=(0,)))
    world = GatedMap(3, gates, ((0, 0),) * 4, frozenset({0}), 0, frozenset({1}))
    assert is_sound(prove(world))
    assert prove(world._replace(keys=((0, 0),) * 3)).stuck == ((PICK, 0), (OPEN, 1))
    assert prove(world._replace(gates=gates[:1], keys=((0, 0),) * 2)).stuck == ()


def test_a_lock_that_one_walks_round_is_idle() -> None:
    ring = (Gate(0, 1, needs=(0,)), Gate(1, 2), Gate(2, 0))
    verdict = prove(GatedMap(3, ring, ((0, 0),), frozenset(), 0, frozenset({1})))
    assert verdict.idle == (0,) and verdict.stuck is None
    assert is_sound(prove(GatedMap(3, ring[:2], ((0, 0),), frozenset(), 0, frozenset({1}))))


def test_what_a_secret_leads_past_must_not_be_missed_later() -> None:
    """A secret leads round the lock 0 - 1, a drop from 1 to 2, and the goal asks for the key again."""
    gates = (
        Gate(0, 1, needs=(0,)),
        Gate(0, 1, secret=True),
        Gate(1, 2, one_way=True),
        Gate(2, 3, needs=(0,)),
    )
    world = GatedMap(4, gates, ((0, 0),), frozenset(), 0, frozenset({3}))
    assert prove(world).stuck == ((FIND, 1), (CROSS, 2))
    assert is_sound(prove(world._replace(gates=(gates[0], *gates[2:]))))


def test_many_secrets_that_hold_nothing_are_no_states() -> None:
    """Forty rooms behind a secret each: found or not, nothing changes; a goal behind one is not counted on."""
    gates = tuple(Gate(0, 1 + number, secret=True) for number in range(40))
    verdict = prove(GatedMap(41, gates, (), frozenset(), 0, frozenset({0})))
    assert is_sound(verdict) and verdict.states == 1
    assert prove(GatedMap(2, gates[:1], (), frozenset(), 0, frozenset({1}))).stuck == ()


def test_a_lock_of_a_one_way_gate_is_not_opened_from_where_it_leads() -> None:
    """The key is used up in 0, or not at all: nobody spends it on the drop's lock from below."""
    gates = (Gate(1, 0, needs=(0,), one_way=True), Gate(0, 2, needs=(0,)), Gate(0, 1, one_way=True))
    world = GatedMap(3, gates, ((0, 0),), frozenset({0}), 0, frozenset({2, 1}))
    assert prove(world).stuck is None
    gates = (Gate(1, 0, needs=(0,), one_way=True), Gate(0, 2, needs=(0,)), Gate(2, 1))
    assert prove(world._replace(gates=gates, goals=frozenset({2}))).stuck is None


def test_locks_that_use_keys_up_are_opened_in_any_order() -> None:
    """The gates of a row are counted from either end."""
    row = tuple(Gate(number, number + 1, needs=(0,)) for number in range(3))
    for gates in (row, row[::-1]):
        assert is_sound(prove(GatedMap(4, gates, ((0, 0),) * 3, frozenset({0}), 0, frozenset({3}))))


def test_nobody_leaves_without_a_key_that_must_be_taken() -> None:
    """A drop into a pit, whose way out needs the key that lies there; then past it, on the way back."""
    gates = (
        Gate(0, 1, one_way=True),
        Gate(1, 2, needs=(0,)),
        Gate(2, 3, one_way=True),
        Gate(3, 4, needs=(0,)),
    )
    world = GatedMap(5, gates, ((0, 1),), frozenset(), 0, frozenset({4}))
    assert is_sound(prove(world._replace(must=((0, 1),))))
    aside = world._replace(places=6, gates=(*gates[:1], Gate(1, 5), Gate(1, 2), *gates[2:]), keys=((0, 5),))
    assert prove(aside._replace(must=((0, 5),))).stuck == ((CROSS, 0), (CROSS, 3))


def test_one_must_not_walk_past_a_key_that_is_used_up() -> None:
    """Two rooms, one behind the other, each with a key that must be taken, and a drop from either."""
    gates = (
        Gate(0, 1),
        Gate(1, 2),
        Gate(0, 3, one_way=True),
        Gate(2, 3, one_way=True),
        Gate(3, 4, needs=(0,)),
    )
    world = GatedMap(5, gates, ((0, 1), (0, 2)), frozenset(), 0, frozenset({4}), ((0, 1), (1, 2)))
    assert prove(world).stuck == ((CROSS, 2),)
    assert is_sound(prove(world._replace(gates=(*gates[:2], *gates[3:]))))


def _rooms(count: int, **locks: int) -> GatedMap:
    """A hub of so many rooms, equal keys in the hub, and more of them, one in each of the last rooms."""
    hub = tuple(Gate(0, number + 1, needs=(0,)) for number in range(count))
    keys = ((0, 0),) * locks["keys"] + tuple((0, count - number) for number in range(locks["behind"]))
    return GatedMap(count + 1, hub, keys, frozenset({0}), 0, frozenset({count}))


def _row(count: int, keys_at: list[int], closets: int = 0) -> GatedMap:
    """A row of rooms with a lock between each two, keys that fit all, and equal locked closets on the way."""
    row = [Gate(number, number + 1, needs=(0,)) for number in range(count)]
    row += [Gate(number, count + 1 + number, needs=(0,)) for number in range(closets)]
    keys = tuple((0, place) for place in keys_at)
    return GatedMap(count + 1 + closets, tuple(row), keys, frozenset({0}), 0, frozenset({count}))


def _nested_rings(depth: int) -> GatedMap:
    """Each ring of four rooms has a lock in it, two keys, and a lock to the next ring."""
    gates = []
    for at in range(0, 4 * depth, 4):
        gates += [Gate(at, at + 1), Gate(at + 1, at + 2), Gate(at + 2, at + 3), Gate(at + 3, at, (0,))]
        gates += [Gate(at + 2, at + 4, (0,))]
    keys = tuple((0, 4 * ring + 1) for ring in range(depth) for _ in range(2))
    return GatedMap(4 * depth + 1, tuple(gates), keys, frozenset({0}), 0, frozenset({4 * depth}))


def _rings_of_drops(depth: int) -> GatedMap:
    """Rings that can be walked one way round only, each with the key of the lock to the next."""
    gates = []
    for at in range(0, 3 * depth, 3):
        gates += [Gate(at, at + 1, one_way=True), Gate(at + 1, at + 2, one_way=True), Gate(at + 2, at)]
        gates += [Gate(at, at + 3, needs=(at,))]
    keys = tuple((at, at + 1) for at in range(0, 3 * depth, 3))
    return GatedMap(3 * depth + 1, tuple(gates), keys, frozenset(), 0, frozenset({3 * depth}))


def test_what_is_equal_is_counted_and_what_is_safe_is_done_at_once() -> None:
    """No more than these states for maps of which each alternative, listed, would be 2 to the power of 40 or more."""
    for world, is_stuck, most in (
        (_row(100, [0] * 100), False, 1),
        (_row(100, list(range(100))), False, 100),
        (_row(100, list(range(100)), closets=1), True, 10),
        (_row(50, [0] * 100, closets=50), False, 1),
        (_row(50, [0] * 99, closets=50), True, 100),
        (_rooms(100, keys=100, behind=0), False, 1),
        (_rooms(100, keys=99, behind=0), True, 100),
        (_rooms(100, keys=60, behind=40), True, 100),
        (_rooms(100, keys=61, behind=40), False, 200),
        (_nested_rings(40), False, 100),
        (_rings_of_drops(40), False, 100),
    ):
        verdict = prove(world)
        assert (verdict.stuck is not None, verdict.undecided) == (is_stuck, False)
        assert verdict.states <= most, (verdict.states, most)
        assert verdict.unreached == ()


def test_a_drop_that_keys_can_be_left_behind_at_counts_them_too() -> None:
    """A hub of forty doors, and a pit with a door: one falls into it with all keys, or without any."""
    hub = _rooms(40, keys=41, behind=0)
    gates = (*hub.gates, Gate(0, 41, one_way=True), Gate(41, 42, needs=(0,)))
    verdict = prove(hub._replace(places=43, gates=gates, goals=frozenset({0, 42})))
    assert verdict.stuck == ((CROSS, 40),) and verdict.states < 1_000
    assert is_sound(prove(hub._replace(places=43, gates=gates, goals=frozenset({0, 41, 42}))))


def test_too_many_states_are_undecided_and_name_a_lock() -> None:
    """Rooms that each hold another key, with a drop to locks that need them: any of them may be left behind."""
    gates = [Gate(0, number + 1) for number in range(10)]
    gates += [Gate(0, 11, one_way=True), *(Gate(11, 12 + number, needs=(number,)) for number in range(10))]
    keys = tuple((number, number + 1) for number in range(10))
    world = GatedMap(22, tuple(gates), keys, frozenset(), 0, frozenset({11}))
    assert is_sound(prove(world))
    verdict = prove(world, most=500)
    assert verdict.undecided and verdict.hardest is not None and verdict.hardest >= 11
