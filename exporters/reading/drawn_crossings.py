"""Where hallways of a drawing cross or branch: places for rooms, since a hallway joins two rooms only.

########        The squares that fit into a hallway, as wide as it is, lie in a row. Where one has others
...X....        on three sides or more, hallways meet (X).
###.####
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import ndimage

from generator.arrays import Mask
from generator.checks.base import body_places
from generator.geometry import Point, Rect

_ALL_ROUND = np.ones((3, 3), bool)
_CROSS = ndimage.generate_binary_structure(2, 1).astype(np.int8)
_MAX_WIDTH = 8  # tiles of a hallway
_MOST = 512  # crossings of one hallway


def crossings(hallway: Mask, corner: Point, ends: Sequence[Rect]) -> list[Rect]:
    """Return the places where a hallway crosses or branches.

    `hallway` is a mask [y, x] of its tiles, and `corner` the place of the first. `ends` are the gaps in the
    walls of rooms that lead into it. There is a tile or more between two crossings, and between one and
    the tile before an end, unless that is in it. There are no crossings if they are too many.
    """
    before_ends = [[*_beside(hallway, corner, end)] for end in ends]
    tiles = [Rect(*tile, 1, 1) for end in before_ends for tile in end]
    found: list[Rect] = []
    for number, meeting in enumerate(_meetings(hallway, corner, before_ends)):
        if number == _MOST:
            return []
        place = meeting
        while touching := [other for other in (*found, *tiles) if _touch(place, other)]:
            found = [other for other in found if other not in touching]
            tiles = [other for other in tiles if other not in touching]
            left, top = (min(rect[axis] for rect in (place, *touching)) for axis in (0, 1))
            right = max(rect.right for rect in (place, *touching))
            bottom = max(rect.bottom for rect in (place, *touching))
            place = Rect(left, top, right - left, bottom - top)
        found.append(place)
    return found


def _touch(a: Rect, b: Rect) -> bool:
    """Check whether there is no tile between two rectangles."""
    return a.x <= b.right and b.x <= a.right and a.y <= b.bottom and b.y <= a.bottom


def _beside(hallway: Mask, corner: Point, end: Rect) -> Iterator[Point]:
    """Yield the tiles of a hallway that an end leads to."""
    height, width = hallway.shape
    for x in range(end.x - 1, end.right + 1):
        for y in range(end.y - 1, end.bottom + 1):
            is_corner = not (end.x <= x < end.right or end.y <= y < end.bottom)
            column, row = x - corner[0], y - corner[1]
            if not is_corner and 0 <= column < width and 0 <= row < height and hallway[row, column]:
                yield x, y


def _meetings(hallway: Mask, corner: Point, before_ends: Sequence[Sequence[Point]]) -> Iterator[Rect]:
    """Yield where squares have others, or ends, on three sides or more."""
    side = _width(hallway)
    squares = body_places(np.pad(hallway, (0, side)), side)[: hallway.shape[0], : hallway.shape[1]]
    count = ndimage.convolve(squares.astype(np.int8), _CROSS, mode="constant") - squares
    for tiles in before_ends:
        at_end = {
            (y - corner[1] - dy, x - corner[0] - dx)
            for x, y in tiles
            for dy in range(side)
            for dx in range(side)
        }
        for row, column in at_end:
            if row >= 0 and column >= 0:
                count[row, column] += 1
    labels, _ = ndimage.label(squares & (count >= 3), _ALL_ROUND)
    for rows, columns in ndimage.find_objects(labels):
        size = columns.stop - columns.start + side - 1, rows.stop - rows.start + side - 1
        yield Rect(columns.start + corner[0], rows.start + corner[1], *size)


def _width(hallway: Mask) -> int:
    """Return the side of the largest squares that cover a hallway."""
    hallway = np.pad(hallway, _MAX_WIDTH)
    for width in range(2, _MAX_WIDTH + 1):
        if not np.array_equal(ndimage.binary_opening(hallway, np.ones((width, width), bool)), hallway):
            return width - 1
    return _MAX_WIDTH
