"""Hallways: straight where they can be, round what stands in between, and never through or along it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms.astar import BEND
from generator.geometry import Rect, Side
from generator.styles.gungeon.connect import Connections, LoopFinder
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.plan import GungeonRoom, Heap, HeapPlan, RoutedHallway
from generator.styles.gungeon.route import FAR, OF_LOOPS, Limit, Router, border, route
from generator.styles.gungeon.spec import GungeonSpec

SPEC = GungeonSpec()


def rooms_at(*rects: tuple[int, int, int, int], width: int = 2) -> list[Rect]:
    """Rooms with enough space round them."""
    return [Rect(x + border(width), y + border(width), w, h) for x, y, w, h in rects]


def laid(rects: list[Rect], *edges: tuple[int, int], width: int = 2) -> list[RoutedHallway]:
    router = Router(rects, width)
    for edge in edges:
        assert router.lay(edge)
    return router.hallways


def bends(way: RoutedHallway) -> int:
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(way.path)]
    return sum(one != other for one, other in pairwise(steps))


# --- by hand -----------------------------------------------------------------------------------------


def test_rooms_that_face_each_other_are_joined_straight() -> None:
    (way,) = laid(rooms_at((0, 0, 10, 10), (16, 3, 10, 10)), (0, 1))
    assert bends(way) == 0
    first, last = way.ends
    assert (first.side, last.side) == (Side.EAST, Side.WEST)
    assert [y for _, y in first.tiles] == [y for _, y in last.tiles]
    assert way.planned(0, 0).tiles == tuple(
        (x + border(2), y) for y in (y for _, y in first.tiles) for x in range(10, 16)
    )


def test_the_entrance_lies_as_near_to_both_middles_as_it_can() -> None:
    (way,) = laid(rooms_at((0, 0, 20, 10), (8, 14, 20, 10)), (0, 1))
    assert [x - border(2) for x, _ in way.ends[0].tiles] == [13, 14]  # the middles are 10 and 18


def test_rooms_that_face_each_other_too_little_get_one_bend() -> None:
    (way,) = laid(rooms_at((0, 0, 10, 10), (20, 20, 10, 10)), (0, 1))
    assert bends(way) == 1


def test_a_side_that_has_its_entrance_makes_the_next_hallway_go_round() -> None:
    """Three rooms to the right of one: each side of a room has but one entrance, as long as one is free."""
    rects = rooms_at((0, 10, 10, 10), (20, 0, 8, 8), (20, 12, 8, 8), (20, 24, 8, 8))
    ways = laid(rects, (0, 2), (0, 1), (0, 3))
    assert {way.ends[0].side for way in ways} == {Side.EAST, Side.NORTH, Side.SOUTH}


def test_when_all_four_are_taken_entrances_are_added() -> None:
    rects = rooms_at(
        (20, 20, 12, 12), (0, 21, 10, 10), (40, 21, 10, 10), (21, 0, 10, 10), (21, 40, 10, 10), (0, 0, 10, 10)
    )
    ways = laid(rects, (0, 1), (0, 2), (0, 3), (0, 4), (0, 5))
    doors = [way.ends[0] for way in ways]
    assert {door.side for door in doors[:4]} == set(Side)
    assert len({door.tiles for door in doors}) == 5
    assert not set(doors[4].tiles) & {tile for door in doors[:4] for tile in door.tiles}


def test_a_hallway_goes_round_a_room_in_between() -> None:
    rects = rooms_at((0, 0, 10, 10), (14, 0, 10, 10), (28, 0, 10, 10))
    (way,) = laid(rects, (0, 2))
    assert bends(way) >= 2
    near = rects[1].shrunk(-1)
    assert not any(near.contains(*tile) for tile in way.planned(0, 0).tiles)


def test_a_hallway_costs_no_more_than_the_most_of_its_limit() -> None:
    """Round a room in between, 18 tiles away, with two bends at least."""
    rects = rooms_at((0, 0, 10, 10), (14, 0, 10, 10), (28, 0, 10, 10))
    (way,) = laid(rects, (0, 2))
    cost = len(way.path) - 3 + BEND * bends(way)
    assert Router(rects, 2).lay((0, 2), Limit(2, 40, cost))
    assert not Router(rects, 2).lay((0, 2), Limit(2, 40, 17 + 2 * BEND))


def in_a_row(count: int) -> Heap:
    """Rooms side by side, the first of them the start."""
    x = np.arange(count) * 14 + border(2)
    return Heap(
        ("start", *["normal"] * (count - 1)), x, np.full(count, 9), np.full(count, 9), np.full(count, 9)
    )


def refuse(monkeypatch: pytest.MonkeyPatch, *rooms: int) -> None:
    """Let no way be found between room 0 and any of these rooms."""
    lay = Router.lay
    monkeypatch.setattr(
        Router,
        "lay",
        lambda self, edge, limit: not (edge[0] == 0 and edge[1] in rooms) and lay(self, edge, limit),
    )


def joined(ways: list[RoutedHallway] | None) -> list[tuple[int, int]]:
    assert ways is not None
    return [(way.ends[0].room, way.ends[1].room) for way in ways]


def test_where_no_way_leads_the_next_edge_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = Connections([(0, 1), (1, 2)], [(0, 2)], [], 0)
    assert joined(route(in_a_row(3), connections, 2)) == [(0, 1), (1, 2)]
    refuse(monkeypatch, 1)
    assert joined(route(in_a_row(3), connections, 2)) == [(1, 2), (0, 2)]


def test_a_plan_with_an_unreachable_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, 1, 2)
    assert route(in_a_row(3), Connections([(0, 1), (1, 2)], [(0, 2)], [], 0), 2) is None


def test_a_plan_is_given_up_at_its_first_hallway_that_is_too_long() -> None:
    """In the tree and in loops: the one between the ends of the row is the longest."""
    plain, with_loop = (
        Connections([(room, room + 1) for room in range(5)], [], loops, len(loops))
        for loops in ([], [(0, 5)])
    )
    ways = route(in_a_row(6), with_loop, 2)
    assert ways is not None
    *tree, loop = (len(way.path) for way in ways)
    assert loop > max(tree)
    assert route(in_a_row(6), with_loop, 2, longest=loop) == ways
    assert route(in_a_row(6), with_loop, 2, longest=loop - 1) is None
    assert route(in_a_row(6), plain, 2, longest=max(tree)) == ways[:-1]
    assert route(in_a_row(6), plain, 2, longest=max(tree) - 1) is None


def test_loops_come_in_their_order_as_many_as_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of fewer than five rooms are left out, also if a loop before them is why."""
    tree = [(room, room + 1) for room in range(10)]
    connections = Connections(tree, [], [(0, 3), (1, 5), (0, 4), (6, 10), (5, 9)], 2)
    ways = route(in_a_row(11), connections, 2)
    assert joined(ways)[10:] == [(1, 5), (6, 10)]
    assert [way.is_loop for way in ways or ()] == [False] * 10 + [True] * 2
    refuse(monkeypatch, 4)
    connections = connections._replace(loop_candidates=[(0, 4), (0, 5), (2, 6)])
    assert joined(route(in_a_row(11), connections, 2))[10:] == [(0, 5), (2, 6)]


