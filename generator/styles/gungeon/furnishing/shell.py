"""The shell of a rectangular room: its wall ring, its doors, and the tiles in front of them, as boards."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from generator.algorithms.bitboard import Bitboard, mask_of, rectangle
from generator.kinds import VOID
from generator.level import Tiles
from generator.styles.gungeon.furnishing.site import Opening, Site

DOORSTEP = 2  # tiles that stay clear inside a door
_BANNER_FIRST, _BANNER_STEP = 5, 6  # tiles along the north wall: half way between torches


def inside_of(site: Site) -> Bitboard:
    """Return all tiles except the outermost ring."""
    return rectangle(1, 1, site.width - 2, site.height - 2, site.width + 1)


def ring_of(site: Site) -> Bitboard:
    """Return the outermost ring of tiles, doors included."""
    return rectangle(0, 0, site.width, site.height, site.width + 1) ^ inside_of(site)


def doors_of(site: Site) -> Bitboard:
    """Return the tiles of all openings."""
    stride = site.width + 1
    return sum(1 << x + y * stride for opening in site.openings for x, y in opening.tiles)


def doorstep_of(opening: Opening, site: Site, margin: int = 0, depth: int = DOORSTEP) -> Bitboard:
    """Return the tiles `depth` deep inside an opening, and `margin` to its left and right, not its own."""
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    if opening.side.is_vertical_way:
        left, right = left - margin, right + margin
        top, bottom = top + min(0, depth * -opening.side.dy), bottom + max(0, depth * -opening.side.dy)
    else:
        top, bottom = top - margin, bottom + margin
        left, right = left + min(0, depth * -opening.side.dx), right + max(0, depth * -opening.side.dx)
    left, top = max(left, 1), max(top, 1)
    right, bottom = min(right, site.width - 2), min(bottom, site.height - 2)
    return rectangle(left, top, right - left + 1, bottom - top + 1, site.width + 1)


def paint(site: Site, layers: Iterable[tuple[int, Bitboard]]) -> Tiles:
    """Paint terrain [y, x]: each layer's tiles over those before it, and void elsewhere."""
    shape = site.height, site.width
    terrain = np.full(shape, VOID, np.uint8)
    for kind, board in layers:
        terrain[mask_of(board, shape)] = kind
    return terrain


def hang_banners(site: Site, walls: Bitboard, decor: Tiles) -> None:
    """Hang banners on the face of the north wall, in even steps, where there is no door."""
    banner = site.kinds.decor_ids.get("banner", 0)
    for x in range(_BANNER_FIRST, site.width - 2, _BANNER_STEP):
        if walls >> x & 1:
            decor[0, x] = banner
