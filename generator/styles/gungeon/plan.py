"""The data passed between the heap's stages: rooms of many sizes, and the hallways between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from generator.algorithms.graph import Edge, neighbours_of, steps_from
from generator.arrays import Ints
from generator.errors import SpecError
from generator.geometry import Point, Rect, Side
from generator.kinds import SHIPPED, Kinds
from generator.level import MARGIN, MAX_TILES, Property
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.furnishing.gungeon_layouts import ExitsByClass, GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import off_the_way
from generator.styles.gungeon.plan_kernel import LONG_HALLWAY


def keeps_off_the_way(kinds: Collection[str], rows: Kinds) -> bool:
    """Check whether paths can avoid the rooms off the way: these must be fewer than half of all rooms."""
    aside = off_the_way(rows)
    return 2 * sum(kind in aside for kind in kinds) < len(kinds)


class Heap(NamedTuple):
    """Rooms as parallel arrays [room]: their kinds, and their rectangles in tiles, walls included.

    Room 0 is the start. `layouts` has None for each room that is furnished by procedure; if it is empty, all
    are. `rows` are the rows of the kinds.
    """

    kinds: tuple[str, ...]
    x: Ints
    y: Ints
    width: Ints
    height: Ints
    layouts: tuple[GungeonLayout | None, ...] = ()
    rows: Kinds = SHIPPED

    @property
    def centres(self) -> Ints:
        """[room, 2]: x and y of the centres, doubled so that they are whole numbers."""
        return np.column_stack([2 * self.x + self.width, 2 * self.y + self.height])

    def rects(self) -> list[Rect]:
        """Return the rooms' rectangles."""
        return [Rect(*row) for row in np.column_stack(self[1:5]).tolist()]

    def exits(self, width: int, body: int) -> list[ExitsByClass | None]:
        """Return where the doors of each room may be. None: of any class, and anywhere but in corners."""
        return [layout.exits_by_class(width, body) if layout else None for layout in self.layouts]

    def on_grid(self, around: int, what: str) -> Heap:
        """Move the heap until `around` tiles are left to its left and above it.

        Raises SpecError, which begins with `what`, if no level has space for it and as much on its other
        sides, before memory is spent on it.
        """
        heap = self._replace(x=self.x - self.x.min() + around, y=self.y - self.y.min() + around)
        width, height = int((heap.x + heap.width).max()) + around, int((heap.y + heap.height).max()) + around
        if width * height > MAX_TILES:
            raise SpecError(
                f"{what}: {len(self.kinds)} rooms of these sizes take {width} x {height} tiles, but a level "
                f"has at most {MAX_TILES}; ask for fewer or smaller rooms"
            )
        return heap


CORNER = 2  # tiles between a corner and an entrance


def length_for(doors: int, width: int) -> int:
    """Return the least length of a side with so many doors, in tiles."""
    return doors * (width + 1) - 1 + 2 * CORNER


class Entrance(NamedTuple):
    """An opening in a room's outer wall. Its tiles run left to right or top to bottom.

    `joins` is the class of its exit, empty for the plain one.
    """

    room: int
    side: Side
    tiles: tuple[Point, ...]
    joins: str = ""


class RoutedHallway(NamedTuple):
    """A hallway as it was routed: two entrances, and the path between them in single steps.

    `path` holds the top left tiles of a square as wide as the hallway that moves along it; `parts` are the
    tiles of its straight parts, which overlap at the bends.
    """

    ends: tuple[Entrance, Entrance]
    path: tuple[Point, ...]
    parts: tuple[Rect, ...]
    is_loop: bool = False

    def planned(self, dx: int, dy: int) -> PlannedHallway:
        """Move the hallway by `dx` and `dy` and list all of its tiles."""
        first, last = (end._replace(tiles=_moved(end.tiles, dx, dy)) for end in self.ends)
        tiles = tiles_of([Rect(x + dx, y + dy, width, height) for x, y, width, height in self.parts])
        return PlannedHallway((first, last), _moved(self.path, dx, dy), tiles, self.is_loop)


class PlannedHallway(NamedTuple):
    """As `RoutedHallway`, in the level's tiles.

    `tiles` are all tiles of its floor, row by row; none of them lies in a room.
    """

    ends: tuple[Entrance, Entrance]
    path: tuple[Point, ...]
    tiles: tuple[Point, ...]
    is_loop: bool


