"""Whole floorplans of the heap, over seeds and sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.errors import GenerationFailed, SpecError
from generator.geometry import Rect
from generator.level import MARGIN
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.plan import HeapPlan
from generator.styles.gungeon.spec import GungeonSpec
from tests.combinations import usually

SPEC = GungeonSpec()
BY_CHANCE = GungeonSpec(flow="random")
SIZES = [*range(1, 31), 50, 100, 200]


def plans(sizes: list[int], seeds: int) -> Iterator[HeapPlan]:
    for rooms in sizes:
        for seed in range(seeds):
            yield floorplan(replace(SPEC, rooms=rooms), seed)


def distances(plan: HeapPlan, *, loops: bool = True) -> list[int | None]:
    """By a search of our own."""
    found: dict[int, int] = {0: 0}
    for step in range(len(plan.rooms)):
        for hallway in plan.hallways:
            rooms = {end.room for end in hallway.ends}
            if loops or not hallway.is_loop:
                for room in rooms:
                    if found.get(room) == step:
                        for other in rooms - {room}:
                            found.setdefault(other, step + 1)
    return [found.get(room) for room in range(len(plan.rooms))]


def test_every_room_is_reached_and_tells_how_far_it_is() -> None:
    for plan in plans(SIZES, 1):
        assert [room.distance for room in plan.rooms] == distances(plan)
        assert [room.depth for room in plan.rooms] == distances(plan, loops=False)


def test_rooms_lie_apart_and_inside_the_level() -> None:
    for plan in plans([1, 2, 20, 50], 5):
        width, height = plan.size
        inner = Rect(MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN)
        taken = np.zeros((height, width), np.uint8)
        for room in plan.rooms:
            taken[room.bounds.slices] += 1
        for hallway in plan.hallways:
            for x, y in hallway.tiles:
                taken[y, x] += 1
                assert inner.contains(x - 1, y - 1) and inner.contains(x + 1, y + 1)  # its walls
        assert taken.max() == 1
        ys, xs = np.nonzero(taken)
        assert inner.contains(int(xs.min()), int(ys.min())) and inner.contains(int(xs.max()), int(ys.max()))


def test_the_boss_is_far_and_on_a_dead_end() -> None:
    for plan in plans([2, 3, 5, 8, 18, 30, 60], 5):
        doors = Counter(end.room for hallway in plan.hallways for end in hallway.ends)
        boss = next(place for place, room in enumerate(plan.rooms) if room.kind == "boss")
        assert doors[boss] == 1
        assert 3 * plan.rooms[boss].distance >= 2 * max(room.distance for room in plan.rooms)
        assert plan.rooms[boss].distance > 1 or len(plan.rooms) == 2


def has_boss_beside_start(plan: HeapPlan) -> bool:
    return any(
        {plan.rooms[end.room].kind for end in hallway.ends} == {"start", "boss"} for hallway in plan.hallways
    )


def least_and_most(limit: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, limit), st.integers(0, limit)).map(lambda pair: (min(pair), max(pair)))


@given(
    st.integers(0, 2**64 - 1),
    st.sampled_from([0, 0, *range(3, 13)]),
    least_and_most(6),
    least_and_most(2),
    least_and_most(3),
    st.sampled_from([1, 2, 3, 5]),
    st.sampled_from(["strip", "square", "disc"]),
    st.sampled_from([(15, 17), (28, 34), (60, 63)]),
)
@settings(max_examples=150)
@example(1, 0, (60, 60), (1, 1), (0, 0), 2, "strip", (28, 34))
def test_no_boss_is_beside_the_start_unless_all_other_rooms_are_bosses(
    seed: int,
    rooms: int,
    bosses: tuple[int, int],
    shops: tuple[int, int],
    chests: tuple[int, int],
    hallway_width: int,
    drop: str,
    boss_size: tuple[int, int],
) -> None:
    spec = GungeonSpec(
        rooms=rooms,
        boss_rooms=bosses,
        shop_rooms=shops,
        chest_rooms=chests,
        enemy_rooms=(0, 2),
        hallway_width=hallway_width,
        drop=drop,
        boss_width=boss_size,
        boss_height=boss_size,
    )
    plan = floorplan(spec, seed)
    assert not has_boss_beside_start(plan) or {room.kind for room in plan.rooms} == {"start", "boss"}
    assert [room.distance for room in plan.rooms] == distances(plan)


@pytest.mark.parametrize("drop", usually(["strip"], ["strip", "square", "disc"]))
def test_rooms_are_dropped_again_where_a_boss_came_beside_the_start(
    drop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = GungeonSpec(rooms=7, hallway_width=4, drop=drop, boss_rooms=(3, 3))
    with monkeypatch.context() as patch:
        patch.setattr(f"{floorplan.__module__}._has_boss_beside_start", lambda *_: False)
        seeds = [seed for seed in range(30) if has_boss_beside_start(floorplan(spec, seed))]
    assert seeds
    assert not any(has_boss_beside_start(floorplan(spec, seed)) for seed in seeds)


def test_shops_and_chests_lie_off_the_way() -> None:
    for seed in range(40):
        plan = floorplan(replace(BY_CHANCE, rooms=(18, 60)[seed % 2]), seed)
        doors = Counter(end.room for hallway in plan.hallways for end in hallway.ends)
        assert all(
            doors[place] == 1 for place, room in enumerate(plan.rooms) if room.kind in ("shop", "chest")
        )


def test_a_level_has_one_to_three_loops() -> None:
    """As the levels of the game that it is named after, of 17 to 20 rooms (Edgar's map descriptions)."""
    loops = Counter(floorplan(BY_CHANCE, seed).facts["loops"] for seed in range(150))
    assert set(loops) <= {1, 2, 3}
    assert min(loops[1], loops[3]) > 3


def test_loops_are_counted_beyond_the_tree() -> None:
    for plan in plans([10, 40], 10):
        assert plan.facts["loops"] == len(plan.hallways) - len(plan.rooms) + 1
        assert plan.facts["loops"] == sum(hallway.is_loop for hallway in plan.hallways)
    assert floorplan(replace(SPEC, loop_share=(0, 0)), 3).facts["loops"] == 0


def test_two_runs_are_equal_and_seeds_differ() -> None:
    assert floorplan(SPEC, 7) == floorplan(SPEC, 7)
    assert len({floorplan(SPEC, seed).size for seed in range(10)}) == 10


def test_the_largest_rooms() -> None:
    large = {
        f"{kind}_{side}": (63, 63) for kind in ("enemy", "chest", "boss") for side in ("width", "height")
    }
    plan = floorplan(replace(SPEC, rooms=20, hallway_width=5, **large), 1)
    assert [room.distance for room in plan.rooms] == distances(plan)


def test_more_rooms_than_a_level_has_tiles_for() -> None:
    large = {f"enemy_{side}": (63, 63) for side in ("width", "height")}
    with pytest.raises(
        SpecError, match=r"^rooms: [\d,]+ rooms of these sizes take .*; ask for fewer or smaller"
    ):
        floorplan(replace(SPEC, rooms=10_000, **large), 1)


def test_a_plan_that_cannot_be_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.styles.gungeon.floorplan.route", lambda *_: None)
    with pytest.raises(
        GenerationFailed, match=r"^seed 5: no gungeon floorplan after 40 tries: a room could not be reached$"
    ):
        floorplan(SPEC, 5)


@pytest.mark.soak
def test_many_seeds_and_sizes() -> None:
    for plan in plans(SIZES, 60):
        assert [room.distance for room in plan.rooms] == distances(plan)


@pytest.mark.soak
@pytest.mark.parametrize("drop", ["strip", "square"])
def test_as_many_rooms_as_a_spec_can_ask_for(drop: str) -> None:
    """(A disc of as many has corners without rooms, and more tiles than a level may have.)"""
    plan = floorplan(replace(SPEC, rooms=10_000, drop=drop), 1)
    assert len(plan.rooms) == 10_000
    assert min(room.distance for room in plan.rooms[1:]) > 0
