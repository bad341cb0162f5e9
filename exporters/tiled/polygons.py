"""Rings of tile corners as one polygon, for Tiled's have no holes."""

from __future__ import annotations

from collections.abc import Sequence

from generator.geometry import Point


def joined(rings: Sequence[Sequence[Point]]) -> list[Point]:
    """An outer ring and its holes, each of edges along rows and columns, as a single ring.

    A slit without width leads from each hole to what lies west of it, and back:

        a-------b        a b c d e f g h i f e: from e on the outer ring to f on the hole, round it
        |       |        the other way, and back
        e-f-i   |
        | | |   |
        | g-h   |
        d-------c

    A ring that is no hole (of a region in several parts) is joined by a slit from wherever it starts.
    """
    if not rings:
        return []
    merged = list(rings[0])
    for ring in sorted(rings[1:], key=min):
        start = ring.index(min(ring))
        hole = [*ring[start:], *ring[:start]]
        at, corner, inside = _west_of(merged, hole[0])
        way = [hole[0], *hole[:0:-1]] if inside else hole
        merged[at + 1 : at + 1] = [corner, *way, hole[0], corner]
    return merged


def _west_of(ring: Sequence[Point], point: Point) -> tuple[int, Point, bool]:
    """Where the first edge west of a point is hit: the edge's number, the place, and whether inside.

    The ring's first corner if no edge lies west of it.
    """
    x, y = point
    best: tuple[int, int] | None = None  # column, edge
    crossings = 0
    for i, (ax, ay) in enumerate(ring):
        bx, by = ring[(i + 1) % len(ring)]
        low, high = min(ay, by), max(ay, by)
        if ax == bx and ax < x and low <= y <= high:
            crossings += low <= y < high  # half-open: a corner is not counted twice
            if best is None or ax > best[0]:
                best = ax, i
    if best is None:
        return 0, ring[0], False
    return best[1], (best[0], y), crossings % 2 == 1
