"""A level's picture as stacks of tiles. Each distinct stack is drawn only once.

ground   f f g     Stacks 0 to 2 are f, f with w on it, and g; `places` is 0 1 2. A level with many
walls    . w .     thousands of tiles has a few hundred stacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, TileLayer
from exporters.theme import Theme
from exporters.theme.colours import Coloured, ColourNumbers, coloured_tiles, numbered
from exporters.theme.image import Pixels

_MAX_COUNTED = 1 << 20  # with at most this many possible stacks, a table of all is faster than sorting


class Stacks(NamedTuple):
    """`places` [y, x] are indexes into `pictures` [n, tile, tile], which hold only colours in use."""

    pictures: Coloured
    places: npt.NDArray[np.intp]


def stacked(layers: Sequence[TileLayer], theme: Theme, background: tuple[int, int, int, int]) -> Stacks:
    """Stack layers over a background (RGBA). Raises ThemeError for an image that cannot be decoded."""
    present = np.zeros(max(int(layer.max(initial=EMPTY)) for layer in layers) + 2, bool)
    for layer in layers:
        present[layer - EMPTY] = True
    present[0] = False  # EMPTY
    order = np.cumsum(present) - 1
    tiles = coloured_tiles(theme, (np.flatnonzero(present) + EMPTY).tolist())
    count, size = len(tiles.numbers), theme.tile_size
    colours = np.concatenate((tiles.colours, np.array([background], np.uint8)))
    pictures = Coloured(colours, np.full((1, size, size), len(tiles.colours), np.uint32))
    places = np.zeros(layers[0].shape, np.intp)
    for layer in layers:
        seen = layer != EMPTY
        keys = places[seen] * count + order[layer[seen] - EMPTY]
        new, numbers = _distinct(keys, len(pictures.numbers) * count)
        places[seen] = len(pictures.numbers) + numbers
        below, above = divmod(new, max(count, 1))
        pictures = _drawn(pictures, below, tiles.numbers[above])
    return Stacks(_tidied(pictures, places), places)


def _distinct(keys: npt.NDArray[np.intp], below: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Find the distinct keys (0 to `below` - 1), ascending, and the index of each given key among them."""
    if below > _MAX_COUNTED:
        return np.unique(keys, return_inverse=True)
    present = np.zeros(below, bool)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def _drawn(pictures: Coloured, below: npt.NDArray[np.intp], above: ColourNumbers) -> Coloured:
    """Append copies of the pictures in `below` with the tiles `above` drawn on them."""
    colours, known = pictures
    alphas = colours[:, 3]
    drawn = np.where(alphas[above] == 255, above, known[below])
    soft = (alphas % 255 != 0)[above]
    if soft.any():
        blended = numbered(over(colours[known[below][soft]], colours[above[soft]]))
        drawn[soft] = len(colours) + blended.numbers
        colours = np.concatenate((colours, blended.colours))
    return Coloured(colours, np.concatenate((known, drawn)))


def _tidied(pictures: Coloured, places: npt.NDArray[np.intp]) -> Coloured:
    """Keep only the colours of the pictures that are used, each listed once."""
    used = np.bincount(places.ravel(), minlength=len(pictures.numbers)) > 0
    present = np.zeros(len(pictures.colours), bool)
    present[pictures.numbers[used]] = True
    colours = numbered(pictures.colours[present])
    order = np.zeros(len(present), np.uint32)
    order[present] = colours.numbers
    return Coloured(colours.colours, order[pictures.numbers])


def over(below: Pixels, above: Pixels) -> Pixels:
    """Apply Porter and Duff's "over" in integers, rounded to the nearest.

    With alphas a (above) and b (below) of 0 to 255: w = 255·a + b·(255 - a) is 255 times the result's
    alpha; its colour is the mean of both colours, weighted by 255·a and b·(255 - a).
    """
    a = above[..., 3:].astype(np.uint32)
    rest = below[..., 3:] * (255 - a)
    weight = 255 * a + rest
    colour = above[..., :3] * (255 * a) + below[..., :3] * rest
    result = np.empty_like(below)
    result[..., :3] = (colour + weight // 2) // np.maximum(weight, 1)
    result[..., 3:] = (weight + 127) // 255
    return result
