"""Separate: the rooms of a heap push each other apart until none overlap."""

from __future__ import annotations

from generator.algorithms.separation import separate
from generator.styles.gungeon.plan import Heap


def separate_rooms(heap: Heap, margin: int) -> Heap:
    """Move the heap's rooms at least `margin` tiles apart."""
    x, y = separate(heap.x, heap.y, heap.width, heap.height, margin)
    return heap._replace(x=x, y=y)
