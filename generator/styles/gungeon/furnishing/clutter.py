"""Clutter: the decor of a room, beside its walls and in its middle.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): each tile near a wall has a chance of decor
from one set, which may stand side by side; each other tile has a chance of decor from another set, which
occupies the 5×5 tiles round it. Ours never cut off a tile that could be reached before.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from generator.algorithms.bitboard import Bitboard, below, dice, dilate8, erode8, rectangle, tiles_in, without
from generator.kinds import Kinds
from generator.level import Tiles
from generator.rng import Stream
from generator.styles.gungeon.furnishing.kit_tables import ANY, CORNER, NORTH, DecorTable, decor_tables
from generator.styles.gungeon.furnishing.site import Footing, Site

_MAX_IN_A_ROW = 3  # pieces of one kind beside a wall


class Grounds(NamedTuple):
    """An empty room as boards: walkable tiles, tiles that may hold decor, and walls."""

    walkable: Bitboard
    free: Bitboard
    walls: Bitboard


class PlacedDecor(NamedTuple):
    """The decor [y, x] (top left tiles only), all tiles covered, and the walkable tiles.

    `opaque` are the covered tiles that stop a shot.
    """

    decor: Tiles
    covered: Bitboard
    walkable: Bitboard
    opaque: Bitboard


def place_decor(site: Site, grounds: Grounds, footing: Footing | None, stream: Stream) -> PlacedDecor:
    """Put decor from the table of a site's kind into a room.

    Decor stands on free tiles only. The walkable tiles stay as connected (in four directions) as they were,
    and so do the places of a large body's `footing`.
    """
    tables = decor_tables(site.row.decor, site.kit)
    room = _ClutterRoom(site, grounds, footing)
    near_walls = dilate8(grounds.walls, room.stride)
    chances = tables.wall.chance, tables.middle.chance
    chosen_beside, chosen_middle = below(dice(len(room.decor), stream), chances)
    _place_beside_walls(room, tables.wall, near_walls, chosen_beside, grounds.walls, stream)
    _place_in_middle(room, tables.middle, near_walls, chosen_middle, stream)
    decor = np.frombuffer(room.decor, np.uint8).reshape(site.height, site.stride)[:, :-1].copy()
    return PlacedDecor(decor, grounds.free & ~room.free, room.walkable, room.opaque)


class _ClutterRoom:
    """A room that is being furnished."""

    __slots__ = (
        "areas",
        "blocks",
        "decor",
        "footing",
        "free",
        "goes_on",
        "opaque",
        "roomy",
        "stops",
        "stride",
        "walkable",
    )

    def __init__(self, site: Site, grounds: Grounds, footing: Footing | None) -> None:
        self.footing = footing
        self.stride = site.stride
        self.walkable = grounds.walkable
        self.free = grounds.free
        self.roomy = dilate8(erode8(grounds.walkable, self.stride), self.stride)  # in 3 x 3 tiles of floor
        self.decor = bytearray(site.height * self.stride)
        self.opaque = 0
        self.areas = decor_areas(site.kinds, self.stride)
        self.blocks, self.stops, self.goes_on = _traits(site.kinds)

    def put(self, tile: int, kind: int) -> None:
        """Put the top left of a piece of decor on a tile."""
        self.decor[tile] = kind
        area = self.areas[kind] << tile
        self.free = (self.free | area) ^ area
        if self.stops[kind]:
            self.opaque |= area

    def close(self, area: Bitboard) -> bool:
        """Make tiles impassable if all others stay connected. Otherwise change nothing and return False."""
        closed = without(self.walkable, area, self.stride)
        if closed is None or (self.footing is not None and not self.footing.give_way(area)):
            return False
        self.walkable = closed
        return True


@lru_cache(maxsize=64)
def decor_areas(kinds: Kinds, stride: int) -> tuple[Bitboard, ...]:
    """Return the tiles that each kind of decor covers with its top left at tile 0."""
    return tuple(rectangle(0, 0, kind.width, kind.height, stride) for kind in kinds.decor)


@lru_cache(maxsize=64)
def _traits(kinds: Kinds) -> tuple[tuple[bool, ...], tuple[bool, ...], tuple[bool, ...]]:
    """Return [kind of decor] whether it is an obstacle, stops a shot, and may form a row along a wall.

    A hazard counts as an obstacle, so that nobody has to walk over spikes.
    """
    blocks = tuple(not kind.walk or kind.hazard for kind in kinds.decor)
    stops = tuple(not kind.shoot for kind in kinds.decor)
    return (
        blocks,
        stops,
        tuple(kind.width == 1 and block for kind, block in zip(kinds.decor, blocks, strict=True)),
    )


# --- beside walls ------------------------------------------------------------------------------------


def _place_beside_walls(
    room: _ClutterRoom,
    table: DecorTable,
    near_walls: Bitboard,
    chosen: Bitboard,
    walls: Bitboard,
    stream: Stream,
) -> None:
    """Put decor on each chosen tile near a wall, and perhaps more of its kind next to it."""
    below_wall = walls << room.stride
    corners = (below_wall | walls >> room.stride) & (walls << 1 | walls >> 1)
    left = near_walls & room.free & chosen
    in_corner, below = left & corners, left & below_wall
    draw, goes_on, percent = stream.below, room.goes_on, table.more
    while left:
        lowest = left & -left
        left ^= lowest
        tile = lowest.bit_length() - 1
        kinds, flat = table.pools[CORNER if lowest & in_corner else NORTH if lowest & below else ANY]
        kind = kinds[draw(len(kinds))]
        if not _put_beside(room, near_walls, tile, kind):
            if flat:
                _put_beside(room, near_walls, tile, flat[draw(len(flat))])
        elif goes_on[kind]:
            _continue_row(room, near_walls, tile, kind, percent, stream)


def _continue_row(
    room: _ClutterRoom, spots: Bitboard, tile: int, kind: int, percent: int, stream: Stream
) -> None:
    """Put more decor of a kind side by side along the wall."""
    for _ in range(_MAX_IN_A_ROW - 1):
        if stream.below(100) >= percent:
            return
        for next_tile in (tile + 1, tile + room.stride, max(tile - 1, 0), max(tile - room.stride, 0)):
            if _put_beside(room, spots, next_tile, kind):
                tile = next_tile
                break
        else:
            return


def _put_beside(room: _ClutterRoom, spots: Bitboard, tile: int, kind: int) -> bool:
    """Put a piece of decor on free spots if it blocks nothing. Returns whether it was put there."""
    area, free = room.areas[kind] << tile, room.free
    if area & spots & free != area:
        return False
    if room.blocks[kind] and (area & room.roomy != area or not room.close(area)):
        return False
    room.decor[tile] = kind  # `put`, inlined: this line runs most often
    room.free = free ^ area
    if room.stops[kind]:
        room.opaque |= area
    return True


# --- in the middle -----------------------------------------------------------------------------------


def _place_in_middle(
    room: _ClutterRoom, table: DecorTable, near_walls: Bitboard, chosen: Bitboard, stream: Stream
) -> None:
    """Put decor on each chosen tile away from walls, unless it lies in the 5×5 tiles of another piece.

    An obstacle can be walked round, so that it is cover from every side.
    """
    stride = room.stride
    spots = room.free & ~near_walls
    kinds = table.pools[ANY].things
    for tile in tiles_in(spots & chosen):
        if not spots >> tile & 1:
            continue
        kind = kinds[stream.below(len(kinds))]
        area = room.areas[kind] << tile
        if area & spots != area:
            continue
        around = dilate8(area, stride)
        if room.blocks[kind] and around & room.walkable != around:
            continue
        if room.blocks[kind]:
            if room.footing is not None and not room.footing.give_way(area):
                continue
            room.walkable ^= area
        room.put(tile, kind)
        around = dilate8(around, stride)
        spots = (spots | around) ^ around
