"""The decor of a room: a few arrangements, then loose things in patches, and wear where people walk.

Each part keeps off the ones before it: arrangements stand at doors, corners, walls, pillars, pits or in the
middle; wear lies on the paths from the doors inwards; growth and loose things come in patches, where blurred
noise is highest or lowest, and a patch has few kinds. Boyd van Nobelen's "Procedurally Generated Dungeon"
(2023) scatters decor over all tiles by chance, which looks even everywhere.

Nothing ever cuts off a tile that could be reached before. A room whose floor is symmetric stays so: whatever
stands on one side also stands on the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from generator.algorithms.bitboard import (
    Bitboard,
    component4,
    dilate8,
    erode8,
    nth_tile,
    tiles_in,
)
from generator.algorithms.board_drawing import blurred_noise
from generator.level import Tiles
from generator.named_tuple import NamedTuple
from generator.reasons import are_noted, came, passed_over
from generator.rng import Stream
from generator.styles.gungeon.furnishing.arrangements import (
    Arrangement,
    Image,
    KnownArrangements,
    arrangements_of,
    beside_door,
    drawn_arrangement,
    in_turn,
)
from generator.styles.gungeon.furnishing.decorated_room import FULL, DecoratedRoom, Grounds
from generator.styles.gungeon.furnishing.focal import set_focal_points
from generator.styles.gungeon.furnishing.kit_tables import ANY, CORNER, NORTH, LooseDecor, decor_tables
from generator.styles.gungeon.furnishing.site import Footing, Site, path_inwards

_TRIES = 2  # places that each image of an arrangement is tried at
_FAILURES = 6  # arrangements that do not fit before a room counts as full
_SAME_KIND = 70  # percent of the things beside another that are of its kind


class PlacedDecor(NamedTuple):
    """The decor [y, x] (top left tiles only), all tiles covered, and the walkable tiles.

    `opaque` are the covered tiles that stop a shot.
    """

    decor: Tiles
    covered: Bitboard
    walkable: Bitboard
    opaque: Bitboard


def place_decor(site: Site, grounds: Grounds, footing: Footing | None, stream: Stream) -> PlacedDecor:
    """Put the decor of a site's kind into a room.

    Decor stands on free tiles only. The walkable tiles stay as connected (in four directions) as they were,
    and so do the places of a large body's `footing`.
    """
    tables = decor_tables(site.row.decor, site.kit)
    room = DecoratedRoom(site, grounds, footing)
    if grounds.amount and site.row.decor:
        set_focal_points(room, site, grounds, stream)
    budget = grounds.free.bit_count() * tables.share * grounds.amount // FULL**2
    if budget:
        known = arrangements_of(site.row.decor, grounds.chapter, site.kit, site.hand)
        known = in_turn(known, site.turn, site.kit)
        _arrange(room, site, known, budget, stream)
    near_walls = dilate8(grounds.walls | grounds.pits, room.stride)
    paths = _paths(site) & grounds.walkable
    away = erode8(grounds.walkable, room.stride) & ~near_walls & ~dilate8(paths, room.stride)
    by_walls = near_walls
    if site.row.has_fights:  # whose floor stays clear
        near_things = dilate8(room.covered, room.stride)
        corners = dilate8(_corners(room), room.stride)
        away &= near_things
        by_walls &= near_things | dilate8(corners | grounds.pits, room.stride)
    areas = (
        (tables.wear, paths),
        (tables.growth, by_walls),
        (tables.wall, by_walls & ~paths),
        (tables.middle, away),
    )
    chances = [loose.chance * grounds.amount // FULL for loose, _ in areas]
    for (loose, area), patches in zip(areas, _patches(site.shape, chances, stream), strict=True):
        if loose.chance:
            _place_loose(room, loose, area & patches, stream)
    if are_noted():
        _note_loose(room, site)
    return PlacedDecor(room.layer(), room.covered, room.walkable, room.opaque)


def _note_loose(room: DecoratedRoom, site: Site) -> None:
    """Note which things of the room's decor table stand in it."""
    standing = {site.kinds.decor[number].name for number in set(room.layer().flat)}
    for part, row in site.kit.rules.decor_tables.get(site.row.decor, {}).items():
        for thing in row.get("things", ()) if isinstance(row, Mapping) else ():
            name = f"{site.row.decor}.{part}: {thing}"
            if thing in standing:
                came("decor_table", name)
            else:
                passed_over("decor_table", name, "found no free tile in its patches")


