"""Outlines: the rings of corners round an area of tiles.

Joseph O'Rourke, "Uniqueness of orthogonal connect-the-dots" (1988).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from generator.geometry import Point, Rect

Ring = tuple[Point, ...]


def outline(area: npt.NDArray[np.bool_], origin: Point) -> tuple[Ring, ...]:
    """Trace the outer ring of one connected area [y, x], then its holes, all clockwise, in tile corners.

    `origin` is the corner at [0, 0]. Each ring starts at its uppermost, then leftmost corner; holes are
    sorted in the same order. No two tiles of the area may touch only at a corner.

    The corners of a row pair up from left to right, because an outline that starts along a row must end in
    it; so do those of a column. So the next corner of an outline is known without following tiles.
    """
    height, width = area.shape
    padded = np.zeros((height + 2, width + 2), np.int8)
    padded[1:-1, 1:-1] = area
    corners = padded[:-1, :-1] + padded[1:, 1:] - padded[:-1, 1:] - padded[1:, :-1]
    ys, xs = np.nonzero(corners)
    return rings_through(list(zip((xs + origin[0]).tolist(), (ys + origin[1]).tolist(), strict=True)))


def rings_through(corners: Sequence[Point]) -> tuple[Ring, ...]:
    """Trace the rings of an `outline` through all their corners, given row by row."""
    along_row = _partners(corners)
    along_column = _partners(sorted(corners))
    rings = []
    left = dict.fromkeys(corners)  # in rows from the top: the first one left over starts a ring
    while left:
        at = start = next(iter(left))
        ring = []
        while True:
            ring += [at, along_row[at]]
            at = along_column[along_row[at]]
            if at == start:
                break
        for corner in ring:
            del left[corner]
        rings.append(tuple(ring))
    return tuple(rings)


def close_pinches(tiles: npt.NDArray[np.uint8], empty: int, filling: int) -> None:
    """Fill an `empty` tile [y, x] wherever two others touch only at a corner: outlines cannot have that."""
    while True:
        gaps = tiles == empty
        a, b, c, d = gaps[:-1, :-1], gaps[:-1, 1:], gaps[1:, :-1], gaps[1:, 1:]
        falling, rising = a & d & ~b & ~c, b & c & ~a & ~d
        if not (falling.any() or rising.any()):
            return
        tiles[:-1, :-1][falling] = filling
        tiles[:-1, 1:][rising] = filling


def _partners(corners: Iterable[Point]) -> dict[Point, Point]:
    """Pair successive corners, in order, and map each to its partner."""
    successive = iter(corners)
    partners: dict[Point, Point] = {}
    for a, b in zip(successive, successive, strict=True):
        partners[a], partners[b] = b, a
    return partners


def ring(rect: Rect) -> Ring:
    """Return a rectangle's outline, clockwise from its top left corner."""
    x, y, width, height = rect
    right, bottom = x + width, y + height
    return ((x, y), (right, y), (right, bottom), (x, bottom))


def strips(rings: Sequence[Ring]) -> tuple[Rect, ...]:
    """Divide the tiles within an odd number of rings into rectangles, from the top to the bottom."""
    sides = [pair for ring in rings for pair in pairwise((*ring, ring[0]))]
    levels = sorted({y for ring in rings for _, y in ring})
    found = []
    for top, bottom in pairwise(levels):
        xs = sorted(a[0] for a, b in sides if a[0] == b[0] and min(a[1], b[1]) <= top < max(a[1], b[1]))
        found += [
            Rect(left, top, right - left, bottom - top)
            for left, right in zip(xs[::2], xs[1::2], strict=False)
        ]
    return tuple(found)
