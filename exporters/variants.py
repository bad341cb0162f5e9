"""Which of several tiles a theme draws at a place.

The tiles of a theme that can stand for each other are a row of a table. A number made of the level's seed,
the row, the look and the place chooses among them. LDtk 1.5.3 makes it in the same way for the rules of an
auto-layer, so its rules draw the very tiles that all other formats have.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from exporters.blob import MASKS
from exporters.theme import EMPTY, AtlasIndex, Floor, Theme, Variants
from exporters.theme.parts import floor_of_room
from generator.named_tuple import NamedTuple
from generator.rng import Stream

WholeNumbers = npt.NDArray[np.integer]
AtlasIndexes = npt.NDArray[np.int32]

# The factors of LDtk's hash of a place.
_X, _Y, _MIX = 374_761_393, 668_265_263, 1_274_126_177

DECOR_KEY = 1 << 30  # far from those of rows


def seed_of(level_seed: int) -> int:
    """Return the number from 0 to 2**32 - 1 that a level's seed adds to all rows."""
    return int(Stream(level_seed, "dress").words(1)[0]) >> 32


def seed_from(seed: int, x: int, y: int) -> int:
    """Return the seed, from -2**31 to 2**31 - 1, that gives the same numbers if places count from (x, y)."""
    return (seed + x * _X + y * _Y + (1 << 31)) % (1 << 32) - (1 << 31)


def dice(seed: int, keys: WholeNumbers | int, xs: WholeNumbers, ys: WholeNumbers) -> WholeNumbers:
    """Return for each key and place a number from 0 to 2**31 - 1, as LDtk does.

    LDtk multiplies floats, which lose the last bits of large products; that is why this does so too.
    """
    sums = (xs.astype(np.int64) * _X + ys.astype(np.int64) * _Y + keys + seed).astype(np.int32)
    products = ((sums ^ (sums >> 13)).astype(np.float64) * float(_MIX)).astype(np.int64).astype(np.int32)
    return products ^ (products >> 16)


# --- a theme's variants as arrays, to choose the tiles of a whole layer at once ----------------------

_MAX_SHARES = 96  # of a row: LDtk repeats a tile for each of its shares


def shares(variants: Variants) -> tuple[int, ...]:
    """Return how often each variant counts. Large weights count roughly in proportion, at least once."""
    share = max(1, -(-sum(variants.weights) // _MAX_SHARES))
    return tuple(max(1, (weight + share // 2) // share) for weight in variants.weights)


class VariantTable(NamedTuple):
    """All variants in one array, row after row.

    Row r has the `total[r]` numbers from `start[r]` on, shared among its variants. `variant` [number] is the
    one that has it.
    """

    start: WholeNumbers
    total: WholeNumbers
    variant: npt.NDArray[np.intp]
    tiles: AtlasIndexes

    @classmethod
    def of(cls, rows: Iterable[Variants]) -> VariantTable:
        """Build the table of some rows, in their order."""
        rows = list(rows)
        counts = [shares(row) for row in rows]
        total = np.array([sum(of_row) for of_row in counts], np.int32)
        tiles = np.array([tile for row in rows for tile in row.tiles], np.int32)
        variant = np.arange(len(tiles)).repeat([count for of_row in counts for count in of_row])
        return cls(np.cumsum(total, dtype=np.int32) - total, total, variant, tiles)

    def of_row(self, row: int) -> set[AtlasIndex]:
        """Return all tiles of a row."""
        start = self.start[row]
        return set(self.tiles[self.variant[start : start + self.total[row]]].tolist())

    def choose(self, rows: WholeNumbers, numbers: WholeNumbers) -> npt.NDArray[np.intp]:
        """Find the indexes in `tiles` of the variants that `numbers` choose in `rows`, of the same shape."""
        return self.variant.take(self.start.take(rows) + numbers % self.total.take(rows))


class Tables(NamedTuple):
    """All variants of a theme as tables.

    A floor's row is followed by that of its shaded form. The rows of pits and walls are those of the first
    mask; the others follow in the order of MASKS.
    """

    terrain: VariantTable
    decor: VariantTable  # in the order of the theme's kinds
    tops: AtlasIndexes  # for each of decor.tiles, the first tile of its top, or EMPTY
    floors: dict[str, int]  # by the floor's name
    rooms: dict[str, int]  # by the room's kind
    secret: int  # the floor below a door that looks like a wall
    pits: int
    walls: int
    stone: int  # the parts of walls in the void
    west_ends: int  # walls at a room's side with nothing beside it
    east_ends: int

    @property
    def rows(self) -> int:
        """The number of rows of `terrain`."""
        return len(self.terrain.total)


@lru_cache(maxsize=16)
def tables_of(theme: Theme) -> Tables:
    """Return a theme's tables, computed once per theme."""
    usual = theme.floors["default"]
    of_rooms = {kind: theme.floors.get(floor_of_room(theme.kinds, kind), usual) for kind in theme.kinds.rooms}
    floors: list[Floor] = [*theme.floors.values(), *of_rooms.values(), theme.floors.get("door", usual)]
    rows = [variants for floor in floors for variants in floor]
    pits = len(rows)
    rows += [theme.pits[mask] for mask in MASKS]
    walls = len(rows)
    rows += [theme.walls[mask] for mask in MASKS] * 4
    looks = [theme.decor[kind.name] for kind in theme.kinds.decor[1:]]
    tops = [top for look in looks for top in look.overlay or (EMPTY,) * len(look.variants.tiles)]
    nothing = Variants((EMPTY,), (1,))
    return Tables(
        VariantTable.of(rows),
        VariantTable.of([nothing, *(look.variants for look in looks)]),
        np.array([EMPTY, *tops], np.int32),
        {name: 2 * i for i, name in enumerate(theme.floors)},
        {kind: 2 * i for i, kind in enumerate(of_rooms, len(theme.floors))},
        pits - 2,
        pits,
        *range(walls, len(rows), len(MASKS)),
    )


def count_keys(theme: Theme) -> int:
    """Count the keys of the rows of all looks that a theme has."""
    return tables_of(theme).rows * (1 + len(theme.looks))


def first_keys(theme: Theme) -> list[int]:
    """Return for each look on a theme's sheet the key of its first row; the other rows count from there.

    A look has the same keys in all levels.
    """
    order = ("", *theme.looks)
    return [tables_of(theme).rows * order.index(look.look) for look in theme.sheets]
