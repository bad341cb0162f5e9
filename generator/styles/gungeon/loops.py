"""Loops of a level without a flow: which extra connections are worth having.

A loop is worth having if it shortens a walk: it has five rooms or more, so that without it one walks through
three rooms or more from one end of its connection to the other. Loops that offer an alternative on the path
to the boss come first.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.algorithms.spanning_tree import Edge
from generator.styles.gungeon.room_kinds import BOSS

_MIN_STEPS = 4  # between the ends of the closing connection: then the loop has five rooms


class LoopFinder:
    """The connections laid so far, and which others would close a loop worth having."""

    def __init__(self, rooms: int, tree: Sequence[Edge]) -> None:
        self._beside: list[list[int]] = [[] for _ in range(rooms)]
        for edge in tree:
            self.add(edge)
        self._parent = [-1] * rooms
        self._depth = [0] * rooms
        queue = [0]
        for room in queue:
            for neighbour in self._beside[room]:
                if neighbour != self._parent[room]:
                    self._parent[neighbour], self._depth[neighbour] = room, self._depth[room] + 1
                    queue.append(neighbour)

    def add(self, edge: Edge) -> None:
        """Add a connection that was laid."""
        a, b = edge
        self._beside[a].append(b)
        self._beside[b].append(a)

    def in_order(self, candidates: Sequence[Edge], kinds: Sequence[str]) -> list[Edge]:
        """Sort edges: those whose loops share a connection with the path to the furthest boss come first."""
        bosses = [room for room, kind in enumerate(kinds) if kind == BOSS]
        way = set()
        room = max(bosses, key=lambda room: self._depth[room], default=0)
        while room >= 0:
            way.add(room)
            room = self._parent[room]
        return sorted(candidates, key=lambda edge: not self._passes(edge, way))

    def _passes(self, edge: Edge, way: set[int]) -> bool:
        """Check whether the tree's path between two rooms shares a connection with the path to the boss."""
        a, b = edge
        while a != b:
            if self._depth[a] < self._depth[b]:
                a, b = b, a
            if a in way:  # and so is the room above it
                return True
            a = self._parent[a]
        return False

    def is_worth_it(self, edge: Edge) -> bool:
        """Check whether it is a long walk between the two rooms as things are."""
        seen = {edge[0]}
        reached = {edge[0]}
        for _ in range(_MIN_STEPS - 1):
            reached = {neighbour for room in reached for neighbour in self._beside[room]} - seen
            seen |= reached
        return edge[1] not in seen
