"""Which rooms are joined: the tree, and the loops."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree

from generator.algorithms.graph import UnionFind
from generator.kinds import SHIPPED
from generator.styles.gungeon.connect import connect, neighbours
from generator.styles.gungeon.floorplan import scatter
from generator.styles.gungeon.floorplan import separate_rooms as separate
from generator.styles.gungeon.furnishing.kit_tables import off_the_way
from generator.styles.gungeon.plan import Heap
from generator.styles.gungeon.spec import GungeonSpec
from tests.cases import for_each


def heap_of(seed: int, rooms: int = 0) -> Heap:
    return separate(scatter(GungeonSpec(rooms=rooms), 4, seed, 0), 4)


def of_points(kinds: tuple[str, ...], points: list[tuple[int, int]]) -> Heap:
    x, y = np.array(points, np.int64).T
    return Heap(kinds, x, y, np.full(len(x), 7), np.full(len(x), 7))


def lengths(heap: Heap, edges: list[tuple[int, int]]) -> list[int]:
    return [int(((heap.centres[a] - heap.centres[b]) ** 2).sum()) for a, b in edges]


@given(st.integers(1, 40), st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=80))
def test_union_find_against_sets(count: int, pairs: list[tuple[int, int]]) -> None:
    joined, groups = UnionFind(count), [{i} for i in range(count)]
    for a, b in ((a % count, b % count) for a, b in pairs):
        one, other = (next(group for group in groups if i in group) for i in (a, b))
        assert joined.union(a, b) is (one is not other)
        if one is not other:
            groups.remove(other)
            one |= other
        assert joined.sets == len(groups)
    for group in groups:
        assert len({joined.find(i) for i in group}) == 1
    assert len({joined.find(i) for i in range(count)}) == len(groups)


def test_union_find_stays_flat() -> None:
    joined = UnionFind(4096)
    for step in (1 << bit for bit in range(12)):
        for first in range(0, 4096, 2 * step):
            joined.union(first, first + step)
    assert max(joined._ranks) == 12
    joined.find(4095)
    assert joined._parents[4095] == joined.find(0)


@given(st.integers(0, 10_000), st.integers(1, 60))
@settings(max_examples=60)
def test_the_tree_reaches_every_room(seed: int, rooms: int) -> None:
    heap = heap_of(seed, rooms)
    connections = connect(GungeonSpec(rooms=rooms), heap, seed, 0)
    joined = UnionFind(rooms)
    assert all(joined.union(*edge) for edge in connections.tree)
    assert joined.sets == 1
    assert sorted(connections.tree + connections.spare) == neighbours(heap)


@for_each(seed=range(20))
def test_without_special_rooms_it_is_the_minimum_spanning_tree(seed: int) -> None:
    spec = GungeonSpec(
        rooms=40, shop_rooms=(0, 0), chest_rooms=(0, 0), boss_rooms=(0, 0), procedural_share=100
    )
    heap = separate(scatter(spec, 4, seed, 0), 4)
    edges = neighbours(heap)
    a, b = np.array(edges, np.int32).T  # the indexes that every scipy takes
    weights = coo_array((np.sqrt(lengths(heap, edges)), (a, b)), shape=(40, 40))
    tree = connect(spec, heap, seed, 0).tree
    assert np.sqrt(lengths(heap, tree)).sum() == pytest.approx(minimum_spanning_tree(weights).sum())


def test_hallways_meet_in_hubs() -> None:
    """A hub has more doors than other enemy rooms."""
    doors: dict[bool, list[int]] = {True: [], False: []}
    for seed in range(60):
        heap = heap_of(seed)
        ends = Counter(room for edge in connect(GungeonSpec(), heap, seed, 0).tree for room in edge)
        for room, layout in enumerate(heap.layouts):
            if layout is not None and heap.kinds[room] == "normal":
                doors["hub" in layout.layout.tags].append(ends[room])
    assert np.mean(doors[True]) > np.mean(doors[False]) + 0.3


def test_special_rooms_hang_on_the_tree_as_leaves() -> None:
    """Hardly ever a boss lies among shops alone; then the router finds another way."""
    others = 0
    for seed in range(100):
        heap = heap_of(seed)
        tree = connect(GungeonSpec(), heap, seed, 0).tree
        doors = Counter(room for edge in tree for room in edge)
        assert (0, heap.kinds.index("boss")) not in tree
        others += any(doors[room] > 1 for room, kind in enumerate(heap.kinds) if kind in off_the_way(SHIPPED))
    assert others <= 2


def test_a_shop_between_two_rooms_parts_them_not() -> None:
    """The triangulation of all three is a line; without the shop the others are neighbours."""
    heap = of_points(("start", "shop", "normal"), [(0, 0), (20, 0), (40, 0)])
    assert neighbours(heap) == [(0, 1), (0, 2), (1, 2)]
    assert connect(GungeonSpec(), heap, 0, 0).tree == [(0, 2), (0, 1)]


def test_a_boss_goes_where_the_start_is_not() -> None:
    heap = of_points(("start", "boss", "normal"), [(0, 0), (10, 0), (30, 40)])
    assert connect(GungeonSpec(), heap, 0, 0).tree == [(0, 2), (1, 2)]


@for_each(seed=range(60))
def test_loops_join_near_rooms_on_the_way(seed: int) -> None:
    spec = GungeonSpec(loop_length=35)
    heap = heap_of(seed)
    connections = connect(spec, heap, seed, 0)
    assert set(connections.loop_candidates) <= set(connections.spare)
    assert all(length <= (2 * 35) ** 2 for length in lengths(heap, connections.loop_candidates))
    assert {heap.kinds[room] for edge in connections.loop_candidates for room in edge} <= {"start", "normal"}
    count = len(connections.loop_candidates)
    assert -(-count * 6 // 100) <= connections.loops <= -(-count * 14 // 100)


def test_shares_of_loops() -> None:
    heap = heap_of(7)
    none, everything = (connect(GungeonSpec(loop_share=(n, n)), heap, 7, 0) for n in (0, 100))
    assert none.loops == 0
    assert everything.loops == len(everything.loop_candidates) > 5
    drawn = {connect(GungeonSpec(), heap, seed, 0).loops for seed in range(40)}
    assert len(drawn) > 1
    orders = {tuple(connect(GungeonSpec(), heap, seed, 0).loop_candidates) for seed in range(5)}
    assert len(orders) == 5


def test_kruskal_takes_the_shortest_first() -> None:
    heap = of_points(("start", *["normal"] * 5), [(0, 0), (10, 0), (25, 0), (45, 0), (70, 0), (100, 1)])
    tree = connect(GungeonSpec(), heap, 0, 0).tree
    assert tree == list(pairwise(range(6)))
