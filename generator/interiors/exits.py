"""Exits: the places on a layout's outline where a hallway can begin, in the `gungeon` style.

exits: N 6-7, E any         N 6-7: columns 6 to 7 of the first row; E any: wherever there is floor
                            in the last column. Columns and rows count from 1, as editors do.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from generator.errors import LayoutError, shown
from generator.geometry import Point, Side
from generator.shapes import mirrored_side

_SIDES = {"N": Side.NORTH, "E": Side.EAST, "S": Side.SOUTH, "W": Side.WEST}
_LETTERS = {side: letter for letter, side in _SIDES.items()}
_EXIT = re.compile(r"([NESW])\s+(?:any|([0-9]{1,2})(?:-([0-9]{1,2}))?)\Z")


class Exit(NamedTuple):
    """A part of a layout's outline: a side, and the columns or rows `first` to `last`, both included.

    Both count from 0. `last` is -1 for `any`: the whole side, wherever there is floor.
    """

    side: Side
    first: int
    last: int

    @property
    def is_any(self) -> bool:
        """Whether the hallway can begin anywhere on the side."""
        return self.last < 0

    def tiles(self, size: Point) -> list[Point]:
        """Return its tiles in a layout of this size, which for `any` are all tiles of the side."""
        width, height = size
        length = width if self.side.is_vertical_way else height
        along = range(length) if self.is_any else range(self.first, self.last + 1)
        if self.side.is_vertical_way:
            y = 0 if self.side is Side.NORTH else height - 1
            return [(x, y) for x in along]
        x = 0 if self.side is Side.WEST else width - 1
        return [(x, y) for y in along]

    def image(self, image: str, size: Point) -> Exit:
        """Return the exit in an image of a layout of this size: mirrored, then turned, as in `Layout`."""
        side, span = self.side, (self.first, self.last)
        if ("h" if side.is_vertical_way else "v") in image:
            span = self._from_the_end(span, size)
        side = mirrored_side(side, image)
        if "r" in image:
            if not side.is_vertical_way:  # (x, y) goes to (height - 1 - y, x)
                span = self._from_the_end(span, size)
            side = _CLOCKWISE[side]
        return Exit(side, *span)

    def _from_the_end(self, span: tuple[int, int], size: Point) -> tuple[int, int]:
        """Count a span from the other end of the side."""
        length = size[0] if self.side.is_vertical_way else size[1]
        return span if self.is_any else (length - 1 - span[1], length - 1 - span[0])

    def __str__(self) -> str:
        """Write the exit as in a file."""
        if self.is_any:
            return f"{_LETTERS[self.side]} any"
        span = f"-{self.last + 1}" if self.last > self.first else ""
        return f"{_LETTERS[self.side]} {self.first + 1}{span}"


_CLOCKWISE = {
    Side.NORTH: Side.EAST,
    Side.EAST: Side.SOUTH,
    Side.SOUTH: Side.WEST,
    Side.WEST: Side.NORTH,
}


def read_exits(text: str, where: str) -> tuple[Exit, ...]:
    """Parse the exits of a header line. Raises LayoutError, which begins with `where`."""
    return tuple(_exit(part.strip(), where) for part in text.split(","))


def _exit(text: str, where: str) -> Exit:
    match = _EXIT.match(text)
    if not match:
        raise LayoutError(
            f"{where}: exits: {shown(text)} is not an exit; write a side and its columns or rows, such as "
            "`N 6-7`, `E 4` or `W any`"
        )
    side, first = _SIDES[match[1]], int(match[2] or 1)
    last = int(match[3] or first) if match[2] else 0
    if match[2] and not 1 <= first <= last:
        raise LayoutError(
            f"{where}: exits: {shown(text)}: columns and rows count from 1, the lower one first"
        )
    return Exit(side, first - 1, last - 1)
