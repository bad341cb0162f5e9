"""Dressing: a level's terrain and decor as tile layers of one theme."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.theme import Theme
from generator.level import Level

Layer = npt.NDArray[np.int32]

EMPTY = -1


class Layers(NamedTuple):
    """[y, x] atlas indexes, EMPTY where a layer has no tile; drawn in this order.

    Bodies stand between `decor` (which sorts with them by y) and `overlay`.
    """

    ground: Layer
    walls: Layer
    doors: Layer
    decor: Layer
    overlay: Layer


def dress(level: Level, theme: Theme) -> Layers:
    """Choose a tile for everything of `level` that is drawn."""
    raise NotImplementedError
