"""Meshes of rectangles from masks of tiles.

Godot joins two navigation polygons only where they share a whole edge, the same two vertices. So the
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


def in_px(points: Iterable[Point], tile_size: int) -> list[Point]:
    """Tile corners in px."""
    return [(x * tile_size, y * tile_size) for x, y in points]


def solids(rings: Sequence[Sequence[Point]]) -> list[Sequence[Point]]:
    """What an outline of tile corners, an outer ring and its holes, encloses as polygons without holes.

    Without holes the outline itself; else rectangles. Godot's polygons cannot have holes.
    """
    if len(rings) < 2:
        return list(rings)
    inside, origin = filled(rings)
    return [corners(rect) for rect in rectangles(inside, origin)]


def filled(rings: Sequence[Sequence[Point]]) -> tuple[npt.NDArray[np.bool_], Point]:
    """[y, x]: which tiles lie inside of an outer ring and outside of its holes; and the first one's place."""
    xs, ys = zip(*(corner for ring in rings for corner in ring), strict=True)
    left, top = min(xs), min(ys)
    inside = np.zeros((max(ys) - top, max(xs) - left), np.bool_)
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if ax == bx:  # each upright edge turns what is to its right inside out
                inside[min(ay, by) - top : max(ay, by) - top, ax - left :] ^= True
    return inside, (left, top)


def tile_outlines(tiles: Sequence[Point]) -> list[list[Point]]:
    """`outlines` of some tiles."""
    if not tiles:
        return []
    xs, ys = np.array(tiles).T
    left, top = int(xs.min()), int(ys.min())
    there = np.zeros((int(ys.max()) - top + 1, int(xs.max()) - left + 1), np.bool_)
    there[ys - top, xs - left] = True
    return outlines(mesh(rectangles(there, (left, top))))


def rectangles(walkable: npt.NDArray[np.bool_], origin: Point = (0, 0)) -> list[Rect]:
    """The tiles of `walkable` [y, x] as rectangles: runs of a row, merged with equal runs below.

    `origin` is where its first tile lies.
    """
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
    left, top = origin
    finished = [Rect(left + x, top + y, width, height) for x, y, width, height in finished]
    return sorted(finished, key=lambda rect: (rect.y, rect.x))


def mesh(rects: Sequence[Rect]) -> Mesh:
    """Rectangles that touch as polygons that share edges, in the same order."""
    points = {corner for rect in rects for corner in corners(rect)}
    columns: dict[int, list[int]] = {}
    rows: dict[int, list[int]] = {}
    for x, y in sorted(points):
        columns.setdefault(x, []).append(y)
        rows.setdefault(y, []).append(x)
    numbers: dict[Point, int] = {}
    polygons = []
    for left, top, width, height in rects:
        right, bottom = left + width, top + height
        ring = [
            *((x, top) for x in _between(rows[top], left, right)[:-1]),
            *((right, y) for y in _between(columns[right], top, bottom)[:-1]),
            *((x, bottom) for x in _between(rows[bottom], left, right)[:0:-1]),
            *((left, y) for y in _between(columns[left], top, bottom)[:0:-1]),
        ]
        polygons.append([numbers.setdefault(point, len(numbers)) for point in ring])
    return Mesh(list(numbers), polygons)


def corners(rect: Rect) -> tuple[Point, ...]:
    """Clockwise, from the top left one."""
    return (rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)


def _between(ascending: list[int], low: int, high: int) -> list[int]:
    return ascending[bisect_left(ascending, low) : bisect_right(ascending, high)]


def outlines(found: Mesh) -> list[list[Point]]:
    """The rings round all polygons together, clockwise, and round the holes in them, counterclockwise.

    Godot fills what rings go round, so one the other way makes a hole.

    From shapely's union of a coverage, which polygons that share whole edges are, several times faster
    than its general one; each ring is cleared of points on straight lines and starts at its smallest point,
    and the rings are sorted, so that no version of GEOS changes a byte.
    """
    import shapely  # slow to import, and only needed here

    if not found.polygons:
        return []
    closed = [[*polygon, polygon[0]] for polygon in found.polygons]
    owners = np.repeat(np.arange(len(closed)), [len(ring) for ring in closed])
    points = np.array(found.vertices)[np.concatenate(closed)]
    polygons = shapely.polygons(shapely.linearrings(points, indices=owners))
    rings, parts = shapely.get_rings(
        shapely.get_parts(shapely.coverage_union_all(polygons)), return_index=True
    )
    outer = np.append(True, np.diff(parts) > 0)  # of each part the first one
    return sorted(
        _normalised(shapely.get_coordinates(ring).astype(int).tolist(), clockwise)
        for ring, clockwise in zip(rings, outer.tolist(), strict=True)
    )


def _normalised(points: list[list[int]], clockwise: bool) -> list[Point]:
    """A closed ring's corners; see `outlines`."""
    ring = [(x, y) for x, y in points[:-1]]
    turns = [
        point
        for before, point, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False)
        if not (before[0] == point[0] == after[0] or before[1] == point[1] == after[1])
    ]
    start = turns.index(min(turns))
    turns = turns[start:] + turns[:start]
    # The smallest point is a top left one: clockwise is to the right.
    return turns if (turns[1][1] == turns[0][1]) is clockwise else [turns[0], *turns[:0:-1]]
