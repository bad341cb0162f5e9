"""Where a large room may lie that is entered by a given cell (isaac-facts 4.4, step 2)."""

from __future__ import annotations

from typing import NamedTuple

from generator.geometry import Point, Side

NUMBERED_SIDES = (Side.WEST, Side.NORTH, Side.EAST, Side.SOUTH)  # the game's numbers 0 to 3

# The shapes by direction, in the game's order, each with the 1-in-n chance of a draw.
_CHANCES = (48, 24, 24, 24, 24, 72, 72, 36, 36, 36, 36, 24, 24)
_SHAPES = (
    (6, 4, 4, 8, 8, 12, 10, 11, 11, 9, 9, 2, 7),
    (4, 6, 6, 8, 8, 12, 11, 10, 10, 9, 9, 3, 5),
    (6, 4, 4, 8, 8, 11, 9, 10, 10, 12, 12, 2, 7),
    (4, 6, 6, 8, 8, 10, 9, 11, 11, 12, 12, 3, 5),
)


class Template(NamedTuple):
    """A shape that comes 1 time in `chance`. `anchor` is relative to the cell of entry."""

    chance: int
    shape: int
    anchor: Point


def _templates(way: int) -> tuple[Template, ...]:
    """List the templates for a direction. A shape's entry is its nearest cell or the one beside it."""
    side = NUMBERED_SIDES[way]
    entry = (0, 0)
    base = (side.dx, side.dy) if way < 2 else entry
    aside = (0, -1) if side.dx else (-1, 0)
    both = (base[0] + aside[0], base[1] + aside[1])
    anchors = (base, entry, aside, base, both, base, both, base, both, base, both, entry, base)
    return tuple(Template(*row) for row in zip(_CHANCES, _SHAPES[way], anchors, strict=True))


TEMPLATES = tuple(_templates(way) for way in range(4))
