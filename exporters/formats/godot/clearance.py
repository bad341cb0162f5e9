"""Where the centre of a body may be: the free tiles, eroded by the body's radius.

The borders of the eroded area are edges of tiles, or lines one radius away from them. These lines cut each
tile into at most three columns and rows. On this finer, uneven grid the area is again a plain mask. With
tiles of 16 px and a radius of 6, next to a wall:

      0     6    10    16    22    26    32
    ##|#####|#####|#####|     |     |     |
    ##|#####|#####|#####|     |.....|.....|      . the centre of a body may be here
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.arrays import Ints, Mask
from generator.geometry import Rect

CutLines = npt.NDArray[np.int64]  # ascending, in px


class FineGrid(NamedTuple):
    """The lines that cut tiles for a `radius` in px: `per_tile` lines for each tile, and the last edge."""

    tile_size: int
    radius: int
    per_tile: int
    xs: CutLines
    ys: CutLines

    def refined(self, tiles: Mask) -> Mask:
        """Refine a mask [y, x] of tiles to this grid."""
        return np.repeat(np.repeat(tiles, self.per_tile, 0), self.per_tile, 1)

    def within(self, rect: Rect) -> FineGrid:
        """Return the grid of some of the tiles."""
        ys, xs = self.slices(rect)
        return self._replace(xs=self.xs[xs.start : xs.stop + 1], ys=self.ys[ys.start : ys.stop + 1])

    def slices(self, rect: Rect) -> tuple[slice, slice]:
        """Return the slices [y, x] of some tiles in a mask."""
        ys, xs = (slice(side.start * self.per_tile, side.stop * self.per_tile) for side in rect.slices)
        return ys, xs

    def eroded(self, tiles: Mask) -> Mask:
        """Return where on this grid the centre of a square, twice the radius wide, may be.

        The whole square must lie on `tiles`, a mask [y, x] of whole tiles.
        """
        reach = [(low // self.tile_size, -(-high // self.tile_size)) for low, high in self._reach()]
        for _ in "xy":
            tiles = _joined(np.ascontiguousarray(tiles.T), 1, reach, np.logical_and)
        return tiles

    def dilated(self, mask: Mask) -> Mask:
        """Return the area covered by squares whose centres are in a mask of this grid."""
        reach = [(self._column(low), self._column(high - 1) + 1) for low, high in self._reach()]
        for _ in "xy":
            mask = _joined(np.ascontiguousarray(mask.T), self.per_tile, reach, np.logical_or)
        return mask

    def _reach(self) -> list[tuple[int, int]]:
        """Return the edges of each column of a tile, moved out by the radius, in px from the tile's edge."""
        lines = [*_cuts(self.tile_size, self.radius), self.tile_size]
        return [(low - self.radius, high + self.radius) for low, high in pairwise(lines)]

    def _column(self, px: int) -> int:
        """Return the column that contains a px. Both are relative to a tile's edge."""
        tile, inside = divmod(px, self.tile_size)
        return tile * self.per_tile + bisect_right(_cuts(self.tile_size, self.radius), inside) - 1

    def near(self, rect: Rect) -> Mask:
        """Return a mask [y, x] of the area less than a radius away from some of the tiles."""
        xs, ys = (
            (low * self.tile_size - self.radius, high * self.tile_size + self.radius)
            for low, high in ((rect.x, rect.right), (rect.y, rect.bottom))
        )
        across, down = (
            (low <= lines[:-1]) & (lines[1:] <= high) for lines, (low, high) in ((self.xs, xs), (self.ys, ys))
        )
        result: Mask = down[:, np.newaxis] & across
        return result

    def px(self, corners: Ints) -> Ints:
        """Convert corners [corner, 2] of this grid to px."""
        x, y = corners.T
        return np.stack([self.xs[x], self.ys[y]], axis=1)


def fine_grid(width: int, height: int, tile_size: int, radius: int) -> FineGrid:
    """Build the grid of `width` by `height` tiles."""
    cuts = _cuts(tile_size, radius)
    xs, ys = (
        np.append(np.add.outer(np.arange(count) * tile_size, cuts), count * tile_size)
        for count in (width, height)
    )
    return FineGrid(tile_size, radius, len(cuts), xs, ys)


def _cuts(tile_size: int, radius: int) -> list[int]:
    """Return where the columns of a tile begin, in px."""
    return sorted({0, radius % tile_size, -radius % tile_size})


def _joined(mask: Mask, per_tile: int, reach: Sequence[tuple[int, int]], join: np.ufunc) -> Mask:
    """Combine nearby rows of a mask into the rows of a new one: for each tile, one row per item of `reach`.

    The mask has `per_tile` rows per tile. An item is the half-open range of rows to combine, counted from the
    tile's first row. Outside the mask everything counts as False.
    """
    before, after = -min(first for first, _ in reach), max(end for _, end in reach)
    height, width = mask.shape
    framed = np.zeros((before + height + after, width), np.bool_)
    framed[before : before + height] = mask
    joined = np.empty((height // per_tile, len(reach), width), np.bool_)
    for number, (first, end) in enumerate(reach):
        rows = [framed[before + row : before + row + height : per_tile] for row in range(first, end)]
        joined[:, number] = rows[0]
        for shifted in rows[1:]:
            join(joined[:, number], shifted, out=joined[:, number])
    return joined.reshape(-1, width)
