"""Graphs: steps from a node, and minimum spanning trees.

E. F. Moore, "The shortest path through a maze" (1959). J. B. Kruskal, "On the shortest spanning subtree of a
graph and the traveling salesman problem" (1956).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def steps_from(start: T, beside: Mapping[T, Iterable[T]]) -> dict[T, int]:
    """Count the fewest steps from `start` to each node that can be reached, the nearest first.

    `beside` has the places that one step leads to from each; a place without an entry leads nowhere.
    """
    steps = {start: 0}
    queue = [start]
    for node in queue:
        for neighbour in beside.get(node, ()):
            if neighbour not in steps:
                steps[neighbour] = steps[node] + 1
                queue.append(neighbour)
    return steps


def neighbours_of(nodes: Iterable[T], edges: Iterable[tuple[T, T]]) -> dict[T, list[T]]:
    """List the nodes that edges join to each node."""
    beside: dict[T, list[T]] = {node: [] for node in nodes}
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    return beside


Edge = tuple[int, int]  # the lower number first


class UnionFind:
    """Disjoint sets of 0 .. count-1, with union by rank and path compression (Tarjan 1975)."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))
        self._ranks = [0] * count
        self.sets = count

    def find(self, item: int) -> int:
        """Find the root of `item`'s set."""
        parents = self._parents
        root = item
        while parents[root] != root:
            root = parents[root]
        while parents[item] != root:
            parents[item], item = root, parents[item]
        return root

    def union(self, a: int, b: int) -> bool:
        """Join the sets of a and b. Returns False if they are in one already."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._ranks[a] < self._ranks[b]:
            a, b = b, a
        self._parents[b] = a
        self._ranks[a] += self._ranks[a] == self._ranks[b]
        self.sets -= 1
        return True


def kruskal(count: int, edges: Iterable[Edge]) -> tuple[list[Edge], list[Edge]]:
    """Split edges between 0 .. count-1, lightest first, into a minimum spanning tree and the rest.

    Both keep the order of `edges`.
    """
    sets = UnionFind(count)
    tree: list[Edge] = []
    rest: list[Edge] = []
    for edge in edges:
        (tree if sets.union(*edge) else rest).append(edge)
    return tree, rest
