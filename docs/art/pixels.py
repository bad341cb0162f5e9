"""Pictures as arrays of palette letters, and the few operations that the drawing needs.

A picture is a uint8 array `[y, x]` of letter codes (`ord`). All functions return new pictures except the
two that say so: `rect` and `dot` paint in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from palette import PALETTE, RGB

Picture = npt.NDArray[np.uint8]
Tile = Callable[[int, int], Picture]  # of a mask and a seed
Change = Callable[[str, Picture, int], Picture]  # of a thing's name, its picture and the picture's number

TILE = 16
CLEAR = ord(".")


class Noise:
    """A 32-bit linear congruential generator of our own, so that no library can change the art."""

    def __init__(self, seed: int) -> None:
        """Start the sequence of `seed`."""
        self._state = (seed * 2654435761 + 97) & 0xFFFFFFFF
        self.below(2)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self._state = (self._state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self._state >> 16) * n >> 16

    def chance(self, percent: int) -> bool:
        """Return True this often out of a hundred."""
        return self.below(100) < percent


def blank(width: int = TILE, height: int = TILE, letter: str = ".") -> Picture:
    """Return a picture of one colour."""
    return np.full((height, width), ord(letter), np.uint8)


def parse(rows: Sequence[str]) -> Picture:
    """Turn lines of equal length, one letter a pixel, into a picture."""
    return np.array([[ord(letter) for letter in row] for row in rows], np.uint8)


def rect(picture: Picture, x: int, y: int, width: int, height: int, letter: str) -> None:
    """Fill a rectangle, in place, clipped to the picture."""
    picture[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)] = ord(letter)


def dot(picture: Picture, x: int, y: int, letter: str) -> None:
    """Paint one pixel, in place, if it is within the picture."""
    if 0 <= y < picture.shape[0] and 0 <= x < picture.shape[1]:
        picture[y, x] = ord(letter)


def over(base: Picture, top: Picture, x: int = 0, y: int = 0) -> Picture:
    """Return `base` with `top` laid on it at (x, y), clipped to `base`."""
    out = base.copy()
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + top.shape[1], base.shape[1]), min(y + top.shape[0], base.shape[0])
    if x1 > x0 and y1 > y0:
        part = top[y0 - y : y1 - y, x0 - x : x1 - x]
        window = out[y0:y1, x0:x1]
        out[y0:y1, x0:x1] = np.where(part == CLEAR, window, part)
    return out


def recolour(picture: Picture, old: str, new: str) -> Picture:
    """Return the picture with each letter of `old` replaced by the letter of `new` at the same place."""
    table = np.arange(256, dtype=np.uint8)
    for a, b in zip(old, new, strict=True):
        table[ord(a)] = ord(b)
    return table[picture]


def mirror(picture: Picture) -> Picture:
    """Return the picture with left and right exchanged."""
    return picture[:, ::-1].copy()


def to_rgba(picture: Picture, palette: Mapping[str, RGB] = PALETTE) -> npt.NDArray[np.uint8]:
    """Look each letter up in the palette; `.` becomes transparent. Refuses letters without a colour."""
    unknown = {chr(code) for code in np.unique(picture)} - set(palette) - {"."}
    if unknown:
        raise ValueError(f"no colour for the letters {''.join(sorted(unknown))!r}: see palette.py")
    table = np.zeros((256, 4), np.uint8)
    for letter, rgb in palette.items():
        table[ord(letter)] = (*rgb, 255)
    return table[picture]
