"""Orthogonal drawings: a planar graph on a grid, edges along the grid's lines, with the fewest bends.

R. Tamassia, "On embedding a graph in the grid with the minimum number of bends" (1987): the angles at nodes
and the bends of edges are a flow of least cost between nodes and faces. Then each face is cut into
rectangles, and the longest paths over their sides give the coordinates.

    a---b          A dart is one of the two directions of an edge. The face of a dart lies to its left, and
    |   |          `following` is the next dart around that face. Directions are counted counterclockwise,
    d---c          with y upwards: 0 east, 1 north, 2 west, 3 south.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from generator.algorithms.graph import UnionFind
from generator.geometry import Point

_NO_LIMIT = 1 << 30


def orthogonal_drawing(
    around: Sequence[Sequence[int]], straight: Collection[tuple[int, int]], outer: int
) -> tuple[list[Point], dict[tuple[int, int], list[Point]]]:
    """Draw an embedded graph: the point of each node, and the bends of each edge from its lower node on.

    `around` [node] lists its neighbours counterclockwise: two to four of them. The graph is connected and has
    no edge twice. `straight` edges, no two of which share a node, get no bends. `outer` chooses the outer
    face among the longest ones.
    """
    darts = _Darts(around)
    faces = sorted(darts.faces(), key=len, reverse=True)
    longest = [number for number, face in enumerate(faces) if 2 * len(face) >= len(faces[0])]
    outside = longest[outer % len(longest)]
    turns, bends = _shape(darts, faces, outside, straight, len(around))
    start = faces[outside][0]
    on_edges = darts.bend(turns, bends)
    darts.set_directions(turns)
    darts.frame(start)
    darts.cut_into_rectangles()
    points = list(zip(darts.positions(axis=0), darts.positions(axis=1), strict=True))
    return points[: len(around)], {edge: [points[node] for node in nodes] for edge, nodes in on_edges.items()}


def points_to(start: Point, end: Point) -> Iterator[Point]:
    """Yield the points after `start` up to `end`, which is in line with it."""
    (x, y), (dx, dy) = start, step_to(start, end)
    while (x, y) != end:
        x, y = x + dx, y + dy
        yield x, y


def step_to(start: Point, end: Point) -> Point:
    """Return the step that leads from one point towards another, in line with it."""
    (x, y), (to_x, to_y) = start, end
    return (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)


class _Darts:
    """The darts of a graph: their `tails`, `directions` and order. 2e and 2e + 1 are those of edge e."""

    def __init__(self, around: Sequence[Sequence[int]]) -> None:
        self.nodes = len(around)
        edges = [(a, b) for a, neighbours in enumerate(around) for b in neighbours if a < b]
        number = {edge: 2 * index for index, edge in enumerate(edges)}
        number |= {(b, a): dart + 1 for (a, b), dart in number.items()}
        self.tails = [end for edge in edges for end in edge]
        self.directions = [0] * len(self.tails)
        self.following = [0] * len(self.tails)
        self.before = [0] * len(self.tails)
        for b, neighbours in enumerate(around):
            for index, a in enumerate(neighbours):
                self._follow(number[a, b], number[b, neighbours[index - 1]])

    def head(self, dart: int) -> int:
        return self.tails[dart ^ 1]

    def _follow(self, dart: int, then: int) -> None:
        self.following[dart] = then
        self.before[then] = dart

    def _add(self, a: int, b: int, direction: int) -> int:
        """Add an edge, and return its dart from a to b."""
        self.tails += [a, b]
        self.directions += [direction & 3, direction + 2 & 3]
        self.following += [-1, -1]
        self.before += [-1, -1]
        return len(self.tails) - 2

    def face(self, dart: int) -> list[int]:
        """List the darts around the face of a dart."""
        around = [dart]
        while (then := self.following[around[-1]]) != dart:
            around.append(then)
        return around

    def faces(self) -> list[list[int]]:
        """List the darts around each face."""
        seen: set[int] = set()
        faces = []
        for dart in range(len(self.tails)):
            if dart not in seen:
                faces.append(self.face(dart))
                seen.update(faces[-1])
        return faces

    def split(self, dart: int) -> int:
        """Put a node on an edge, and return the dart that leads on from it."""
        node, head = self.nodes, self.head(dart)
        self.nodes += 1
        on = self._add(node, head, self.directions[dart])
        self.tails[dart ^ 1] = node
        self._follow(on, self.following[dart])
        self._follow(self.before[dart ^ 1], on ^ 1)
        self._follow(dart, on)
        self._follow(on ^ 1, dart ^ 1)
        return on

    def bend(self, turns: list[int], bends: Sequence[int]) -> dict[tuple[int, int], list[int]]:
        """Put a node at each bend. `turns` [dart] grows; `bends` [edge] are those to the left.

        Returns the new nodes of each edge, from its lower node on.
        """
        nodes: dict[tuple[int, int], list[int]] = {}
        for edge, count in enumerate(bends):
            dart = 2 * edge
            ends = self.tails[dart], self.head(dart)
            passed = nodes[min(ends), max(ends)] = []
            turn = 1 if count > 0 else -1
            for _ in range(abs(count)):
                on = self.split(dart)
                passed.append(self.tails[on])
                turns += [turns[dart], -turn]
                turns[dart] = turn
                dart = on
            if ends[0] > ends[1]:
                passed.reverse()
        return nodes

    def set_directions(self, turns: Sequence[int]) -> None:
        """Give each dart its direction, the first one east."""
        seen, queue = {0}, [0]
        for dart in queue:
            direction = self.directions[dart]
            for other, turned in ((dart ^ 1, 2), (self.following[dart], turns[dart])):
                if other not in seen:
                    self.directions[other] = direction + turned & 3
                    seen.add(other)
                    queue.append(other)

    def _turn(self, dart: int) -> int:
        """Return the turn at a dart's end: 1 to the left, -1 to the right, 0 straight on."""
        turn = self.directions[self.following[dart]] - self.directions[dart] & 3
        return -1 if turn == 3 else turn

    def _front(self, dart: int) -> int | None:
        """Find the dart that a dart, extended beyond its end, meets first in its face, if any."""
        at, turned = self.following[dart], self._turn(dart)
        while at != dart:
            if turned == 1:
                return at
            turned += self._turn(at)
            at = self.following[at]
        return None

    def frame(self, start: int) -> None:
        """Draw a frame around the face of a dart, the outer one, and join it to a corner of that."""
        corners = [dart for dart in self.face(start) if self._turn(dart) < 0]
        dart = next((dart for dart in corners if self._front(dart) is None), corners[0])
        direction, then = self.directions[dart], self.following[dart]
        first = self.nodes
        self.nodes += 5
        way = self._add(self.head(dart), first, direction)
        sides = [self._add(first + i, first + (i + 1) % 5, direction + 1 + i) for i in range(5)]
        ring = [dart, way, *sides, way ^ 1, then]
        for one, other in pairwise(ring):
            self._follow(one, other)
        for i in range(5):  # what is outside of the frame
            self._follow(sides[i] ^ 1, sides[i - 1] ^ 1)
        self._outside = sides[0] ^ 1

    def cut_into_rectangles(self) -> None:
        """Extend an edge beyond each corner that reaches into a face, up to what it meets."""
        done = {*self.face(self._outside)}
        for start in range(len(self.tails)):
            stack = [] if start in done else [start]
            while stack:
                around = self.face(stack.pop())
                corner = next((dart for dart in around if self._turn(dart) < 0), None)
                if corner is None:
                    done.update(around)
                    continue
                front = self._front(corner)
                assert front is not None  # the turns around a face are four to the left in all
                stack += [corner, self._join(corner, front)]

    def _join(self, corner: int, front: int) -> int:
        """Extend the dart `corner` up to `front`. Returns a dart of the part of the face that is cut off."""
        then = self.following[corner]
        on = self.split(front)
        way = self._add(self.head(corner), self.tails[on], self.directions[corner])
        self._follow(corner, way)
        self._follow(way, on)
        self._follow(front, way ^ 1)
        self._follow(way ^ 1, then)
        return way ^ 1

    def positions(self, axis: int) -> list[int]:
        """Return the least x (axis 0) or y of all nodes, with a length of 1 or more for each edge."""
        lines = UnionFind(self.nodes)
        for dart, direction in enumerate(self.directions):
            if direction & 1 != axis:
                lines.union(self.tails[dart], self.head(dart))
        beyond: list[list[int]] = [[] for _ in range(self.nodes)]
        earlier = [0] * self.nodes
        for dart, direction in enumerate(self.directions):
            if direction == axis:
                a, b = lines.find(self.tails[dart]), lines.find(self.head(dart))
                beyond[a].append(b)
                earlier[b] += 1
        at = [0] * self.nodes
        queue = [node for node in range(self.nodes) if lines.find(node) == node and not earlier[node]]
        for line in queue:
            for other in beyond[line]:
                at[other] = max(at[other], at[line] + 1)
                earlier[other] -= 1
                if not earlier[other]:
                    queue.append(other)
        return [at[lines.find(node)] for node in range(self.nodes)]


