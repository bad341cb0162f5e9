"""The outlines of areas of tiles, for many areas at once.

Joseph O'Rourke, "Uniqueness of orthogonal connect-the-dots" (1988): the corners in a row pair up from left to
right, and those in a column from top to bottom, because an outline that starts along a line must end on it.
So the next corner is known for every corner, without following tiles.

    a-----b          rows: a-b, c-d, e-f
    |     |          columns: a-e, c-b, f-d
    |  c--d  ...
    e--f

Where two tiles of an area touch only at a corner, a *pinch*, two corners are in one place.
`generator.algorithms.outline` does the same for a single area of a level without pinches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from generator.arrays import Ints, Mask
from generator.geometry import Point


class Rings(NamedTuple):
    """Rings in one array: `points` [corner, 2] are x and y, `counts` [ring] the corners per ring."""

    points: Ints
    counts: list[int]

    def lists(self) -> list[list[Point]]:
        """Convert to Python lists, one per ring."""
        points: Iterator[Point] = map(tuple, self.points.tolist())
        return [list(islice(points, count)) for count in self.counts]


class _Corners(NamedTuple):
    """The corners of areas, sorted by area, y and x.

    `turn` is a sum over the area's tiles around a corner: 1 for the tile to the north-west or south-east, -1
    for the others. 1 or -1 is a corner, 2 or -2 a pinch.
    """

    area: Ints
    x: Ints
    y: Ints
    turn: Ints


def outlines(area: Mask, origin: Point = (0, 0)) -> Rings:
    """Trace the rings around the tiles of an area [y, x], clockwise, and around its holes, counterclockwise.

    Godot fills rings, and one in the opposite direction makes a hole. A ring visits no corner twice and
    starts at its smallest point; the rings are sorted. `origin` is the corner at [0, 0].
    """
    height, width = area.shape
    framed = np.zeros((height + 2, width + 2), np.int8)
    framed[1:-1, 1:-1] = area
    steps = framed[:, 1:] - framed[:, :-1]
    turns = steps[1:] - steps[:-1]
    ys, xs = np.divmod(np.flatnonzero(turns != 0), width + 1)
    corners = _Corners(np.zeros_like(xs), xs + origin[0], ys + origin[1], turns[ys, xs].astype(np.int64))
    rings, _ = _rings(corners)
    return rings


def outlines_of_tiles(areas: Sequence[Sequence[Point]]) -> list[list[list[Point]]]:
    """Trace the `outlines` of many areas, each given by its tiles, as lists."""
    counts = [len(tiles) for tiles in areas]
    flat = np.fromiter(chain.from_iterable(chain.from_iterable(areas)), np.int64, 2 * sum(counts))
    if not len(flat):
        return [[] for _ in areas]
    x, y = flat[::2], flat[1::2]
    (left, top), (width, height) = (x.min(), y.min()), (np.ptp(x) + 2, np.ptp(y) + 2)
    first = (np.repeat(np.arange(len(areas)), counts) * height + y - top) * width + x - left
    places = np.concatenate([first, first + 1, first + width, first + width + 1])
    keys, inverse = np.unique(places, return_inverse=True)
    turns = np.bincount(inverse, np.repeat([1, -1, -1, 1], len(first))).astype(np.int64)
    rows, xs = np.divmod(keys[turns != 0], width)
    owners, ys = np.divmod(rows, height)
    rings, owner = _rings(_Corners(owners, xs + left, ys + top, turns[turns != 0]))
    by_area: list[list[list[Point]]] = [[] for _ in areas]
    for area, ring in zip(owner, rings.lists(), strict=True):
        by_area[area].append(ring)
    return by_area


def _rings(corners: _Corners) -> tuple[Rings, list[int]]:
    """Trace the rings of all areas, sorted by area and first point. Also returns the area of each."""
    pinched = np.abs(corners.turn) > 1
    area, x, y, turn = (np.repeat(values, 1 + pinched) for values in corners)
    # Of a pinch's two corners, the first ends a line from the west, and the second starts one to the east.
    # Which of them ends the line from the north depends on how the tiles lie.
    firsts = np.flatnonzero(pinched) + np.arange(np.count_nonzero(pinched))
    second = np.zeros(len(x), np.int64)
    second[firsts + 1] = 1
    by_column = np.lexsort((np.where(turn < 0, -second, second), y, x, area))
    partners = np.empty_like(by_column)
    partners[by_column] = by_column.reshape(-1, 2)[:, ::-1].ravel()
    order, counts = _followed(by_column.tolist(), partners.tolist(), (turn > 0).tolist())
    if len(firsts):
        places = np.empty_like(by_column)
        places[by_column] = np.arange(len(by_column))
        places[firsts] = places[firsts + 1] = np.minimum(places[firsts], places[firsts + 1])
        order, counts = _without_pinches(order, counts, firsts, places.tolist())
    followed = np.array(order, np.int64)
    starts = np.cumsum([0, *counts])[:-1]
    return Rings(np.stack([x, y], axis=1)[followed], counts), area[followed[starts]].tolist()


def _followed(
    by_column: list[int], partners: list[int], clockwise: list[bool]
) -> tuple[list[int], list[int]]:
    """Follow the corners into rings in one array. Also returns the number of corners of each ring.

    Corners are numbered by row: there 0 and 1 are partners, 2 and 3, and so on; `partners` are those in the
    columns. The first corner of a ring in the order by column is its smallest one. The tile to its south-east
    belongs to the area, or else to a hole.
    """
    order: list[int] = []
    counts: list[int] = []
    left = bytearray(b"\1") * len(by_column)
    for start in by_column:
        if not left[start]:
            continue
        before, at, by_row = len(order), start, clockwise[start]
        while left[at]:
            after = at ^ 1 if by_row else partners[at]
            left[at] = left[after] = 0
            order += (at, after)
            at = partners[after] if by_row else after ^ 1
        counts.append(len(order) - before)
    return order, counts


def _without_pinches(
    order: list[int], counts: list[int], firsts: Ints, places: list[int]
) -> tuple[list[int], list[int]]:
    """Cut rings so that none visits a place twice. Also returns the corners of each, see `_followed`.

    `firsts` are the first corners of pinches, each directly before the second one. `places` [corner] are
    equal for both, and follow the order by column: a ring starts at its smallest place, and rings are sorted
    by it.
    """
    ring_of = np.empty(len(order), np.int64)
    ring_of[order] = np.repeat(np.arange(len(counts)), counts)
    both = firsts[ring_of[firsts] == ring_of[firsts + 1]]
    twice, pinches = set(ring_of[both].tolist()), {*both.tolist(), *(both + 1).tolist()}
    corners = iter(order)
    rings: list[list[int]] = []
    for number, count in enumerate(counts):
        ring = list(islice(corners, count))
        rings += _split(ring, pinches, places) if number in twice else [ring]
    rings.sort(key=lambda ring: places[ring[0]])
    return [*chain.from_iterable(rings)], [*map(len, rings)]


def _split(ring: list[int], pinches: set[int], places: list[int]) -> Iterator[list[int]]:
    """Cut a ring wherever it returns to a place. `pinches` are the corners that it visits twice."""
    way: list[int] = []
    where: dict[int, int] = {}  # the places of the pinches visited so far, in order
    done = 0
    for at in [at for at, corner in enumerate(ring) if corner in pinches]:
        way += ring[done:at]
        done, position = at + 1, places[ring[at]]
        if position not in where:
            where[position] = len(way)
            way.append(ring[at])
            continue
        yield _from_smallest(way[where[position] :], places)
        del way[where[position] + 1 :]
        while next(reversed(where)) != position:
            where.popitem()
    yield _from_smallest(way + ring[done:], places)


def _from_smallest(ring: list[int], places: list[int]) -> list[int]:
    """Rotate a ring to start at its smallest corner."""
    start = ring.index(min(ring, key=places.__getitem__))
    return ring[start:] + ring[:start]
