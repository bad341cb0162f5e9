"""Parts of a graph: connected, of the sizes asked for, and joined by few edges."""

from __future__ import annotations

from collections import Counter

import networkx
import pytest

from generator.algorithms.graph import Edge
from generator.algorithms.tree_parts import part_around, tree_parts
from generator.rng import Stream


def graph_of(seed: int, count: int) -> tuple[list[Edge], list[Edge]]:
    """A random tree in which each node is joined to one of the five before it, and some loops."""
    stream = Stream(seed, "graph")
    tree = [(max(0, node - 1 - stream.below(5)), node) for node in range(1, count)]
    ends = [(stream.below(count), stream.below(count)) for _ in range(count // 8)]
    loops = [(min(a, b), max(a, b)) for a, b in ends if a != b and (min(a, b), max(a, b)) not in tree]
    return tree, loops


@pytest.mark.parametrize("seed", range(12))
def test_parts_are_connected_and_about_as_large_as_asked(seed: int) -> None:
    count = 30 + 37 * seed
    tree, _ = graph_of(seed, count)
    parts = tree_parts(count, tree, 15, 25)
    graph = networkx.Graph(tree)
    sizes = Counter(parts)
    assert sorted(sizes) == list(range(len(sizes))) and parts[0] == 0
    for part in sizes:
        assert networkx.is_connected(graph.subgraph([node for node in graph if parts[node] == part]))
    assert min(sizes.values()) >= 8 or len(sizes) == 1
    assert sum(size <= 25 for size in sizes.values()) >= 0.8 * len(sizes)
    borders = Counter(frozenset((parts[a], parts[b])) for a, b in tree if parts[a] != parts[b])
    assert sum(borders.values()) == len(sizes) - 1, "one edge of the tree leads into each part"


def test_a_star_is_cut_where_it_can_be() -> None:
    """A middle with three branches of ten: none is large enough alone."""
    tree = [(0 if node % 10 == 1 else node - 1, node) for node in range(1, 31)]
    parts = tree_parts(31, tree, 15, 25)
    assert sorted(Counter(parts).values()) == [10, 21]


@pytest.mark.parametrize("seed", range(12))
def test_a_part_around_a_node_is_connected_and_leaves_few_ways_out(seed: int) -> None:
    tree, loops = graph_of(seed, 20)
    edges, graph = [*tree, *loops], networkx.Graph([*tree, *loops])
    part = part_around(19, 20, edges, 6)
    assert 19 in part and 0 not in part and len(part) <= 6
    assert networkx.is_connected(graph.subgraph(part))
    assert len(part) == 1 or sum((a in part) != (b in part) for a, b in edges) <= 3


def test_dead_ends_come_first() -> None:
    #  0 - 1 - 2 - 3   with the dead ends 4 and 5 at 2
    edges = [(0, 1), (1, 2), (2, 3), (2, 4), (2, 5)]
    assert part_around(3, 6, edges, 4) == {2, 3, 4, 5}
    assert part_around(3, 6, edges, 1) == {3}
