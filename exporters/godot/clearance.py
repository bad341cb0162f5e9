"""Where the middle of a body may be: the free tiles, shrunk by the body's radius.

The shrunk area has its borders at the edges of tiles and one radius beside them. Lines there cut each tile
into at most three columns and rows, and on this finer, uneven grid the area is a plain mask again. With
tiles of 16 px and a radius of 6, beside a wall:

      0     6    10    16    22    26    32
    ##|#####|#####|#####|     |     |     |
    ##|#####|#####|#####|     |.....|.....|      . the middle of a body may be here
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
    """Lines that cut tiles as a `radius` in px needs it: `per_tile` for each tile, and the last edge."""

    tile_size: int
    radius: int
    per_tile: int
    xs: CutLines
    ys: CutLines

    def refined(self, tiles: Mask) -> Mask:
        """A mask [y, x] of tiles on a grid as fine as this."""
        return np.repeat(np.repeat(tiles, self.per_tile, 0), self.per_tile, 1)

    def within(self, rect: Rect) -> FineGrid:
        """The lines of some of the tiles."""
        ys, xs = self.slices(rect)
        return self._replace(xs=self.xs[xs.start : xs.stop + 1], ys=self.ys[ys.start : ys.stop + 1])

    def slices(self, rect: Rect) -> tuple[slice, slice]:
        """Where [y, x] some of the tiles lie in a mask."""
        ys, xs = (slice(side.start * self.per_tile, side.stop * self.per_tile) for side in rect.slices)
        return ys, xs

    def eroded(self, tiles: Mask) -> Mask:
        """Where on this grid the middle of a square, twice the radius wide, may be.

        All of it has to be on `tiles`, a mask [y, x] of whole tiles.
        """
        reach = [(low // self.tile_size, -(-high // self.tile_size)) for low, high in self._reach()]
        for _ in "xy":
            tiles = _joined(np.ascontiguousarray(tiles.T), 1, reach, np.logical_and)
        return tiles

    def dilated(self, mask: Mask) -> Mask:
        """What such squares cover whose middles are in a mask of this grid."""
        reach = [(self._column(low), self._column(high - 1) + 1) for low, high in self._reach()]
        for _ in "xy":
            mask = _joined(np.ascontiguousarray(mask.T), self.per_tile, reach, np.logical_or)
        return mask

    def _reach(self) -> list[tuple[int, int]]:
        """Of each column of a tile its edges, a radius further out; in px from the tile's own."""
        lines = [*_cuts(self.tile_size, self.radius), self.tile_size]
        return [(low - self.radius, high + self.radius) for low, high in pairwise(lines)]

    def _column(self, px: int) -> int:
        """The column that a px lies in; both are counted from a tile's edge."""
        tile, inside = divmod(px, self.tile_size)
        return tile * self.per_tile + bisect_right(_cuts(self.tile_size, self.radius), inside) - 1

    def near(self, rect: Rect) -> Mask:
        """[y, x]: what is less than a radius away from some of the tiles."""
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
        """Corners [corner, 2] of this grid in px."""
        x, y = corners.T
        return np.stack([self.xs[x], self.ys[y]], axis=1)


def fine_grid(width: int, height: int, tile_size: int, radius: int) -> FineGrid:
    """The grid for so many tiles."""
    cuts = _cuts(tile_size, radius)
    xs, ys = (
        np.append(np.add.outer(np.arange(count) * tile_size, cuts), count * tile_size)
        for count in (width, height)
    )
    return FineGrid(tile_size, radius, len(cuts), xs, ys)


def _cuts(tile_size: int, radius: int) -> list[int]:
    """Where columns of a tile begin, in px."""
    return sorted({0, radius % tile_size, -radius % tile_size})


def _joined(mask: Mask, per_tile: int, reach: Sequence[tuple[int, int]], join: np.ufunc) -> Mask:
    """A mask whose rows are joined with those near them: for each tile one for each item of `reach`.

    The mask has `per_tile` rows for each tile. An item says which rows are joined, from the first to the end,
    counted from the tile's own first one. Outside of the mask there is nothing.
    """
    before, after = -min(first for first, _ in reach), max(end for _, end in reach)
    height, width = mask.shape
    framed = np.zeros((before + height + after, width), np.bool_)
    framed[before : before + height] = mask
    joined = np.empty((height // per_tile, len(reach), width), np.bool_)
    for number, (first, end) in enumerate(reach):
        rows = [framed[before + row : before + row + height : per_tile] for row in range(first, end)]
        joined[:, number] = rows[0]
        for each in rows[1:]:
            join(joined[:, number], each, out=joined[:, number])
    return joined.reshape(-1, width)
