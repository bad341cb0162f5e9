"""The twelve room shapes of the grid styles: the cells that they cover, and the doors that they may have.

Cells are (column, row) from the top left cell of a shape's bounding box, its anchor, which is not part of an
LTL. A slot is a place for a door: a cell of the shape and one of its sides. It is named after its place, by
the side's letter, and a 2 for the second from the left or from the top:

        N    N2
      W ########  E        an LBL: S and W2 open into its notch
        ########
         S  ####
         W2 ####  E2
             S2

Ids, names, cells and slots are the remake's (TeamREPENTOGON and IsaacScript name the same).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from generator.geometry import Point, Side
from generator.named_tuple import NamedTuple

Slot = tuple[Point, Side]

SIDES: Mapping[str, Side] = {side.letter: side for side in Side}


class Shape(NamedTuple):
    """A room shape. `size` is its bounding box in cells, and `slots` are by name, in the game's order.

    `sides` are those that can have doors: a narrow room has doors only at its two ends.
    """

    id: int
    name: str
    cells: tuple[Point, ...]
    size: Point
    sides: frozenset[Side]
    slots: Mapping[str, Slot]

    @property
    def is_rectangle(self) -> bool:
        """Whether the shape has no notch."""
        return len(self.cells) == self.size[0] * self.size[1]

    def mirrored(self, mirror: str) -> Shape:
        """Mirror the shape: `h` swaps left and right, `v` top and bottom."""
        return _mirrored(self.name, mirror)

    def mirrored_cell(self, cell: Point, mirror: str) -> Point:
        """Mirror the position of a cell of the bounding box."""
        x, y = cell
        return (self.size[0] - 1 - x if "h" in mirror else x, self.size[1] - 1 - y if "v" in mirror else y)


@cache
def _mirrored(name: str, mirror: str) -> Shape:
    shape = SHAPES[name]
    cells = frozenset(shape.mirrored_cell(cell, mirror) for cell in shape.cells)
    return next(
        candidate
        for candidate in _ALL
        if candidate.sides == shape.sides and frozenset(candidate.cells) == cells
    )


def mirrored_side(side: Side, mirror: str) -> Side:
    """Mirror a side."""
    return side.opposite if ("v" if side.is_vertical_way else "h") in mirror else side


def _shape(number: int, name: str, *cells: Point, doors_on: str = "WNES") -> Shape:
    firsts: dict[str, Slot] = {}
    seconds: dict[str, Slot] = {}
    for letter in doors_on:
        side = SIDES[letter]
        at_edge = [cell for cell in cells if (cell[0] + side.dx, cell[1] + side.dy) not in cells]
        at_edge.sort(key=lambda cell: cell[0] if side.is_vertical_way else cell[1])
        for slots, suffix, cell in zip((firsts, seconds), ("", "2"), at_edge, strict=False):
            slots[letter + suffix] = cell, side
    size = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
    return Shape(
        number, name, cells, size, frozenset(SIDES[direction] for direction in doors_on), firsts | seconds
    )


_ALL = (
    _shape(1, "1x1", (0, 0)),
    _shape(2, "IH", (0, 0), doors_on="WE"),
    _shape(3, "IV", (0, 0), doors_on="NS"),
    _shape(4, "1x2", (0, 0), (0, 1)),
    _shape(5, "IIV", (0, 0), (0, 1), doors_on="NS"),
    _shape(6, "2x1", (0, 0), (1, 0)),
    _shape(7, "IIH", (0, 0), (1, 0), doors_on="WE"),
    _shape(8, "2x2", (0, 0), (1, 0), (0, 1), (1, 1)),
    _shape(9, "LTL", (1, 0), (0, 1), (1, 1)),
    _shape(10, "LTR", (0, 0), (0, 1), (1, 1)),
    _shape(11, "LBL", (0, 0), (1, 0), (1, 1)),
    _shape(12, "LBR", (0, 0), (1, 0), (0, 1)),
)

LARGE_BOSSES = ("2x1", "1x2", "2x2")  # the shapes of large boss rooms

SHAPES: Mapping[str, Shape] = {shape.name: shape for shape in _ALL}
SHAPES_BY_ID: Mapping[int, Shape] = {shape.id: shape for shape in _ALL}
