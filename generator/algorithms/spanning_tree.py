"""A minimum spanning tree, and the disjoint sets that it needs.

J. B. Kruskal, "On the shortest spanning subtree of a graph and the traveling salesman problem" (1956).
"""

from __future__ import annotations

from collections.abc import Iterable

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
