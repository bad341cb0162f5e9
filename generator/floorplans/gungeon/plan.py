"""What the heap's stages hand on: rooms of many sizes, and the hallways between their entrances."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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

    `path` is where the square that is as wide as the hallway and walks along it has its top left tile;
    `parts` are the tiles of its straight parts, which overlap at the bends.
    """

    ends: tuple[Entrance, Entrance]
    path: tuple[Point, ...]
    parts: tuple[Rect, ...]
    is_loop: bool

    def planned(self, dx: int, dy: int) -> PlannedHallway:
        """The hallway, moved by that much, with all of its tiles."""
        rows = {
            (y, x)
            for part in self.parts
            for y in range(part.y + dy, part.bottom + dy)
            for x in range(part.x + dx, part.right + dx)
        }
        first, last = (Entrance(end.room, end.side, _moved(end.tiles, dx, dy)) for end in self.ends)
        tiles = tuple([(x, y) for y, x in sorted(rows)])
        return PlannedHallway((first, last), _moved(self.path, dx, dy), tiles, self.is_loop)


class PlannedHallway(NamedTuple):
    """As `Way`, in the level's own tiles; `tiles` are all of the floor, row by row, outside both rooms."""

    ends: tuple[Entrance, Entrance]
    path: tuple[Point, ...]
    tiles: tuple[Point, ...]
    is_loop: bool


def _moved(points: tuple[Point, ...], dx: int, dy: int) -> tuple[Point, ...]:
    return tuple([(x + dx, y + dy) for x, y in points])  # a list is quicker than a generator


class HeapRoom(NamedTuple):
    """A room of the plan: its kind, and its tiles, walls included.

    `distance` counts the hallways walked from the start, `depth` those of the spanning tree alone.
    """

    kind: str
    bounds: Rect
    distance: int
    depth: int


@dataclass(frozen=True)
class HeapPlan:
    """A finished floorplan: `size` is the level's width and height in tiles, room 0 the start.

    `facts` are what chance decided.
    """

    size: Point
    rooms: tuple[HeapRoom, ...]
    hallways: tuple[PlannedHallway, ...]
    facts: Mapping[str, Property]
