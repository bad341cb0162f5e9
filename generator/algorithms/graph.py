"""Graphs: steps from a node, minimum spanning trees, and whether a graph can be drawn in the plane.

E. F. Moore, "The shortest path through a maze" (1959). J. B. Kruskal, "On the shortest spanning subtree of a
graph and the traveling salesman problem" (1956). The source of planarity is named above it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
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


# Planarity: whether a graph can be drawn in the plane without crossing edges.
#
# By Demoucron, Malgrange and Pertuiset ("Graphes planaires: reconnaissance et construction de
# représentations planaires topologiques", 1964): a cycle is drawn, and then path after path of the rest,
# each into a face with all places at which its piece is attached; a piece without such a face cannot be
# drawn. The time is quadratic in the size, which is negligible for the plans of levels.


_Joined = dict[int, set[int]]


def first_crossing(edges: Sequence[Edge]) -> int | None:
    """Find the index of the first edge that cannot be drawn with those before it. None if all can."""
    if is_planar(edges):
        return None
    low, high = 0, len(edges)  # the first `low` can be drawn, the first `high` cannot
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_planar(edges[:middle]) else (low, middle)
    return high - 1


def is_planar(edges: Iterable[Edge]) -> bool:
    """Check whether a graph is planar. Loops and repeated edges make no difference."""
    beside: _Joined = {}
    for a, b in edges:
        if a != b:
            beside.setdefault(a, set()).add(b)
            beside.setdefault(b, set()).add(a)
    return all(_block_is_planar(block) for block in _blocks(beside))


def _blocks(beside: _Joined) -> list[_Joined]:
    """Find the biconnected components with more than one edge (Hopcroft and Tarjan, 1973)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    blocks: list[_Joined] = []
    for root in sorted(beside):
        if root in number:
            continue
        number[root] = low[root] = len(number)
        trail: list[Edge] = []
        stack = [(root, -1, iter(sorted(beside[root])))]
        while stack:
            node, above, rest = stack[-1]
            neighbour = next(rest, None)
            if neighbour is None:
                stack.pop()
                if stack:
                    low[above] = min(low[above], low[node])
                    if low[node] >= number[above]:
                        blocks.append(_cut(trail, (above, node)))
            elif neighbour not in number:
                trail.append((node, neighbour))
                number[neighbour] = low[neighbour] = len(number)
                stack.append((neighbour, node, iter(sorted(beside[neighbour]))))
            elif neighbour != above and number[neighbour] < number[node]:
                trail.append((node, neighbour))
                low[node] = min(low[node], number[neighbour])
    return [block for block in blocks if len(block) > 2]


def _cut(trail: list[Edge], until: Edge) -> _Joined:
    """Take edges off the trail, up to and including `until`, as a graph."""
    block: _Joined = {}
    while True:
        a, b = edge = trail.pop()
        block.setdefault(a, set()).add(b)
        block.setdefault(b, set()).add(a)
        if edge == until:
            return block


def _block_is_planar(beside: _Joined) -> bool:
    edges = sum(map(len, beside.values())) // 2
    if len(beside) > 2 and edges > 3 * len(beside) - 6:
        return False
    cycle = _cycle(beside)
    faces = [cycle, cycle[::-1]]
    drawn = {node: set[int]() for node in beside}
    _draw(drawn, [*cycle, cycle[0]])
    undrawn = edges - len(cycle)
    while undrawn:
        best: tuple[list[int], list[list[int]]] | None = None
        for piece, ends in _pieces(beside, drawn):
            fitting = [face for face in faces if ends.issubset(face)]
            if not fitting:
                return False
            if best is None or len(fitting) == 1:
                best = _through(beside, piece, ends), fitting
                if len(fitting) == 1:
                    break
        assert best is not None
        path, (face, *_) = best
        faces.remove(face)
        faces += _split(face, path)
        _draw(drawn, path)
        undrawn -= len(path) - 1
    return True


def _draw(drawn: _Joined, path: Sequence[int]) -> None:
    for a, b in pairwise(path):
        drawn[a].add(b)
        drawn[b].add(a)


def _cycle(beside: _Joined) -> list[int]:
    """Find any cycle of a biconnected graph."""
    start = min(beside)
    before = {start: -1}
    path = [start]
    while True:
        node = path[-1]
        neighbours = [neighbour for neighbour in sorted(beside[node]) if neighbour != before[node]]
        back = next((neighbour for neighbour in neighbours if neighbour in before), None)
        if back is not None:
            return path[path.index(back) :]
        neighbour = neighbours[0]
        before[neighbour] = node
        path.append(neighbour)


def _pieces(beside: _Joined, drawn: _Joined) -> Iterable[tuple[set[int], set[int]]]:
    """Yield what is not drawn, piece by piece: its undrawn nodes, and the drawn ones it is attached to."""
    is_drawn = {node for node, neighbours in drawn.items() if neighbours}
    for a in sorted(is_drawn):
        for b in sorted(beside[a] - drawn[a]):
            if b in is_drawn and a < b:
                yield set(), {a, b}
    undrawn = beside.keys() - is_drawn
    while undrawn:
        piece = {min(undrawn)}
        queue = list(piece)
        ends = set()
        for node in queue:
            for neighbour in beside[node]:
                if neighbour in is_drawn:
                    ends.add(neighbour)
                elif neighbour not in piece:
                    piece.add(neighbour)
                    queue.append(neighbour)
        undrawn -= piece
        yield piece, ends


def _through(beside: _Joined, piece: set[int], ends: set[int]) -> list[int]:
    """Find a path from one end of a piece to another, through it."""
    first, *rest = sorted(ends)
    if not piece:
        return [first, rest[0]]
    before = {first: -1}
    queue = [first]
    for node in queue:
        for neighbour in sorted(beside[node]):
            if neighbour in before or (node == first and neighbour not in piece):
                continue
            if neighbour in piece:
                before[neighbour] = node
                queue.append(neighbour)
            elif neighbour in ends:
                path = [neighbour, node]
                while before[path[-1]] >= 0:
                    path.append(before[path[-1]])
                return path
    raise AssertionError("a piece of a biconnected graph hangs on two places at least")


def _split(face: list[int], path: list[int]) -> list[list[int]]:
    """Split a face into the two faces that a path between two of its nodes makes of it."""
    a, b = face.index(path[0]), face.index(path[-1])
    if a > b:
        a, b, path = b, a, path[::-1]
    inner = path[1:-1]
    return [[*face[: a + 1], *inner, *face[b:]], [*face[a : b + 1], *inner[::-1]]]
