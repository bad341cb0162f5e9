"""Routes hallways between rooms, each from one entrance to another.

# # # # # # . . .        A hallway two tiles wide. Its walls (#) are its own: it keeps a tile away
h h h h h # . . .        from every room's outer wall (R), and from every other hallway. Only its
h h h h h # R R R        ends lead straight up to an entrance (E).
# # # h h # R r r
R R R E E R R r r        Its position is the top left tile of the square that walks along it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_

import numpy as np

from generator.algorithms.astar import BEND, NO_PATH, Goals, find_path
from generator.algorithms.graph import Edge, UnionFind
from generator.geometry import Point, Rect, Side
from generator.named_tuple import NamedTuple
from generator.styles.gungeon import plan_kernel
from generator.styles.gungeon.connect import Connections, LoopFinder
from generator.styles.gungeon.furnishing.gungeon_layouts import Exits, ExitsByClass
from generator.styles.gungeon.furnishing.kit_tables import off_the_way
from generator.styles.gungeon.plan import (
    CORNER,
    Entrance,
    Heap,
    RoutedHallway,
    edges_of,
    is_straight,
    keeps_off_the_way,
)

# Where along the four sides of each room of a heap a hallway may begin.
#
# A hallway's position is the top left tile of the square that moves along it, as an index of the grid that
# hallways are laid on: y * stride + x. The first position lies beyond the tile of the hallway's own wall.

SIDES = (Side.NORTH, Side.EAST, Side.SOUTH, Side.WEST)  # A*'s directions, in its order


class RoomSide:
    """One side of a room.

    `direction` is the index of its side in `SIDES`, `start` the tile of the grid at which it starts, on its
    own axis, and `length` its tiles. `first` is the position before an entrance at its first tile, and `step`
    is added to it for each tile further along, `outwards` for a step away from the room.
    """

    __slots__ = (
        "_exits",
        "_rect",
        "_width",
        "direction",
        "first",
        "length",
        "outwards",
        "room",
        "start",
        "step",
    )

    def __init__(
        self, room: int, direction: int, rect: Rect, exits: Exits | None, width: int, stride: int
    ) -> None:
        """Lay out a side. `exits` says where its doors may be, or None for anywhere but in corners."""
        self.room = room
        self.direction = direction
        self._rect = rect
        self._width = width
        self.outwards = (-stride, 1, stride, -1)[direction]
        self._exits = None if exits is None else exits.get(SIDES[direction], ())
        if direction & 1:
            self.start, self.length, self.step = rect.y, rect.height, stride
            self.first = rect.y * stride + (rect.right + 1 if direction == 1 else rect.x - 1 - width)
        else:
            self.start, self.length, self.step = rect.x, rect.width, 1
            self.first = (rect.bottom + 1 if direction == 2 else rect.y - 1 - width) * stride + rect.x

    @property
    def place(self) -> tuple[int, int]:
        """Its room and its direction, which the sides of all classes of exits share."""
        return self.room, self.direction

    @property
    def offsets(self) -> int:
        """Where along the side a door may begin: a bit per tile."""
        if self._exits is None:
            count = self.length - 2 * CORNER - self._width + 1
            return (1 << max(count, 0)) - 1 << CORNER
        return _bits(self._exits)

    def middle_places(self) -> list[int]:
        """List the positions before the middle of the side, or before the middles of its exits."""
        if self._exits is None:
            return self._places([(self.length - self._width) // 2])
        return self._places([offsets[len(offsets) // 2] for offsets in self._exits])

    def all_places(self) -> list[int]:
        """List the positions before as many entrances as fit side by side."""
        step = self._width + 1
        if self._exits is None:
            return self._places(range(CORNER, self.length - CORNER - self._width + 1, step))
        return self._places({offset for offsets in self._exits for offset in offsets[::step]})

    def _places(self, offsets: Iterable[int]) -> list[int]:
        return [self.first + offset * self.step for offset in offsets]

    def is_before(self, position: int) -> bool:
        """Check whether a position is before an entrance of this side."""
        along, off = divmod(position - self.first, self.step)
        return not off and 0 <= along < self.length

    def entrance(self, position: int, joins: str = "") -> Entrance:
        """Return the entrance behind a position, an exit of the class `joins`."""
        first = self.start + (position - self.first) // self.step
        along = range(first, first + self._width)
        rect = self._rect
        if self.direction & 1:
            x = rect.right - 1 if self.direction == 1 else rect.x
            tiles = tuple([(x, y) for y in along])
        else:
            y = rect.bottom - 1 if self.direction == 2 else rect.y
            tiles = tuple([(x, y) for x in along])
        return Entrance(self.room, SIDES[self.direction], tiles, joins)


@lru_cache(maxsize=4096)
def _bits(exits: tuple[tuple[int, ...], ...]) -> int:
    """Set a bit for each tile of a side where a door of one of the exits may begin."""
    return sum({1 << offset for offsets in exits for offset in offsets})


# Hallways between rooms, one after the other.


class Limit(NamedTuple):
    """A hallway's greatest cost, in tiles and bends: `direct` times the direct path plus `detour`.

    It is never more than `most`.
    """

    direct: int
    detour: int
    most: int = 1 << 20


NEAREST = tuple(Limit(*numbers) for numbers in plan_kernel.NEAREST)
NEAR = Limit(*plan_kernel.NEAR)
FAR = Limit(*plan_kernel.FAR)  # where nothing else joins two rooms; a longer path would take too long to find
OF_LOOPS = Limit(*plan_kernel.OF_LOOPS)  # a loop that is a long walk is useless: there is a path already


_FLOOD = 500  # the greatest cost from which it pays to see first whether there is any path


PlacesOf = Callable[[RoomSide], list[int]]


class _FoundPath(NamedTuple):
    """A path by A*: its positions, the sides at its ends, the class of its exits, and its cost."""

    path: list[int]
    ends: tuple[RoomSide, RoomSide]
    joins: str
    cost: int


class Router:
    """The grid that hallways are laid on, and the hallways laid so far."""

    def __init__(
        self, rects: list[Rect], width: int, exits: Sequence[ExitsByClass | None] = (), around: int = 0
    ) -> None:
        """Take the rooms' rectangles, at least `around` tiles (0: `border(width)`) from the grid's edges.

        `exits` [room] says where its doors may be; None, or an empty sequence: of any class, and anywhere but
        in corners.
        """
        around = around or border(width)
        self.rects = rects
        self.width = width
        self.hallways: list[RoutedHallway] = []
        self._taken = Counter[tuple[int, int]]()  # rooms and directions of sides
        self.stride = max(rect.right for rect in rects) + around
        rows = max(rect.bottom for rect in rects) + around
        self._exits = exits or [None] * len(rects)
        self._sides: list[dict[str, list[RoomSide]]] = []
        for room, (rect, own_exits) in enumerate(zip(rects, self._exits, strict=True)):
            by_class: Mapping[str, Exits | None] = {"": None} if own_exits is None else own_exits
            self._sides.append(
                {
                    joins: [RoomSide(room, side, rect, of_class, width, self.stride) for side in range(4)]
                    for joins, of_class in by_class.items()
                }
            )
        self._ends: dict[tuple[int, str, PlacesOf], list[tuple[int, RoomSide]]] = {}
        # As more and more is blocked, these stay true: which rooms do not face, and what any path costs.
        self._aside: set[tuple[Edge, str]] = set()
        self._least: dict[tuple[Edge, str, PlacesOf], int] = {}
        self._goals: dict[tuple[int, ...], Goals] = {}
        self._blocked = bytearray(self.stride * rows)
        self._grid = np.frombuffer(self._blocked, np.uint8).reshape(rows, self.stride)
        for grid in (self._grid, self._grid.T):  # the rim, where the moving square would reach outside
            grid[0] = 1
            grid[-width:] = 1
        for rect in rects:
            self._block(rect)

    def _block(self, tiles: Rect, times: int = 1) -> None:
        """Keep every hallway at least a wall's width away from these tiles; -1 takes that back."""
        x, y, width, height = tiles
        top, left = max(y - self.width, 0), max(x - self.width, 0)
        self._grid[top : y + height + 1, left : x + width + 1] += np.uint8(times & 0xFF)

    def lay(self, edge: Edge, limit: Limit = NEAR, joins: str | None = None) -> bool:
        """Lay a hallway between two rooms: straight if they face each other, otherwise by A*.

        It joins exits of the class `joins`, or if that is None, of the class with the shortest path.

        A* starts and ends at the middles of sides; if all of those are taken or no path leads on, entrances
        beside them are tried. Returns False if there is no path within the limit.
        """
        most = min(limit.direct * self._direct(*edge) + limit.detour, limit.most)
        return self._lay(edge, most, self._classes(edge, joins))

    def _classes(self, edge: Edge, joins: str | None) -> list[str]:
        """List the classes that both rooms have exits of, or only `joins` if that is one of them."""
        of_layouts = [by_class for by_class in (self._exits[room] for room in edge) if by_class is not None]
        if not of_layouts:
            return [joins or ""]
        common = sorted(set(of_layouts[0]).intersection(*of_layouts))
        return common if joins is None else [joins] if joins in common else []

    def _sides_of(self, room: int, joins: str) -> list[RoomSide]:
        return self._sides[room]["" if self._exits[room] is None else joins]

    def lay_along(self, edge: Edge, path: Sequence[Point], joins: str = "") -> None:
        """Lay a hallway along a path that is free: positions from one room's side to the other's.

        Raises StopIteration if the path does not begin and end beside the two rooms.
        """
        positions = [y * self.stride + x for x, y in path]
        first, last = (
            next(side for side in self._sides_of(room, joins) if side.is_before(at))
            for room, at in zip(edge, (positions[0], positions[-1]), strict=True)
        )
        self._keep(positions, (first, last), joins)

    def lay_anew(self, number: int) -> None:
        """Lay a hallway anew, straight or by a cheaper path if there is one now."""
        old = self.hallways.pop(number)
        joins = old.ends[0].joins
        first, last = (self._sides_of(end.room, joins)[SIDES.index(end.side)] for end in old.ends)
        for part in old.parts:
            self._block(part, -1)
        self._aside.clear()
        self._least.clear()
        self._taken.subtract((first.place, last.place))
        self._taken = +self._taken
        bends = sum(a[0] != c[0] and a[1] != c[1] for a, c in zip(old.path, old.path[2:], strict=False))
        if not self._lay((first.room, last.room), len(old.path) - 3 + BEND * bends, [joins]):
            self._keep([y * self.stride + x for x, y in old.path[1:-1]], (first, last), joins)
        self.hallways.insert(number, self.hallways.pop())

    def _lay(self, edge: Edge, most: int, classes: Sequence[str]) -> bool:
        for joins in classes:
            if (edge, joins) in self._aside:
                continue
            if straight := self._facing(*edge, joins):
                self._keep(*straight, joins)
                return True
            self._aside.add((edge, joins))
        best: _FoundPath | None = None
        for joins in classes:
            if found := self._found(edge, most, joins):
                best, most = found, found.cost - 1
        if best:
            self._keep(best.path, best.ends, best.joins)
        return best is not None

    def _found(self, edge: Edge, most: int, joins: str) -> _FoundPath | None:
        """Find a cheapest path by A* between exits of a class. None if all cost more than `most`."""
        for places_of in (RoomSide.middle_places, RoomSide.all_places):
            if self._least.get((edge, joins, places_of), 0) > most:
                continue
            starts = self._free(edge[0], joins, places_of, outwards=True)
            goals = self._free(edge[1], joins, places_of, outwards=False)
            states, cost = list[int](), NO_PATH
            if most < _FLOOD or self._are_joined(starts, goals):
                to = tuple(goals)
                estimates = self._goals.pop(to, None) or Goals(self.stride, to)
                states, cost = find_path(self._blocked, tuple(starts), estimates, most)
                if not states:
                    self._goals[to] = estimates  # else one of the goals is taken
            if states:
                path = list(dict.fromkeys([state >> 2 for state in states]))
                return _FoundPath(path, (starts[states[0]], goals[states[-1]]), joins, cost)
            self._least[edge, joins, places_of] = cost
        return None

    def _are_joined(self, starts: Iterable[int], goals: Iterable[int]) -> bool:
        """Check whether free tiles join a start to a goal. A* would look at all of them before it fails.

        As on bitboards, each step takes in all tiles beside those that were reached.
        """
        free = int.from_bytes(np.packbits(self._grid.ravel() == 0, bitorder="little").tobytes(), "little")
        grown, goal = (reduce(or_, [1 << (state >> 2) for state in states], 0) for states in (starts, goals))
        reached, stride = 0, self.stride
        while grown != reached and not grown & goal:
            reached = grown
            grown = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & free
        return bool(grown & goal)

    def _free(self, room: int, joins: str, places_of: PlacesOf, *, outwards: bool) -> dict[int, RoomSide]:
        """Return the A* states in which a hallway may begin or end beside a room, with the side of each."""
        blocked, turn = self._blocked, 0 if outwards else 2
        if (ends := self._ends.get((room, joins, places_of))) is None:
            sides = self._sides_of(room, joins)
            ends = [(place, side) for side in sides for place in places_of(side)]
            self._ends[room, joins, places_of] = ends
        return {place * 4 + (side.direction ^ turn): side for place, side in ends if not blocked[place]}

    def _facing(self, a: int, b: int, joins: str) -> tuple[range, tuple[RoomSide, RoomSide]] | None:
        """Find a straight hallway's positions, as near to the middles of both sides as possible.

        None if the overlap of the two sides is too short, one of them has an entrance already, or something
        is in between.
        """
        rect_a, rect_b = self.rects[a], self.rects[b]
        for direction in (2 if rect_a.y < rect_b.y else 0, 1 if rect_a.x < rect_b.x else 3):
            first = self._sides_of(a, joins)[direction]
            last = self._sides_of(b, joins)[direction ^ 2]
            at = self._shared(first, last)
            if at is not None:
                break
        if at is None or first.place in self._taken or last.place in self._taken:
            return None
        start, end = (side.first + (at - side.start) * side.step for side in (first, last))
        step = first.outwards
        if self._blocked[start] or self._blocked[end] or any(self._blocked[start : end + step : step]):
            return None
        return range(start, end + step, step), (first, last)

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

    def _direct(self, a: int, b: int) -> int:
        """Count the tiles between two rooms, on both axes together: no path is shorter."""
        rect_a, rect_b = self.rects[a], self.rects[b]
        gap_x = max(rect_a.x - rect_b.right, rect_b.x - rect_a.right, 0)
        gap_y = max(rect_a.y - rect_b.bottom, rect_b.y - rect_a.bottom, 0)
        return gap_x + gap_y

    def _keep(self, positions: Sequence[int], ends: tuple[RoomSide, RoomSide], joins: str) -> None:
        """Store the hallway, and keep others away from it."""
        first, last = ends
        stride = self.stride
        extended = [positions[0] - first.outwards, *positions, positions[-1] - last.outwards]
        path = [(position % stride, position // stride) for position in extended]
        parts = tuple(straights(path, self.width))
        for part in parts:
            self._block(part)
        for side in ends:
            self._taken[side.place] += 1
        entrances = first.entrance(positions[0], joins), last.entrance(positions[-1], joins)
        self.hallways.append(RoutedHallway(entrances, tuple(path), parts))


def border(width: int) -> int:
    """Return the tiles needed round the heap so that a hallway of this width can go round all rooms."""
    return 2 * width + 4


def straights(path: Sequence[Point], width: int) -> Iterator[Rect]:
    """Yield the tiles that a square of this width covers on each straight part of a path of single steps."""
    x, y = before = path[0]
    for point in path[-1:] if is_straight(path) else path[1:]:
        if point[0] != x and point[1] != y:
            yield _covered(x, y, *before, width)
            x, y = before
        before = point
    yield _covered(x, y, *before, width)


def _covered(ax: int, ay: int, bx: int, by: int, width: int) -> Rect:
    return Rect(min(ax, bx), min(ay, by), abs(ax - bx) + width, abs(ay - by) + width)


def route(
    heap: Heap,
    connections: Connections,
    width: int,
    body: int = 1,
    through: frozenset[int] = frozenset(),
    nearest: Sequence[Limit] = (),
    longest: int = 0,
) -> list[RoutedHallway] | None:
    """Lay the hallways of the tree, then those of the loops. None if a room cannot be joined.

    None also once a hallway's path is longer than `longest`, if that is not 0.

    With `nearest` the tree's hallways are tried with these limits first, one after the other.

    They begin at the exits of a room's layout. `heap` must leave `border(width)` tiles free above it and to
    its left. If an edge of the tree has no path, or only a long detour, the next edge of the triangulation
    that joins what is apart takes its place. Long paths are the last resort. Rooms off the way get one door
    each, if paths can avoid all of them, except those in `through`. Loops have five rooms or more, unless
    the connections take any.
    """
    strict = keeps_off_the_way(heap.kinds, heap.rows) and not connections.takes_any_loop
    router = Router(heap.rects(), width, heap.exits(width, body))
    sets = UnionFind(len(heap.kinds))
    laid: set[Edge] = set()
    aside = off_the_way(heap.rows)
    doors = {room: 1 + (room in through) for room, kind in enumerate(heap.kinds) if kind in aside}  # left
    for limit in (*nearest, NEAR, FAR):
        for edge in connections.tree + ([] if limit in nearest else connections.spare):
            if sets.sets == 1:
                break
            if sets.find(edge[0]) == sets.find(edge[1]):
                continue
            if strict and 0 in map(doors.get, edge):
                continue
            if router.lay(edge, limit):
                if longest and len(router.hallways[-1].path) > longest:
                    return None
                laid.add(edge)
                sets.union(*edge)
                doors.update({room: max(0, doors[room] - 1) for room in edge if room in doors})
    if sets.sets > 1:
        return None
    tree, left = router.hallways.copy(), connections.loops
    loops = LoopFinder(len(heap.kinds), edges_of(tree))
    candidates = connections.loop_candidates
    for edge in candidates if connections.takes_any_loop else loops.in_order(candidates, heap.kinds):
        if any(room in through and not doors[room] for room in edge):
            continue
        is_wanted = connections.takes_any_loop or loops.is_worth_it(edge)
        if left and edge not in laid and is_wanted and router.lay(edge, OF_LOOPS):
            if longest and len(router.hallways[-1].path) > longest:
                return None
            loops.add(edge)
            left -= 1
    return tree + [hallway._replace(is_loop=True) for hallway in router.hallways[len(tree) :]]
