"""What the heap's stages hand on: rooms of many sizes, and the hallways between their entrances."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.geometry import Point, Rect, Side
from generator.level import Property

Ints = npt.NDArray[np.int64]

OFF_THE_WAY = frozenset({"shop", "chest", "boss"})  # kinds of rooms that no way leads through


def keeps_off_the_way(kinds: Collection[str]) -> bool:
    """Whether a level of these rooms can be asked to: if most of them lie on the way, the rest finds one."""
    return 2 * sum(kind in OFF_THE_WAY for kind in kinds) < len(kinds)


class Heap(NamedTuple):
    """Rooms as parallel arrays [room]: their kinds, and their rectangles in tiles, walls included.

    Room 0 is the start.
    """

    kinds: tuple[str, ...]
    x: Ints
    y: Ints
    width: Ints
    height: Ints

    @property
    def centres(self) -> Ints:
        """[room, 2]: x and y of the middles, doubled, so that they are whole."""
        return np.column_stack([2 * self.x + self.width, 2 * self.y + self.height])

    def rects(self) -> list[Rect]:
        """The rooms' rectangles."""
        return [Rect(*row) for row in np.column_stack(self[1:]).tolist()]


class Entrance(NamedTuple):
    """An opening in a room's outer wall: its tiles run left to right or top to bottom."""

    room: int
    side: Side
    tiles: tuple[Point, ...]


class Way(NamedTuple):
    """A hallway as it was routed: two entrances, and the way between them in single steps.

    `path` is where the square that is as wide as the hallway and walks along it has its top left tile.
    """

    ends: tuple[Entrance, Entrance]
    path: tuple[Point, ...]
    is_loop: bool

    @property
    def width(self) -> int:
        """In tiles."""
        return len(self.ends[0].tiles)

    def straights(self) -> Iterator[Rect]:
        """The tiles of each straight part; they overlap at the bends."""
        first = before = self.path[0]
        for point in (*self.path[1:], None):
            if point is None or (point[0] != first[0] and point[1] != first[1]):
                x, y = min(first[0], before[0]), min(first[1], before[1])
                along_x, along_y = abs(first[0] - before[0]), abs(first[1] - before[1])
                yield Rect(x, y, along_x + self.width, along_y + self.width)
                first = before
            before = point  # type: ignore[assignment]  # None comes last

    def planned(self, dx: int, dy: int) -> PlannedHallway:
        """The hallway, moved by that much, with all of its tiles."""
        floor = {
            (x + dx, y + dy)
            for part in self.straights()
            for y in range(part.y, part.bottom)
            for x in range(part.x, part.right)
        }
        first, last = (end._replace(tiles=_moved(end.tiles, dx, dy)) for end in self.ends)
        tiles = tuple(sorted(floor, key=lambda tile: (tile[1], tile[0])))
        return PlannedHallway((first, last), _moved(self.path, dx, dy), tiles, self.is_loop)


class PlannedHallway(NamedTuple):
    """As `Way`, and `tiles` are all of the floor, row by row, outside both rooms."""

    ends: tuple[Entrance, Entrance]
    path: tuple[Point, ...]
    tiles: tuple[Point, ...]
    is_loop: bool


def _moved(points: tuple[Point, ...], dx: int, dy: int) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for x, y in points)


class HeapRoom(NamedTuple):
    """A room of the plan; `depth` is its depth in the spanning tree, seen from the start."""

    kind: str
    bounds: Rect
    distance: int
    depth: int


@dataclass(frozen=True)
class HeapPlan:
    """A floorplan of the heap, `size` in tiles; `facts` are what chance decided."""

    size: Point
    rooms: tuple[HeapRoom, ...]
    hallways: tuple[PlannedHallway, ...]
    facts: Mapping[str, Property]
