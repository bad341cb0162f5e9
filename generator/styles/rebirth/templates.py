"""Where a large room may stand when one enters it by a cell (isaac-facts 4.4, step 2)."""

from __future__ import annotations

from typing import NamedTuple

from generator.geometry import Point, Side

WAYS = (Side.WEST, Side.NORTH, Side.EAST, Side.SOUTH)  # the game's numbers 0 to 3

# The shapes by the way one goes, in the game's order, and 1 in how many draws brings each.
_CHANCES = (48, 24, 24, 24, 24, 72, 72, 36, 36, 36, 36, 24, 24)
_SHAPES = (
    (6, 4, 4, 8, 8, 12, 10, 11, 11, 9, 9, 2, 7),
    (4, 6, 6, 8, 8, 12, 11, 10, 10, 9, 9, 3, 5),
    (6, 4, 4, 8, 8, 11, 9, 10, 10, 12, 12, 2, 7),
    (4, 6, 6, 8, 8, 10, 9, 11, 11, 12, 12, 3, 5),
)


class Template(NamedTuple):
    """A shape that may come, 1 time in `chance`; `anchor` counts from the cell that one enters."""

    chance: int
    shape: int
    anchor: Point


def _templates(way: int) -> tuple[Template, ...]:
    """Those for a way. The cell that one enters is the room's nearest, or of every second the one beside."""
    side = WAYS[way]
    here = (0, 0)
    base = (side.dx, side.dy) if way < 2 else here
    aside = (0, -1) if side.dx else (-1, 0)
    both = (base[0] + aside[0], base[1] + aside[1])
    anchors = (base, here, aside, base, both, base, both, base, both, base, both, here, base)
    return tuple(Template(*row) for row in zip(_CHANCES, _SHAPES[way], anchors, strict=True))


TEMPLATES = tuple(_templates(way) for way in range(4))
