"""A theme's variants as arrays, to choose the tiles of a whole layer at once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.blob import MASKS
from exporters.theme import EMPTY, Theme, Variants

AtlasIndexes = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]


class VariantTable(NamedTuple):
    """All variants in one array, row after row, so that one search serves a whole layer.

    Row r has the `total[r]` integers from `start[r]` on, shared among its variants by weight. `ends` are the
    ends of these shares, ascending over all rows.
    """

    start: Words
    total: Words
    ends: Words
    tiles: AtlasIndexes

    @classmethod
    def of(cls, rows: Iterable[Variants]) -> VariantTable:
        """Build the table of some rows, in their order."""
        rows = list(rows)
        total = np.array([sum(row.weights) for row in rows], np.uint64)
        ends = np.cumsum(np.array([weight for row in rows for weight in row.weights], np.uint64))
        tiles = np.array([tile for row in rows for tile in row.tiles], np.int32)
        return cls(np.cumsum(total) - total, total, ends, tiles)

    def choose(self, rows: npt.NDArray[np.integer], words: Words) -> npt.NDArray[np.intp]:
        """Find the indexes in `tiles` of the variants that `words` choose in `rows`, of the same shape.

        Multiply-shift, as in `Stream.below`, with integers only.
        """
        drawn = ((words >> np.uint64(32)) * self.total[rows]) >> np.uint64(32)
        places: npt.NDArray[np.intp] = np.searchsorted(self.ends, self.start[rows] + drawn, side="right")
        return places


class Tables(NamedTuple):
    """All variants of a theme as tables."""

    ground: VariantTable  # for each floor plain, shaded; then the pits in the order of MASKS
    walls: VariantTable  # in the order of MASKS
    decor: VariantTable  # in the order of the theme's kinds
    tops: AtlasIndexes  # for each of decor.tiles, the first tile of its top, or EMPTY
    floors: dict[str, int]  # a floor's first row in ground
    pits: int  # the first pit's row in ground


@lru_cache(maxsize=16)
def tables_of(theme: Theme) -> Tables:
    """Return a theme's tables, computed once per theme."""
    floors = [variants for floor in theme.floors.values() for variants in floor]
    pits = [theme.pits[mask] for mask in MASKS]
    looks = [theme.decor[kind.name] for kind in theme.kinds.decor[1:]]
    tops = [top for look in looks for top in look.overlay or (EMPTY,) * len(look.variants.tiles)]
    nothing = Variants((EMPTY,), (1,))
    return Tables(
        ground=VariantTable.of(floors + pits),
        walls=VariantTable.of(theme.walls[mask] for mask in MASKS),
        decor=VariantTable.of([nothing, *(look.variants for look in looks)]),
        tops=np.array([EMPTY, *tops], np.int32),
        floors={name: 2 * i for i, name in enumerate(theme.floors)},
        pits=len(floors),
    )
