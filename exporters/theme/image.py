"""The pixels and colours of a theme's image, decoded with care because it is not trusted."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exporters.theme import AtlasIndex, Theme
from generator.errors import ThemeError
from generator.named_tuple import NamedTuple

Pixels = npt.NDArray[np.uint8]
"""RGBA, [..., 4], not premultiplied."""

_Cell = TypeVar("_Cell", np.uint8, np.uint32)


def atlas_pixels(theme: Theme) -> Pixels:
    """Decode the image [y, x, 4], whose size the theme's loader has checked. Raises ThemeError."""
    key = f"look.{theme.look}.image" if theme.look else "image"
    return decoded(theme.image, f"{theme.path}: {key}" if theme.path else f"{theme.name}.png")


def decoded(image: bytes, where: str) -> Pixels:
    """Decode a PNG file whose size was checked, [y, x, 4]. Raises ThemeError, beginning with `where`."""
    from PIL import PngImagePlugin  # slow to import, and `Image.open` would import other formats too

    try:
        with PngImagePlugin.PngImageFile(io.BytesIO(image)) as opened:
            return np.asarray(opened.convert("RGBA"))
    except (OSError, SyntaxError, ValueError, zlib.error, struct.error) as error:
        reason = str(error).partition("\n")[0] or "it is damaged"
    raise ThemeError(f"{where}: cannot be decoded: {reason}; save it again as PNG")


def blank_tiles(theme: Theme) -> list[str]:
    """Report, one line each, blocks of tiles that the theme names but are blank. Raises ThemeError."""
    alpha = atlas_pixels(theme)[..., 3]
    look = f" in the look of the {theme.look}" if theme.look else ""
    lines = []
    for (tile, width, height), where in theme.named.items():
        blocks = [tile + y * theme.columns + x for y in range(height) for x in range(width)]
        if not cut_tiles(alpha, theme, blocks).any():
            position = f"{list(theme.at(tile))}"
            lines.append(f"{theme.path}: {where}: {position} is blank{look}; nothing is drawn there")
    return lines


def cut_tiles(sheet: npt.NDArray[_Cell], theme: Theme, indexes: Sequence[AtlasIndex]) -> npt.NDArray[_Cell]:
    """Cut tiles [n, tile, tile, ...] out of a sheet [y, x, ...] of the size of the theme's image."""
    size = theme.tile_size
    tiles = np.empty((len(indexes), size, size, *sheet.shape[2:]), sheet.dtype)
    for tile, index in zip(tiles, indexes, strict=True):
        x, y = theme.at_px(index)
        tile[...] = sheet[y : y + size, x : x + size]
    return tiles


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


# --- tiles as colour numbers, to compose pictures with a palette -------------------------------------

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
