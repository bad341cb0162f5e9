"""The rooms in which nobody fights: shop, chest room and start.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): a keeper in the middle of his shop, wares
about him and decor by the walls; a chest room is a shop without either, but with a chest, coins and
candles; the player is all that a start room has to have. What stands in the middle is a centrepiece; a
room with space to spare gets posts, rugs and the like in rows round it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from generator.geometry import Point
from generator.interiors.interior import PlacedMarker
from generator.interiors.procedural.boards import Board, board_of, mask_of, rectangle, spread8
from generator.interiors.procedural.centrepieces import Placed, choose
from generator.interiors.procedural.clutter import Grounds, decor_array, strew
from generator.interiors.procedural.shell import (
    doors_of,
    doorstep_of,
    hang_banners,
    inside_of,
    paint,
    ring_of,
)
from generator.interiors.procedural.site import Inside, Site
from generator.kinds import DECOR_IDS, DECOR_KINDS, DOOR, FLOOR, WALL
from generator.level import Tiles
from generator.rng import Stream
from generator.spec import GungeonSpec

_FEWEST_WARES = 3
_ROW_STEP = 5  # tiles from one thing of the rows to the next
_ROW_GAP = 2  # tiles that stay free between the rows and the walls or the centrepiece

# Pairs of things that take turns in the rows round a centrepiece.
_ROWS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "shop": (("rug", "barrel"), ("table", "candle"), ("rug", "candle"), ("block", "crate")),
    "chest": (("statue", "coins"), ("candle", "coins"), ("block", "candle"), ("statue", "candle")),
    "start": (("candle", "grass"), ("block", "grass"), ("rug", "candle"), ("grass", "mushroom")),
}
# A chest's tiers, and their weights in a room beside the start and in the one furthest from it.
_TIERS = ("wood", 70, 25), ("gold", 26, 50), ("red", 4, 25)


def shop_room(site: Site, spec: GungeonSpec, stream: Stream) -> Inside:
    """Furnish a shop of 7 × 7 tiles or more: a keeper in the middle, wares about him."""
    room = _furnished(site, stream)
    hang_banners(site, room.walls, room.inside.decor)
    return _with_wares(site, room)


def chest_room(site: Site, spec: GungeonSpec, stream: Stream) -> Inside:
    """Furnish a chest room of 7 × 7 tiles or more; the further from the start, the better the chest."""
    tier = chest_tier(site.danger, stream)
    inside = _furnished(site, stream).inside
    markers = tuple(
        marker._replace(properties={"tier": tier}) if marker.kind == "chest" else marker
        for marker in inside.markers
    )
    return inside._replace(markers=markers)


def chest_tier(danger: int, stream: Stream) -> str:
    """How good a chest is, by its room's danger. One word."""
    weights = [(near * (100 - danger) + far * danger) // 100 for _, near, far in _TIERS]
    return stream.weighted([tier for tier, _, _ in _TIERS], weights)


def start_room(site: Site, spec: GungeonSpec, stream: Stream) -> Inside:
    """Furnish the room that the player starts in, of 7 × 7 tiles or more."""
    return _furnished(site, stream).inside


class _Furnished(NamedTuple):
    """A furnished room, and its walls and doorsteps as boards."""

    inside: Inside
    walls: Board
    doorsteps: Board


def _furnished(site: Site, stream: Stream) -> _Furnished:
    """Walls and doors, a centrepiece, rows of things round it, and clutter where there is still room."""
    stride = site.width + 1
    shape, size = (site.height, site.width), (site.width, site.height)
    doors = doors_of(site)
    walls = ring_of(site) & ~doors
    doorsteps = beside_doors = 0
    for opening in site.openings:
        doorsteps |= doorstep_of(opening, site)
        beside_doors |= doorstep_of(opening, site, more=1)
    placed = choose(site.kind, size, mask_of(doorsteps, shape), stream)
    piece, x, y = placed
    area = np.s_[y : y + piece.size[1], x : x + piece.size[0]]

    terrain = paint(site, ((FLOOR, inside_of(site)), (WALL, walls), (DOOR, doors)))
    walkable = terrain != WALL
    terrain[area], walkable[area] = piece.interior.terrain, piece.walkable
    rows, in_rows, blocking = _rows(site, placed, beside_doors, stream)
    centre = spread8(_area(placed, stride), stride)
    free = inside_of(site) & ~beside_doors & ~centre & ~in_rows
    grounds = Grounds(shape, board_of(walkable) & ~blocking, free, walls)
    decor = decor_array(strew(grounds, site.kind, stream), shape) | rows
    decor[area] = piece.interior.decor
    markers = tuple(marker._replace(x=x + marker.x, y=y + marker.y) for marker in piece.interior.markers)
    return _Furnished(Inside(piece.name, 0, terrain, decor, markers), walls, doorsteps)


def _area(placed: Placed, stride: int) -> Board:
    return rectangle(placed.x, placed.y, *placed.piece.size, stride)


# --- rows --------------------------------------------------------------------------------------------


def _rows(site: Site, placed: Placed, doorsteps: Board, stream: Stream) -> tuple[Tiles, Board, Board]:
    """Two things by turns in rows round the centrepiece, the same to all sides.

    Decor [y, x], the tiles that it takes, and those of them that block. One word.

        #####################
        #  o    x    o      #     o x  the things, 5 tiles apart
        #     .......       #     .    the centrepiece
        #  x  .......  x    #
        #     .......       #
        #  o    x    o      #
        #####################
    """
    stride = site.width + 1
    pair = stream.pick(_ROWS[site.kind])
    decor = np.zeros((site.height, site.width), np.uint8)
    taken = blocking = 0
    near = spread8(spread8(_area(placed, stride), stride), stride)
    for parity, name in enumerate(pair):
        number = DECOR_IDS[name]
        kind = DECOR_KINDS[number]
        for row, y in _places(site.height, placed.piece.size[1], kind.height):
            for column, x in _places(site.width, placed.piece.size[0], kind.width):
                area = rectangle(x, y, kind.width, kind.height, stride)
                if (row + column) % 2 == parity and not area & (near | doorsteps | taken):
                    decor[y, x] = number
                    taken |= area
                    blocking |= 0 if kind.walk else area
    return decor, taken, blocking


def _places(room: int, piece: int, size: int) -> list[tuple[int, int]]:
    """Where along a room's length things of that size stand: how many from the middle, and the tile.

    One in the middle, more in even steps beside it, and from two tiles past the centrepiece's end anew.
    """
    middle, end = (room - size) // 2, (room + piece + 1) // 2
    away = [
        *range(middle + _ROW_STEP, end - size - 1, _ROW_STEP),
        *range(end + _ROW_GAP, room - size - _ROW_GAP, _ROW_STEP),
    ]
    places = [(0, middle)]
    for number, tile in enumerate(away, 1):
        places += [(number, tile), (number, room - size - tile)]
    return places


# --- wares -------------------------------------------------------------------------------------------


def _with_wares(site: Site, room: _Furnished) -> Inside:
    """The shop with at least three wares: those that its centrepiece has no room for lie about the keeper."""
    inside = room.inside
    missing = _FEWEST_WARES - sum(marker.kind == "ware" for marker in inside.markers)
    if missing <= 0:
        return inside
    keeper = next(marker for marker in inside.markers if marker.kind == "shopkeeper")
    places = _about(site, (keeper.x, keeper.y), room.doorsteps)[:missing]
    wares = (PlacedMarker("ware", x, y, {"item": "any"}) for x, y in places)
    for x, y in places:
        inside.decor[y, x] = 0
    return inside._replace(markers=(*inside.markers, *wares))


def _about(site: Site, middle: Point, doorsteps: Board) -> list[Point]:
    """The tiles about the middle of a small room, off doorsteps first, then diagonal ones."""
    tiles = [(middle[0] + dx, middle[1] + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    tiles.sort(
        key=lambda tile: (doorsteps >> tile[0] + tile[1] * (site.width + 1) & 1, _is_beside(tile, middle))
    )
    return tiles


def _is_beside(tile: Point, middle: Point) -> bool:
    return tile[0] == middle[0] or tile[1] == middle[1]
