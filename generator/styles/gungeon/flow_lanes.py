"""Lays the hallways of a flow along the cells of its drawing, and draws the level tight.

+-----+            A room is in the middle of its cells, with space around it. A hallway leaves its wall at
|  a  |            a port (p), goes to the lane in the middle of its row or column (j), and along that.
+--p--+            So no two can meet. Then all is moved together, along one axis at a time: rooms with
   j--j . . .      their ports, and the straight parts of hallways. Last, each hallway is taken up in turn
      |            and laid by A*, which finds a path at least as short as the one that it had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from generator.algorithms.compaction import RectRow
from generator.algorithms.graph import Edge
from generator.algorithms.orthogonal import points_to
from generator.geometry import Point, Rect, Side
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.flows.draw import FlowDrawing, edge_of
from generator.styles.gungeon.furnishing.gungeon_layouts import ExitsByClass
from generator.styles.gungeon.plan import CORNER, RoutedHallway
from generator.styles.gungeon.route import Router, border

_ROUNDS = 2  # of drawing together and laying anew
_MAX_ANEW = 240  # tiles: longer hallways stay along their lanes, as A* would take as long as for all others


@dataclass
class HallwayLine:
    """The corners of a hallway, as positions of a square that moves along it, from entrance to entrance.

    Two neighbours lie in line, alternately along both axes, the first two along `first`. They may be equal.
    """

    first: int
    corners: list[Point]

    def runs(self, axis: int) -> list[list[int]]:
        """Group the numbers of the corners whose position along an axis is the same."""
        runs = [[0]]
        for number in range(1, len(self.corners)):
            if (self.first + number - 1) % 2 == axis:
                runs.append([])
            runs[-1].append(number)
        return runs

    def path(self) -> list[Point]:
        """Return the hallway's path in single steps, without parts that lead back to where they began."""
        path: dict[Point, None] = {self.corners[0]: None}
        for start, end in pairwise(self.corners):
            for at in points_to(start, end):
                if at in path:
                    path = dict.fromkeys([*path][: [*path].index(at)])
                path[at] = None
        return [*path]


