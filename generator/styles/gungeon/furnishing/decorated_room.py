"""A room while it is decorated: what stands where, what is still free, and what may not be covered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from generator.algorithms.bitboard import (
    Bitboard,
    dilate8,
    erode8,
    rectangle,
    turned_round,
    upside_down,
    without_cutting,
)
from generator.arrays import Mask
from generator.interiors.interior import PlacedMarker
from generator.kinds import Kinds
from generator.level import Tiles, spread_decor
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.furnishing.kit_tables import tall_decor
from generator.styles.gungeon.furnishing.site import Footing, Site

FULL = 100  # percent of the kit's decor


class Grounds(NamedTuple):
    """An empty room as boards: walkable tiles, tiles that may hold decor, walls, and pits.

    `amount` is in percent of what the kit says. `bare` are the tiles of floor on which nothing stands, or
    only what gives way, near doors and markers too; `markers` what the room is about; `hidden` tiles are
    behind tall things.
    """

    walkable: Bitboard
    free: Bitboard
    walls: Bitboard
    pits: Bitboard = 0
    amount: int = FULL
    chapter: str = ""
    bare: Bitboard = 0
    markers: Sequence[PlacedMarker] = ()
    hidden: Bitboard = 0


class DecoratedRoom:
    """A room that is being decorated."""

    def __init__(self, site: Site, grounds: Grounds, footing: Footing | None) -> None:
        self.size = site.width, site.height
        self.stride = site.stride
        self.walkable = grounds.walkable
        self.hidden = grounds.hidden  # behind tall things, where nothing would be seen
        self.free = grounds.free & ~self.hidden
        self.walls, self.pits = grounds.walls, grounds.pits
        self.bare = grounds.bare
        self.covered = self.opaque = 0
        self.sight = 0  # tiles that nothing may hide
        self.kinds = site.kinds
        self.areas = decor_areas(site.kinds, self.stride)
        self.is_tall = tall_decor(site.kit)
        self.roomy = dilate8(erode8(grounds.walkable, self.stride), self.stride)  # in 3 x 3 tiles of floor
        self.anchors: dict[str, tuple[Bitboard, Bitboard]] = {}
        self.mirrors_x, mirrors_y = symmetry(self.walls | site.doors, self.pits, site.shape)
        self.mirrors_y = mirrors_y and not self.mirrors_x
        self._decor = bytearray(site.height * self.stride)
        self._footing = footing

    def kind_at(self, tile: int) -> int:
        """Return the number of the thing whose top left is at a tile, 0 if there is none."""
        return self._decor[tile]

    def layer(self) -> Tiles:
        """Return the decor [y, x]."""
        width, height = self.size
        return np.frombuffer(self._decor, np.uint8).reshape(height, width + 1)[:, :-1].copy()

    def twin(self, tile: int, width: int, height: int) -> int:
        """Return the top left tile of the mirror image of an area, which is itself in a room without one."""
        y, x = divmod(tile, self.stride)
        if self.mirrors_x:
            return self.size[0] - x - width + y * self.stride
        return x + (self.size[1] - y - height) * self.stride if self.mirrors_y else tile

    def put(
        self, things: Iterable[tuple[int, int]], claimed: Bitboard, blocks: Bitboard, opaque: Bitboard
    ) -> bool:
        """Put things on tiles, unless their `blocks` would cut something off. Returns whether they stand."""
        if opaque & self.sight:
            return False
        if blocks:
            left = without_cutting(self.walkable, blocks, self.stride)
            if left is None or (self._footing is not None and not self._footing.give_way(blocks)):
                return False
            self.walkable = left
        for tile, kind in things:
            self._decor[tile] = kind
            self.covered |= self.areas[kind] << tile
            if self.is_tall[kind]:
                self.hidden |= self.areas[kind] << tile >> self.stride
        self.opaque |= opaque
        self.free &= ~(claimed | self.hidden)
        return True


def gives_way(decor: Tiles, kinds: Kinds) -> Mask:
    """Mark the tiles [y, x] on which something else may stand: bare ones, and those of small flat things."""
    free: Mask = _giving_way(kinds)[spread_decor(decor, kinds.decor)]
    return free


@lru_cache(maxsize=16)
def _giving_way(kinds: Kinds) -> Mask:
    return np.array([kind.is_flat and kind.width == kind.height == 1 for kind in kinds.decor])


def over(placed: Tiles, drawn: Tiles, kinds: Kinds) -> Tiles:
    """Return decor [y, x] with what was placed instead of what was drawn on any tile that it covers."""
    return np.where(spread_decor(placed, kinds.decor), placed, drawn)


@lru_cache(maxsize=64)
def decor_areas(kinds: Kinds, stride: int) -> tuple[Bitboard, ...]:
    """Return the tiles that each kind of decor covers with its top left at tile 0."""
    return tuple(rectangle(0, 0, kind.width, kind.height, stride) for kind in kinds.decor)


def symmetry(walls: Bitboard, pits: Bitboard, shape: tuple[int, int]) -> tuple[bool, bool]:
    """Check whether walls and pits equal their mirror images: left to right, and top to bottom."""
    height, stride = shape[0], shape[1] + 1
    mirrors_x = mirrors_y = True
    for board in filter(None, (walls, pits)):
        upside = upside_down(board, height, stride)
        mirrors_x = mirrors_x and upside == turned_round(board, height, stride)
        mirrors_y = mirrors_y and upside == board
    return mirrors_x, mirrors_y
