"""Whether a flow can be drawn without crossings, and a drawing of any flow that can.

The planarity test and the embedding are those of networkx (the left-right test of U. Brandes, 2009). What
lies on cycles is drawn first, with the fewest bends; then trees are hung on, into free cells or a new row or
column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from generator.algorithms.graph import Edge, neighbours_of
from generator.algorithms.orthogonal import orthogonal_drawing, points_to, step_to
from generator.geometry import Point
from generator.rng import Stream
from generator.styles.gungeon.flows.draw import FlowDrawing, edge_of

if TYPE_CHECKING:
    import networkx

_STEPS: tuple[Point, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
_SIGHT = 3  # cells that a tree looks ahead for open space


def crossing_edges(edges: Sequence[Edge]) -> list[int]:
    """Find edges that cannot all be drawn without crossings, by their indices: none of them can be spared.

    They are a subdivision of one of Kuratowski's two graphs (1930). Empty if all edges can be drawn.
    """
    if _is_simple(edges) or _is_planar(edges):
        return []
    kept: list[int] = []
    left = list(range(len(edges)))
    while _is_planar([edges[i] for i in kept]):
        low, high = 0, len(left)  # with the first `low` it is planar, with the first `high` it is not
        while high - low > 1:
            middle = (low + high) // 2
            is_planar = _is_planar([edges[i] for i in (*kept, *left[:middle])])
            low, high = (middle, high) if is_planar else (low, middle)
        kept.append(left[high - 1])
        left = left[: high - 1]
    return sorted(kept)


def _is_simple(edges: Iterable[Edge]) -> bool:
    """Check whether nothing is left once dead ends are cut off and nodes of two edges are smoothed out.

    So it is in most flows, which therefore need no planarity test.
    """
    beside: dict[int, set[int]] = {}
    for a, b in edges:
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)
    queue = list(beside)
    while queue:
        node = queue.pop()
        if len(beside[node]) > 2:
            continue
        around = beside[node]
        beside[node] = set()
        for neighbour in around:
            beside[neighbour] |= around - {neighbour}
            beside[neighbour].discard(node)
        queue += around
    return not any(beside.values())


def _graph(edges: Iterable[Edge]) -> networkx.Graph[int]:
    import networkx

    return networkx.Graph(edges)


def _is_planar(edges: Iterable[Edge]) -> bool:
    import networkx

    return networkx.check_planarity(_graph(edges))[0]


def planar_drawing(rooms: int, edges: Sequence[Edge], stream: Stream) -> FlowDrawing:
    """Draw a planar, connected flow on the grid. No room may have more than six connections.

    A room of more than four takes two cells or more, in a row.
    """
    drawing = _Planar(rooms, edges, stream)
    drawing.draw_cycles()
    drawing.hang_trees()
    return drawing.finished()


class _Planar:
    """A drawing in progress: nodes at points, edges with bends.

    A room of more than four connections has a second node, joined to the first one by a straight edge.
    """

    def __init__(self, rooms: int, edges: Sequence[Edge], stream: Stream) -> None:
        self.rooms, self.edges, self.stream = rooms, edges, stream
        self.beside = neighbours_of(range(rooms), edges)
        self.core = self._core()
        self.second: dict[int, int] = {}  # [room]: its second node
        self.ends: dict[Edge, Edge] = {}  # [edge of rooms]: its two nodes, in the order of the edge
        self.points: dict[int, Point] = {}
        self.bends: dict[Edge, list[Point]] = {}  # [edge of nodes]: from the lower node on
        self.taken: set[Point] = set()  # the cells of all nodes and edges, while trees are hung on
        self.sides: dict[int, set[Point]] = {}  # [node]: the steps by which its edges leave

    def _core(self) -> set[int]:
        """Return the rooms on cycles and between them, or room 0 if there are no cycles."""
        left = {room: set(neighbours) for room, neighbours in self.beside.items()}
        queue = [room for room in left if len(left[room]) == 1]
        for room in queue:
            for neighbour in left.pop(room):
                left[neighbour].discard(room)
                if len(left[neighbour]) == 1:
                    queue.append(neighbour)
        return {room for room in left if left[room]} or {0}

    def _second_node(self, room: int) -> int:
        return self.second.setdefault(room, self.rooms + len(self.second))

    def draw_cycles(self) -> None:
        """Draw the rooms on cycles, and those between them."""
        if self.core == {0}:
            self.points[0] = (0, 0)
            self.sides[0] = set()
            return
        around = self._around()
        self._split(around)
        index = {node: number for number, node in enumerate(around)}
        straight = {(index[room], index[node]) for room, node in self.second.items()}
        embedded = [[index[other] for other in neighbours] for neighbours in around.values()]
        points, bends = orthogonal_drawing(embedded, straight, self.stream.below(8))
        nodes = list(around)
        self.points = dict(zip(nodes, points, strict=True))
        self.sides = {node: set() for node in nodes}
        for (a, b), passed in bends.items():
            first, last = nodes[a], nodes[b]
            self._keep(first, last, passed)

    def _keep(self, a: int, b: int, bends: list[Point]) -> None:
        """Store an edge between two nodes that are drawn, with its bends from a on."""
        self.bends[edge_of(a, b)] = bends if a < b else bends[::-1]
        self.sides[a].add(step_to(self.points[a], [*bends, self.points[b]][0]))
        self.sides[b].add(step_to(self.points[b], [self.points[a], *bends][-1]))

    def _around(self) -> dict[int, list[int]]:
        """Embed the core: list the neighbours of its rooms counterclockwise, each from a random one on."""
        import networkx

        edges = [(a, b) for a, b in self.edges if a in self.core and b in self.core]
        self.stream.shuffle(edges)  # if there are several embeddings, their order chooses one
        embedding = cast("networkx.PlanarEmbedding[int]", networkx.check_planarity(_graph(edges))[1])
        around = {}
        for room in sorted(self.core):
            neighbours: list[int] = list(embedding.neighbors_cw_order(room))[::-1]
            start = (neighbours.index(min(neighbours)) + self.stream.below(len(neighbours))) % len(neighbours)
            around[room] = neighbours[start:] + neighbours[:start]
        return around

    def _split(self, around: dict[int, list[int]]) -> None:
        """Give rooms with too many edges a second node, which takes half of those of the core."""
        for room in list(around):
            neighbours = around[room]
            if len(neighbours) < 4 or len(self.beside[room]) <= 4:
                continue
            node = self._second_node(room)
            half = (len(neighbours) + 1) // 2
            around[room], around[node] = [*neighbours[:half], node], [*neighbours[half:], room]
            for other in neighbours[half:]:
                around[other][around[other].index(room)] = node
        for a, b in self.edges:
            if a in self.core and b in self.core:
                nodes_a, nodes_b = self._nodes(min(a, b)), self._nodes(max(a, b))
                self.ends[edge_of(a, b)] = next(
                    (x, y) for x in nodes_a for y in nodes_b if x in around and y in around[x]
                )

    def _nodes(self, room: int) -> tuple[int, ...]:
        return (room, self.second[room]) if room in self.second else (room,)

    def hang_trees(self) -> None:
        """Hang the rooms that are on no cycle on those that are."""
        queue = sorted(self.core)
        drawn = {*queue}
        self.taken = self._taken()
        for room in queue:
            new = [other for other in self.beside[room] if other not in drawn]
            if len(self.beside[room]) > len(_STEPS) and room not in self.second:
                self._hang(room, self._second_node(room))
            for other in new:
                node = max(self._nodes(room), key=lambda node: (-len(self.sides[node]), -node))
                self._hang(node, other)
                self.ends[edge_of(room, other)] = (node, other) if room < other else (other, node)
                drawn.add(other)
                queue.append(other)

    def _hang(self, node: int, new: int) -> None:
        """Draw a new node beside one, in the direction with the most space, or in a new row or column."""
        options = [step for step in _STEPS if step not in self.sides[node]]
        self.stream.shuffle(options)
        x, y = self.points[node]
        dx, dy = max(options, key=lambda step: self._space((x, y), step))
        if (x + dx, y + dy) in self.taken:
            self._insert(0 if dx else 1, max(x, x + dx) if dx else max(y, y + dy))
            x, y = self.points[node]
        self.points[new] = (x + dx, y + dy)
        self.taken.add(self.points[new])
        self.sides[new] = set()
        self._keep(node, new, [])

    def _space(self, at: Point, step: Point) -> int:
        """Count the free cells ahead, in a square. Negative if the nearest is taken."""
        (x, y), (dx, dy) = at, step
        if (x + dx, y + dy) in self.taken:
            return -1
        reach = range(-_SIGHT + 1, _SIGHT)
        ahead = [(x + dx * (1 + i) + dy * j, y + dy * (1 + i) + dx * j) for i in range(_SIGHT) for j in reach]
        return sum(cell not in self.taken for cell in ahead)

    def _insert(self, axis: int, before: int) -> None:
        """Insert a free column (axis 0) or row before one."""
        crossed = [
            edge
            for edge, bends in self.bends.items()
            if len({at[axis] >= before for at in (self.points[edge[0]], *bends, self.points[edge[1]])}) > 1
        ]
        self.points = dict(zip(self.points, _shifted(self.points.values(), axis, before), strict=True))
        self.bends = {edge: _shifted(bends, axis, before) for edge, bends in self.bends.items()}
        self.taken = {*_shifted(self.taken, axis, before)}
        self.taken.update(cell for edge in crossed for cell in self._cells(*edge))

    def _taken(self) -> set[Point]:
        return {cell for edge in self.bends for cell in self._cells(*edge)} | {*self.points.values()}

    def _cells(self, a: int, b: int) -> list[Point]:
        """List the cells of an edge between two nodes, from a to b, both included."""
        bends = self.bends[edge_of(a, b)]
        corners = [self.points[a], *(bends if a < b else bends[::-1]), self.points[b]]
        cells = corners[:1]
        for start, end in pairwise(corners):
            cells += points_to(start, end)
        return cells

    def finished(self) -> FlowDrawing:
        """Return the drawing, turned or mirrored at random."""
        turn = self.stream.below(8)
        cells = [
            [*self._cells(room, self.second[room])] if room in self.second else [self.points[room]]
            for room in range(self.rooms)
        ]
        passed = {edge: self._cells(*ends)[1:-1] for edge, ends in self.ends.items()}
        return FlowDrawing([*map(tuple, cells)], passed).turned(turn)


def _shifted(cells: Iterable[Point], axis: int, before: int) -> list[Point]:
    """Return cells after a column (axis 0) or row is inserted before one."""
    if axis == 0:
        return [(x + (x >= before), y) for x, y in cells]
    return [(x, y + (y >= before)) for x, y in cells]
