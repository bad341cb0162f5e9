"""Words of a stream in blocks, as arrays of numpy: what `generator.rng` draws at once.

uint64 arithmetic in numpy wraps around, as the algorithm requires.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from generator.rng import GAMMA, MASK, MIX_1, MIX_2

_GAMMA_64, _MIX_1_64, _MIX_2_64 = (np.uint64(c) for c in (GAMMA, MIX_1, MIX_2))
_STEPS = np.arange(1, 513, dtype=np.uint64) * _GAMMA_64


def words_after(state: int, count: int) -> npt.NDArray[np.uint64]:
    """Return the `count` words after a stream's state: its key, and γ for each word taken."""
    z = _steps(count) + np.uint64(state & MASK)
    z ^= z >> 30
    z *= _MIX_1_64
    z ^= z >> 27
    z *= _MIX_2_64
    z ^= z >> 31
    return z


def _steps(count: int) -> npt.NDArray[np.uint64]:
    if count <= len(_STEPS):
        return _STEPS[:count]
    return np.arange(1, count + 1, dtype=np.uint64) * _GAMMA_64


def below_each(bounds: int | npt.NDArray[np.int64], words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return the number below a bound, the same or each its own, that each word stands for."""
    return (((words >> 32) * np.asarray(bounds, np.uint64)) >> 32).astype(np.int64)
