"""Route: hallways between rooms, each from an entrance to an entrance.

# # # # # # . . .        A hallway two tiles wide. Its walls (#) are its own: it keeps a tile away
h h h h h # . . .        from every room's outer wall (R), and from every other hallway. Only its
h h h h h # R R R        ends lead straight up to an entrance (E).
# # # h h # R r r
R R R E E R R r r        Its place is the top left tile of the square that walks along it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from generator.floorplans.gungeon.astar import find_way
from generator.floorplans.gungeon.connect import Connections
from generator.floorplans.gungeon.plan import OFF_THE_WAY, Entrance, Heap, Way, keeps_off_the_way
from generator.floorplans.gungeon.triangulate import Edge
from generator.floorplans.gungeon.union_find import UnionFind
from generator.geometry import Point, Rect, Side

_SIDES = (Side.NORTH, Side.EAST, Side.SOUTH, Side.WEST)  # A*'s directions, in its order
# What a way may cost, tiles and bends, beyond the direct way before it counts as a long way round. Nobody
# needs a loop that is a long walk, for there is a way already.
_DETOUR = 40  # and as much again as the direct way
_DETOUR_OF_LOOPS = 24
_FAR_ROUND = 8  # times that, where nothing else joins two rooms; what is longer would be sought for too long
_CORNER = 2  # tiles between a corner and an added entrance


class Router:
    """The grid that hallways are laid on, and those that were laid."""

    def __init__(self, rects: list[Rect], width: int) -> None:
        """`rects` are the rooms', at least `border(width)` tiles from the grid's edges."""
        self.rects = rects
        self.width = width
        self.ways: list[Way] = []
        self._taken: set[tuple[int, Side]] = set()
        self.stride = max(rect.right for rect in rects) + border(width)
        rows = max(rect.bottom for rect in rects) + border(width)
        self._blocked = bytearray(self.stride * rows)
        self._grid = np.frombuffer(self._blocked, np.uint8).reshape(rows, self.stride)
        for grid in (self._grid, self._grid.T):  # its rim, where the walking square would reach out of it
            grid[0] = 1
            grid[-width:] = 1
        for rect in rects:
            self._block(rect)

    def _block(self, tiles: Rect) -> None:
        """Let no hallway come nearer to these tiles than a wall's breadth."""
        top, left = max(tiles.y - self.width, 0), max(tiles.x - self.width, 0)
        self._grid[top : tiles.bottom + 1, left : tiles.right + 1] = 1

    def lay(self, edge: Edge, *, is_loop: bool = False, far_round: bool = False) -> bool:
        """Lay a hallway between two rooms: straight on where they face each other, else by A*.

        A* leads from any middle of a side to any; where all of those are taken or no way leads on,
        entrances are added beside them. False if no way was found, or only a long way round; `far_round`
        allows much longer ones.
        """
        if ends := self._facing(*edge):
            self._keep(self._lane(*ends), ends, is_loop)
            return True
        direct = self._direct(*edge)
        limit = direct + _DETOUR_OF_LOOPS if is_loop else 2 * direct + _DETOUR
        if far_round:
            limit *= _FAR_ROUND
        for entrances in (self._middle_entrances, self._all_entrances):
            starts = {self._state(entrance, outwards=True): entrance for entrance in entrances(edge[0])}
            goals = {self._state(entrance, outwards=False): entrance for entrance in entrances(edge[1])}
            way = find_way(self._blocked, self.stride, tuple(starts), tuple(goals), limit)
            if way:
                path = tuple(dict.fromkeys(state >> 2 for state in way))
                self._keep(path, (starts[way[0]], goals[way[-1]]), is_loop)
                return True
        return False

    def _facing(self, a: int, b: int) -> tuple[Entrance, Entrance] | None:
        """The entrances of a straight hallway, as near to the middles of both sides as it can be.

        None if the rooms do not face each other so far, one of the sides has its entrance already, or
        something stands between.
        """
        one, other = self.rects[a], self.rects[b]
        place = self._shared_place(one.x, one.right, other.x, other.right)
        if place is not None:
            side = Side.SOUTH if one.y < other.y else Side.NORTH
            offsets = place - one.x, place - other.x
        else:
            place = self._shared_place(one.y, one.bottom, other.y, other.bottom)
            if place is None:
                return None
            side = Side.EAST if one.x < other.x else Side.WEST
            offsets = place - one.y, place - other.y
        if (a, side) in self._taken or (b, side.opposite) in self._taken:
            return None
        first = self._entrance(a, side, offsets[0])
        last = self._entrance(b, side.opposite, offsets[1])
        if not (first and last) or any(self._blocked[place] for place in self._lane(first, last)):
            return None
        return first, last

    def _shared_place(self, start: int, end: int, other_start: int, other_end: int) -> int | None:
        """Where along two sides a straight hallway begins; None if they have too little in common."""
        least = max(start, other_start) + _CORNER
        most = min(end, other_end) - _CORNER - self.width
        wish = (start + end + other_start + other_end) // 4 - self.width // 2
        return min(max(wish, least), most) if least <= most else None

    def _lane(self, first: Entrance, last: Entrance) -> range:
        """The places of a straight hallway."""
        step = first.side.dy * self.stride + first.side.dx
        return range(self._place(first), self._place(last) + step, step)

    def _direct(self, a: int, b: int) -> int:
        """The tiles between two rooms, on both axes together: no way is shorter."""
        one, other = self.rects[a], self.rects[b]
        gap_x = max(one.x - other.right, other.x - one.right, 0)
        gap_y = max(one.y - other.bottom, other.y - one.bottom, 0)
        return gap_x + gap_y

    def _middle_entrances(self, room: int) -> Iterator[Entrance]:
        """Those of the four in the middle of the sides that nothing stands before."""
        for side in _SIDES:
            entrance = self._entrance(room, side, (self._length(room, side) - self.width) // 2)
            if entrance:
                yield entrance

    def _all_entrances(self, room: int) -> Iterator[Entrance]:
        """As many as fit beside each other on every side."""
        for side in _SIDES:
            for offset in range(_CORNER, self._length(room, side) - _CORNER - self.width + 1, self.width + 1):
                entrance = self._entrance(room, side, offset)
                if entrance:
                    yield entrance

    def _length(self, room: int, side: Side) -> int:
        rect = self.rects[room]
        return rect.width if side.is_vertical_way else rect.height

    def _entrance(self, room: int, side: Side, offset: int) -> Entrance | None:
        """The entrance `offset` tiles along a side; None if no hallway can stand before it."""
        rect = self.rects[room]
        along = range(offset, offset + self.width)
        if side.is_vertical_way:
            y = rect.y if side is Side.NORTH else rect.bottom - 1
            tiles = tuple((rect.x + i, y) for i in along)
        else:
            x = rect.x if side is Side.WEST else rect.right - 1
            tiles = tuple((x, rect.y + i) for i in along)
        entrance = Entrance(room, side, tiles)
        return None if self._blocked[self._place(entrance)] else entrance

    def _place(self, entrance: Entrance) -> int:
        """Where a hallway begins before an entrance: beyond the tile that is for its wall."""
        (x, y), side = entrance.tiles[0], entrance.side
        away = 2 if side in (Side.SOUTH, Side.EAST) else 1 + self.width
        return (y + side.dy * away) * self.stride + x + side.dx * away

    def _state(self, entrance: Entrance, *, outwards: bool) -> int:
        side = entrance.side if outwards else entrance.side.opposite
        return self._place(entrance) * 4 + _SIDES.index(side)

    def _keep(self, places: Sequence[int], ends: tuple[Entrance, Entrance], is_loop: bool) -> None:
        """Keep the hallway, and keep others away from it."""
        path = [(place % self.stride, place // self.stride) for place in places]
        first, last = (end.side for end in ends)
        path.insert(0, (path[0][0] - first.dx, path[0][1] - first.dy))
        path.append((path[-1][0] - last.dx, path[-1][1] - last.dy))
        parts = tuple(_straights(path, self.width))
        for part in parts:
            self._block(part)
        self._taken |= {(end.room, end.side) for end in ends}
        self.ways.append(Way(ends, tuple(path), parts, is_loop))


def border(width: int) -> int:
    """Tiles round the heap that a hallway of that width can go round all rooms in."""
    return 2 * width + 4


def _straights(path: Sequence[Point], width: int) -> Iterator[Rect]:
    """The tiles that a square of that width covers on each straight part of a path of single steps."""
    first = before = path[0]
    for point in (*path[1:], None):
        if point is None or (point[0] != first[0] and point[1] != first[1]):
            (ax, ay), (bx, by) = first, before
            yield Rect(min(ax, bx), min(ay, by), abs(ax - bx) + width, abs(ay - by) + width)
            first = before
        if point is not None:
            before = point


def route(heap: Heap, connections: Connections, width: int) -> list[Way] | None:
    """Lay the hallways of the tree, then those of the loops; None if a room stays apart.

    `heap` must leave `border(width)` tiles free on its upper left. Where no way is found for an edge of
    the tree, or only a long way round, the next edge of the triangulation that joins what is apart takes
    its place. Only then do long ways serve. Rooms off the way get one door, if they can all keep off it.
    """
    strict = keeps_off_the_way(heap.kinds)
    router = Router(heap.rects(), width)
    sets = UnionFind(len(heap.kinds))
    laid: set[Edge] = set()
    dead_ends: set[int] = set()
    for far_round in (False, True):
        for edge in connections.tree + connections.spare:
            if sets.sets == 1:
                break
            if sets.find(edge[0]) == sets.find(edge[1]):
                continue
            if strict and not dead_ends.isdisjoint(edge):
                continue
            if router.lay(edge, far_round=far_round):
                laid.add(edge)
                sets.union(*edge)
                dead_ends.update(room for room in edge if heap.kinds[room] in OFF_THE_WAY)
    if sets.sets > 1:
        return None
    left = connections.loops
    for edge in connections.loop_candidates:
        if left and edge not in laid and router.lay(edge, is_loop=True):
            left -= 1
    return router.ways