def test_the_way_to_the_boss_gets_the_first_loop() -> None:
    """The boss is at the end of a row; a branch that does not lead there could have a loop too."""
    heap = in_a_row(10)._replace(kinds=("start", *["normal"] * 8, "boss"))
    tree = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 6), (6, 7), (7, 8), (0, 9)]
    finder = LoopFinder(10, tree)
    assert finder.in_order([(1, 5), (2, 9), (6, 8)], heap.kinds) == [(2, 9), (1, 5), (6, 8)]
    assert [finder.is_worth_it(edge) for edge in ((1, 5), (2, 5), (6, 8))] == [True, False, False]


def test_a_shop_never_leads_to_the_next_room() -> None:
    """Were it not for its kind, the edge through it would be the next to be taken."""
    heap = in_a_row(4)._replace(kinds=("start", "shop", "normal", "normal"))
    connections = Connections([(0, 1), (1, 2), (2, 3)], [(0, 2)], [], 0)
    assert joined(route(heap, connections, 2)) == [(0, 1), (2, 3), (0, 2)]


def test_long_ways_round_come_last() -> None:
    """A high room stands between two others."""
    rects = rooms_at((0, 40, 9, 9), (13, 0, 9, 90), (26, 40, 9, 9))
    router = Router(rects, 2)
    assert not router.lay((0, 2))
    assert not router.lay((0, 2), OF_LOOPS)
    assert router.lay((0, 2), FAR)
    assert len(router.hallways[0].path) > 80


