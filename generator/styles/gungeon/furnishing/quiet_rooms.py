"""The rooms without fights: shop, chest room, start, and any other with a centrepiece.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): a keeper in the middle of the shop, wares
round the keeper and decor by the walls; a chest room has a chest, coins and candles instead; a start room
needs only the player. What stands in the middle is a centrepiece; a room with space to spare also gets posts,
rugs and the like in rows round it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from generator.algorithms.bitboard import Bitboard, dilate8, mask_of, rectangle
from generator.geometry import Point
from generator.interiors.interior import FurnishedRoom, PlacedMarker
from generator.kinds import DOOR, FLOOR, WALL
from generator.level import Tiles
from generator.rng import Stream
from generator.styles.gungeon.furnishing.centrepieces import PlacedCentrepiece, choose
from generator.styles.gungeon.furnishing.clutter import Grounds, decor_array, place_decor
from generator.styles.gungeon.furnishing.footing import footing
from generator.styles.gungeon.furnishing.kit_tables import decor_tables
from generator.styles.gungeon.furnishing.shell import (
    doors_of,
    doorstep_of,
    hang_banners,
    inside_of,
    paint,
    ring_of,
)
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.spec import GungeonSpec

_FEWEST_WARES = 3
_ROW_STEP = 5  # tiles from one object of a row to the next
_ROW_GAP = 2  # tiles that stay free between the rows and the walls or the centrepiece

# A chest's tiers, and their weights beside the start and in the furthest room.
_TIERS = ("wood", 70, 25), ("gold", 26, 50), ("red", 4, 25)


def shop_room(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish a shop of 7 × 7 tiles or more: a keeper in the middle, wares all round."""
    inside = _furnished(site, spec, stream, fewest_wares=_FEWEST_WARES)
    hang_banners(site, ring_of(site) & ~doors_of(site), inside.decor)
    return inside


