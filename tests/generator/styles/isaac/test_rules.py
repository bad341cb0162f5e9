"""The article, rule by rule, replayed: the generator's own coins are tossed for the oracle's growth."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import IsaacSpec, State, generate
from generator.geometry import Side
from generator.rng import Stream
from generator.styles.grid.floorplan import Floorplan
from generator.styles.isaac.floorplan import tries

from . import growing, oracle
from .growing import rooms_wanted
from .oracle import Cell

SEEDS = st.integers(0, 2**64 - 1)
START: Cell = (5, 3)


def plan(seed: int, **values: object) -> Floorplan:
    return generate("isaac", seed, until="floorplan", **values)


@cache
def grown(seed: int, stage: int) -> tuple[list[Cell], list[Cell]]:
    """The oracle's rooms and end rooms of the try that was taken."""
    rooms = rooms_wanted(IsaacSpec(stage=stage), False, seed)[0]
    coins = Stream(seed, "isaac.grow", stage)
    made = [oracle.grow(rooms, coins.bits(growing.coins_needed(rooms))) for _ in range(tries_of(seed, stage))]
    return made[-1]


def tries_of(seed: int, stage: int) -> int:
    return plan(seed, stage=stage).tries


def cells_of(made: Floorplan, *kinds: str) -> list[Cell]:
    return [room.cells[0] for room in made.rooms if room.kind in kinds]


def special_cells(made: Floorplan) -> list[Cell]:
    return [room.cells[0] for room in made.rooms if room.kind not in ("start", "normal", "secret")]


# --- the floorplan is grown, checked, and thrown away if it breaks a rule ------------------------------


@given(SEEDS, st.integers(1, 8))
@settings(max_examples=60)
def test_the_floorplan_is_what_the_article_grows(seed: int, stage: int) -> None:
    """Rooms in the order in which they were placed, the secret room last."""
    placed, _ = grown(seed, stage)
    made = plan(seed, stage=stage)
    assert [room.cells[0] for room in made.rooms] == placed + cells_of(made, "secret")


@given(SEEDS, st.integers(1, 6))
@settings(max_examples=60)
def test_a_try_is_retried_for_the_articles_reasons_and_no_other(seed: int, stage: int) -> None:
    """ "It must have the right number of rooms, and the boss room cannot be adjacent to starting room." """
    spec = IsaacSpec(stage=stage)
    rooms = rooms_wanted(spec, False, seed)[0]
    coins = Stream(seed, "isaac.grow", stage)
    for outcome in islice(tries(spec, seed), tries_of(seed, stage)):
        placed, ends = oracle.grow(rooms, coins.bits(growing.coins_needed(rooms)))
        if len(placed) < rooms:
            assert outcome == "too few rooms grew"
        elif ends[-1] in oracle.beside(START, placed):
            assert outcome == "the boss is beside the start"
        elif len(ends) < 3:  # boss, shop and treasure
            assert outcome == "fewer end rooms than special rooms"
        else:
            assert isinstance(outcome, Floorplan) or outcome == "no place for a secret room"
    assert isinstance(outcome, Floorplan)