def _paths(site: Site) -> Bitboard:
    """Return the paths of a room: from each opening straight in, then to the middle."""
    paths = 0
    for opening in site.openings:
        paths |= path_inwards(opening, site)
    return paths


# --- arrangements ------------------------------------------------------------------------------------

Piece = tuple[Image, int]
"""An image of an arrangement, and its top left tile."""


def _arrange(room: DecoratedRoom, site: Site, known: KnownArrangements, budget: int, stream: Stream) -> None:
    """Put arrangements into a room until their tiles are as many as `budget`, or it counts as full."""
    left: dict[int, int] = {}
    failures = 0
    while budget > 0 and failures < _FAILURES and known.totals:
        number = stream.drawn_place(known.totals)
        arrangement = drawn_arrangement(known.names[number], site.kit, room.stride)
        may = left.get(number, arrangement.most)
        taken = _stand(room, site, arrangement, stream) if may else 0
        if taken:
            came("arrangement", known.names[number])
        elif may:
            passed_over("arrangement", known.names[number], "found no place that it fits")
        failures += not taken
        budget -= taken
        left[number] = may - 1 if taken else 0


def _stand(room: DecoratedRoom, site: Site, arrangement: Arrangement, stream: Stream) -> int:
    """Stand an arrangement where it fits, and its twin in a symmetric room. Returns its tiles' number."""
    if arrangement.anchor == "doorway":
        return _stand_at_door(room, site, arrangement, stream)
    turns = arrangement.distinct
    first = stream.below(len(turns))
    anchor = arrangement.anchor
    if anchor not in room.anchors:
        room.anchors[anchor] = _grounds_of(room, site, anchor)
    solid, within = room.anchors[anchor]
    if not solid and anchor != "middle":
        return 0
    free = room.free & within
    for turn in (*turns[first:], *turns[:first]):
        image = arrangement.image(turn)
        places = image.places(free, solid, room.size)
        for _ in range(_TRIES if places else 0):
            tile = nth_tile(places, stream.below(places.bit_count()))
            taken = _put(room, _pair(room, arrangement, image, tile, free))
            if taken:
                return taken
    return 0


def _grounds_of(room: DecoratedRoom, site: Site, anchor: str) -> tuple[Bitboard, Bitboard]:
    """Return the board of what arrangements lean on, and that of where their own tiles may be."""
    stride = room.stride
    if anchor == "pit":
        return room.pits, room.roomy
    if anchor == "middle":
        return 0, erode8(room.walkable, stride) & ~dilate8(room.walls | room.pits, stride)
    if anchor == "pillar":
        return room.walls & ~component4(site.ring, room.walls | site.doors, stride), room.roomy
    return room.walls, room.roomy


def _pair(
    room: DecoratedRoom, arrangement: Arrangement, image: Image, tile: int, free: Bitboard
) -> list[Piece]:
    """Return an image at a tile, with its twin in a symmetric room. Empty if the twin does not fit."""
    piece = image, tile
    twin = _twin(room, arrangement, piece)
    if twin is None:
        return []
    if _is_same(twin, piece):
        return [piece]
    area = twin[0].cells << twin[1]
    return [] if area & ~free or area & dilate8(image.cells << tile, room.stride) else [piece, twin]


def _twin(room: DecoratedRoom, arrangement: Arrangement, piece: Piece) -> Piece | None:
    """Return the mirror image of a piece, in a room without symmetry itself. None if there is none."""
    image, tile = piece
    if not room.mirrors_x and not room.mirrors_y:
        return piece
    flips_x, flips_y = image.turn.flips_x ^ room.mirrors_x, image.turn.flips_y ^ room.mirrors_y
    turn = image.turn._replace(flips_x=flips_x, flips_y=flips_y)
    if turn not in arrangement.drawings:
        return None
    return arrangement.image(turn), room.twin(tile, image.width, image.height)


