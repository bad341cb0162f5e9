"""Meshes of rectangles, made from masks of tiles.

Godot joins two navigation polygons only if they share a whole edge with the same two vertices. So the tiles
become rectangles, and a corner of one that lies on another's edge becomes a vertex there too:

    a----b----c
    |    |    |         the left one has the vertices a b d e f: d is a corner of the right one only
    |    d----+
    |    |
    f----e
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from generator.arrays import Ints, Mask
from generator.geometry import Point


class Mesh(NamedTuple):
    """Convex polygons as lists of indexes into `vertices`, clockwise."""

    vertices: list[Point]
    polygons: list[list[int]]


class FlatMesh(NamedTuple):
    """Convex polygons, clockwise, in arrays.

    `vertices` [vertex, 2] are x and y; polygon i has the indexes `rings[starts[i]:starts[i + 1]]`.
    """

    vertices: Ints
    rings: Ints
    starts: Ints

    def cut(self, first: int, end: int) -> FlatMesh:
        """Return some of the polygons with only their vertices, in order of first use."""
        starts = self.starts[first : end + 1]
        used, at, rings = np.unique(
            self.rings[starts[0] : starts[-1]], return_index=True, return_inverse=True
        )
        order = np.argsort(at)
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        return FlatMesh(self.vertices[used[order]], places[rings], starts - starts[0])

    def lists(self) -> Mesh:
        """Convert to Python lists."""
        rings, starts = self.rings.tolist(), self.starts.tolist()
        vertices = list(map(tuple, self.vertices.tolist()))
        return Mesh(vertices, [rings[start:end] for start, end in pairwise(starts)])


def in_px(points: Iterable[Point], tile_size: int) -> list[Point]:
    """Tile corners in px."""
    return [(x * tile_size, y * tile_size) for x, y in points]


def solids(rings: Sequence[Sequence[Point]]) -> list[Sequence[Point]]:
    """Split the area of an outline (an outer ring and holes, as tile corners) into polygons without holes.

    The outline itself if it has no holes, else rectangles, because Godot's polygons cannot have holes.
    """
    if len(rings) < 2:
        return list(rings)
    sides = rectangles(*filled(rings)).tolist()
    return [
        ((left, top), (right, top), (right, bottom), (left, bottom)) for left, top, right, bottom in sides
    ]


def filled(rings: Sequence[Sequence[Point]]) -> tuple[Mask, Point]:
    """Return [y, x] the tiles inside an outer ring and outside its holes, and the place of the first."""
    xs, ys = zip(*(corner for ring in rings for corner in ring), strict=True)
    left, top = min(xs), min(ys)
    inside = np.zeros((max(ys) - top, max(xs) - left), np.bool_)
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if ax == bx:  # each vertical edge flips inside and outside to its right
                inside[min(ay, by) - top : max(ay, by) - top, ax - left :] ^= True
    return inside, (left, top)


def rectangles(area: Mask, origin: Point = (0, 0)) -> Ints:
    """Cover the tiles of `area` [y, x] with rectangles: runs of a row, merged with equal runs below.

    [rectangle, 4]: left, top, right, bottom, half-open, sorted by top and left. `origin` is the place of the
    area's first tile.
    """
    height, width = area.shape
    framed = np.zeros((height, width + 1), np.bool_)
    framed[:, :width] = area
    flat = np.append(False, framed)
    borders = np.flatnonzero(flat[1:] != flat[:-1])  # where a run starts, or the tile after its end
    starts, ends = borders[::2], borders[1::2]
    rows, lefts = np.divmod(starts, width + 1)
    lengths = ends - starts
    order = np.lexsort((rows, lengths, lefts))
    rows, lefts, lengths = rows[order], lefts[order], lengths[order]
    same = (lefts[1:] == lefts[:-1]) & (lengths[1:] == lengths[:-1]) & (rows[1:] == rows[:-1] + 1)
    first = np.flatnonzero(np.append(True, ~same)[: len(rows)])
    last = np.flatnonzero(np.append(~same, True)[: len(rows)])
    x, y = origin
    right = (lefts + lengths)[first]
    rects = np.stack([lefts[first] + x, rows[first] + y, right + x, rows[last] + 1 + y], axis=1)
    result: Ints = rects[np.lexsort((rects[:, 0], rects[:, 1]))]
    return result


def mesh(rects: Ints) -> FlatMesh:
    """Convert rectangles from `rectangles` to polygons that share edges, in the same order.

    The vertices are sorted by y and x.
    """
    left, top, right, bottom = rects.T
    width = int(right.max(initial=0)) + 1
    by_row = np.sort(np.concatenate([y * width + x for x in (left, right) for y in (top, bottom)]))
    by_row = by_row[np.append(True, by_row[1:] != by_row[:-1])[: len(by_row)]]
    ys, xs = np.divmod(by_row, width)
    order = np.argsort(xs, kind="stable")
    by_column = np.empty_like(order)
    by_column[order] = np.arange(len(order))
    first, last = (np.searchsorted(by_row, top * width + x) for x in (left, right))
    low_first, low_last = (np.searchsorted(by_row, bottom * width + x) for x in (left, right))
    high_right, low_right, high_left, low_left = by_column[[last, low_last, first, low_first]]
    # Each side without its last vertex, clockwise, as indexes in the order by row, then in that by column.
    count = len(by_row)
    begins = np.stack([first, high_right + count, low_last, low_left + count], axis=1).ravel()
    lengths = np.stack(
        [last - first, low_right - high_right, low_last - low_first, low_left - high_left], axis=1
    )
    ends = np.append(0, np.cumsum(lengths))
    steps = np.tile([1, 1, -1, -1], len(rects))
    within = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths.ravel())
    places = np.repeat(begins, lengths.ravel()) + within * np.repeat(steps, lengths.ravel())
    rings = np.append(np.arange(count), order)[places]
    return FlatMesh(np.stack([xs, ys], axis=1), rings, ends[::4])
