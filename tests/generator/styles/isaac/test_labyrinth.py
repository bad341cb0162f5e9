"""The Curse of the Labyrinth: "one of the most interesting extras in the code is double sized maps"."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import IsaacSpec, State, generate
from generator.styles.grid.floorplan import Floorplan, PlannedRoom

from . import oracle
from .growing import rooms_wanted

SEEDS = st.integers(0, 2**64 - 1)
STAGES = st.integers(1, 9)


def labyrinth(seed: int, stage: int = 5, **values: object) -> Floorplan:
    return generate("isaac", seed, until="floorplan", stage=stage, curse="labyrinth", **values)


def second_boss(plan: Floorplan) -> int:
    """Its place; what comes before grew as a tree, what comes after was added."""
    return max(place for place, room in enumerate(plan.rooms) if room.kind == "boss")


def end_rooms(plan: Floorplan) -> list[PlannedRoom]:
    """Of the tree that grew: its leaves but the start, in the order in which they were placed."""
    grown = {room.cells[0]: room for room in plan.rooms[: second_boss(plan)]}
    return [
        room for cell, room in grown.items() if room.kind != "start" and len(oracle.beside(cell, grown)) == 1
    ]


@given(SEEDS, st.integers(1, 12))
@settings(max_examples=60)
def test_eighty_percent_more_rooms_at_most_45(seed: int, stage: int) -> None:
    plain, (_, wanted) = (rooms_wanted(IsaacSpec(stage=stage), curse, seed) for curse in (False, True))
    assert plain[0] - 5 - stage * 26 // 10 in (0, 1)
    assert wanted == min(45, plain[0] * 9 // 5)


@given(SEEDS, STAGES)
@settings(max_examples=40)
def test_it_has_as_many_rooms(seed: int, stage: int) -> None:
    wanted = rooms_wanted(IsaacSpec(stage=stage), True, seed)[1]
    plan = labyrinth(seed, stage)
    assert len(oracle.walked(plan)) == wanted
    assert len(plan.rooms) == wanted + 2  # and two secret rooms


@given(SEEDS, STAGES)
@settings(max_examples=60)
def test_two_boss_rooms_the_second_behind_the_first(seed: int, stage: int) -> None:
    plan = labyrinth(seed, stage)
    rooms = oracle.by_cell(plan)
    last_end = end_rooms(plan)[-1]
    behind = plan.rooms[second_boss(plan)]
    assert last_end.kind == "boss"
    assert oracle.beside(behind.cells[0], rooms) == [last_end.cells[0]]
    assert (behind.depth, behind.distance) == (last_end.depth + 1, (last_end.distance or 0) + 1)
    (door,) = [door for door in plan.doors if {door.a, door.b} >= {second_boss(plan)}]
    assert door.kind == "boss"


@given(SEEDS, STAGES)
@settings(max_examples=60)
def test_special_rooms_take_the_six_furthest_end_rooms(seed: int, stage: int) -> None:
    """The boss's, and five of the deepest others: fewer than five of those lie deeper than any of them."""
    plan = labyrinth(seed, stage)
    *others, boss = end_rooms(plan)
    assert boss.kind == "boss"
    special = [room for room in plan.rooms if room.kind not in ("start", "normal", "secret", "boss")]
    assert 4 <= len(special) <= 5
    for room in special:
        assert room in others
        assert sum(other.depth > room.depth for other in others) < 5


def test_nearer_end_rooms_stay_normal() -> None:
    """There are such, or the rule above would say nothing."""
    left = sum(room.kind == "normal" for seed in range(40) for room in end_rooms(labyrinth(seed, 7)))
    assert left > 40


@given(SEEDS, STAGES)
@settings(max_examples=40)
def test_shop_treasure_boss_and_secret_room_are_doubled(seed: int, stage: int) -> None:
    kinds = Counter(room.kind for room in labyrinth(seed, stage).rooms)
    assert [kinds[kind] for kind in ("boss", "shop", "treasure", "secret")] == [2, 2, 2, 2]
    assert kinds["start"] == 1


def test_one_end_room_is_left_for_chance_rooms_and_the_first_to_come_takes_it() -> None:
    """Boss, two shops and two treasure rooms take five of the six; "optional doubles" find no room."""
    found: Counter[str] = Counter()
    for seed in range(100):
        plan = labyrinth(seed, 7, state=State(coins=9))
        always = ("start", "normal", "boss", "shop", "treasure", "secret")
        by_chance = [room.kind for room in plan.rooms if room.kind not in always]
        assert len(by_chance) <= 1
        found.update(by_chance)
    assert found["sacrifice"] > 0 and found["curse"] > found["challenge"] > 0


@given(SEEDS, STAGES)
@settings(max_examples=40)
def test_further_rooms_are_normal_and_placed_like_secret_ones(seed: int, stage: int) -> None:
    """Each beside at least one room that was there before it, none beside a special room."""
    plan = labyrinth(seed, stage)
    place = second_boss(plan)
    there = {room.cells[0]: room for room in plan.rooms[: place + 1]}
    for room in plan.rooms[place + 1 :]:
        neighbours = oracle.beside(room.cells[0], there)
        assert neighbours
        assert {there[cell].kind for cell in neighbours} <= {"normal", "start"}
        assert room.kind in ("normal", "secret")
        if room.kind == "normal":
            there[room.cells[0]] = room
        else:
            assert room.distance is None


def test_further_rooms_touch_as_many_rooms_as_they_can() -> None:
    """Away from all end rooms; of 300 tries for each number of neighbours few miss a lone cell."""
    placed = missed = 0
    board = [(x, y) for x in range(1, 10) for y in range(8)]
    for seed in range(40):
        plan = labyrinth(seed, 7)
        ends = {room.cells[0] for room in (*end_rooms(plan), plan.rooms[second_boss(plan)])}
        cells = [room.cells[0] for room in plan.rooms]
        for number in range(second_boss(plan) + 1, len(cells) - 2):
            there = set(cells[:number])
            free = {cell for cell in board if cell not in there and not oracle.beside(cell, ends)}
            if cells[number] in free:  # where none was left, ends that stay normal are built upon
                most = max(len(oracle.beside(cell, there)) for cell in free)
                missed += min(len(oracle.beside(cells[number], there)), 3) < min(most, 3)
                placed += 1
    assert placed > 400
    assert missed < 0.03 * placed


@given(SEEDS, STAGES)
@settings(max_examples=40)
def test_distances_take_the_shorter_way_round_a_loop(seed: int, stage: int) -> None:
    """`depth` stays that of the tree: no way is longer than it."""
    for room in labyrinth(seed, stage).rooms:
        if room.distance is not None:
            assert room.distance <= room.depth
            assert (
                room.distance - room.depth
            ) % 2 == 0  # a board's ways between two cells: all odd or all even


def test_loops_do_shorten_some_ways() -> None:
    shorter = sum(
        room.distance is not None and room.distance < room.depth
        for seed in range(60)
        for room in labyrinth(seed, 7).rooms
    )
    assert shorter > 0


@pytest.mark.parametrize("stage", [1, 2, 5, 8])
def test_rooms_come_from_all_three_pools(stage: int) -> None:
    found = {
        room.difficulty
        for seed in range(8)
        for room in generate("isaac", seed, stage=stage, curse="labyrinth").rooms
        if room.kind == "normal"
    }
    assert found == {1, 5, 10}


@given(SEEDS, st.integers(14, 30))
@settings(max_examples=30)
def test_the_number_of_rooms_can_be_given(seed: int, rooms: int) -> None:
    assert len(oracle.walked(labyrinth(seed, 4, rooms=rooms))) == rooms
