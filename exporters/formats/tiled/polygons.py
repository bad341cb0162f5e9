"""Join rings of tile corners into one polygon, because Tiled's polygons cannot have holes."""

from __future__ import annotations

from collections.abc import Sequence

from generator.geometry import Point


def joined(rings: Sequence[Sequence[Point]]) -> list[Point]:
    """Join an outer ring and its holes, all with horizontal and vertical edges, to a single ring.

    From each hole, a slit of zero width leads to the ring west of it, and back:

        a-------b        a b c d e f g h i f e: from e on the outer ring to f on the hole, around it
        |       |        in the other direction, and back
        e-f-i   |
        | | |   |
        | g-h   |
        d-------c

    A ring that is not a hole (in a region with several parts) is joined by a slit from its start.
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
    """Find the first edge west of a point: its number, the position where it is hit, and if it is inside.

    The ring's first corner if there is no edge to the west.
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
