"""The 47 neighbourhoods of a `blob47` set, for one tile and for whole arrays.

Each neighbour of the same sort adds its bit. A corner counts only if both sides next to it count, which
leaves 47 of the 256 masks.

    128   1   2
     64   .   4
     32  16   8
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

N, NE, E, SE, S, SW, W, NW = 1, 2, 4, 8, 16, 32, 64, 128
SIDES = N | E | S | W
CORNERS = NE | SE | SW | NW

_CORNERS = ((NE, N, E), (SE, S, E), (SW, S, W), (NW, N, W))

# A bit and where its neighbour lies: (bit, dx, dy).
_SIDES = ((N, 0, -1), (E, 1, 0), (S, 0, 1), (W, -1, 0))
_DIAGONALS = ((NE, 1, -1), (SE, 1, 1), (SW, -1, 1), (NW, -1, -1))


STEPS = {bit: (dx, dy) for bit, dx, dy in (*_SIDES, *_DIAGONALS)}
"""[bit]: where its neighbour lies."""


def reduce(mask: int) -> int:
    """Drop the corners of a mask (0 to 255) unless both sides beside them are set."""
    for corner, first, second in _CORNERS:
        if not (mask & first and mask & second):
            mask &= ~corner
    return mask


MASKS: tuple[int, ...] = tuple(sorted({reduce(mask) for mask in range(256)}))
"""The 47 reduced masks, ascending: the order of a set's tiles."""

_REDUCED = np.array([reduce(mask) for mask in range(256)], np.uint8)

PLACES = np.array([MASKS.index(reduce(mask)) for mask in range(256)], np.uint8)
"""[mask]: the index in `MASKS` of a mask, reduced or not."""


def masks_of(like: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Compute the reduced mask of every tile of `like` [y, x] or [n, y, x], even if its own value is not set.

    Tiles outside a grid count as not set.
    """
    *count, height, width = like.shape
    framed = np.zeros((*count, height + 2, width + 2), np.uint8)
    framed[..., 1:-1, 1:-1] = like
    masks = np.zeros(like.shape, np.uint8)
    for bit, dx, dy in _SIDES + _DIAGONALS:
        masks += framed[..., 1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] * np.uint8(bit)
    return _REDUCED[masks]


def counted(looks: Mapping[int, object]) -> int:
    """Return the mask bits that matter to `looks` (by reduced mask): the sides, the corners, or all."""
    for bits in (SIDES, CORNERS):
        groups: dict[int, object] = {}
        if all(groups.setdefault(mask & bits, look) == look for mask, look in looks.items()):
            return bits
    return SIDES | CORNERS
