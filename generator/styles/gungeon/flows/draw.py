"""Draws a flow in the plane: rooms on the cells of a coarse grid, connections along free cells.

    a - b - c        Cycles come first, as rings; a path between two rooms that are drawn (an ear of the
    |       |        graph: Whitney, 1932) takes free cells from one to the other, and trees are hung on last.
    f - e - d - g    No cell is taken twice, so no two connections cross.
    :       |
    h       i        A connection that has to pass cells (:) keeps them.

A room of more than four connections takes two cells, side by side. Where a path finds no cells, the last
steps are undone; after more failures the drawing is made twice as large, with free cells between all rooms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.algorithms.graph import Edge, neighbours_of
from generator.geometry import Point
from generator.rng import Stream

_STEPS: tuple[Point, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
_MAX_FAILURES = 14  # of a drawing: times that no cells were found
_ENLARGED_AFTER = (4, 9)  # of these failures
_MAX_TAKEN_BACK = 4  # steps undone at once
_MAX_LOOKED_AT = 120  # cells, in the search for a path
_MAX_SLACK = 5  # cells of a path beyond the number of its rooms


@dataclass
class FlowDrawing:
    """A flow on the grid: `cells` [room], one or two each, and the cells that each connection passes."""

    cells: list[tuple[Point, ...]]
    passed: dict[Edge, list[Point]]

    @property
    def detours(self) -> int:
        """The length of the connections in all: the squared numbers of cells that they pass."""
        return sum(len(cells) ** 2 for cells in self.passed.values())

    def without(self, edges: Sequence[Edge]) -> FlowDrawing:
        """Return the drawing without some of the connections."""
        left = {edge: cells for edge, cells in self.passed.items() if edge not in edges}
        return FlowDrawing(self.cells, left)

    def turned(self, turn: int) -> FlowDrawing:
        """Return the drawing after one of the eight turns and reflections of the grid, 0 to 7."""

        def moved(cell: Point) -> Point:
            x, y = cell[::-1] if turn & 1 else cell
            return (-x if turn & 2 else x), (-y if turn & 4 else y)

        return FlowDrawing(
            [tuple(map(moved, cells)) for cells in self.cells],
            {edge: [*map(moved, cells)] for edge, cells in self.passed.items()},
        )


def draw(rooms: int, edges: Sequence[Edge], stream: Stream) -> FlowDrawing | None:
    """Draw room 0 and all rooms connected to it on the grid. None if this try has no cells for one.

    No room may have more than six connections.
    """
    owners = list(range(rooms))  # [node]: its room; a room has one or two nodes
    split = _split(rooms, edges, owners, stream)
    rigid = {(owner, node) for node, owner in enumerate(owners) if node >= rooms}
    draft = _Draft(len(owners), [*split, *rigid], rigid, stream)
    if not draft.draw_all():
        return None
    cells: list[list[Point]] = [[] for _ in range(rooms)]
    for owner, cell in zip(owners, draft.cells, strict=True):
        if cell is None:
            return None
        cells[owner].append(cell)
    passed: dict[Edge, list[Point]] = {}
    for (a, b), (start, end) in zip(edges, split, strict=True):
        passed[edge_of(a, b)] = draft.passing_cells(start, end, is_turned=a > b)
    return FlowDrawing([tuple(room_cells) for room_cells in cells], passed)


def _split(rooms: int, edges: Sequence[Edge], owners: list[int], stream: Stream) -> list[Edge]:
    """Return the connections. Each room with more than four gets a second node, added to `owners`."""
    count = [0] * rooms
    for edge in edges:
        for room in edge:
            count[room] += 1
    ends = [list(edge) for edge in edges]
    for room in range(rooms):
        if count[room] > len(_STEPS):
            of_room = [(end, i) for end in ends for i in (0, 1) if end[i] == room]
            stream.shuffle(of_room)
            for end, i in of_room[: count[room] // 2]:
                end[i] = len(owners)
            owners.append(room)
    return [(a, b) for a, b in ends]


_Step = tuple[
    list[Point | None], list[int], dict[Point, int], dict[Edge, list[Point]], set[Edge]
]  # an earlier state of a draft


class _Draft:
    """A drawing in progress."""

    def __init__(self, rooms: int, edges: Sequence[Edge], rigid: set[Edge], stream: Stream) -> None:
        self.rigid = rigid  # edges between two nodes of one room: nothing may come between
        self.beside = [*neighbours_of(range(rooms), edges).values()]
        self.stream = stream
        self.cells: list[Point | None] = [None] * rooms
        self.left = [*map(len, self.beside)]  # [node]: how many connections are not drawn yet
        self.taken: dict[Point, int] = {}  # the node on a cell, -1 where a connection passes
        self.passed: dict[Edge, list[Point]] = {}
        self.drawn_edges: set[Edge] = set()

    def draw_all(self) -> bool:
        """Draw ear by ear and then tree by tree. False if there were no cells for something.

        After a failure the last few steps are undone, to be drawn differently, or the drawing is enlarged.
        """
        self._put(0, (0, 0))
        steps: list[_Step] = []
        failures = 0
        while ear := next_ear(self.beside, self._undrawn(), self.drawn_edges):
            before = self._step()
            if self._draw_path(ear):
                steps.append(before)
                continue
            failures += 1
            if failures > _MAX_FAILURES:
                return False
            if failures in _ENLARGED_AFTER:
                self._enlarge()
                steps.clear()
            elif steps:
                back = min(len(steps), failures % _MAX_TAKEN_BACK + 1)
                self._undo(steps[-back])
                del steps[-back:]
        return True

    def _step(self) -> _Step:
        return self.cells.copy(), self.left, self.taken.copy(), self.passed.copy(), self.drawn_edges.copy()

    def _undo(self, step: _Step) -> None:
        self.cells, self.left, self.taken, self.passed, self.drawn_edges = step

    def passing_cells(self, a: int, b: int, *, is_turned: bool) -> list[Point]:
        """List the cells that the connection of two nodes passes, from a to b, or b to a if turned."""
        cells = self.passed.get(edge_of(a, b), [])
        return cells[::-1] if (a > b) != is_turned else cells

    def _enlarge(self) -> None:
        """Leave a free row and column between all cells."""
        self.cells = [None if cell is None else (2 * cell[0], 2 * cell[1]) for cell in self.cells]
        self.taken = {cell: room for room, cell in enumerate(self.cells) if cell is not None}
        for a, b in sorted(self.drawn_edges):
            first, last = self.cells[a], self.cells[b]
            assert first is not None and last is not None
            old = [(2 * x, 2 * y) for x, y in self.passed.get((a, b), [])]
            cells: list[Point] = []
            for (x, y), (to_x, to_y) in pairwise([first, *old, last]):
                cells += [((x + to_x) // 2, (y + to_y) // 2), (to_x, to_y)]
            self.passed[a, b] = cells[:-1]
            self.taken |= dict.fromkeys(cells[:-1], -1)

    def _undrawn(self) -> list[bool]:
        return [cell is None for cell in self.cells]

    def _put(self, room: int, cell: Point) -> None:
        self.cells[room] = cell
        self.taken[cell] = room

    def _draw_path(self, path: list[int]) -> bool:
        """Find cells for the rooms of a path, and take them. False if there are none."""
        ends = self.cells[path[0]], self.cells[path[-1]]
        start, end = ends
        assert start is not None
        inner = path[1:-1] if end is not None else path[1:]
        apart = abs(start[0] - end[0]) + abs(start[1] - end[1]) if end else 0
        least = max(0, apart - 1 - len(inner))
        for slack in range(least, least + _MAX_SLACK + 1):
            count = len(inner) + slack
            if end is not None and not _can_meet(start, end, count + 1):
                continue
            for way in self._ways(start, end, count):
                if self._keep(path, inner, way, slack):
                    return True
        return False

    def _ways(self, start: Point, end: Point | None, count: int) -> Iterator[list[Point]]:
        """Yield paths of `count` free cells from one cell to another (None: anywhere), in random order."""
        looked = 0
        stack: list[tuple[list[Point], list[Point]]] = [([], self._next(start, start))]
        while stack and looked < _MAX_LOOKED_AT:
            way, options = stack[-1]
            if len(way) == count:
                stack.pop()
                at = way[-1] if way else start
                if end is None or abs(at[0] - end[0]) + abs(at[1] - end[1]) == 1:
                    yield way
                continue
            if not options:
                stack.pop()
                continue
            cell = options.pop()
            looked += 1
            if cell in self.taken or cell in way:
                continue
            if end is not None and not _can_meet(cell, end, count - len(way)):
                continue
            before = way[-1] if way else start
            stack.append(([*way, cell], self._next(cell, before)))

    def _next(self, cell: Point, before: Point) -> list[Point]:
        """List the cells beside one in random order, to be tried from the end. Straight on is favoured."""
        order = list(_STEPS)
        self.stream.shuffle(order)
        straight = cell[0] - before[0], cell[1] - before[1]
        if straight in order and self.stream.chance(1, 3):
            order.remove(straight)
            order.append(straight)
        return [(cell[0] + dx, cell[1] + dy) for dx, dy in order]

    def _keep(self, path: list[int], inner: list[int], way: list[Point], slack: int) -> bool:
        """Give the cells to the rooms. False if that leaves a room with too few free sides."""
        passing = self._passing(way, slack)
        room_cells = [cell for i, cell in enumerate(way) if i not in passing]
        new = dict(zip(room_cells, inner, strict=True)) | {way[i]: -1 for i in passing}
        steps = _steps(path, way, passing)
        if any(cells and edge_of(a, b) in self.rigid for a, b, cells in steps):
            return False
        left = self.left.copy()
        for a, b, _ in steps:
            left[a] -= 1
            left[b] -= 1
        hung = path[-1] if self.cells[path[-1]] is None else -1
        if not self._has_sides(new, left, hung):
            return False
        for cell, room in new.items():
            if room >= 0:
                self._put(room, cell)
            else:
                self.taken[cell] = -1
        self.left = left
        for a, b, cells in steps:
            self.drawn_edges.add(edge_of(a, b))
            if cells:
                self.passed[edge_of(a, b)] = cells if a < b else cells[::-1]
        return True

    def _passing(self, way: list[Point], slack: int) -> set[int]:
        """Draw the indices of `slack` cells that a connection passes without a room."""
        indices = list(range(len(way)))
        self.stream.shuffle(indices)
        return set(indices[:slack])

    def _has_sides(self, new: dict[Point, int], left: Sequence[int], hung: int) -> bool:
        """Check that rooms on or beside new cells have a free side for each connection left to draw.

        A room at the end of a tree that leads on needs three: two opposite ones may lie on different sides of
        what is drawn, so that no cycle could close.
        """
        looked_at = {*new}
        looked_at |= {(x + dx, y + dy) for x, y in new for dx, dy in _STEPS}
        for x, y in looked_at:
            room = new.get((x, y), self.taken.get((x, y), -1))
            if room < 0 or not left[room]:
                continue
            around = [(x + dx, y + dy) for dx, dy in _STEPS]
            free = sum(cell not in self.taken and cell not in new for cell in around)
            if free < left[room] - self._meeting(room, around, new):
                return False
            if room == hung and left[room] > 1 and free < 3:
                return False
        return True

    def _meeting(self, room: int, around: list[Point], new: dict[Point, int]) -> int:
        """Count the connections left that need no free side, because their rooms lie side by side."""
        neighbours = (new.get(cell, self.taken.get(cell, -1)) for cell in around)
        return sum(
            neighbour >= 0
            and neighbour in self.beside[room]
            and edge_of(room, neighbour) not in self.drawn_edges
            for neighbour in neighbours
        )


def _can_meet(cell: Point, end: Point, steps: int) -> bool:
    """Check whether exactly `steps` steps can join two cells: near enough, with an even number to spare."""
    apart = abs(cell[0] - end[0]) + abs(cell[1] - end[1])
    return apart <= steps and (steps - apart) % 2 == 0


def _steps(path: list[int], way: list[Point], passing: set[int]) -> list[tuple[int, int, list[Point]]]:
    """List the connections of a path, each with the cells that it passes."""
    steps = []
    at, cells, number = path[0], list[Point](), 0
    for i, cell in enumerate(way):
        if i in passing:
            cells.append(cell)
            continue
        number += 1
        steps.append((at, path[number], cells))
        at, cells = path[number], []
    if number + 1 < len(path):
        steps.append((at, path[-1], cells))
    return steps


# Chooses what is drawn next: the shortest path or cycle from drawn nodes, or a node of a tree.

_Around = Sequence[Sequence[int]]


def edge_of(a: int, b: int) -> Edge:
    """Return the edge between two nodes, the lower number first."""
    return (a, b) if a < b else (b, a)


def next_ear(beside: _Around, undrawn: Sequence[bool], drawn: Collection[Edge]) -> list[int] | None:
    """Find the shortest path over undrawn edges that ends at two drawn nodes, or comes back to one.

    If there is none, an edge to a node of a tree: first those that lead to cycles, then those to the largest
    part. None if everything is drawn.
    """
    best: list[int] | None = None
    open_ends = [
        node
        for node, neighbours in enumerate(beside)
        if not undrawn[node] and any(edge_of(node, neighbour) not in drawn for neighbour in neighbours)
    ]
    for node in open_ends:
        path = _from(node, beside, undrawn, drawn, len(best) if best else 1 << 30)
        if path and (best is None or len(path) < len(best)):
            best = path
    if best:
        return best
    branches = [
        (_behind(node, neighbour, beside), -node, -neighbour)
        for node in open_ends
        for neighbour in beside[node]
        if undrawn[neighbour]
    ]
    if not branches:
        return None
    _, node, neighbour = max(branches)
    return [-node, -neighbour]


def _from(
    start: int, beside: _Around, undrawn: Sequence[bool], drawn: Collection[Edge], most: int
) -> list[int] | None:
    """Find the shortest path of fewer than `most` nodes from a drawn one, undrawn between its ends."""
    trails: list[list[int]] = []
    reached: dict[int, list[int]] = {}
    for neighbour in beside[start]:
        if edge_of(start, neighbour) in drawn:
            continue
        if not undrawn[neighbour]:
            return [start, neighbour]
        reached[neighbour] = [start, neighbour]
        trails.append(reached[neighbour])
    for trail in trails:
        if len(trail) >= most:
            return None
        for neighbour in beside[trail[-1]]:
            if neighbour == trail[-2]:
                continue
            if not undrawn[neighbour]:
                return [*trail, neighbour]
            if neighbour not in reached:
                reached[neighbour] = [*trail, neighbour]
                trails.append(reached[neighbour])
            elif reached[neighbour][1] != trail[1]:  # two trails from the start meet: a cycle through it
                return [*trail, *reached[neighbour][::-1]]
    return None


def _behind(near: int, far: int, beside: _Around) -> int:
    """Count the nodes beyond an edge of a tree. A larger number if there is a cycle among them."""
    seen = {near, far}
    queue = [far]
    ends = 0
    for node in queue:
        ends += len(beside[node])
        for further in beside[node]:
            if further not in seen:
                seen.add(further)
                queue.append(further)
    return len(queue) + (1_000 if ends > 2 * len(queue) - 1 else 0)