def test_nothing_leads_out_of_a_ring_of_rooms_until_one_is_gone() -> None:
    inner, outer = (40, 40, 9, 9), (100, 40, 9, 9)
    ring = [(0, 0, 89, 9), (0, 80, 89, 9), (0, 10, 9, 69), (80, 10, 9, 69)]
    assert not Router(rooms_at(inner, outer, *ring), 2).lay((0, 1), FAR)
    assert Router(rooms_at(inner, outer, *ring[:3]), 2).lay((0, 1), FAR)


@given(st.integers(0, 40), st.integers(0, 60), *[st.integers(5, 20)] * 4, st.integers(1, 4))
@settings(max_examples=60)
def test_a_limit_as_low_as_the_cost_is_enough(
    x: int, y: int, w: int, h: int, w2: int, h2: int, width: int
) -> None:
    """Nothing is given up as too far that is not."""
    rects = rooms_at((0, 30, w, h), (w + width + 2 + x, y, w2, h2), width=width)
    router = Router(rects, width)
    if router.lay((0, 1), FAR):
        (way,) = router.hallways
        cost = len(way.path) - 3 + BEND * bends(way)
        assert Router(rects, width).lay((0, 1), Limit(0, cost))


# --- of whole plans ----------------------------------------------------------------------------------


def check(plan: HeapPlan, width: int) -> None:
    """All that the hallways of a plan promise."""
    owner: dict[tuple[int, int], int] = {}
    for number, hallway in enumerate(plan.hallways):
        for tile in hallway.tiles:
            assert tile not in owner, "a tile of two hallways"
            owner[tile] = number
    for (x, y), number in owner.items():
        for near in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            assert owner.get(near, number) == number, "hallways touch"
    for number, hallway in enumerate(plan.hallways):
        own = {end.room for end in hallway.ends}
        for place, room in enumerate(plan.rooms):
            near = room.bounds if place in own else room.bounds.shrunk(-1)
            assert not any(near.contains(*tile) for tile in hallway.tiles), "in a room, or along its wall"
        for end in hallway.ends:
            bounds = plan.rooms[end.room].bounds
            assert len(end.tiles) == width
            for x, y in end.tiles:
                assert bounds.contains(x, y)
                assert not bounds.contains(x + end.side.dx, y + end.side.dy)
                assert owner[x + end.side.dx, y + end.side.dy] == number
                along = (
                    (x - bounds.x, bounds.width)
                    if end.side.is_vertical_way
                    else (y - bounds.y, bounds.height)
                )
                assert 0 < along[0] < along[1] - 1, "in a corner"
    doors = [tile for hallway in plan.hallways for end in hallway.ends for tile in end.tiles]
    assert len(doors) == len(set(doors))


