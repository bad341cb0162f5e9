"""The proof that nobody gets stuck, against an oracle that plays every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms.lock_proof import CROSS, FIND, OPEN, PICK, Gate, GatedMap, Verdict, prove

_Game = tuple[int, frozenset[int], frozenset[int]]  # where one stands, keys taken, gates opened


def is_sound(verdict: Verdict) -> bool:
    return not (verdict.undecided or verdict.stuck is not None or verdict.unreached or verdict.idle)


def _held(world: GatedMap, taken: frozenset[int], opened: frozenset[int]) -> Counter[int]:
    held = Counter(world.keys[key][0] for key in taken)
    for gate in opened:
        held.subtract(world.used_up.intersection(world.gates[gate].needs))
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
        if is_shut and may_open and all(held[kind] > 0 for kind in gate.needs):
            yield (at, taken, opened | {number}), gate.secret
        if not is_shut and (at == gate.a or not gate.one_way):
            yield (gate.b if at == gate.a else gate.a, taken, opened), False


def _games(world: GatedMap, shut: int | None = None, *, secrets: bool) -> dict[_Game, set[_Game]]:
    """Every game that can be reached, and those that follow it without a secret that must be found."""
    first = (world.start, frozenset[int](), frozenset[int]())
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
    keys = draw(st.lists(st.tuples(st.integers(0, max(0, kinds - 1)), place), max_size=3 * bool(kinds)))
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
    return GatedMap(places, tuple(gates), tuple(keys), used_up, 0, frozenset({draw(place)}))


@settings(max_examples=300)
@given(worlds())
def test_it_agrees_with_playing_every_game(world: GatedMap) -> None:
    verdict = prove(world)
    assert (verdict.stuck is not None) == _is_stuck_somewhere(world)
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


def test_locks_that_use_keys_up_are_opened_in_any_order() -> None:
    """The gates of a row are counted from either end."""
    row = tuple(Gate(number, number + 1, needs=(0,)) for number in range(3))
    for gates in (row, row[::-1]):
        assert is_sound(prove(GatedMap(4, gates, ((0, 0),) * 3, frozenset({0}), 0, frozenset({3}))))


def test_twelve_keys_are_decided_and_too_many_states_are_not() -> None:
    """Twelve keys at the start, each for one door of a row or for any of them."""
    gates = tuple(Gate(number, number + 1, needs=(number,)) for number in range(12))
    keys = tuple((number, 0) for number in range(12))
    world = GatedMap(13, gates, keys, frozenset(), 0, frozenset({12}))
    assert is_sound(prove(world)) and prove(world).states == 1
    star = tuple(Gate(0, number + 1, needs=(0,)) for number in range(9))
    copies = GatedMap(10, star, ((0, 0),) * 9, frozenset({0}), 0, frozenset({9}))
    assert is_sound(prove(copies)) and prove(copies).states == 1 << 9
    assert prove(copies, most=500).undecided
    pit = world._replace(places=14, gates=(*gates, Gate(0, 13, one_way=True)), goals=frozenset({12, 13}))
    assert is_sound(prove(pit)) and prove(pit, most=1_000).undecided
