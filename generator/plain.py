"""numpy's numbers as Python's own: a seed, a room or a spec's value often comes out of an array."""

from __future__ import annotations

import sys


def plain(given: object) -> object:
    """What numpy calls 7, True or [15, 9] as Python's int, bool or list; anything else as it is.

    It does not import numpy: whoever has such a value has done so.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(given, (numpy.generic, numpy.ndarray)):
        return given.tolist()
    return given
