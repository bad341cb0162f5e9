"""Orthogonal drawings and compaction: what must hold for any planar graph."""

from __future__ import annotations

from itertools import pairwise

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms.compaction import RectRow
from generator.algorithms.orthogonal import orthogonal_drawing, points_to
from tests.generator.styles.gungeon.flows.plans import planar_graph


def _embedded(graph: networkx.Graph[int]) -> list[list[int]]:
    embedding: networkx.PlanarEmbedding[int] = networkx.check_planarity(graph)[1]
    return [[*embedding.neighbors_cw_order(node)][::-1] for node in range(len(graph))]


def _of_four(seed: int, rooms: int, extra: int) -> networkx.Graph[int]:
    """A planar graph whose nodes have two to four edges."""
    graph: networkx.Graph[int] = networkx.Graph(planar_graph(seed, rooms, extra))
    while over := [node for node, degree in graph.degree if degree > 4]:
        graph.remove_edge(over[0], min(graph[over[0]]))
    core: networkx.Graph[int] = networkx.k_core(graph, 2)
    largest = max(networkx.connected_components(core), key=len, default=set())
    return networkx.convert_node_labels_to_integers(core.subgraph(largest), ordering="sorted")


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 30), st.integers(2, 40), st.integers(0, 7))
def test_no_two_edges_meet_and_straight_ones_are_straight(
    seed: int, rooms: int, extra: int, outer: int
) -> None:
    graph = _of_four(seed, rooms, extra)
    if not graph:
        return
    straight: set[tuple[int, int]] = networkx.maximal_matching(graph)
    points, bends = orthogonal_drawing(_embedded(graph), straight, outer)
    cells = [*points]
    for a, b in graph.edges:
        line = [points[min(a, b)], *bends[min(a, b), max(a, b)], points[max(a, b)]]
        assert (a, b) not in straight or len(line) == 2
        assert all((x == to_x) != (y == to_y) for (x, y), (to_x, to_y) in pairwise(line))
        cells += [cell for start, end in pairwise(line) for cell in points_to(start, end)][:-1]
    assert len(cells) == len(set(cells))


@pytest.mark.parametrize(
    ("graph", "bends"),
    [
        (networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(4, 5), ordering="sorted"), 0),
        (networkx.cycle_graph(3), 1),
        (networkx.complete_graph(4), 4),
        (networkx.octahedral_graph(), 12),
    ],
)
def test_there_are_as_few_bends_as_can_be(graph: networkx.Graph[int], bends: int) -> None:
    """Of the octahedron it is known that no drawing has fewer than 12 (Tamassia, 1987, and others)."""
    drawn = [orthogonal_drawing(_embedded(graph), (), outer)[1] for outer in range(8)]
    assert min(sum(map(len, of_edges.values())) for of_edges in drawn) == bends


_RECT = st.tuples(st.integers(0, 30), st.integers(1, 6), st.integers(0, 12), st.integers(1, 6))


@settings(max_examples=80, deadline=None)
@given(st.lists(_RECT, min_size=1, max_size=12), st.integers(0, 3), st.randoms(use_true_random=False))
def test_what_is_drawn_together_keeps_its_order_and_distance(
    rects: list[tuple[int, int, int, int]], space: int, random: object
) -> None:
    apart: list[tuple[int, int, int, int]] = []
    for start, length, low, high in rects:
        clear = all(
            start >= s + n + space
            or s >= start + length + space
            or low >= a + b + space
            or a >= low + high + space
            for s, n, a, b in apart
        )
        apart += [(start, length, low, high)] * clear
    starts, lengths, lows, highs = (list(column) for column in zip(*apart, strict=True))
    ends = [low + high for low, high in zip(lows, highs, strict=True)]
    row = RectRow(starts, lengths, lows, ends, range(len(starts)), [space] * len(starts), ())
    assert row.is_valid
    moved = row.tighten([(0, len(starts) - 1)] if len(starts) > 1 else []).tolist()
    assert min(moved) >= 0
    assert max(map(sum, zip(moved, lengths, strict=True))) <= max(map(sum, zip(starts, lengths, strict=True)))
    for i in range(len(starts)):
        for j in range(i):
            if lows[i] < ends[j] + space and lows[j] < ends[i] + space:
                a, b = sorted((i, j), key=starts.__getitem__)
                assert moved[a] + lengths[a] + space <= moved[b]
