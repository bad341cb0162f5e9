"""What arrays hold, in one word each; those of tiles are [y, x]."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
"""Where something is."""

Ints = npt.NDArray[np.int64]
"""Whole numbers of any size, such as points or edges."""


def framed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array [y, x] with a rim of zeros round it: `np.pad`, which takes far longer for small ones."""
    height, width = array.shape
    found = np.zeros((height + 2, width + 2), array.dtype)
    found[1:-1, 1:-1] = array
    return found


def numbers_in(values: npt.NDArray[np.integer]) -> list[int]:
    """Which whole numbers, none of them negative and all of them small, an array has; ascending.

    Counting them is faster than `np.unique`, which sorts, and imports `numpy.ma` the first time.
    """
    result: list[int] = np.flatnonzero(np.bincount(values.ravel())).tolist()
    return result
