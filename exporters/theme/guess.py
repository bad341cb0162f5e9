"""Guess the places of a sheet's tiles from its name and its pixels.

Lines between the tiles, in one colour or copied from the tiles' edges, are proof. In a sheet without such
lines, seams help: where one tile ends and the next begins, fewer pixels are like their neighbour than within
a tile. If the assumed size is too small, it has seams through the middle of tiles, where there are none. If
it is too large, it misses every other seam, and those lines are as broken as the ones that it has.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.theme.image import Pixels

_SIZES = (16, 32, 24, 48, 8, 64, 20, 40, 12, 10)  # px, most usual first
_FAMILIES = (((64, 32, 16, 8), 1.0), ((48, 24, 12), 0.8), ((40, 20, 10), 0.5))  # and how usual they are
_MARGINS = (1, 2, 3, 4, 8)  # px, for sheets without spacing
_AS_BROKEN = 0.46  # from this share of the seams' strength on, lines halfway between them count as seams too
_PATTERN = 0.8  # the same for lines at the quarters, if those in the middle are weaker
_MIN_STRENGTH = 0.03  # of seams
_MIN_LIKENESS = 0.05  # of a grid and the seams, over both directions
_IN_NAME = re.compile(r"(?<!\d)(\d{1,2})(?:\s*[xX]\s*\1(?!\d)|\s*px)")
_MAX_PX = 2048  # examined per side
_MIN_GAPS = 2


class Guess(NamedTuple):
    """Tile size, margin and spacing in px, and what the guess is based on."""

    tile_size: int
    margin: int
    spacing: int
    source: str


def guess(pixels: Pixels, stem: str) -> Guess:
    """Estimate the tiles' positions in a sheet [y, x, 4]. `stem` is its file name without the suffix."""
    part = pixels[:_MAX_PX, :_MAX_PX].astype(np.int16)
    part[part[..., 3] == 0] = 0
    named = _IN_NAME.search(stem)
    sizes = (int(named[1]),) if named and 8 <= int(named[1]) <= 64 else _SIZES
    lined = _spaced(part, sizes) or _extruded(part, sizes)
    if lined:
        return lined
    if named and sizes != _SIZES:
        return Guess(sizes[0], 0, 0, "the file's name")
    return _by_seams(part, pixels.shape[1], pixels.shape[0])


def _spaced(part: npt.NDArray[np.int16], sizes: tuple[int, ...]) -> Guess | None:
    """Find a grid with lines of one colour between its tiles, if it fits."""
    plain_columns, plain_rows = (_plain(part.swapaxes(0, 1)), _plain(part))
    for size in sizes:
        for spacing in (1, 2, 3, 4):
            for margin in range(2 * spacing + 1):
                if all(_lines(plain, size, margin, spacing) for plain in (plain_columns, plain_rows)):
                    return Guess(size, margin, spacing, "the lines between the tiles")
    return None


