"""Union-find: which things belong together, while they are joined pair by pair."""

from __future__ import annotations


class UnionFind:
    """Disjoint sets of 0 .. count-1, with union by rank and path compression (Tarjan 1975)."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))
        self._ranks = [0] * count
        self.sets = count

    def find(self, item: int) -> int:
        """The item that stands for `item`'s set."""
        parents = self._parents
        root = item
        while parents[root] != root:
            root = parents[root]
        while parents[item] != root:
            parents[item], item = root, parents[item]
        return root

    def union(self, a: int, b: int) -> bool:
        """Make one set of a's and b's; False if they are one already."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._ranks[a] < self._ranks[b]:
            a, b = b, a
        self._parents[b] = a
        self._ranks[a] += self._ranks[a] == self._ranks[b]
        self.sets -= 1
        return True
