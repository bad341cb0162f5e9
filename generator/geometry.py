"""Sides, rectangles, and the only conversion between cells and tiles.

x grows to the right, y downwards. A cell is the unit of a grid floorplan, many tiles wide; a tile is the
unit of the terrain grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from generator.named_tuple import NamedTuple

Point = tuple[int, int]


class Side(Enum):
    """A side of a room, and one step over it."""

    NORTH = "north", 0, -1
    EAST = "east", 1, 0
    SOUTH = "south", 0, 1
    WEST = "west", -1, 0

    __hash__ = object.__hash__  # each side is unique, and the enum's own hash is slow

    def __init__(self, label: str, dx: int, dy: int) -> None:
        self.label = label
        self.letter = label[0].upper()
        self.dx = dx
        self.dy = dy
        self.is_vertical_way = dx == 0  # whether it is crossed upwards or downwards

    @property
    def opposite(self) -> Side:
        """The opposite side: whoever leaves by this side enters the next room by that one."""
        return _OPPOSITE[self]

    @property
    def clockwise(self) -> Side:
        """The next side clockwise."""
        return _CLOCKWISE[self]

    @classmethod
    def named(cls, label: str) -> Side:
        """Return the side with this label. Raises KeyError if it is unknown."""
        return _BY_LABEL[label]

    @classmethod
    def between(cls, a: Point, b: Point) -> Side:
        """Return the side of `a` that touches `b`. Raises ValueError if the two are not one step apart."""
        for side in cls:
            if (a[0] + side.dx, a[1] + side.dy) == b:
                return side
        raise ValueError(f"{a} and {b} share no side")


_BY_LABEL = {side.label: side for side in Side}
_ROUND = tuple(Side)  # clockwise
_OPPOSITE = {side: _ROUND[i - 2] for i, side in enumerate(_ROUND)}
_CLOCKWISE = {side: _ROUND[i - 3] for i, side in enumerate(_ROUND)}


class Rect(NamedTuple):
    """Half-open: covers x <= column < x + width and y <= row < y + height."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def around(cls, tiles: Iterable[Point]) -> Rect:
        """Return the smallest rectangle that covers some tiles. Raises ValueError if there are none."""
        xs, ys = zip(*tiles, strict=True)
        return cls(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)

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
        """Check whether a tile is inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def shrunk(self, by: int) -> Rect:
        """Return the rectangle with `by` tiles less on every side."""
        return Rect(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class GridFrame(NamedTuple):
    """Where the cells of a grid floorplan are, in tiles.

    `origin` is the tile of cell (0, 0), which may be outside the level; `cell_size` is the pitch.
    """

    origin: Point
    cell_size: Point

    def cell_rect(self, cell: Point) -> Rect:
        """Return the tiles of one cell, walls included."""
        width, height = self.cell_size
        return Rect(self.origin[0] + cell[0] * width, self.origin[1] + cell[1] * height, width, height)

    def bounds(self, cells: Sequence[Point]) -> Rect:
        """Return the smallest rectangle of tiles around some cells."""
        if len(cells) == 1:
            return self.cell_rect(cells[0])
        columns, rows = zip(*cells, strict=True)
        (left, top), (width, height) = self
        x, y = min(columns), min(rows)
        return Rect(
            left + x * width,
            top + y * height,
            (max(columns) + 1 - x) * width,
            (max(rows) + 1 - y) * height,
        )

    def door_tiles(self, cell: Point, side: Side, width: int) -> tuple[list[Point], list[Point]]:
        """Return a door's tiles in the middle of a cell's side: in this cell's wall, in the neighbour's.

            ####D####   <- the neighbour's wall ring
            ####D####   <- this cell's wall ring, door_width 1 (cell below, side NORTH)
            .........

        Each list runs from left to right or from top to bottom.
        """
        (x, y), (across, down) = self.origin, self.cell_size
        x, y = x + cell[0] * across, y + cell[1] * down
        dx, dy = side.dx, side.dy
        if side.is_vertical_way:
            x += across // 2 - width // 2
            y += 0 if dy < 0 else down - 1
            return [(x + i, y) for i in range(width)], [(x + i, y + dy) for i in range(width)]
        x += 0 if dx < 0 else across - 1
        y += down // 2 - width // 2
        return [(x, y + i) for i in range(width)], [(x + dx, y + i) for i in range(width)]
