"""Heaps made by hand or by chance, and the plainest ways to look at them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from generator.floorplans.gungeon.plan import Heap
from generator.geometry import Rect

Edge = tuple[int, int]
NO_ROOM = -1


def heap_of(rects: Sequence[tuple[int, int, int, int]], kinds: Sequence[str] | None = None) -> Heap:
    """A heap of rooms x, y, width, height: the start, then enemy rooms unless told otherwise."""
    x, y, width, height = np.array(rects, np.int64).reshape(-1, 4).T.copy()
    return Heap(tuple(kinds or ["start", *["normal"] * (len(rects) - 1)]), x, y, width, height)


def too_near(heap: Heap, margin: int) -> int:
    """How many pairs of rooms have less than `margin` tiles between them, on both axes."""
    spans = ((heap.x, heap.width), (heap.y, heap.height))
    gaps = [np.maximum(at[:, None] - (at + size), (at[:, None] - (at + size)).T) for at, size in spans]
    near = np.maximum(*gaps) < margin
    return int(np.triu(near, 1).sum())


def size_of(heap: Heap) -> tuple[int, int]:
    """Width and height of the box round all rooms."""
    width = (heap.x + heap.width).max() - heap.x.min()
    height = (heap.y + heap.height).max() - heap.y.min()
    return int(width), int(height)


def walked(rooms: int, edges: Iterable[Edge]) -> list[int]:
    """[room]: how many edges one walks from room 0; NO_ROOM where none lead."""
    beside: list[set[int]] = [set() for _ in range(rooms)]
    for a, b in edges:
        beside[a].add(b)
        beside[b].add(a)
    steps = [NO_ROOM] * rooms
    frontier, far = {0}, 0
    while frontier:
        for room in frontier:
            steps[room] = far
        frontier = {other for room in frontier for other in beside[room] if steps[other] == NO_ROOM}
        far += 1
    return steps


def tiles_of(rect: Rect) -> set[tuple[int, int]]:
    return {(x, y) for x in range(rect.x, rect.right) for y in range(rect.y, rect.bottom)}
