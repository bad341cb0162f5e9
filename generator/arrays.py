"""Names for the types of arrays. Arrays of tiles are [y, x]."""

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


def numbers_in(values: npt.NDArray[np.integer]) -> list[int]:
    """List the different numbers in an array of small, non-negative whole numbers, in ascending order.

    Counting them is faster than `np.unique`, which sorts, and imports `numpy.ma` the first time.
    """
    result: list[int] = np.flatnonzero(np.bincount(values.ravel())).tolist()
    return result
