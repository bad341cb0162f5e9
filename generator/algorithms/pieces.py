"""Pieces of tiles that are joined side by side, as scipy labels them, without the long start of scipy.

Each row falls into runs of tiles, and a run is joined to those above it that it touches: the classic two
passes (Rosenfeld and Pfaltz, "Sequential Operations in Digital Picture Processing", 1966), on runs.
"""

from __future__ import annotations

import numpy as np

from generator.arrays import Ints, Mask


def numbered_pieces(mask: Mask) -> Ints:
    """Number the pieces of a mask [y, x] from 1, in the order of their first tiles. Other tiles have 0."""
    height, width = mask.shape
    stride = width + 1
    framed = np.zeros((height, width + 2), np.int8)
    framed[:, 1:-1] = mask
    steps = np.diff(framed, axis=1).ravel()
    starts, ends = np.flatnonzero(steps > 0), np.flatnonzero(steps < 0)
    # Moved down by a row, the runs above begin before this one ends, and end after it begins.
    first = np.searchsorted(ends + stride, starts, side="right")
    counts = np.searchsorted(starts + stride, ends, side="left") - first
    below = np.repeat(np.arange(len(starts)), counts)
    above = np.arange(len(below)) + np.repeat(first - np.cumsum(counts) + counts, counts)
    roots = _roots(len(starts), above, below)
    is_first = roots == np.arange(len(roots))
    numbers = np.cumsum(is_first)[roots]
    changes = np.zeros(height * stride, np.int64)
    changes[starts] = numbers
    changes[ends] = -numbers
    result: Ints = np.cumsum(changes).reshape(height, stride)[:, :width]
    return result


def _roots(count: int, first: Ints, second: Ints) -> Ints:
    """Return for each of `count` things the least one that it is joined to, by pairs of things."""
    roots = np.arange(count)
    while True:
        a, b = roots[first], roots[second]
        if (a == b).all():
            return roots
        np.minimum.at(roots, np.maximum(a, b), np.minimum(a, b))
        while (higher := roots[roots]).tobytes() != roots.tobytes():
            roots = higher
