"""Route: hallways between rooms, each from an entrance to an entrance.

# # # # # # . . .        A hallway two tiles wide. Its walls (#) are its own: it keeps a tile away
h h h h h # . . .        from every room's outer wall (R), and from every other hallway. Only its
h h h h h # R R R        ends lead straight up to an entrance (E).
# # # h h # R r r
R R R E E R R r r        Its place is the top left tile of the square that walks along it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from generator.algorithms.astar import find_way
from generator.algorithms.spanning_tree import Edge, UnionFind
from generator.geometry import Point, Rect
from generator.styles.gungeon.connect import Connections
from generator.styles.gungeon.heap_layouts import Ways
from generator.styles.gungeon.loops import LoopFinder
from generator.styles.gungeon.plan import Heap, RoutedHallway, keeps_off_the_way
from generator.styles.gungeon.room_kinds import off_the_way
from generator.styles.gungeon.sides import RoomSide


class Limit(NamedTuple):
    """What a hallway may cost at most, in tiles and bends: `direct` times the direct path, and `detour`."""

    direct: int
    detour: int


NEAR = Limit(2, 40)
FAR = Limit(16, 320)  # where nothing else joins two rooms; a longer path would take too long to find
OF_LOOPS = Limit(1, 24)  # nobody needs a loop that is a long walk, for there is a path already


class Router:
    """The grid that hallways are laid on, and those that were laid."""

    def __init__(self, rects: list[Rect], width: int, exits: Sequence[Ways | None] = ()) -> None:
        """`rects` are the rooms', at least `border(width)` tiles from the grid's edges.

        `exits` [room] tell where its doors may be; None, or none at all: anywhere but in corners.
        """
        self.rects = rects
        self.width = width
        self.ways: list[RoutedHallway] = []
        self._taken: set[RoomSide] = set()
        self.stride = max(rect.right for rect in rects) + border(width)
        rows = max(rect.bottom for rect in rects) + border(width)
        self._sides = [
            [RoomSide(room, side, rect, each, width, self.stride) for side in range(4)]
            for room, (rect, each) in enumerate(zip(rects, exits or [None] * len(rects), strict=True))
        ]
        self._blocked = bytearray(self.stride * rows)
        self._grid = np.frombuffer(self._blocked, np.uint8).reshape(rows, self.stride)
        for grid in (self._grid, self._grid.T):  # its rim, where the walking square would reach out of it
            grid[0] = 1
            grid[-width:] = 1
        for rect in rects:
            self._block(rect)

    def _block(self, tiles: Rect) -> None:
        """Let no hallway come nearer to these tiles than a wall's breadth."""
        x, y, width, height = tiles
        top, left = max(y - self.width, 0), max(x - self.width, 0)
        self._grid[top : y + height + 1, left : x + width + 1] = 1

    def lay(self, edge: Edge, limit: Limit = NEAR) -> bool:
        """Lay a hallway between two rooms: straight on where they face each other, else by A*.

        A* leads from any middle of a side to any; where all of those are taken or no path leads on,
        entrances are added beside them. False if it found no path within the limit.
        """
        if straight := self._facing(*edge):
            lane, ends = straight
            self._keep(lane, ends)
            return True
        most = limit.direct * self._direct(*edge) + limit.detour
        for places_of in (RoomSide.middle_places, RoomSide.all_places):
            starts = self._free(edge[0], places_of, outwards=True)
            goals = self._free(edge[1], places_of, outwards=False)
            way = find_way(self._blocked, self.stride, tuple(starts), tuple(goals), most)
            if way:
                path = list(dict.fromkeys([state >> 2 for state in way]))
                self._keep(path, (starts[way[0]], goals[way[-1]]))
                return True
        return False

    def _free(
        self, room: int, places_of: Callable[[RoomSide], list[int]], *, outwards: bool
    ) -> dict[int, RoomSide]:
        """The states that a hallway may begin in, or end in, beside a room, with the side of each."""
        blocked = self._blocked
        return {
            place * 4 + (side.direction if outwards else side.direction ^ 2): side
            for side in self._sides[room]
            for place in places_of(side)
            if not blocked[place]
        }

    def _facing(self, a: int, b: int) -> tuple[range, tuple[RoomSide, RoomSide]] | None:
        """The places of a straight hallway, as near to the middles of both sides as it can be.

        None if the rooms do not face each other so far, one of the sides has its entrance already, or
        something stands between.
        """
        one, other = self.rects[a], self.rects[b]
        first = self._sides[a][2 if one.y < other.y else 0]
        last = self._sides[b][first.direction ^ 2]
        at = self._shared(first, last)
        if at is None:
            first = self._sides[a][1 if one.x < other.x else 3]
            last = self._sides[b][first.direction ^ 2]
            at = self._shared(first, last)
            if at is None:
                return None
        if first in self._taken or last in self._taken:
            return None
        start, end = (side.first + (at - side.start) * side.step for side in (first, last))
        step = self._step(first)
        lane = range(start, end + step, step)
        if self._blocked[start] or self._blocked[end] or any(map(self._blocked.__getitem__, lane)):
            return None
        return lane, (first, last)

    def _shared(self, one: RoomSide, other: RoomSide) -> int | None:
        """Where along two sides a straight hallway begins; None if they share no place."""
        shared = one.offsets << one.start & other.offsets << other.start
        if not shared:
            return None
        wish = max((2 * one.start + one.length + 2 * other.start + other.length) // 4 - self.width // 2, 0)
        after = shared >> wish
        before = (shared & (1 << wish) - 1).bit_length() - 1  # the nearest below the wish, -1 for none
        if not after or (before >= 0 and wish - before <= (after & -after).bit_length() - 1):
            return before
        return wish + (after & -after).bit_length() - 1

    def _step(self, side: RoomSide) -> int:
        """What a step out over a side adds to a place."""
        return (-self.stride, 1, self.stride, -1)[side.direction]

    def _direct(self, a: int, b: int) -> int:
        """The tiles between two rooms, on both axes together: no way is shorter."""
        one, other = self.rects[a], self.rects[b]
        gap_x = max(one.x - other.right, other.x - one.right, 0)
        gap_y = max(one.y - other.bottom, other.y - one.bottom, 0)
        return gap_x + gap_y

    def _keep(self, places: Sequence[int], ends: tuple[RoomSide, RoomSide]) -> None:
        """Keep the hallway, and keep others away from it."""
        first, last = ends
        stride = self.stride
        whole = [places[0] - self._step(first), *places, places[-1] - self._step(last)]
        path = [(place % stride, place // stride) for place in whole]
        parts = tuple(straights(path, self.width))
        for part in parts:
            self._block(part)
        self._taken.update(ends)
        entrances = first.entrance(places[0]), last.entrance(places[-1])
        self.ways.append(RoutedHallway(entrances, tuple(path), parts))


def border(width: int) -> int:
    """Tiles round the heap that a hallway of that width can go round all rooms in."""
    return 2 * width + 4


def straights(path: Sequence[Point], width: int) -> Iterator[Rect]:
    """The tiles that a square of that width covers on each straight part of a path of single steps."""
    x, y = path[0]
    before = path[0]
    for point in path[1:]:
        if point[0] != x and point[1] != y:
            yield _covered(x, y, *before, width)
            x, y = before
        before = point
    yield _covered(x, y, *before, width)


def _covered(ax: int, ay: int, bx: int, by: int, width: int) -> Rect:
    return Rect(min(ax, bx), min(ay, by), abs(ax - bx) + width, abs(ay - by) + width)


def route(heap: Heap, connections: Connections, width: int, body: int = 1) -> list[RoutedHallway] | None:
    """Lay the hallways of the tree, then those of the loops; None if a room stays apart.

    They begin at the exits of a room's layout. `heap` must leave `border(width)` tiles free on its upper
    left. Where no way is found for an edge of the tree, or only a long way round, the next edge of the
    triangulation that joins what is apart takes its place. Only then do long ways serve. Rooms off the way
    get one door, if they can all keep off it. Loops have five rooms or more.
    """
    strict = keeps_off_the_way(heap.kinds, heap.rows)
    router = Router(heap.rects(), width, [each.ways(width, body) if each else None for each in heap.layouts])
    sets = UnionFind(len(heap.kinds))
    laid: set[Edge] = set()
    aside = off_the_way(heap.rows)
    dead_ends: set[int] = set()
    for limit in (NEAR, FAR):
        for edge in connections.tree + connections.spare:
            if sets.sets == 1:
                break
            if sets.find(edge[0]) == sets.find(edge[1]):
                continue
            if strict and not dead_ends.isdisjoint(edge):
                continue
            if router.lay(edge, limit):
                laid.add(edge)
                sets.union(*edge)
                dead_ends.update(room for room in edge if heap.kinds[room] in aside)
    if sets.sets > 1:
        return None
    tree, left = router.ways.copy(), connections.loops
    loops = LoopFinder(len(heap.kinds), [(way.ends[0].room, way.ends[1].room) for way in tree])
    for edge in loops.in_order(connections.loop_candidates, heap.kinds):
        if left and edge not in laid and loops.is_worth_it(edge) and router.lay(edge, OF_LOOPS):
            loops.add(edge)
            left -= 1
    return tree + [way._replace(is_loop=True) for way in router.ways[len(tree) :]]