@pytest.mark.parametrize("width", range(1, 6))
def test_hallways_along_the_edge_of_the_grid(width: int) -> None:
    """Arcs round arcs go round a row of high rooms, above and below by turns, as many as there is space for."""
    count = 14
    rects = rooms_at(*[(number * (14 + width), 0, 12, 40) for number in range(count)], width=width)
    router = Router(rects, width)
    for number in reversed(range(count // 2)):
        router.lay((number, count - 1 - number), FAR)
    rooms = tuple(GungeonRoom("normal", rect, 0, 0) for rect in rects)
    check(HeapPlan((0, 0), rooms, tuple(way.planned(0, 0) for way in router.hallways), {}), width)
    assert min(y for way in router.hallways for _, y in way.path) <= 2  # the outermost runs along it


@given(
    st.integers(0, 1 << 32),
    st.integers(1, 40),
    st.integers(1, 5),
    st.sampled_from(["strip", "square", "disc"]),
)
@settings(max_examples=60)
def test_hallways_of_any_plan(seed: int, rooms: int, width: int, drop: str) -> None:
    check(floorplan(replace(SPEC, rooms=rooms, hallway_width=width, drop=drop), seed), width)


def ranges(least: int, most: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(least, most), st.integers(least, most)).map(
        lambda ends: (min(ends), max(ends))
    )


SIDES = st.sampled_from([10, 16, 30, 63]).flatmap(lambda most: ranges(7, most))
BOSS_SIDES = ranges(15, 40)


@given(
    st.integers(0, 1 << 32),
    st.builds(
        GungeonSpec,
        rooms=st.sampled_from([0, 3, 9, 25, 60]),
        enemy_rooms=ranges(0, 20),
        chest_rooms=ranges(0, 6),
        shop_rooms=ranges(0, 6),
        boss_rooms=ranges(0, 3),
        enemy_width=SIDES,
        enemy_height=SIDES,
        chest_width=SIDES,
        chest_height=SIDES,
        start_width=SIDES,
        start_height=SIDES,
        boss_width=BOSS_SIDES,
        boss_height=BOSS_SIDES,
        drop=st.sampled_from(["strip", "square", "disc"]),
        hallway_width=st.integers(1, 5),
        loop_share=st.sampled_from([(0, 0), (6, 14), (100, 100)]),
        loop_length=st.sampled_from([0, 44, 1000]),
    ),
)
@settings(max_examples=60)
def test_hallways_of_any_spec(seed: int, spec: GungeonSpec) -> None:
    """Every spec has a plan, and its hallways keep their promises however many of them there are."""
    check(floorplan(spec, seed), spec.hallway_width)


@pytest.mark.parametrize("width", [1, 2, 5])
def test_hallways_of_a_large_plan(width: int) -> None:
    check(floorplan(replace(SPEC, rooms=200, hallway_width=width), 7), width)


@pytest.mark.parametrize("width", [1, 3, 5])
def test_the_smallest_rooms(width: int) -> None:
    small = {
        f"{kind}_{side}": (7, 7)
        for kind in ("enemy", "chest", "shop", "start")
        for side in ("width", "height")
    }
    spec = replace(SPEC, rooms=30, hallway_width=width, boss_width=(15, 15), boss_height=(15, 15), **small)
    for seed in range(5):
        check(floorplan(spec, seed), width)


def test_most_hallways_are_short_and_straight() -> None:
    """What makes a cluster of rooms of them, and no maze of hallways."""
    ways = [way for seed in range(40) for way in floorplan(SPEC, seed).hallways]
    straight = sum(len({x for x, _ in way.path}) == 1 or len({y for _, y in way.path}) == 1 for way in ways)
    assert straight > 0.6 * len(ways)
    assert np.median([len(way.path) for way in ways]) < 8
    assert np.percentile([len(way.path) for way in ways], 95) < 40


def test_every_loop_of_a_level_has_five_rooms_or_more() -> None:
    """So none is a triangle, and each shortens a walk through three rooms or more."""
    loops = 0
    for seed in range(25):
        plan = floorplan(GungeonSpec(loop_share=(30, 60)), seed)
        joined = networkx.Graph(plan.connections)
        assert joined.number_of_edges() == len(plan.connections)
        found = networkx.minimum_cycle_basis(joined)
        assert len(found) == plan.facts["loops"]
        assert all(len(loop) >= 5 for loop in found), seed
        loops += len(found)
    assert loops > 25
