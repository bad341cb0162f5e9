"""Guessing where the tiles of a sheet lie, from its name and its pixels."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.theme.image import Pixels

_SIZES = (16, 32, 24, 48, 8, 64, 20, 40, 12, 10)  # px, the usual ones first
_IN_NAME = re.compile(r"(?<!\d)(\d{1,2})(?:\s*[xX]\s*\1(?!\d)|\s*px)")
_MOST_PX = 2048  # of a side that are looked at
_LEAST_GAPS = 2


class Guess(NamedTuple):
    """Tile size, margin and spacing in px, and what they were read from."""

    tile_size: int
    margin: int
    spacing: int
    source: str


def guess(pixels: Pixels, stem: str) -> Guess:
    """Where the tiles of a sheet [y, x, 4] lie, whose file is called `stem`."""
    height, width = pixels.shape[:2]
    part = pixels[:_MOST_PX, :_MOST_PX].astype(np.int16)
    named = _IN_NAME.search(stem)
    sizes = (int(named[1]),) if named and 8 <= int(named[1]) <= 64 else _SIZES
    spaced = _spaced(part, sizes)
    if spaced:
        return spaced
    if named and sizes != _SIZES:
        return Guess(sizes[0], 0, 0, "the file's name")
    fits = [size for size in _SIZES if width % size == 0 and height % size == 0]
    if not fits:
        return Guess(16, 0, 0, "nothing: no usual size fits the image")
    across, down = _steps(part), _steps(part.swapaxes(0, 1))
    best = max(fits, key=lambda size: (_contrast(across, size) * _contrast(down, size), -size))
    return Guess(best, 0, 0, "the picture")


def _spaced(part: npt.NDArray[np.int16], sizes: tuple[int, ...]) -> Guess | None:
    """A grid with lines of one colour between its tiles, if there is one."""
    plain_columns, plain_rows = (_plain(part.swapaxes(0, 1)), _plain(part))
    for size in sizes:
        for spacing in (1, 2, 3, 4):
            for margin in range(2 * spacing + 1):
                if all(_lines(plain, size, margin, spacing) for plain in (plain_columns, plain_rows)):
                    return Guess(size, margin, spacing, "the lines between the tiles")
    return None


def _plain(lines: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """Which of the lines [line, px, 4] are of one colour."""
    found: npt.NDArray[np.bool_] = (lines == lines[:, :1]).all(axis=(1, 2))
    return found


def _lines(plain: npt.NDArray[np.bool_], size: int, margin: int, spacing: int) -> bool:
    """Whether all lines of a margin and between tiles are plain, and some others are not."""
    place = (np.arange(len(plain)) - margin) % (size + spacing)
    between = place >= size
    between[:margin] = True
    gaps = (len(plain) - margin) // (size + spacing)
    return gaps >= _LEAST_GAPS and bool(plain[between].all()) and not plain[~between].all()


def _steps(part: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """How much each column differs from the one before it."""
    steps: npt.NDArray[np.float64] = np.abs(np.diff(part, axis=1)).mean(axis=(0, 2))
    return steps


def _contrast(steps: npt.NDArray[np.float64], size: int) -> float:
    """How much more columns differ across the borders of tiles than elsewhere."""
    border = np.arange(1, len(steps) + 1) % size == 0
    if not border.any() or border.all():
        return 0.0
    return float((steps[border].mean() + 1) / (steps[~border].mean() + 1))