def chest_room(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish a chest room of 7 × 7 tiles or more. The further from the start, the better the chest."""
    tier = chest_tier(site.danger, stream)
    inside = _furnished(site, spec, stream)
    markers = tuple(
        marker._replace(properties={"tier": tier}) if marker.kind == "chest" else marker
        for marker in inside.markers
    )
    return inside._replace(markers=markers)


def chest_tier(danger: int, stream: Stream) -> str:
    """Roll how good a chest is, by its room's danger. Takes one word."""
    weights = [(near * (100 - danger) + far * danger) // 100 for _, near, far in _TIERS]
    return stream.weighted([tier for tier, _, _ in _TIERS], weights)


def quiet_room(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish the room that the player starts in, or another quiet one, of 7 × 7 tiles or more."""
    return _furnished(site, spec, stream)


def _furnished(site: Site, spec: GungeonSpec, stream: Stream, fewest_wares: int = 0) -> FurnishedRoom:
    """Furnish walls and doors, a centrepiece, rows of objects round it, and clutter in the space left."""
    stride = site.width + 1
    shape, size = (site.height, site.width), (site.width, site.height)
    doors = doors_of(site)
    walls = ring_of(site) & ~doors
    doorsteps = beside_doors = 0
    for opening in site.openings:
        doorsteps |= doorstep_of(opening, site)
        beside_doors |= doorstep_of(opening, site, margin=1)
    suits = partial(_is_passed, site, spec.body) if spec.body > 1 else None
    placed = choose(site.kind, site.kinds, size, doorsteps, stream, suits)
    piece, x, y = placed
    area = np.s_[y : y + piece.size[1], x : x + piece.size[0]]
    markers = _markers(placed)
    wares = _wares_about(site, markers, fewest_wares, doorsteps)

    terrain = paint(site, ((FLOOR, inside_of(site)), (WALL, walls), (DOOR, doors)))
    terrain[area] = piece.interior.terrain
    walkable = _walkable(site, placed)
    rows, in_rows, blocking = _rows(site, placed, beside_doors, spec, stream)
    centre = dilate8(_area(placed, stride), stride)
    free = inside_of(site) & ~beside_doors & ~centre & ~in_rows
    large = None
    if spec.body > 1:
        large = footing(walkable & ~blocking, site, spec.body, (*markers, *wares))
        if large is None:  # in rooms hardly wider than the body
            rows[mask_of(blocking, shape)] = blocking = 0
            large = footing(walkable, site, spec.body, (*markers, *wares))
    grounds = Grounds(shape, walkable & ~blocking, free, walls)
    decor = decor_array(place_decor(grounds, site, stream, large), shape) | rows
    decor[area] = piece.interior.decor
    for ware in wares:
        decor[ware.y, ware.x] = 0
    return FurnishedRoom(piece.name, 0, terrain, decor, (*markers, *wares))


def _area(placed: PlacedCentrepiece, stride: int) -> Bitboard:
    return rectangle(placed.x, placed.y, *placed.piece.size, stride)


def _markers(placed: PlacedCentrepiece) -> list[PlacedMarker]:
    """List a centrepiece's markers, in tiles of the room."""
    piece, x, y = placed
    return [marker._replace(x=x + marker.x, y=y + marker.y) for marker in piece.interior.markers]


def _walkable(site: Site, placed: PlacedCentrepiece) -> Bitboard:
    """Return the walkable tiles of a room that holds nothing but a centrepiece."""
    return (inside_of(site) | doors_of(site)) & ~placed.solid(site.width + 1)


def _is_passed(site: Site, body: int, placed: PlacedCentrepiece) -> bool:
    """Check whether a body gets from door to door and to all of a centrepiece's markers."""
    return footing(_walkable(site, placed), site, body, _markers(placed)) is not None


# --- rows --------------------------------------------------------------------------------------------


def _rows(
    site: Site, placed: PlacedCentrepiece, doorsteps: Bitboard, spec: GungeonSpec, stream: Stream
) -> tuple[Tiles, Bitboard, Bitboard]:
    """Alternate two kinds of object in symmetric rows round the centrepiece that leave space for a body.

    Returns the decor [y, x], the tiles that it covers, and those that block. Takes one word.

        #####################
        #  o    x    o      #     o x  the objects, 5 tiles apart
        #     .......       #     .    the centrepiece
        #  x  .......  x    #
        #     .......       #
        #  o    x    o      #
        #####################
    """
    stride = site.width + 1
    pairs = decor_tables(site.row.decor, site.kit).rows
    pair = stream.pick(pairs) if pairs else ()
    decor = np.zeros((site.height, site.width), np.uint8)
    taken = blocking = 0
    gap = max(_ROW_GAP, spec.body)
    near = _area(placed, stride)
    for _ in range(gap):
        near = dilate8(near, stride)
    for parity, name in enumerate(pair):
        number = site.kinds.decor_ids.get(name, 0)
        kind = site.kinds.decor[number]
        for row, y in _places(site.height, placed.piece.size[1], kind.height, gap):
            for column, x in _places(site.width, placed.piece.size[0], kind.width, gap):
                area = rectangle(x, y, kind.width, kind.height, stride)
                if (row + column) % 2 == parity and not area & (near | doorsteps | taken):
                    decor[y, x] = number
                    taken |= area
                    blocking |= 0 if kind.walk else area
    return decor, taken, blocking


def _places(room: int, piece: int, size: int, gap: int) -> list[tuple[int, int]]:
    """Space objects of this size along a room's length: their number from the middle, and the tile.

    One is in the middle, others in even steps beside it, and again from `gap` tiles beyond the centrepiece.
    """
    middle, end = (room - size) // 2, (room + piece + 1) // 2
    away = [
        *range(middle + _ROW_STEP, end - size - 1, _ROW_STEP),
        *range(end + gap, room - size - gap, _ROW_STEP),
    ]
    places = [(0, middle)]
    for number, tile in enumerate(away, 1):
        places += [(number, tile), (number, room - size - tile)]
    return places


# --- wares -------------------------------------------------------------------------------------------


def _wares_about(
    site: Site, markers: Sequence[PlacedMarker], fewest: int, doorsteps: Bitboard
) -> list[PlacedMarker]:
    """Place wares round the keeper: as many as the centrepiece's markers are short of."""
    missing = fewest - sum(marker.kind == "ware" for marker in markers)
    if missing <= 0:
        return []
    keeper = next((marker for marker in markers if marker.kind == "shopkeeper"), None)
    if keeper is None:  # in a kit without shopkeepers
        return []
    places = _about(site, (keeper.x, keeper.y), doorsteps)[:missing]
    return [PlacedMarker("ware", x, y, {"item": "any"}) for x, y in places]


def _about(site: Site, middle: Point, doorsteps: Bitboard) -> list[Point]:
    """List the tiles round the middle of a small room: those off doorsteps first, diagonal ones later."""
    tiles = [(middle[0] + dx, middle[1] + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    tiles.sort(
        key=lambda tile: (doorsteps >> tile[0] + tile[1] * (site.width + 1) & 1, _is_beside(tile, middle))
    )
    return tiles


def _is_beside(tile: Point, middle: Point) -> bool:
    return tile[0] == middle[0] or tile[1] == middle[1]
