"""The pixels of a theme's image, decoded with care: it may come from anybody."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import numpy.typing as npt

from exporters.theme import Theme
from generator.errors import ThemeError

Pixels = npt.NDArray[np.uint8]
"""RGBA, [..., 4], not premultiplied."""


def atlas_pixels(theme: Theme) -> Pixels:
    """[y, x, 4]: the image, whose size the theme's loader has bounded. Raises ThemeError."""
    return decoded(theme.image, f"{theme.path}: image" if theme.path else f"{theme.name}.png")


def decoded(image: bytes, where: str) -> Pixels:
    """[y, x, 4]: a PNG file whose size was bounded before. ThemeError, which begins with `where`."""
    from PIL import Image, UnidentifiedImageError  # slow to import, and only pictures need it

    try:
        with Image.open(io.BytesIO(image), formats=("PNG",)) as opened:
            return np.asarray(opened.convert("RGBA"))
    except UnidentifiedImageError:
        reason = "its header is damaged"  # Pillow's own words hold an address in memory
    except (OSError, SyntaxError, ValueError, zlib.error, struct.error) as error:
        reason = str(error).splitlines()[0]
    raise ThemeError(f"{where}: cannot be decoded: {reason}; save it again as PNG")
