"""Navigation polygons from walkable tiles.

Godot joins two polygons of a region only where they share a whole edge, the same two vertices. So the
tiles become rectangles, and every corner of one that lies on another's edge becomes a vertex there too:

    a----b----c
    |    |    |         the left one has the vertices a b d e f: d is a corner of the right one only
    |    d----+
    |    |
    f----e
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.geometry import Point, Rect


class Mesh(NamedTuple):
    """Convex polygons as lists of places in `vertices`, in tile corners, clockwise."""

    vertices: list[Point]
    polygons: list[list[int]]


def rectangles(walkable: npt.NDArray[np.bool_]) -> list[Rect]:
    """The tiles of `walkable` [y, x] as rectangles: runs of a row, merged with equal runs below."""
    framed = np.zeros((walkable.shape[0], walkable.shape[1] + 2), np.int8)
    framed[:, 1:-1] = walkable
    steps = np.diff(framed, axis=1)
    rows, starts = np.nonzero(steps == 1)
    ends = np.nonzero(steps == -1)[1]
    growing: dict[tuple[int, int], tuple[int, int]] = {}  # a run -> its first row and the row after it
    finished = []
    for y, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True):
        first, after = growing.get((start, end), (y, y))
        if after != y:  # an equal run, but not right above
            finished.append(Rect(start, first, end - start, after - first))
            first = y
        growing[start, end] = (first, y + 1)
    finished += [Rect(start, y, end - start, after - y) for (start, end), (y, after) in growing.items()]
    return sorted(finished, key=lambda rect: (rect.y, rect.x))


def mesh(rects: Sequence[Rect], further: Iterable[Point] = ()) -> Mesh:
    """Rectangles that touch as polygons that share edges; `further` points become vertices as well."""
    corners = {corner for rect in rects for corner in _corners(rect)} | set(further)
    columns: dict[int, list[int]] = {}
    rows: dict[int, list[int]] = {}
    for x, y in sorted(corners):
        columns.setdefault(x, []).append(y)
        rows.setdefault(y, []).append(x)
    numbers: dict[Point, int] = {}
    polygons = []
    for rect in rects:
        top = [(x, rect.y) for x in _between(rows[rect.y], rect.x, rect.right)]
        right = [(rect.right, y) for y in _between(columns[rect.right], rect.y, rect.bottom)]
        bottom = [(x, rect.bottom) for x in _between(rows[rect.bottom], rect.x, rect.right)]
        left = [(rect.x, y) for y in _between(columns[rect.x], rect.y, rect.bottom)]
        ring = top[:-1] + right[:-1] + bottom[:0:-1] + left[:0:-1]
        polygons.append([numbers.setdefault(point, len(numbers)) for point in ring])
    return Mesh(list(numbers), polygons)


def _corners(rect: Rect) -> tuple[Point, ...]:
    return (rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)


def _between(ascending: list[int], low: int, high: int) -> list[int]:
    return ascending[bisect_left(ascending, low) : bisect_right(ascending, high)]


def outlines(found: Mesh) -> list[list[Point]]:
    """The rings round all polygons together and round the holes between them, in tile corners.

    From shapely's union of a coverage, which polygons that share whole edges are, several times faster
    than its general one; each ring is cleared of points on straight lines, starts at its smallest point
    and runs clockwise, and the rings are sorted, so that no version of GEOS changes a byte.
    """
    import shapely  # slow to import, and only needed here

    if not found.polygons:
        return []
    closed = [[*polygon, polygon[0]] for polygon in found.polygons]
    owners = np.repeat(np.arange(len(closed)), [len(ring) for ring in closed])
    points = np.array(found.vertices)[np.concatenate(closed)]
    polygons = shapely.polygons(shapely.linearrings(points, indices=owners))
    rings = shapely.get_rings(shapely.get_parts(shapely.coverage_union_all(polygons)))
    return sorted(_normalised(shapely.get_coordinates(ring).astype(int).tolist()) for ring in rings)


def _normalised(points: list[list[int]]) -> list[Point]:
    """A closed ring's corners; see `outlines`."""
    ring = [(x, y) for x, y in points[:-1]]
    corners = [
        point
        for before, point, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False)
        if not (before[0] == point[0] == after[0] or before[1] == point[1] == after[1])
    ]
    start = corners.index(min(corners))
    corners = corners[start:] + corners[:start]
    if corners[1][0] == corners[0][0]:  # the smallest point is a top left one: clockwise is to the right
        corners = [corners[0], *corners[:0:-1]]
    return corners