# The shape of a drawing: its angles and bends.
#
# A node gives as many right angles as its edges leave over of its four, and a face takes those that it has
# too many of beside the four corners of a rectangle. A bend carries one from the face on its inside to the
# other.


def _shape(
    darts: _Darts,
    faces: Sequence[Sequence[int]],
    outside: int,
    straight: Collection[tuple[int, int]],
    nodes: int,
) -> tuple[list[int], list[int]]:
    """Return the turn at each dart's end, and each edge's bends to the left (negative: to the right)."""
    face_of = {dart: number for number, face in enumerate(faces) for dart in face}
    supply = [4] * nodes + [4 - len(face) for face in faces]
    supply[nodes + outside] -= 8
    for tail in darts.tails:
        supply[tail] -= 1
    flow = _CheapestFlow(supply)
    angles = [flow.add(darts.head(dart), nodes + face_of[dart], 0) for dart in range(len(darts.tails))]
    bends: dict[int, int] = {}
    for dart, tail in enumerate(darts.tails):
        ends = tail, darts.head(dart)
        if face_of[dart] != face_of[dart ^ 1] and ends not in straight and ends[::-1] not in straight:
            bends[dart] = flow.add(nodes + face_of[dart], nodes + face_of[dart ^ 1], 1)
    flow.solve()
    turns = [1 - flow.carried(arc) for arc in angles]
    carried = {dart: flow.carried(arc) for dart, arc in bends.items()}
    return turns, [carried.get(dart, 0) - carried.get(dart + 1, 0) for dart in range(0, len(turns), 2)]


