"""numpy's numbers as Python's own: a seed, a room or a value of a spec often comes from an array."""

from __future__ import annotations

import sys


def plain(value: object) -> object:
    """Convert numpy's number, boolean or array to Python's int, bool or list. Anything else stays as it is.

    It does not import numpy: a value of numpy means that somebody has done so.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        return value.tolist()
    return value