def tiles_of(parts: Sequence[Rect]) -> tuple[Point, ...]:
    """List all tiles of some rectangles, row by row."""
    if len(parts) == 1:
        ((left, top, width, height),) = parts
        return tuple([(x, y) for y in range(top, top + height) for x in range(left, left + width)])
    stride = max(part.right for part in parts)
    tiles: set[int] = set()
    for left, top, width, height in parts:
        for start in range(top * stride + left, (top + height) * stride + left, stride):
            tiles.update(range(start, start + width))
    return tuple([(tile % stride, tile // stride) for tile in sorted(tiles)])


def is_straight(path: Sequence[Point]) -> bool:
    """Check quickly whether a path of single steps has no bends, as most have."""
    (x, y), (last_x, last_y) = path[0], path[-1]
    return (x == last_x or y == last_y) and abs(x - last_x) + abs(y - last_y) == len(path) - 1


def _moved(points: tuple[Point, ...], dx: int, dy: int) -> tuple[Point, ...]:
    return tuple([(x + dx, y + dy) for x, y in points])  # a list is quicker than a generator


class GungeonRoom(NamedTuple):
    """A room of the plan: its kind, and its tiles, walls included.

    `distance` counts the hallways from the start, `depth` only those of the spanning tree. Without a `layout`
    it is furnished by procedure.

    A flow may also set a `zone`, the `chapter` of its enemies, a `difficulty`, and whether the room is quiet
    (nobody fights there) or hidden behind secret doors. `gives` is a marker that it must have. Rooms of set
    pieces have a `name`. `injected` are the injections of a run that it takes.
    """

    kind: str
    bounds: Rect
    distance: int
    depth: int
    layout: GungeonLayout | None = None
    zone: str = ""
    chapter: str = ""
    difficulty: int = 0
    is_quiet: bool = False
    is_hidden: bool = False
    gives: str = ""
    name: str = ""
    injected: tuple[str, ...] = ()


class PlannedGate(NamedTuple):
    """What a hallway asks of the player.

    A lock that `needs` keys is on the door at the end `lock_end` (0 or 1). A `one_way` hallway leads only
    from end 0 to end 1. A shortcut is opened from the end `opens_end`.
    """

    needs: tuple[str, ...] = ()
    lock_end: int = 0
    one_way: bool = False
    opens_end: int | None = None
    is_secret: bool = False


class PlannedKey(NamedTuple):
    """A key in a room: its name, whether a lock uses it up, and whether it is a lever.

    `place` is the id of its room in the flow. It is a `must` if whoever is in the room has it.
    """

    name: str
    room: int
    consumed: bool
    is_lever: bool
    place: str
    must: bool = False


@dataclass(frozen=True)
class HeapPlan:
    """A finished floorplan: `size` is the level's width and height in tiles, room 0 the start.

    `facts` are what chance decided. `tries` is how many heaps were made, this one included. A plan of a flow
    has `gates`, one for each hallway, and `keys`. For a led plan, `unmet` says for each rule how many rooms
    do not lie where it asks; it is empty if all do.
    """

    size: Point
    rooms: tuple[GungeonRoom, ...]
    hallways: tuple[PlannedHallway, ...]
    facts: Mapping[str, Property]
    tries: int = 1
    gates: tuple[PlannedGate, ...] = ()
    keys: tuple[PlannedKey, ...] = ()
    unmet: tuple[int, ...] = ()

    @property
    def connections(self) -> tuple[tuple[int, int], ...]:
        """The rooms at the ends of each hallway."""
        return tuple(edges_of(self.hallways))

    @property
    def extent(self) -> Point:
        """Width and height in tiles."""
        return self.size

    def picture(self) -> Mapping[Point, str]:
        """Return what is on each tile: a room's kind inside its walls, `wall`, `hallway` or `door`."""
        picture = {tile: "hallway" for hallway in self.hallways for tile in hallway.tiles}
        for room in self.rooms:
            x, y, width, height = room.bounds
            inside = room.bounds.shrunk(1)
            for at in ((i, j) for i in range(x, x + width) for j in range(y, y + height)):
                picture[at] = room.kind if inside.contains(*at) else "wall"
        return picture | {
            tile: "door" for hallway in self.hallways for end in hallway.ends for tile in end.tiles
        }


def edges_of(hallways: Iterable[RoutedHallway | PlannedHallway]) -> list[Edge]:
    """List the rooms at the ends of each hallway."""
    return [(first.room, last.room) for first, last in (hallway.ends for hallway in hallways)]


def walked(rooms: int, hallways: Iterable[RoutedHallway]) -> list[int]:
    """Count the fewest hallways from room 0 to each room, -1 if it cannot be reached."""
    distances = steps_from(0, neighbours_of(range(rooms), edges_of(hallways)))
    return [distances.get(room, -1) for room in range(rooms)]


def has_long_walks(heap: Heap, hallways: Sequence[RoutedHallway], halves: int = LONG_HALLWAY) -> bool:
    """Check whether more than one hallway in a hundred is longer than so many halves of an average room."""
    most = longest_walk(heap, halves)
    return 100 * sum(len(hallway.path) > most for hallway in hallways) > len(hallways)


def longest_walk(heap: Heap, halves: int) -> int:
    """Return how many tiles so many halves of an average room are, as the most of a hallway's path."""
    return halves * int((heap.width + heap.height).sum()) // (4 * len(heap.kinds))


def finished_plan(heap: Heap, hallways: list[RoutedHallway], distances: list[int], tries: int) -> HeapPlan:
    """Return the finished plan, moved so that only walls and the margin are left round it."""
    depths = walked(len(heap.kinds), (hallway for hallway in hallways if not hallway.is_loop))
    rects = heap.rects()
    taken = [*rects, *(part.shrunk(-1) for hallway in hallways for part in hallway.parts)]
    dx, dy = MARGIN - min(rect.x for rect in taken), MARGIN - min(rect.y for rect in taken)
    moved = [rect._replace(x=rect.x + dx, y=rect.y + dy) for rect in rects]
    size = (max(rect.right for rect in taken) + dx + MARGIN, max(rect.bottom for rect in taken) + dy + MARGIN)
    facts = {"loops": sum(hallway.is_loop for hallway in hallways)}
    rooms = planned_rooms(heap, moved, distances, depths)
    return HeapPlan(size, rooms, tuple(hallway.planned(dx, dy) for hallway in hallways), facts, tries)


def planned_rooms(
    heap: Heap, rects: Sequence[Rect], distances: Sequence[int], depths: Sequence[int]
) -> tuple[GungeonRoom, ...]:
    """Plan the rooms of a heap, with these rectangles in tiles of the level."""
    layouts = heap.layouts or (None,) * len(rects)
    return tuple(map(GungeonRoom, heap.kinds, rects, distances, depths, layouts))
