"""Words on pictures, in letters of three by five dots."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from generator.arrays import Mask
from generator.kinds.signs import sign_table

LETTER_DOTS = 4, 6  # including the gap


@cache
def letter_dots(letter: str) -> Mask | None:
    """Return a letter's dots [5, 3], or None if there is no such letter."""
    rows = sign_table().letters.get(letter.upper())
    return None if rows is None else np.array([[dot == "#" for dot in row] for row in rows])


def write(
    pixels: npt.NDArray[np.uint8], text: str, at: tuple[int, int], ink: tuple[int, int, int, int], dot_px: int
) -> None:
    """Write a line with its top left corner at x, y, as far as it fits into the picture [y, x, 4]."""
    x, y = at
    for letter in text:
        found = letter_dots(letter)
        dots = letter_dots("?") if found is None else found
        assert dots is not None
        dots = dots.repeat(dot_px, axis=0).repeat(dot_px, axis=1)
        place = pixels[y : y + dots.shape[0], x : x + dots.shape[1]]
        place[dots[: place.shape[0], : place.shape[1]]] = ink
        x += LETTER_DOTS[0] * dot_px