class _CheapestFlow:
    """A flow of least cost (Busacker and Gowen, 1960), by many shortest paths at once.

    Arc i leads back where i is odd; `_left` is what it can still carry.
    """

    def __init__(self, supply: Sequence[int]) -> None:
        self._arcs: list[list[int]] = [[] for _ in range(len(supply) + 2)]
        self._to: list[int] = []
        self._left: list[int] = []
        self._cost: list[int] = []
        self._source, self._sink = len(supply), len(supply) + 1
        for node, amount in enumerate(supply):
            if amount > 0:
                self.add(self._source, node, 0, amount)
            elif amount < 0:
                self.add(node, self._sink, 0, -amount)

    def add(self, a: int, b: int, cost: int, limit: int = _NO_LIMIT) -> int:
        """Add an arc, and return its number."""
        arc = len(self._to)
        self._arcs[a].append(arc)
        self._arcs[b].append(arc + 1)
        self._to += [b, a]
        self._left += [limit, 0]
        self._cost += [cost, -cost]
        return arc

    def carried(self, arc: int) -> int:
        """Return what an arc carries."""
        return self._left[arc + 1]

    def solve(self) -> None:
        """Carry all that is supplied."""
        levels = [0] * len(self._arcs)
        while self._raise(levels):
            while path := self._path(levels):
                amount = min(self._left[arc] for arc in path)
                for arc in path:
                    self._left[arc] -= amount
                    self._left[arc ^ 1] += amount

    def _raise(self, levels: list[int]) -> bool:
        """Raise the nodes' levels: arcs of shortest paths cost nothing. False if no path is left."""
        far = [_NO_LIMIT] * len(levels)
        far[self._source] = 0
        heap = [(0, self._source)]
        while heap:
            distance, node = heappop(heap)
            if distance > far[node]:
                continue
            for arc in self._arcs[node]:
                to = self._to[arc]
                longer = distance + self._cost[arc] + levels[node] - levels[to]
                if self._left[arc] and longer < far[to]:
                    far[to] = longer
                    heappush(heap, (longer, to))
        most = far[self._sink]
        for node, distance in enumerate(far):
            levels[node] += min(distance, most)
        return most < _NO_LIMIT

    def _path(self, levels: Sequence[int]) -> list[int]:
        """Find a path from the source to the sink whose arcs cost nothing. Empty: none is left."""
        path: list[int] = []
        seen = {self._source}
        rest = [iter(self._arcs[self._source])]
        while rest:
            for arc in rest[-1]:
                a, b = self._to[arc ^ 1], self._to[arc]
                if self._left[arc] and b not in seen and self._cost[arc] + levels[a] == levels[b]:
                    path.append(arc)
                    if b == self._sink:
                        return path
                    seen.add(b)
                    rest.append(iter(self._arcs[b]))
                    break
            else:
                rest.pop()
                if path:
                    path.pop()
        return []