@given(SEEDS, st.integers(1, 10))
@settings(max_examples=60)
def test_no_four_rooms_stand_in_a_square(seed: int, stage: int) -> None:
    """ "It won't add a room which already has 2 neighbours" keeps rooms in corridors."""
    rooms = oracle.walked(plan(seed, stage=stage))
    for x, y in rooms:
        assert not {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= set(rooms)


@given(SEEDS, st.integers(1, 8))
@settings(max_examples=60)
def test_end_rooms_are_the_rooms_with_one_door(seed: int, stage: int) -> None:
    """(But for the start, which is never one. The secret room's door does not count.)"""
    placed, ends = grown(seed, stage)
    assert set(ends) == {cell for cell in placed if len(oracle.beside(cell, placed)) == 1} - {START}


@given(SEEDS, st.integers(1, 8))
@settings(max_examples=60)
def test_the_boss_takes_the_last_of_the_end_rooms(seed: int, stage: int) -> None:
    assert cells_of(plan(seed, stage=stage), "boss") == [grown(seed, stage)[1][-1]]


@given(SEEDS, st.integers(1, 8))
@settings(max_examples=60)
def test_special_rooms_are_end_rooms_each_kind_once(seed: int, stage: int) -> None:
    made = plan(seed, stage=stage, state=State(coins=9, keys=2))
    assert set(special_cells(made)) <= set(grown(seed, stage)[1])
    kinds = Counter(room.kind for room in made.rooms)
    assert max(count for kind, count in kinds.items() if kind != "normal") == 1


@given(SEEDS, st.integers(1, 8))
@settings(max_examples=40)
def test_depth_is_that_of_the_tree(seed: int, stage: int) -> None:
    """Without loops it is also the distance that one walks; only secret rooms have none."""
    made = plan(seed, stage=stage)
    for room in made.rooms:
        assert room.distance == (None if room.kind == "secret" else room.depth)


@pytest.mark.parametrize(("rooms", "reseeded"), [(16, False), (17, True), (45, True)])
def test_maps_of_more_than_16_rooms_grow_from_the_start_again(rooms: int, reseeded: bool) -> None:
    """Only there has the start a second visit, at which it may open a side that it left shut at first.

    At first it grows to the east alone; the tenth room calls it back, if the map is large enough.
    """
    west, east, north, south = 1, 2, 4, 8
    everything = west | east | north | south
    coins = 0
    for place, give_up in enumerate([everything - east, *[everything - south] * 4]):
        coins |= give_up << 4 * place
    coins &= (1 << growing.coins_needed(rooms)) - 1
    ours = growing.grown(rooms, coins)
    placed, ends = oracle.grow(rooms, coins)
    assert [(cell % 10, cell // 10) for cell in ours.parents] == placed
    assert [(cell % 10, cell // 10) for cell in ours.ends] == ends
    from_start = [cell for cell, parent in ours.parents.items() if parent == 35 != cell]
    assert from_start[0] == 36 and (len(from_start) > 1) is reseeded


# --- special rooms at random end rooms ---------------------------------------------------------------


@pytest.mark.parametrize("kind", ["shop", "treasure", "curse", "sacrifice", "mini_boss", "library"])
def test_a_special_room_prefers_no_end_room(kind: str) -> None:
    """Of the end rooms but the boss's, first to last, it takes one in the middle on average.

    The mean of N even draws from 0 to 1 is off 1/2 by more than 4 · sqrt(1/12/N) once in 16,000.
    """
    places = []
    for seed in range(350):
        ends = grown(seed, 4)[1][:-1]
        cells = cells_of(plan(seed, stage=4), kind)
        places += [(ends.index(cell) + 0.5) / len(ends) for cell in cells]
    bound = 4 * (1 / 12 / len(places)) ** 0.5
    assert sum(places) / len(places) == pytest.approx(0.5, abs=bound)


def test_two_special_rooms_come_in_every_order() -> None:
    orders: Counter[bool] = Counter()
    for seed in range(500):
        ends = grown(seed, 3)[1]
        made = plan(seed, stage=3)
        orders[ends.index(cells_of(made, "shop")[0]) < ends.index(cells_of(made, "treasure")[0])] += 1
    assert abs(orders[True] - orders[False]) < 4 * 500**0.5


# --- the secret room ---------------------------------------------------------------------------------


def eligible(made: Floorplan) -> dict[Cell, int]:
    """Empty cells that the secret room may take, by how many rooms lie beside each."""
    rooms = oracle.walked(made)
    shut = {cell for cell in rooms if len(oracle.beside(cell, rooms)) == 1} | set(special_cells(made))
    board = ((x, y) for x in range(1, 10) for y in range(8))
    return {
        cell: len(oracle.beside(cell, rooms))
        for cell in board
        if cell not in rooms and oracle.beside(cell, rooms) and not oracle.beside(cell, shut)
    }


@pytest.mark.parametrize("stage", [1, 4, 8])
def test_the_secret_room_takes_a_cell_beside_as_many_rooms_as_it_can(stage: int) -> None:
    """300 tries for three rooms, then for two, then for one; each misses a lone cell 1.5 times in 100."""
    missed = three = 0
    for seed in range(400):
        made = plan(seed, stage=stage)
        (secret,) = cells_of(made, "secret")
        places = eligible(made)
        assert secret in places
        missed += min(places[secret], 3) < min(max(places.values()), 3)
        three += places[secret] >= 3
    assert missed <= 0.03 * 400
    assert three > {1: 0, 4: 0.4, 8: 0.75}[stage] * 400


def test_among_equal_cells_the_secret_room_prefers_none() -> None:
    places = []
    for seed in range(700):
        made = plan(seed, stage=8)
        best = sorted(cell for cell, beside in eligible(made).items() if beside >= 3)
        (secret,) = cells_of(made, "secret")
        if secret in best and len(best) > 1:
            places.append((best.index(secret) + 0.5) / len(best))
    assert len(places) > 300
    assert sum(places) / len(places) == pytest.approx(0.5, abs=4 * (1 / 12 / len(places)) ** 0.5)


# --- curses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", range(1, 13))
def test_a_random_curse_is_a_labyrinth_on_the_first_stages_of_the_first_four_chapters(stage: int) -> None:
    """Stages 1, 3, 5 and 7; in hard mode 1/3 x 1/6 of the levels there."""
    from generator.styles.isaac.floorplan import draw_curse

    spec = IsaacSpec(stage=stage, hard=True, curse="random")
    number = 1500
    curses = Counter(draw_curse(spec, seed) for seed in range(number))
    each = number / 18
    for kind in ("lost", "darkness", "unknown", "maze", "blind"):
        assert abs(curses[kind] - each) < 4 * each**0.5
    if stage in (1, 3, 5, 7):
        assert abs(curses["labyrinth"] - each) < 4 * each**0.5
    else:
        assert curses["labyrinth"] == 0


@given(SEEDS, st.sampled_from(["lost", "darkness", "unknown", "maze", "blind"]))
@settings(max_examples=25)
def test_other_curses_are_for_the_game_to_act_on(seed: int, curse: str) -> None:
    """They stand in the facts and change no room."""
    plain, cursed = plan(seed, stage=3), plan(seed, stage=3, curse=curse)
    assert cursed.rooms == plain.rooms and cursed.doors == plain.doors
    assert {**plain.facts, "curse": curse} == cursed.facts


def test_a_random_curse_makes_the_level_that_the_curse_makes() -> None:
    for seed in range(60):
        drawn = plan(seed, stage=3, curse="random", hard=True)
        assert drawn == plan(seed, stage=3, curse=str(drawn.facts["curse"]), hard=True)


# --- what a floorplan does not depend on -------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"champions": 90},
        {"tinted_rocks": 90},
        {"red_fires": 90},
        {"stage_variant": "alternative"},
        {"door_width": 5},
        {"room_size": [21, 13], "layouts": "/nowhere"},
        {"layouts": "/nowhere"},
        {"hard": True},
    ],
    ids=str,
)
def test_what_a_floorplan_does_not_read_does_not_change_it(values: dict[str, object]) -> None:
    for seed in range(15):
        assert plan(seed, stage=4, **values) == plan(seed, stage=4)


@pytest.mark.parametrize(
    "state",
    [
        State(coins=20),
        State(keys=5),
        State(red_hearts=1),
        State(soul_hearts=4),
        State(devil_room_visited=True),
        State(book_picked_up=True),
        State(mini_boss_met=True),
    ],
    ids=str,
)
def test_the_players_state_decides_special_rooms_not_where_rooms_are(state: State) -> None:
    for seed in range(25):
        plain, other = plan(seed, stage=4), plan(seed, stage=4, state=state)
        if plain.tries == other.tries:  # a secret room may fail to fit in one of them
            assert list(oracle.walked(plain)) == list(oracle.walked(other))
            assert all(
                cells_of(plain, kind) == cells_of(other, kind) for kind in ("boss", "shop", "treasure")
            )


def test_the_seed_is_kept_however_many_tries_it_takes() -> None:
    """(A known generator goes on with another seed, and does not say so.)"""
    most = 0
    for seed in range(40):
        level = generate("isaac", seed, stage=7)
        assert level.seed == seed
        most = max(most, plan(seed, stage=7).tries)
    assert most > 1


def test_the_number_of_tries_is_not_part_of_the_level() -> None:
    """A quicker way to the same level must give the same fingerprint."""
    assert list(generate("isaac", 7).facts) == ["curse", "chapter"]


# --- doors -------------------------------------------------------------------------------------------


@given(SEEDS, st.integers(1, 8), st.sampled_from(["none", "labyrinth"]))
@settings(max_examples=40)
def test_adjacent_rooms_always_have_a_door(seed: int, stage: int, curse: str) -> None:
    """ "Adjacent rooms always have a door (or destructible wall) in the exact center." """
    made = plan(seed, stage=stage, curse=curse)
    rooms = oracle.by_cell(made)
    touching = {frozenset((cell, other)) for cell in rooms for other in oracle.beside(cell, rooms)}
    joined = []
    for door in made.doors:
        a, b = made.rooms[door.a].cells[0], made.rooms[door.b].cells[0]
        assert door.cell == a and door.side is Side.between(a, b)
        joined.append(frozenset((a, b)))
    assert set(joined) == touching and len(joined) == len(touching)


@given(SEEDS)
@settings(max_examples=30)
def test_the_door_to_a_special_room_shows_it(seed: int) -> None:
    for stage in (1, 2):
        made = plan(seed, stage=stage, state=State(coins=9))
        for door in made.doors:
            kinds = {made.rooms[room].kind for room in (door.a, door.b)}
            expected = {
                "boss": "boss",
                "secret": "secret",
                "curse": "curse",
                "shop": "open" if stage == 1 else "locked",
                "treasure": "treasure" if stage == 1 else "locked",
                "arcade": "arcade",
                "vault": "locked",
                "boss_challenge": "challenge",
            }
            special = kinds & set(expected)
            if "secret" in kinds:
                assert door.kind == "secret"
            elif special:
                assert door.kind == expected[special.pop()]
