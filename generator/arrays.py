"""Types of arrays by name, and small functions on arrays of tiles, which are [y, x]."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
"""A mask: where something is."""

Ints = npt.NDArray[np.int64]
"""Whole numbers of any size, such as points or edges."""


def framed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Add a rim of zeros around an array [y, x], like `np.pad`, but much faster for small arrays."""
    height, width = array.shape
    padded = np.zeros((height + 2, width + 2), array.dtype)
    padded[1:-1, 1:-1] = array
    return padded


def beside(mask: Mask, *, edge: bool = False) -> Mask:
    """Return the tiles [y, x] with one of the mask on one of their four sides, or with `edge` the edge."""
    wide = np.pad(mask, 1, constant_values=edge)
    found: Mask = wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
    return found


def around(mask: Mask) -> Mask:
    """Return the tiles [y, x] of a mask and the eight round each."""
    wide = np.zeros((mask.shape[0] + 2, mask.shape[1] + 2), bool)
    for dy in range(3):
        for dx in range(3):
            wide[dy : dy + mask.shape[0], dx : dx + mask.shape[1]] |= mask
    return wide[1:-1, 1:-1]


def numbers_in(values: npt.NDArray[np.integer]) -> list[int]:
    """List the different numbers in an array of small, non-negative whole numbers, in ascending order.

    Counting them is faster than `np.unique`, which sorts, and imports `numpy.ma` the first time.
    """
    result: list[int] = np.flatnonzero(np.bincount(values.ravel())).tolist()
    return result
