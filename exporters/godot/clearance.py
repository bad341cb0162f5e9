"""Where the middle of a body may be: the free tiles, shrunk by the body's radius.

The shrunk area has its borders at the edges of tiles and one radius beside them. Lines there cut each tile
into at most three columns and rows, and on this finer, uneven grid the area is a plain mask again. With
tiles of 16 px and a radius of 6, beside a wall:

      0     6    10    16    22    26    32
    ##|#####|#####|#####|     |     |     |
    ##|#####|#####|#####|     |.....|.....|      . the middle of a body may be here
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.geometry import Point, Rect

Bools = npt.NDArray[np.bool_]
Lines = npt.NDArray[np.int64]  # ascending, in px


class FineGrid(NamedTuple):
    """Lines that cut tiles as a `radius` in px needs it: `per_tile` for each tile, and the last edge."""

    tile_size: int
    radius: int
    per_tile: int
    xs: Lines
    ys: Lines

    def refined(self, tiles: Bools) -> Bools:
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

    def eroded(self, mask: Bools) -> Bools:
        """Where the middle of a square, twice the radius wide, may be if all of it has to be in the mask."""
        return _shrunk(_shrunk(mask, self.xs, self.radius).T, self.ys, self.radius).T

    def dilated(self, mask: Bools) -> Bools:
        """What such squares cover whose middles are in the mask."""
        return _grown(_grown(mask, self.xs, self.radius).T, self.ys, self.radius).T

    def near(self, rect: Rect) -> Bools:
        """[y, x]: what is less than a radius away from some of the tiles."""
        xs, ys = (
            (low * self.tile_size - self.radius, high * self.tile_size + self.radius)
            for low, high in ((rect.x, rect.right), (rect.y, rect.bottom))
        )
        across, down = (
            (low <= lines[:-1]) & (lines[1:] <= high) for lines, (low, high) in ((self.xs, xs), (self.ys, ys))
        )
        result: Bools = down[:, np.newaxis] & across
        return result

    def px(self, points: Iterable[Point]) -> list[Point]:
        """Corners of this grid in px."""
        xs, ys = self.xs.tolist(), self.ys.tolist()
        return [(xs[x], ys[y]) for x, y in points]


def fine_grid(width: int, height: int, tile_size: int, radius: int) -> FineGrid:
    """The grid for so many tiles."""
    cuts = sorted({0, radius % tile_size, -radius % tile_size})
    xs, ys = (
        np.append(np.add.outer(np.arange(count) * tile_size, cuts), count * tile_size)
        for count in (width, height)
    )
    return FineGrid(tile_size, radius, len(cuts), xs, ys)


def _shrunk(mask: Bools, lines: Lines, radius: int) -> Bools:
    """Along x: columns that have nothing but the mask within a radius. Outside of the lines is nothing."""
    first, end = _reach(lines, radius)
    result: Bools = _counted(mask, first, end) == end - first
    return result


def _grown(mask: Bools, lines: Lines, radius: int) -> Bools:
    """Along x: the columns that have some of the mask within a radius."""
    result: Bools = _counted(mask, *_reach(lines, radius)) > 0
    return result


def _reach(lines: Lines, radius: int) -> tuple[Lines, Lines]:
    """The first column that each column grown by a radius touches, and the one after the last.

    -1 and one too many stand for what lies outside of the lines.
    """
    first = np.searchsorted(lines, lines[:-1] - radius, "right") - 1
    return first, np.searchsorted(lines, lines[1:] + radius, "left")


def _counted(mask: Bools, first: Lines, end: Lines) -> npt.NDArray[np.int32]:
    """[y, x]: how many of the columns from `first` to `end` the mask has."""
    sums = np.zeros((mask.shape[0], mask.shape[1] + 1), np.int32)
    np.cumsum(mask, axis=1, out=sums[:, 1:])
    result: npt.NDArray[np.int32] = sums[:, np.minimum(end, mask.shape[1])] - sums[:, np.maximum(first, 0)]
    return result
