"""Meshes of rectangles and outlines, made from masks of tiles.

Godot joins two navigation polygons only if they share a whole edge with the same two vertices. So the tiles
become rectangles, and a corner of one that lies on another's edge becomes a vertex there too:

    a----b----c
    |    |    |         the left one has the vertices a b d e f: d is a corner of the right one only
    |    d----+
    |    |
    f----e
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise

import numpy as np

from exporters.owners import filled
from generator.arrays import Ints, Mask
from generator.geometry import Point, Rect
from generator.named_tuple import NamedTuple


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
    bounds = Rect.around([corner for ring in rings for corner in ring])
    sides = rectangles(filled(rings, bounds), (bounds.x, bounds.y)).tolist()
    return [
        ((left, top), (right, top), (right, bottom), (left, bottom)) for left, top, right, bottom in sides
    ]


def rectangles(area: Mask, origin: Point = (0, 0)) -> Ints:
    """Cover the tiles of `area` [y, x] with rectangles: runs of a row, merged with equal runs below.

    [rectangle, 4]: left, top, right, bottom, half-open, sorted by top and left. `origin` is the place of the
    area's first tile.
    """
    height, width = area.shape
    flat = np.zeros(1 + height * (width + 1), np.bool_)  # a blank tile before all, and after each row
    flat[1:].reshape(height, width + 1)[:, :width] = area
    borders = np.flatnonzero(flat[1:] != flat[:-1])  # where a run starts, or the tile after its end
    starts, ends = borders[::2], borders[1::2]
    rows, lefts = np.divmod(starts, width + 1)
    lengths = ends - starts
    order = np.argsort((lefts * (width + 1) + lengths) * height + rows)  # as lexsort would, but faster
    rows, lefts, lengths = rows[order], lefts[order], lengths[order]
    same = (lefts[1:] == lefts[:-1]) & (lengths[1:] == lengths[:-1]) & (rows[1:] == rows[:-1] + 1)
    first = np.flatnonzero(np.append(True, ~same)[: len(rows)])
    last = np.flatnonzero(np.append(~same, True)[: len(rows)])
    x, y = origin
    right = (lefts + lengths)[first]
    rects = np.stack([lefts[first] + x, rows[first] + y, right + x, rows[last] + 1 + y], axis=1)
    result: Ints = rects[np.argsort(rows[first] * width + lefts[first])]
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
    order = np.argsort(xs * (int(bottom.max(initial=0)) + 1) + ys)  # they differ, so any sort is stable
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


# --- the outlines of areas of tiles, for many areas at once ------------------------------------------
#
# Joseph O'Rourke, "Uniqueness of orthogonal connect-the-dots" (1988): the corners in a row pair up from
# left to right, and those in a column from top to bottom, because an outline that starts along a line must
# end on it. So the next corner is known for every corner, without following tiles.
#
#     a-----b          rows: a-b, c-d, e-f
#     |     |          columns: a-e, c-b, f-d
#     |  c--d  ...
#     e--f
#
# Where two tiles of an area touch only at a corner, a *pinch*, two corners are in one place.
# `generator.algorithms.outline` does the same for a single area of a level without pinches.


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
    rest = way + ring[done:]
    yield rest if rest[0] == ring[0] else _from_smallest(rest, places)


def _from_smallest(ring: list[int], places: list[int]) -> list[int]:
    """Rotate a ring to start at its smallest corner."""
    start = ring.index(min(ring, key=places.__getitem__))
    return ring[start:] + ring[:start]
