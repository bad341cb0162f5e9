"""A theme's tiles as colour numbers, to compose pictures with a palette."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.theme import AtlasIndex, Theme
from exporters.theme.image import Pixels, atlas_pixels, cut_tiles

ColourNumbers = npt.NDArray[np.uint32]
"""[..., y, x]: the index of each pixel's colour in a list of colours."""

_MAX_KEPT_PX = 1 << 22  # the largest sheet kept for the next level: 16 MB


class Coloured(NamedTuple):
    """Pictures whose pixels are indexes into `colours` [number, 4], RGBA."""

    colours: Pixels
    numbers: ColourNumbers


def coloured_tiles(theme: Theme, indexes: Sequence[AtlasIndex]) -> Coloured:
    """Convert the tiles [n, tile, tile] at some indexes to colour numbers.

    The colours may be those of the whole sheet, which are found once and kept for other levels.
    Raises ThemeError if the image cannot be decoded.
    """
    if theme.columns * theme.rows * theme.tile_size**2 > _MAX_KEPT_PX:
        return numbered(cut_tiles(atlas_pixels(theme), theme, indexes))
    sheet = _sheet(theme)
    return Coloured(sheet.colours, cut_tiles(sheet.numbers, theme, indexes))


@lru_cache(maxsize=8)
def _sheet(theme: Theme) -> Coloured:
    return numbered(atlas_pixels(theme))


def numbered(pixels: Pixels) -> Coloured:
    """Number the distinct colours of pixels [..., 4], sorted by alpha, then blue, green, red."""
    words = np.ascontiguousarray(pixels).view("<u4")[..., 0]
    colours, numbers = np.unique(words, return_inverse=True)
    return Coloured(colours.view(np.uint8).reshape(-1, 4), numbers.reshape(words.shape).astype(np.uint32))