def _is_same(one: Piece, other: Piece) -> bool:
    """Check whether two pieces put the same things on the same tiles."""
    return one[1] == other[1] and one[0].things == other[0].things


def _stand_at_door(room: DecoratedRoom, site: Site, arrangement: Arrangement, stream: Stream) -> int:
    """Frame a door, and its twin in a symmetric room."""
    if not site.openings:
        return 0
    pieces: list[Piece] = []
    for image, (x, y) in beside_door(stream.pick(site.openings), arrangement):
        piece = image, x + y * room.stride
        twin = _twin(room, arrangement, piece) if x > 0 and y > 0 else None
        if twin is None:
            return 0
        pieces += [one for one in (piece, twin) if not any(_is_same(one, other) for other in pieces)]
    if any(image.cells << tile & ~room.free for image, tile in pieces):
        return 0
    return _put(room, pieces)


def _put(room: DecoratedRoom, pieces: list[Piece]) -> int:
    """Put images at tiles, all or none. Returns how many tiles they take, with those that they keep clear."""
    cells = blocks = opaque = 0
    things = []
    for image, tile in pieces:
        cells |= image.cells << tile
        blocks |= image.blocks << tile
        opaque |= image.opaque << tile
        things += [(tile + offset, kind) for offset, kind in image.things]
    return cells.bit_count() if cells and room.put(things, dilate8(cells, room.stride), blocks, opaque) else 0


# --- loose things ------------------------------------------------------------------------------------


def _patches(shape: tuple[int, int], chances: Sequence[int], stream: Stream) -> list[Bitboard]:
    """Return a board of patches for each chance, which cover so many percent of all tiles.

    They are where sums of random bytes over 3 x 3 tiles are highest and lowest: the first and the second, the
    third and the fourth share one noise, and do not overlap.
    """
    height, stride = shape[0], shape[1] + 1
    planes = (len(chances) + 1) // 2
    sums = blurred_noise(planes, (height, stride), stream).reshape(planes, -1)
    boards, size = [], height * stride
    many = [size * chance // 100 for chance in chances]
    ranks = np.sort(sums, axis=1, kind="stable")  # of small numbers, faster than some ranks alone
    for number, count in enumerate(many):
        plane, values = sums[number // 2], ranks[number // 2]
        is_low = number % 2
        mask = plane < values[min(count, size - 1)] if is_low else plane > values[max(size - 1 - count, 0)]
        boards.append(int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little"))
    return boards


def _corners(room: DecoratedRoom) -> Bitboard:
    """Return the tiles with walls on two sides that meet."""
    return (room.walls << room.stride | room.walls >> room.stride) & (room.walls << 1 | room.walls >> 1)


def _place_loose(room: DecoratedRoom, loose: LooseDecor, spots: Bitboard, stream: Stream) -> None:
    """Put things on spots, in a symmetric room on both sides."""
    spots &= room.free
    if not spots:
        return
    below_wall, corners = room.walls << room.stride, _corners(room)
    for tile in tiles_in(spots):
        lowest = 1 << tile
        if not lowest & room.free:
            continue
        things, flat = loose.pools[CORNER if lowest & corners else NORTH if lowest & below_wall else ANY]
        if not things:
            continue
        same = room.kind_at(tile - 1)
        if same not in things:
            same = room.kind_at(tile - room.stride)
        is_same = same in things and stream.below(100) < _SAME_KIND
        kind = same if is_same else things[stream.below(len(things))]
        if not _put_loose(room, tile, kind) and flat:
            _put_loose(room, tile, flat[stream.below(len(flat))])


def _put_loose(room: DecoratedRoom, tile: int, kind: int) -> bool:
    """Put a thing on free tiles if it blocks nothing, with its twin in a symmetric room."""
    row = room.kinds.decor[kind]
    twin = room.twin(tile, row.width, row.height)
    area = room.areas[kind] << tile | room.areas[kind] << twin
    if area & room.free != area or (twin != tile and area.bit_count() < 2 * row.width * row.height):
        return False
    blocks = area if row.is_in_the_way else 0
    if blocks & ~room.roomy or (room.is_tall[kind] and area >> room.stride & room.covered):
        return False
    return room.put(((tile, kind), (twin, kind)), area, blocks, 0 if row.shoot else area)