def line_along(path: Sequence[Point]) -> HallwayLine:
    """Return the line of a path in single steps. A straight one may be shifted in its middle."""
    corners = [path[0]]
    for before, at, after in zip(path, path[1:], path[2:], strict=False):
        if after[0] - at[0] != at[0] - before[0]:
            corners.append(at)
    corners += [path[-1]]
    first = int(len(path) < 2 or path[0][0] == path[1][0])
    if len(corners) == 2:
        middle = path[len(path) // 2]
        corners[1:1] = [middle, middle]
    return HallwayLine(first, corners)


@dataclass
class Lanes:
    """Rooms, and hallways of `width` tiles, on the way to a floor. `edges` are the rooms that lines join."""

    rects: list[Rect]
    edges: Sequence[Edge]
    lines: list[HallwayLine]
    width: int

    def is_valid(self) -> bool:
        """Check that nothing overlaps."""
        return all(self._row(axis).is_valid for axis in (0, 1))

    def tighten(self) -> None:
        """Move all together along x and along y."""
        for axis in (0, 1):
            starts = iter(self._row(axis).tighten(self._links(axis)).tolist())
            names = ({"x": start} if axis == 0 else {"y": start} for start in starts)
            self.rects = [rect._replace(**next(names)) for rect in self.rects]
            for line in self.lines:
                for run in line.runs(axis):
                    start = next(names)
                    for corner in run:
                        x, y = line.corners[corner]
                        line.corners[corner] = start.get("x", x), start.get("y", y)

    def move_to_grid(self) -> int:
        """Move all away from the first row and column. Returns the tiles that are needed around the rooms."""
        corners = [corner for line in self.lines for corner in line.corners]
        beyond = 0
        for axis in (0, 1):
            at = [corner[axis] for corner in corners]
            least = min(rect[axis] for rect in self.rects)
            most = max(rect[axis] + rect[2 + axis] for rect in self.rects)
            beyond = max(beyond, least - min(at), max(at) + self.width - most)
        around = border(self.width) + beyond
        dx, dy = (around - min(rect[axis] for rect in self.rects) for axis in (0, 1))
        self.rects = [rect._replace(x=rect.x + dx, y=rect.y + dy) for rect in self.rects]
        for line in self.lines:
            line.corners = [(x + dx, y + dy) for x, y in line.corners]
        return around

    def _links(self, axis: int) -> list[Edge]:
        """Pair the straight parts of hallways that follow each other."""
        links: list[Edge] = []
        at = len(self.rects)
        for line in self.lines:
            count = len(line.runs(axis))
            links += pairwise(range(at, at + count))
            at += count
        return links

    def _row(self, axis: int) -> RectRow:
        """Return what moves along an axis: the rooms, then the parts of hallways that lie across it.

        A hallway's ends belong to its rooms.
        """
        across, count = 1 - axis, len(self.rects)
        starts, lengths = ([rect[part] for rect in self.rects] for part in (axis, 2 + axis))
        lows = [rect[across] for rect in self.rects]
        highs = [rect[across] + rect[2 + across] for rect in self.rects]
        bodies = [*range(count)]
        touch: list[Edge] = []
        for (a, b), line in zip(self.edges, self.lines, strict=True):
            runs = line.runs(axis)
            first = len(starts)
            for run in runs:
                at = [line.corners[corner][across] for corner in run]
                starts.append(line.corners[run[0]][axis])
                lows.append(min(at))
                highs.append(max(at) + self.width)
            bodies += [a, *range(count, count + len(runs) - 2), b]
            count += len(runs) - 2
            touch += combinations(range(first, len(starts)), 2)
        rooms = len(self.rects)
        lengths += [self.width] * (len(starts) - rooms)
        spaces = [self.width + 2] * rooms + [1] * (len(starts) - rooms)
        return RectRow(starts, lengths, lows, highs, bodies, spaces, touch)


def laid_tight(
    lanes: Lanes, exits: Sequence[ExitsByClass | None], joins: Sequence[str]
) -> list[RoutedHallway]:
    """Draw the lanes together, and lay their hallways as short as they can be there.

    `joins` [hallway] are the classes of the exits that they join. The rooms are left where the hallways found
    them, far enough from the first row and column.
    """
    for _ in range(_ROUNDS):
        lanes.tighten()
        around = lanes.move_to_grid()
        router = Router(lanes.rects, lanes.width, exits, around)
        for edge, line, of_class in zip(lanes.edges, lanes.lines, joins, strict=True):
            router.lay_along(edge, line.path(), of_class)
        lengths = [len(hallway.path) for hallway in router.hallways]
        for number in sorted(range(len(lengths)), key=lengths.__getitem__):
            if lengths[number] <= _MAX_ANEW:
                router.lay_anew(number)
        lanes.lines = [line_along(hallway.path[1:-1]) for hallway in router.hallways]
    return router.hallways


# The first positions: on a grid of rows and columns so wide that nothing is in another's way.


def along_drawing(
    drawing: FlowDrawing,
    sizes: Sequence[Point],
    edges: Sequence[Edge],
    width: int,
    exits: Sequence[ExitsByClass | None],
    joins: Sequence[str],
) -> Lanes:
    """Lay rooms of `sizes` and hallways of `width` tiles along the cells of a drawing.

    `exits` [room] says where its doors may be. None: anywhere but in corners. `joins` [hallway] are the
    classes of the exits that they join.
    """
    grid = _LaneGrid(drawing, sizes, width)
    rects = [grid.room(cells, size) for cells, size in zip(drawing.cells, sizes, strict=True)]
    ways = [_way(drawing, edge) for edge in edges]
    at_sides: dict[tuple[int, Side], list[_SideLane]] = {}
    for edge, way, of_class in zip(edges, ways, joins, strict=True):
        for room, (cell, side) in zip(edge, way.ends, strict=True):
            places = _places(rects[room], side, exits[room], of_class, width)
            at_sides.setdefault((room, side), []).append(_SideLane(grid.lane(cell, side), places))
    ports = {at: _ports(sorted(lanes), width) for at, lanes in at_sides.items()}
    lines = []
    for edge, way in zip(edges, ways, strict=True):
        corners = [grid.corner(cell) for cell in way.cells]
        ends: list[tuple[Point, Point]] = []
        for room, (cell, side) in zip(edge, way.ends, strict=True):
            lane = grid.lane(cell, side)
            port = ports[room, side][lane]
            rect = rects[room]
            ends.append((_before(rect, side, port, width), _before(rect, side, lane, width)))
        (before, start), (after, end) = ends
        first = int(not way.ends[0][1].is_vertical_way)
        lines.append(HallwayLine(first, [before, *_bent([start, *corners, end]), after]))
    return Lanes(rects, edges, lines, width)


def _bent(points: Sequence[Point]) -> list[Point]:
    """Leave only the ends of a way and its bends."""
    bends = [
        at
        for before, at, after in zip(points, points[1:], points[2:], strict=False)
        if (before[0] == at[0]) != (at[0] == after[0])
    ]
    return [points[0], *bends, points[-1]]


class _LaneGrid:
    """Columns and rows of tiles. A room's are wide enough for it and a hallway on each side."""

    def __init__(self, drawing: FlowDrawing, sizes: Sequence[Point], width: int) -> None:
        self.width = width
        self.axes: list[dict[int, tuple[int, int]]] = []  # [axis][cell]: its first tile and its tiles
        passed = {cell for cells in drawing.passed.values() for cell in cells}
        for axis in (0, 1):
            wide = {cell[axis]: width + 1 for cell in passed}
            for cells, size in zip(drawing.cells, sizes, strict=True):
                span = {cell[axis] for cell in cells}
                share = -(-(size[axis] + 2 * (width + 2)) // len(span))
                wide |= {cell: max(share, wide.get(cell, width + 1)) for cell in span}
            start, tiles = 0, {}
            for cell in sorted(wide):
                tiles[cell] = start, wide[cell]
                start += wide[cell]
            self.axes.append(tiles)

    def room(self, cells: Sequence[Point], size: Point) -> Rect:
        """Put a room in the middle of its cells."""

        def start(axis: int) -> int:
            span = [self.axes[axis][cell[axis]] for cell in cells]
            first, end = min(start for start, _ in span), max(start + tiles for start, tiles in span)
            return (first + end - size[axis]) // 2

        return Rect(start(0), start(1), *size)

    def corner(self, cell: Point) -> Point:
        """Return the position of a hallway in the middle of a cell."""
        x, y = (
            start + (tiles - self.width) // 2
            for start, tiles in (self.axes[0][cell[0]], self.axes[1][cell[1]])
        )
        return x, y

    def lane(self, cell: Point, side: Side) -> int:
        """Return where a hallway is that leaves a cell by a side, along that side."""
        return self.corner(cell)[0 if side.is_vertical_way else 1]


class _SideLane(NamedTuple):
    """A hallway that leaves by a side of a room: its lane along that side, and where its door may begin."""

    lane: int
    places: list[int]


@dataclass
class _HallwayCells:
    """The cells that a connection passes, and the cell and the side by which it leaves each of its rooms."""

    cells: list[Point]
    ends: tuple[tuple[Point, Side], tuple[Point, Side]]


def ends_of(drawing: FlowDrawing, edge: Edge) -> tuple[tuple[Point, Side], tuple[Point, Side]]:
    """Return the cell and the side by which a connection leaves each of its two rooms."""
    return _way(drawing, edge).ends


def _way(drawing: FlowDrawing, edge: Edge) -> _HallwayCells:
    a, b = edge
    passed = drawing.passed[edge_of(a, b)]
    cells = passed if a < b else passed[::-1]
    first = _leaving(drawing.cells[a], cells[:1] or drawing.cells[b])
    return _HallwayCells(cells, (first, _leaving(drawing.cells[b], cells[-1:] or [first[0]])))


def _leaving(cells: Sequence[Point], targets: Sequence[Point]) -> tuple[Point, Side]:
    return next(((x, y), side) for x, y in cells for side in Side if (x + side.dx, y + side.dy) in targets)


def _places(rect: Rect, side: Side, exits: ExitsByClass | None, joins: str, width: int) -> list[int]:
    """List where along a side a door of a class may begin."""
    start, length = (rect.x, rect.width) if side.is_vertical_way else (rect.y, rect.height)
    if exits is None:
        return [*range(start + CORNER, start + length - CORNER - width + 1)]
    return sorted({start + offset for offsets in exits[joins].get(side, ()) for offset in offsets})


def _before(rect: Rect, side: Side, at: int, width: int) -> Point:
    """Return the position of a hallway outside of a room's side, beyond the tile of its own wall."""
    if side.is_vertical_way:
        return at, rect.y - 1 - width if side is Side.NORTH else rect.bottom + 1
    return rect.x - 1 - width if side is Side.WEST else rect.right + 1, at


def _ports(lanes: Sequence[_SideLane], width: int) -> dict[int, int]:
    """Choose doors of a side for its hallways, in their order and as close to their lanes as possible.

    Returns where each begins, by its lane.
    """
    first, places = lanes[0]
    choices = [(abs(place - first), [place]) for place in places]
    for lane, places in lanes[1:]:
        choices = [
            (cost + abs(place - lane), [*chosen, place])
            for cost, chosen in choices
            for place in places
            if place > chosen[-1] + width
        ]
    return dict(zip((lane for lane, _ in lanes), min(choices)[1], strict=True))
