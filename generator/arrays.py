"""What arrays hold, in one word each; those of tiles are [y, x]."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
"""Where something is."""

Ints = npt.NDArray[np.int64]
"""Whole numbers of any size, such as points or edges."""


def numbers_in(values: npt.NDArray[np.integer]) -> list[int]:
    """Which whole numbers, none of them negative and all of them small, an array has; ascending.

    Counting them is faster than `np.unique`, which sorts, and imports `numpy.ma` the first time.
    """
    result: list[int] = np.flatnonzero(np.bincount(values.ravel())).tolist()
    return result
