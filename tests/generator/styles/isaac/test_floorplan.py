"""The rules of the `isaac` style, by the article's own words."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import GenerationFailed, IsaacSpec, State
from generator.rng import Stream
from generator.styles.grid.floorplan import Floorplan
from generator.styles.isaac import floorplan as isaac
from generator.styles.isaac.growth_kernel import CELLS, STEPS, words_of_coins

from . import oracle
from .growing import coins_needed, grown, rooms_wanted, secret_cell

SEEDS = st.integers(0, 2**64 - 1)


def plan(seed: int, **values: object) -> Floorplan:
    return isaac.floorplan(IsaacSpec(**values), seed)  # type: ignore[arg-type]


def point(number: int) -> tuple[int, int]:
    return number % 10, number // 10


# --- growth ------------------------------------------------------------------------------------------


@given(st.integers(1, 45), st.integers(0, 2**300 - 1))
def test_growth_is_the_articles(rooms: int, coins: int) -> None:
    """The same coins grow the same tree as a reading of the article that knows no arrays."""
    coins &= (1 << coins_needed(rooms)) - 1
    tree = grown(rooms, coins)
    placed, ends = oracle.grow(rooms, coins)
    assert [point(cell) for cell in tree.parents] == placed
    assert [point(cell) for cell in tree.ends] == ends
    for cell in CELLS:
        beside = sum(cell + step in tree.parents for step in STEPS)
        assert tree.crowding[cell] % 64 == beside
        assert (tree.crowding[cell] >= 64) is (cell in tree.parents)


@given(st.integers(17, 45), st.integers(0, 2**300 - 1))
def test_the_start_is_never_an_end_room(rooms: int, coins: int) -> None:
    """Above 16 rooms it comes back on the queue, where it may add nothing."""
    tree = grown(rooms, coins)
    assert 35 not in tree.ends
    assert len(set(tree.ends)) == len(tree.ends)


def test_end_rooms_are_the_leaves() -> None:
    for seed in range(200):
        tree = grown(20, Stream(seed, "test").bits(coins_needed(20)))
        parents = {parent for cell, parent in tree.parents.items() if cell != 35}
        assert set(tree.ends) == set(tree.parents) - parents - {35}


# --- secret rooms ------------------------------------------------------------------------------------


@given(SEEDS)
@settings(max_examples=60)
def test_the_search_for_a_secret_room_is_the_articles(seed: int) -> None:
    """300 tries for three rooms beside it, 300 for two, 300 for one; never beside an end room."""
    tree = grown(12, Stream(seed, "coins").bits(coins_needed(12)))
    words = Stream(seed, "secret")
    expected = None
    for number in range(900):
        cell = CELLS[words.below(len(CELLS))]
        beside = sum(cell + step in tree.parents for step in STEPS)
        near_end = any(cell + step in tree.ends for step in STEPS)
        if cell not in tree.parents and not near_end and beside >= 3 - number // 300:
            expected = cell
            break
    stream = Stream(seed, "secret")
    assert secret_cell(tree, tree.ends, stream) == expected


def test_most_secret_rooms_touch_three_rooms() -> None:
    """Where the level has such cells: a small one, which is all end rooms, has few."""
    counts: Counter[int] = Counter()
    for seed in range(400):
        made = plan(seed, stage=8)
        (cell,) = oracle.secret_cells(made)
        counts[len(oracle.beside(cell, oracle.walked(made)))] += 1
    assert counts[3] + counts[4] > 0.75 * 400
    assert counts[0] == 0


def test_secret_rooms_lie_on_the_grid_in_all_rows() -> None:
    """(A known port looks in rows 2 to 9 of a grid with rows 0 to 7.)"""
    rows = {oracle.secret_cells(plan(seed, stage=8))[0][1] for seed in range(600)}
    assert rows <= set(range(8)) and len(rows) >= 7


# --- the whole floorplan -----------------------------------------------------------------------------


@given(SEEDS, st.integers(1, 11), st.sampled_from(["none", "labyrinth"]))
@settings(max_examples=150)
def test_every_rule_holds(seed: int, stage: int, curse: str) -> None:
    made = plan(seed, stage=stage, curse=curse)
    assert oracle.broken_rules(made, stage=stage, labyrinth=curse == "labyrinth") == []


@pytest.mark.parametrize("curse", ["none", "labyrinth"])
@pytest.mark.parametrize("seed", range(5))
def test_every_rule_holds_at_the_last_stage(seed: int, curse: str) -> None:
    made = plan(seed, stage=12, curse=curse)
    assert oracle.broken_rules(made, stage=12, labyrinth=curse == "labyrinth") == []


@pytest.mark.parametrize(("stage", "numbers"), [(1, {7, 8}), (2, {10, 11}), (4, {15, 16}), (12, {36, 37})])
def test_both_numbers_of_rooms_come(stage: int, numbers: set[int]) -> None:
    found = {rooms_wanted(IsaacSpec(stage=stage), False, seed)[1] for seed in range(60)}
    assert found == numbers


def test_the_boss_takes_the_last_end_room() -> None:
    """So it is one of the furthest, as long as the start does not come back on the queue."""
    for seed in range(300):
        made = plan(seed, stage=3)
        boss = next(room for room in made.rooms if room.kind == "boss")
        assert boss.depth == max(room.depth for room in made.rooms if room.kind != "secret")
    nearer = 0
    for seed in range(150):
        made = plan(seed, stage=8)
        boss = next(room for room in made.rooms if room.kind == "boss")
        nearer += boss.depth < max(room.depth for room in made.rooms if room.kind != "secret")
    assert nearer > 0


def test_special_rooms_take_random_end_rooms() -> None:
    """Neither the shop nor the treasure room always takes the nearest or the furthest end room."""
    order: Counter[int] = Counter()
    for seed in range(300):
        depths = {
            room.kind: room.depth for room in plan(seed, stage=3).rooms if room.kind in ("shop", "treasure")
        }
        order[(depths["shop"] > depths["treasure"]) - (depths["shop"] < depths["treasure"])] += 1
    assert min(order[1], order[-1]) > 60


def test_what_cannot_be_met_fails_with_reason_count_and_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isaac, "_MAX_TRIES", 30)
    with pytest.raises(
        GenerationFailed, match=r"^seed 5: no floorplan after 30 tries: too few rooms"
    ) as caught:
        plan(5, rooms=40)
    assert (caught.value.seed, caught.value.attempts, caught.value.stage) == (5, 30, "floorplan")
    assert str(caught.value).endswith("; ask for another number of rooms")


def test_without_a_number_of_rooms_the_remedy_is_another_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isaac, "_MAX_TRIES", 3)
    with pytest.raises(GenerationFailed, match=r"after 3 tries: .*; ask for another stage$"):
        plan(5, stage=12)


@given(SEEDS, st.integers(6, 25))
@settings(max_examples=40)
def test_the_number_of_rooms_can_be_given(seed: int, rooms: int) -> None:
    assert len(oracle.walked(plan(seed, rooms=rooms))) == rooms


def test_a_later_stage_does_not_disturb_the_floorplan() -> None:
    """What furnishes rooms draws from streams of its own, as does the choice of special rooms."""
    assert plan(9, champions=80, tinted_rocks=50) == plan(9)
    state = State(devil_room_visited=True)
    cells = [room.cells for room in plan(9, state=state).rooms if room.kind != "secret"]
    assert cells == [room.cells for room in plan(9).rooms if room.kind != "secret"]


# --- curses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stage", "hard", "cursed", "labyrinths"), [(1, False, 1 / 5, 1 / 30), (3, True, 1 / 3, 1 / 18)]
)
def test_random_curses_come_by_their_chance(stage: int, hard: bool, cursed: float, labyrinths: float) -> None:
    number = 6000
    spec = IsaacSpec(stage=stage, hard=hard, curse="random")
    found = Counter(isaac.draw_curse(spec, seed) for seed in range(number))
    assert found["none"] / number == pytest.approx(1 - cursed, abs=0.02)
    assert found["labyrinth"] / number == pytest.approx(labyrinths, abs=0.01)
    assert set(found) == {"none", "labyrinth", "lost", "darkness", "unknown", "maze", "blind"}


@pytest.mark.parametrize("stage", [2, 9])
def test_the_labyrinth_falls_on_early_first_stages_only(stage: int) -> None:
    spec = IsaacSpec(stage=stage, curse="random")
    assert "labyrinth" not in {isaac.draw_curse(spec, seed) for seed in range(2000)}


@given(SEEDS, st.integers(2, 8))
@settings(max_examples=60)
def test_the_labyrinths_bosses_stand_back_to_back(seed: int, stage: int) -> None:
    """The second touches nothing but the first, which is one of the six furthest end rooms."""
    made = plan(seed, stage=stage, curse="labyrinth")
    rooms = oracle.by_cell(made)
    bosses = [cell for cell, room in rooms.items() if room.kind == "boss"]
    ways = sorted(len(oracle.beside(cell, rooms)) for cell in bosses)
    assert ways == [1, 2]
    assert oracle.beside(bosses[0], bosses) == [bosses[1]]


def test_the_labyrinths_further_rooms_close_loops() -> None:
    """They are placed like secret rooms, beside several others."""
    loops = 0
    for seed in range(60):
        made = plan(seed, stage=5, curse="labyrinth")
        rooms = oracle.walked(made)
        doors = sum(door.kind != "secret" for door in made.doors)
        loops += doors > len(rooms) - 1
    assert loops > 50


# --- chances -----------------------------------------------------------------------------------------


def share(kind: str, number: int, **values: object) -> float:
    """How often a kind comes among levels where but for one in a hundred an end room is left for it."""
    spec = IsaacSpec(rooms=26, **values)  # type: ignore[arg-type]
    return (
        sum(any(room.kind == kind for room in isaac.floorplan(spec, seed).rooms) for seed in range(number))
        / number
    )


HURT = State(red_hearts=2, heart_containers=6)


@pytest.mark.parametrize(
    ("kind", "values", "chance"),
    [
        ("sacrifice", {"state": HURT}, 1 / 7),
        ("sacrifice", {}, 1 - 6 / 7 * 3 / 4),  # about 1 in 3 at full health
        ("library", {}, 1 / 20),
        ("library", {"state": State(book_picked_up=True)}, 1 - 19 / 20 * 3 / 4),
        ("curse", {}, 1 / 2),
        ("curse", {"state": State(devil_room_visited=True)}, 5 / 8),
        ("mini_boss", {"stage": 1}, 1 / 2),
        ("mini_boss", {"stage": 5}, 1 / 4),
        ("mini_boss", {"state": State(mini_boss_met=True)}, 0),
        ("challenge", {"stage": 1}, 0),
        ("boss_challenge", {"stage": 2}, 1 / 2),
        ("challenge", {"stage": 3}, 1),
        ("boss_challenge", {"stage": 4}, 1),
        ("boss_challenge", {"stage": 4, "state": HURT}, 0),
        ("arcade", {"stage": 2}, 0),
        ("arcade", {"stage": 1, "state": State(coins=9)}, 0),
        ("arcade", {"stage": 2, "state": State(coins=5)}, 9 / 10),
        ("vault", {"stage": 2, "state": State(coins=5)}, 1 / 10),
        ("vault", {"stage": 2, "state": State(coins=5, keys=2)}, 2 / 5),
        ("arcade", {"stage": 10, "state": State(coins=50)}, 0),
    ],
)
def test_special_rooms_come_by_their_chance(kind: str, values: dict[str, object], chance: float) -> None:
    """Within four standard deviations; the seeds are fixed, so this passes always or never.

    A thousand seeds tell each chance from those of the other rows, and from none.
    """
    number = 1000
    bound = 4 * (chance * (1 - chance) / number) ** 0.5
    assert share(kind, number, **values) == pytest.approx(chance, abs=bound + 0.01)


@pytest.mark.parametrize(
    ("rooms", "words"), [(1, 1), (15, 1), (16, 1), (17, 2), (29, 2), (30, 3), (40, 3), (60, 5)]
)
def test_growth_takes_four_bits_for_each_visit_and_from_seventeen_rooms_on_more_for_the_start(
    rooms: int, words: int
) -> None:
    """The draws that come after it begin there, so that another number would make other levels."""
    assert words_of_coins(rooms) == words
