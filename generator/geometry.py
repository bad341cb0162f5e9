"""Sides, rectangles, and the only conversion between cells and tiles.

x grows to the right, y downwards. A cell is the unit of a grid floorplan, many tiles wide; a tile is the
unit of the terrain grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

Point = tuple[int, int]


class Side(Enum):
    """A side of a room, and one step over it."""

    NORTH = "north", 0, -1
    EAST = "east", 1, 0
    SOUTH = "south", 0, 1
    WEST = "west", -1, 0

    def __init__(self, label: str, dx: int, dy: int) -> None:
        self.label = label
        self.dx = dx
        self.dy = dy

    @property
    def opposite(self) -> Side:
        """The side that one enters by when leaving over this one."""
        return _OPPOSITE[self]

    @property
    def is_vertical_way(self) -> bool:
        """Whether one walks up or down through it."""
        return self.dx == 0

    @classmethod
    def between(cls, a: Point, b: Point) -> Side:
        """The side of `a` on which `b`, one step away, lies; ValueError if it does not."""
        for side in cls:
            if (a[0] + side.dx, a[1] + side.dy) == b:
                return side
        raise ValueError(f"{a} and {b} share no side")


_OPPOSITE = {
    Side.NORTH: Side.SOUTH,
    Side.SOUTH: Side.NORTH,
    Side.EAST: Side.WEST,
    Side.WEST: Side.EAST,
}


class Rect(NamedTuple):
    """Half-open: covers x <= column < x + width and y <= row < y + height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column outside."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row outside."""
        return self.y + self.height

    @property
    def slices(self) -> tuple[slice, slice]:
        """Index of this rectangle in a [y, x] array."""
        return slice(self.y, self.bottom), slice(self.x, self.right)

    def contains(self, x: int, y: int) -> bool:
        """Whether a tile lies inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def shrunk(self, by: int) -> Rect:
        """`by` tiles less on every side."""
        return Rect(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class GridFrame(NamedTuple):
    """Where the cells of a grid floorplan lie among the tiles.

    `origin` is the tile of cell (0, 0), which may lie outside the level; `cell_size` is the pitch.
    """

    origin: Point
    cell_size: Point

    def cell_rect(self, cell: Point) -> Rect:
        """The tiles of one cell, walls included."""
        width, height = self.cell_size
        return Rect(self.origin[0] + cell[0] * width, self.origin[1] + cell[1] * height, width, height)

    def bounds(self, cells: Sequence[Point]) -> Rect:
        """The least rectangle of tiles round some cells."""
        rects = [self.cell_rect(cell) for cell in cells]
        x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
        return Rect(x, y, max(rect.right for rect in rects) - x, max(rect.bottom for rect in rects) - y)

    def door_tiles(self, cell: Point, side: Side, width: int) -> tuple[list[Point], list[Point]]:
        """The tiles of a door in the middle of a cell's side: in this cell's wall, in the neighbour's.

            ####D####   <- the neighbour's wall ring
            ####D####   <- this cell's wall ring, door_width 1 (cell below, side NORTH)
            .........

        Each list runs from left to right or from top to bottom.
        """
        rect = self.cell_rect(cell)
        spread = range(-(width // 2), width - width // 2)
        if side.is_vertical_way:
            middle = rect.x + rect.width // 2
            row = rect.y if side is Side.NORTH else rect.bottom - 1
            own = [(middle + i, row) for i in spread]
        else:
            middle = rect.y + rect.height // 2
            column = rect.x if side is Side.WEST else rect.right - 1
            own = [(column, middle + i) for i in spread]
        return own, [(x + side.dx, y + side.dy) for x, y in own]