def _plain(lines: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """Find which of the lines [line, px, 4] have a single colour."""
    is_plain: npt.NDArray[np.bool_] = (lines == lines[:, :1]).all(axis=(1, 2))
    return is_plain


def _lines(plain: npt.NDArray[np.bool_], size: int, margin: int, spacing: int) -> bool:
    """Check whether all lines in the margin and between tiles are plain, and some others are not."""
    offset = (np.arange(len(plain)) - margin) % (size + spacing)
    between = offset >= size
    between[:margin] = True
    gaps = (len(plain) - margin) // (size + spacing)
    return gaps >= _MIN_GAPS and bool(plain[between].all()) and not plain[~between].all()


def _extruded(part: npt.NDArray[np.int16], sizes: tuple[int, ...]) -> Guess | None:
    """Find a grid whose tiles have frames copied from their own edges, if it fits."""
    sides = (part.swapaxes(0, 1), part)
    alike = [np.append((lines[1:] == lines[:-1]).all(axis=(1, 2)), False) for lines in sides]
    for size in sizes:
        for frame in (1, 2):
            if all(_framed(pairs, size, frame) for pairs in alike):
                return Guess(size, frame, 2 * frame, "the frames round the tiles")
    return None


def _framed(alike: npt.NDArray[np.bool_], size: int, frame: int) -> bool:
    """Check if each tile's first and last lines match the next ones outwards, and other lines do not.

    `alike` [line] says whether a line is like the next one.
    """
    pitch = size + 2 * frame
    if len(alike) % pitch or len(alike) // pitch < _MIN_GAPS:
        return False
    offset = np.arange(len(alike)) % pitch
    edges = (offset < frame) | ((offset >= pitch - frame - 1) & (offset < pitch - 1))
    return bool(alike[edges].all()) and float(alike[~edges].mean()) < 0.25


class _Broken(NamedTuple):
    """For the lines between columns 0 and 1, 1 and 2 ...: how many pixels they have, and how many are broken.

    A pixel counts if either neighbour is visible. It is broken unless both are visible and have the same
    colour.
    """

    seen: npt.NDArray[np.int64]
    broken: npt.NDArray[np.int64]

    def share(self, lines: npt.NDArray[np.bool_]) -> float:
        """Compute the share of broken pixels in some of the lines, 0 if nothing is visible there."""
        return float(self.broken[lines].sum() / max(1, self.seen[lines].sum()))


def _by_seams(part: npt.NDArray[np.int16], width: int, height: int) -> Guess:
    """Find the grid that fits the image and matches its seams best, with a margin only if necessary."""
    both = (_broken(part), _broken(part.swapaxes(0, 1)))
    grids = _grids(both, width, height, 0)
    if not grids:
        grids = [grid for margin in _MARGINS for grid in _grids(both, width, height, margin)]
    best, size, margin = max(grids, default=(0.0, 0, 0))
    if best >= _MIN_LIKENESS:
        return Guess(size, margin, 0, "the seams in the picture")
    fits = [size for size in _SIZES if width % size == 0 and height % size == 0]
    if not fits:
        return Guess(16, 0, 0, "nothing: no usual size fits the image")
    return Guess(fits[0], 0, 0, "nothing: the picture has no seams")


def _grids(both: tuple[_Broken, ...], width: int, height: int, margin: int) -> list[tuple[float, int, int]]:
    """Find, for each family, the size that fits the seams best: how well it fits, the size, the margin."""
    grids = []
    for family, usual in _FAMILIES:
        fits = [
            size
            for size in family
            if size > margin and all((side - margin) % size in (0, margin) for side in (width, height))
        ]
        if fits:
            size = next((size for size in fits[:-1] if _is_whole(both, size, margin)), fits[-1])
            grids.append((usual * sum(_likeness(axis, size, margin) for axis in both), size, margin))
    return grids


def _broken(part: npt.NDArray[np.int16]) -> _Broken:
    opaque = part[..., 3] > 0
    left, right = opaque[:, :-1], opaque[:, 1:]
    seen = (left | right).sum(axis=0)
    alike = left & right & (part[:, 1:] == part[:, :-1]).all(axis=2)
    return _Broken(seen, seen - alike.sum(axis=0))


def _is_whole(both: tuple[_Broken, ...], size: int, margin: int) -> bool:
    """Check whether the sheet has seams at this size, and none through the middle of its tiles.

    If lines at the quarters are more broken than those in the middle, they are a pattern within the tiles,
    such as courses of bricks, unless all of them are as broken as the seams.
    """
    half, quarter = size // 2, size // 4
    seams = middles = quarters = 0.0
    for axis in both:
        position = np.arange(1, len(axis.seen) + 1) - margin
        within = axis.share(position % quarter != 0)
        seams += axis.share(position % size == 0) - within
        middles += axis.share(position % size == half) - within
        quarters += axis.share(position % half == quarter) - within
    if seams <= _MIN_STRENGTH:
        return False
    if quarters >= middles:
        return quarters < _PATTERN * seams
    return middles < _AS_BROKEN * seams


def _likeness(axis: _Broken, size: int, margin: int) -> float:
    """Correlate a grid's lines with how broken lines are, each weighted by its visible pixels."""
    on = ((np.arange(1, len(axis.seen) + 1) - margin) % size == 0).astype(np.float64)
    weights = np.sqrt(axis.seen)
    if not weights.any():
        return 0.0
    share = axis.broken / np.maximum(axis.seen, 1)
    on, share = (values - np.average(values, weights=weights) for values in (on, share))
    spread = np.average(on**2, weights=weights) * np.average(share**2, weights=weights)
    return float(np.average(on * share, weights=weights) / np.sqrt(spread)) if spread > 0 else 0.0
