"""Routes hallways between rooms, each from one entrance to another.

# # # # # # . . .        A hallway two tiles wide. Its walls (#) are its own: it keeps a tile away
h h h h h # . . .        from every room's outer wall (R), and from every other hallway. Only its
h h h h h # R R R        ends lead straight up to an entrance (E).
# # # h h # R r r
R R R E E R R r r        Its position is the top left tile of the square that walks along it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from generator.algorithms.astar import find_path
from generator.algorithms.graph import Edge, UnionFind
from generator.geometry import Point, Rect
from generator.styles.gungeon.connect import Connections
from generator.styles.gungeon.exit_fits import Exits
from generator.styles.gungeon.plan import Heap, RoutedHallway, keeps_off_the_way
from generator.styles.gungeon.room_kinds import BOSS, off_the_way
from generator.styles.gungeon.sides import RoomSide


class Limit(NamedTuple):
    """A hallway's greatest cost, in tiles and bends: `direct` times the direct path, plus `detour`."""

    direct: int
    detour: int


NEAR = Limit(2, 40)
FAR = Limit(16, 320)  # where nothing else joins two rooms; a longer path would take too long to find
OF_LOOPS = Limit(1, 24)  # a loop that is a long walk is useless, as there is a path already


class Router:
    """The grid that hallways are laid on, and the hallways laid so far."""

    def __init__(self, rects: list[Rect], width: int, exits: Sequence[Exits | None] = ()) -> None:
        """Take the rooms' rectangles, at least `border(width)` tiles from the grid's edges.

        `exits` [room] says where its doors may be; None, or an empty sequence: anywhere but in corners.
        """
        self.rects = rects
        self.width = width
        self.hallways: list[RoutedHallway] = []
        self._taken: set[RoomSide] = set()
        self.stride = max(rect.right for rect in rects) + border(width)
        rows = max(rect.bottom for rect in rects) + border(width)
        self._sides = [
            [RoomSide(room, side, rect, own_exits, width, self.stride) for side in range(4)]
            for room, (rect, own_exits) in enumerate(zip(rects, exits or [None] * len(rects), strict=True))
        ]
        self._blocked = bytearray(self.stride * rows)
        self._grid = np.frombuffer(self._blocked, np.uint8).reshape(rows, self.stride)
        for grid in (self._grid, self._grid.T):  # the rim, where the moving square would reach outside
            grid[0] = 1
            grid[-width:] = 1
        for rect in rects:
            self._block(rect)

    def _block(self, tiles: Rect) -> None:
        """Keep every hallway at least a wall's width away from these tiles."""
        x, y, width, height = tiles
        top, left = max(y - self.width, 0), max(x - self.width, 0)
        self._grid[top : y + height + 1, left : x + width + 1] = 1

    def lay(self, edge: Edge, limit: Limit = NEAR) -> bool:
        """Lay a hallway between two rooms: straight if they face each other, otherwise by A*.

        A* starts and ends at the middles of sides; if all of those are taken or no path leads on, entrances
        beside them are tried. Returns False if there is no path within the limit.
        """
        if straight := self._facing(*edge):
            lane, ends = straight
            self._keep(lane, ends)
            return True
        most = limit.direct * self._direct(*edge) + limit.detour
        for places_of in (RoomSide.middle_places, RoomSide.all_places):
            starts = self._free(edge[0], places_of, outwards=True)
            goals = self._free(edge[1], places_of, outwards=False)
            states = find_path(self._blocked, self.stride, tuple(starts), tuple(goals), most)
            if states:
                path = list(dict.fromkeys([state >> 2 for state in states]))
                self._keep(path, (starts[states[0]], goals[states[-1]]))
                return True
        return False

    def _free(
        self, room: int, places_of: Callable[[RoomSide], list[int]], *, outwards: bool
    ) -> dict[int, RoomSide]:
        """Return the A* states in which a hallway may begin or end beside a room, with the side of each."""
        blocked = self._blocked
        return {
            position * 4 + (side.direction if outwards else side.direction ^ 2): side
            for side in self._sides[room]
            for position in places_of(side)
            if not blocked[position]
        }

    def _facing(self, a: int, b: int) -> tuple[range, tuple[RoomSide, RoomSide]] | None:
        """Find a straight hallway's positions, as near to the middles of both sides as possible.

        None if the overlap of the two sides is too short, one of them has an entrance already, or something
        is in between.
        """
        rect_a, rect_b = self.rects[a], self.rects[b]
        first = self._sides[a][2 if rect_a.y < rect_b.y else 0]
        last = self._sides[b][first.direction ^ 2]
        at = self._shared(first, last)
        if at is None:
            first = self._sides[a][1 if rect_a.x < rect_b.x else 3]
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

    def _shared(self, first: RoomSide, last: RoomSide) -> int | None:
        """Find where along two facing sides a straight hallway begins. None if nothing is shared."""
        shared = first.offsets << first.start & last.offsets << last.start
        if not shared:
            return None
        wish = max((2 * first.start + first.length + 2 * last.start + last.length) // 4 - self.width // 2, 0)
        after = shared >> wish
        before = (shared & (1 << wish) - 1).bit_length() - 1  # the nearest below the wish; -1: there is none
        if not after or (before >= 0 and wish - before <= (after & -after).bit_length() - 1):
            return before
        return wish + (after & -after).bit_length() - 1

    def _step(self, side: RoomSide) -> int:
        """Return the offset of a step outwards over a side."""
        return (-self.stride, 1, self.stride, -1)[side.direction]

    def _direct(self, a: int, b: int) -> int:
        """Count the tiles between two rooms, on both axes together: no path is shorter."""
        rect_a, rect_b = self.rects[a], self.rects[b]
        gap_x = max(rect_a.x - rect_b.right, rect_b.x - rect_a.right, 0)
        gap_y = max(rect_a.y - rect_b.bottom, rect_b.y - rect_a.bottom, 0)
        return gap_x + gap_y

    def _keep(self, positions: Sequence[int], ends: tuple[RoomSide, RoomSide]) -> None:
        """Store the hallway, and keep others away from it."""
        first, last = ends
        stride = self.stride
        extended = [positions[0] - self._step(first), *positions, positions[-1] - self._step(last)]
        path = [(position % stride, position // stride) for position in extended]
        parts = tuple(straights(path, self.width))
        for part in parts:
            self._block(part)
        self._taken.update(ends)
        entrances = first.entrance(positions[0]), last.entrance(positions[-1])
        self.hallways.append(RoutedHallway(entrances, tuple(path), parts))


def border(width: int) -> int:
    """Return the tiles needed round the heap so that a hallway of this width can go round all rooms."""
    return 2 * width + 4


def straights(path: Sequence[Point], width: int) -> Iterator[Rect]:
    """Yield the tiles that a square of this width covers on each straight part of a path of single steps."""
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
    """Lay the hallways of the tree, then those of the loops. None if a room cannot be joined.

    They begin at the exits of a room's layout. `heap` must leave `border(width)` tiles free above it and to
    its left. If an edge of the tree has no path, or only a long detour, the next edge of the triangulation
    that joins what is apart takes its place. Long paths are the last resort. Rooms off the way get one door
    each, if paths can avoid all of them. Loops have five rooms or more.
    """
    strict = keeps_off_the_way(heap.kinds, heap.rows)
    router = Router(
        heap.rects(), width, [layout.exits(width, body) if layout else None for layout in heap.layouts]
    )
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
    tree, left = router.hallways.copy(), connections.loops
    loops = LoopFinder(len(heap.kinds), [(hallway.ends[0].room, hallway.ends[1].room) for hallway in tree])
    for edge in loops.in_order(connections.loop_candidates, heap.kinds):
        if left and edge not in laid and loops.is_worth_it(edge) and router.lay(edge, OF_LOOPS):
            loops.add(edge)
            left -= 1
    return tree + [hallway._replace(is_loop=True) for hallway in router.hallways[len(tree) :]]


# Loops of a level without a flow: which extra connections are worth having.
#
# A loop is worth having if it shortens a walk: it has five rooms or more, so that without it one walks
# through three rooms or more from one end of its connection to the other. Loops that offer an alternative
# on the path to the boss come first.

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
