"""Focal points: what a room is about stands on ground of its own, framed, with a way to it from its door.

The rows of a kit say what there is: arrangements with the anchor `focus` stand round markers, and those with
`doors` beside doors. They come before all other decor, and what stands later leaves the view to them open.

    #####DD#####
    #    ==    #    ==  carpet, as far as the door is wide
    #    ==    #
    #  iTTTTi  #    T   a raised floor with the chest in its middle, seen from the door
    #  .TTCT.  #    i   candles; a thing whose tile is taken is left out, with its mirror image
    #  iTTTTi  #
    ############
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from generator.algorithms.bitboard import Bitboard, board_of, dilate8, erode8, rectangle, tiles_in
from generator.algorithms.board_drawing import sight_line
from generator.geometry import Point, Side
from generator.interiors.free_tiles import HeldTiles
from generator.kinds import FLOOR, PIT, RUBBLE, WALL, Kinds
from generator.kinds.decor_tables import MIDDLE
from generator.level import Tiles
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.furnishing.arrangements import (
    Arrangement,
    Image,
    beside_door,
    bound_arrangements,
)
from generator.styles.gungeon.furnishing.decorated_room import (
    FULL,
    DecoratedRoom,
    Grounds,
    decor_areas,
    gives_way,
    over,
)
from generator.styles.gungeon.furnishing.gungeon_layouts import HUB
from generator.styles.gungeon.furnishing.site import Opening, Site

_MEETING = 3  # ways that meet in a room with something in its middle
_ENOUGH = 70  # percent of an arrangement's things that have to fit
_ASTRAY = 5  # tiles from a room's middle to what stands there, at most
_ASIDE = 6  # half tiles between the axis of a symmetric room and what stands at its sides, at least
_WORN = 90  # percent of a carpet's way that has to be bare

PlacedThing = tuple[int, int]
"""The top left tile of a thing, and its number."""


def set_focal_points(room: DecoratedRoom, site: Site, grounds: Grounds, stream: Stream) -> None:
    """Frame the doors and the markers of a room that its kit has arrangements for."""
    bound = bound_arrangements(site.row.decor, grounds.chapter, site.kit, room.stride)
    occupied = site.board((marker.x, marker.y) for marker in grounds.markers)
    markers = [(marker.kind, (marker.x, marker.y)) for marker in grounds.markers if marker.kind in bound.at]
    for _, tile in markers:
        if door := _entered_by(room, site, tile):
            room.sight |= sight_line(door.doorstep, tile, room.stride)
    for opening in site.openings:
        rows = bound.doors.get(opening.kind)
        if rows:
            _frame(room, opening, rows, occupied, stream)
    if not markers and MIDDLE in bound.at and _is_crossing(site):
        _set_middle(room, site, bound.at[MIDDLE], stream)
    flat_only = site.doorsteps(margin=1) | occupied
    for kind, tile in markers:
        _set_round(room, site, tile, bound.at[kind], flat_only, stream)


def set_round_later(
    site: Site,
    inside: HeldTiles,
    thing: tuple[str, Point],
    taken: Iterable[Point],
    chapter: str,
    stream: Stream,
) -> Tiles:
    """Return the decor [y, x] of a finished room with flat things round a tile, for a marker of a kind.

    They keep off the tiles that are `taken`.
    """
    kind, tile = thing
    rows = bound_arrangements(site.row.decor, chapter, site.kit, site.stride).at.get(kind)
    if not rows:
        return inside.decor
    floor = (inside.terrain == FLOOR) | (inside.terrain == RUBBLE)
    bare = board_of(floor & gives_way(inside.decor, site.kinds)) & ~site.board(taken)
    walls, pits = (board_of(inside.terrain == kind) for kind in (WALL, PIT))
    room = DecoratedRoom(site, Grounds(board_of(floor), bare, walls, pits, bare=bare), None)
    _set_round(room, site, tile, rows, bare, stream)
    return over(room.layer(), inside.decor, site.kinds)


def _weights(rows: Sequence[Arrangement]) -> list[int]:
    return [row.weight for row in rows]


# --- doors -------------------------------------------------------------------------------------------


def _frame(
    room: DecoratedRoom, opening: Opening, rows: Sequence[Arrangement], occupied: Bitboard, stream: Stream
) -> None:
    """Lay a threshold, and put the first arrangement that fits close beside a door, or else a tile away.

    Only what lies flat may be on `occupied` tiles.
    """
    order = list(_in_random_order(rows, stream))
    for row, gap in ((row, gap) for gap in (0, 1) for row in order):
        things: list[PlacedThing] = []
        cells = blocks = opaque = 0
        for image, (x, y) in beside_door(opening, row, gap):
            tile = max(x, 0) + max(y, 0) * room.stride
            things += [(tile + offset, kind) for offset, kind in image.things]
            cells |= image.cells << tile
            blocks |= image.blocks << tile
            opaque |= image.opaque << tile
        has_space = cells and not cells & ~room.bare and not blocks & occupied
        if has_space and _put_apart(room, things, cells, blocks, opaque):
            break
    if order[0].leads:
        lane = _inwards(opening, 1, room.stride) & room.bare
        _put_apart(room, [(tile, order[0].leads) for tile in tiles_in(lane)], lane, 0, 0)


def _inwards(opening: Opening, deep: int, stride: int) -> Bitboard:
    """Return the tiles behind a door, so many deep and as wide as it is."""
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    dx, dy = -opening.side.dx, -opening.side.dy
    x, y = min(left + dx, left + deep * dx), min(top + dy, top + deep * dy)
    return rectangle(x, y, right - left + (deep if dx else 1), bottom - top + (deep if dy else 1), stride)


# --- markers -----------------------------------------------------------------------------------------


_MirroredThings = tuple[tuple[PlacedThing, ...], ...]
"""Things of an arrangement, each with its mirror image."""


class _Whole(NamedTuple):
    """An arrangement turned to a side: its image, the tiles of its flat and of its other things, and pairs.

    `twins` are the mirror images of its things, across the way to the door: themselves if they have none.
    `joined` are the flat things beside others of their kind.
    """

    image: Image
    flat: Bitboard
    solid: Bitboard
    pairs: _MirroredThings
    twins: Mapping[PlacedThing, PlacedThing]
    joined: frozenset[PlacedThing]


@lru_cache(maxsize=2048)
def _whole(row: Arrangement, side: Side, kinds: Kinds, stride: int) -> _Whole:
    image, areas = row.towards(side), decor_areas(kinds, stride)
    boards = [0, 0]
    for offset, kind in image.things:
        boards[kinds.decor[kind].is_flat] |= areas[kind] << offset
    twins = {thing: _mirror_in(image, thing, kinds, stride) for thing in image.things}
    flat = {thing for thing in image.things if kinds.decor[thing[1]].is_flat}
    joined = frozenset(thing for thing in flat if _joins(thing, flat, stride))
    return _Whole(image, boards[True], boards[False], _paired(image.things, twins), twins, joined)


def _mirror_in(image: Image, thing: PlacedThing, kinds: Kinds, stride: int) -> PlacedThing:
    """Return the mirror image of a thing, across the way to the door: itself if there is none."""
    offset, kind = thing
    y, x = divmod(offset, stride)
    row = kinds.decor[kind]
    if image.turn.swaps:
        twin = x + (image.height - row.height - y) * stride, kind
    else:
        twin = image.width - row.width - x + y * stride, kind
    return twin if twin in image.things else thing


def _paired(things: Iterable[PlacedThing], twins: Mapping[PlacedThing, PlacedThing]) -> _MirroredThings:
    return tuple(sorted({tuple(sorted({thing, twins[thing]})) for thing in things}))


class _Framing(NamedTuple):
    """The things of an arrangement that have space round a tile, in pairs, and how many do in percent."""

    share: int
    pairs: _MirroredThings
    row: Arrangement


def _set_round(
    room: DecoratedRoom,
    site: Site,
    tile: Point,
    rows: Sequence[Arrangement],
    flat_only: Bitboard,
    stream: Stream,
) -> bool:
    """Put the first arrangement that fits round a tile, or else what fits of the one that fits best.

    Returns whether what is in its middle stands. If not, nothing does.
    """
    door = _entered_by(room, site, tile)
    side = door.side.opposite if door else Side.NORTH
    solid_ground = room.bare & ~flat_only
    fits: list[_Framing] = []
    for row in _in_random_order(rows, stream):
        fits.append(_fit(room, row, side, tile, solid_ground))
        if fits[-1].share >= _ENOUGH:
            break
    best = max(fits, key=lambda fit: fit.share)
    if door:
        twin = 1 << room.twin(tile[0] + tile[1] * room.stride, 1, 1)
        room.sight |= sight_line(door.doorstep, tile, room.stride) & ~twin
    at = tile[0] + tile[1] * room.stride
    if not best.share or not _stand_pairs(room, at, _mirrored(room, tile, best.pairs, solid_ground)):
        return False
    if door and best.row.leads:
        _lead(room, site, door, tile, best.row.leads)
    return True


def _in_random_order(rows: Sequence[Arrangement], stream: Stream) -> Iterator[Arrangement]:
    """Yield rows, the heavier ones sooner."""
    left = list(rows)
    while left:
        row = stream.weighted(left, _weights(left))
        yield row
        left.remove(row)


def _entered_by(room: DecoratedRoom, site: Site, tile: Point) -> Opening | None:
    """Return the nearest of the doors from which a tile is seen, or else the nearest one."""
    seen = [way for way in site.openings if _sees(room, site, way, tile)]
    return min(
        seen or site.openings,
        key=lambda way: abs(way.doorstep[0] - tile[0]) + abs(way.doorstep[1] - tile[1]),
        default=None,
    )


def _sees(room: DecoratedRoom, site: Site, door: Opening, tile: Point) -> bool:
    """Check whether nothing stands between a doorstep and a tile."""
    return not sight_line(door.doorstep, tile, room.stride) & ~(room.walkable | room.pits)


def _fit(room: DecoratedRoom, row: Arrangement, side: Side, tile: Point, solid_ground: Bitboard) -> _Framing:
    """Find the things of an arrangement round a tile that have space, each together with its mirror image."""
    whole = _whole(row, side, room.kinds, room.stride)
    left, top = tile[0] - whole.image.width // 2, tile[1] - whole.image.height // 2
    at, share, pairs = left + top * room.stride, FULL, whole.pairs
    is_cut = left < 0 or top < 0 or whole.flat << at & ~room.bare or whole.solid << at & ~solid_ground
    if is_cut or (whole.flat | whole.solid) << at & room.hidden:
        kept = _fitting(room, whole, (left, top), solid_ground)
        middle = tile[0] + tile[1] * room.stride - at
        drawn = [offset for offset, _ in whole.image.things]
        has_middle = middle not in drawn or any(offset == middle for offset, _ in kept)
        share = 100 * len(kept) // len(drawn) if has_middle else 0
        pairs = _paired(kept, whole.twins) if share else ()
    return _Framing(share, tuple(tuple((at + offset, kind) for offset, kind in pair) for pair in pairs), row)


def _fitting(
    room: DecoratedRoom, whole: _Whole, corner: Point, solid_ground: Bitboard
) -> Collection[PlacedThing]:
    """Return the things of an image with a tile at its top left that have space, as their twins have."""
    image, (left, top) = whole.image, corner
    near = rectangle(
        max(left, 0), max(top, 0), image.width + min(left, 0), image.height + min(top, 0), room.stride
    )
    at, kinds, areas = left + top * room.stride, room.kinds.decor, room.areas
    for_flat, for_solid = ~(near & room.bare), ~(near & solid_ground)
    fitting = {
        (offset, kind)
        for offset, kind in image.things
        if at + offset >= 0
        and not areas[kind] << at + offset & (for_flat if kinds[kind].is_flat else for_solid)
    }
    if room.hidden & near:  # where raised floor and carpets go on, but nothing else would be seen
        fitting = {
            thing for thing in fitting if thing in whole.joined or not room.hidden >> at + thing[0] & 1
        }
    kept = {thing for thing in fitting if whole.twins[thing] in fitting}
    return [thing for thing in kept if thing not in whole.joined or _joins(thing, kept, room.stride)]


def _joins(thing: PlacedThing, others: Collection[PlacedThing], stride: int) -> bool:
    """Check whether a thing is beside another of its kind."""
    tile, kind = thing
    return (
        (tile - 1, kind) in others
        or (tile + 1, kind) in others
        or (tile - stride, kind) in others
        or (tile + stride, kind) in others
    )


def _mirrored(
    room: DecoratedRoom, tile: Point, pairs: _MirroredThings, solid_ground: Bitboard
) -> _MirroredThings:
    """Add the mirror image of what is on this side of a symmetric room's axis, if that is between two tiles.

    Unchanged if there is no space for that.
    """
    at, kinds = tile[0] + tile[1] * room.stride, room.kinds.decor
    apart = room.twin(at, 1, 1) - at
    if abs(apart) not in (1, room.stride):
        return pairs
    if any(kinds[kind].width * kinds[kind].height > 1 for pair in pairs for _, kind in pair):
        return pairs
    kind_of: dict[int, int] = {}
    for one, kind in (thing for pair in pairs for thing in pair):
        across = room.twin(one, 1, 1)
        for each in (one, across) if (across - one) * apart > 0 else ():
            kind_of[each] = max(kind_of.get(each, 0), kind, key=lambda one: (not kinds[one].is_flat, one))
    both = sorted({tuple(sorted({one, room.twin(one, 1, 1)})) for one in kind_of})
    if any(
        not (room.bare if kinds[kind].is_flat else solid_ground) >> one & 1 for one, kind in kind_of.items()
    ):
        return pairs
    return tuple(tuple((one, kind_of[one]) for one in tiles) for tiles in both)


def _stand_pairs(room: DecoratedRoom, middle: int, pairs: _MirroredThings) -> bool:
    """Put what lies flat, and the things in the way, each with its mirror image, that cut nothing off.

    Nothing if what is on the tile in the `middle` cannot stand. Returns whether it does.
    """
    kinds, areas = room.kinds.decor, room.areas
    flat = tuple(thing for pair in pairs for thing in pair if kinds[thing[1]].is_flat)
    solid = [pair for pair in pairs if not kinds[pair[0][1]].is_flat]
    solid.sort(key=lambda pair: all(tile != middle for tile, _ in pair))
    for some in (*solid, flat):
        covered = blocks = opaque = 0
        for tile, kind in some:
            area = areas[kind] << tile
            covered |= area
            blocks |= 0 if kinds[kind].is_flat else area
            opaque |= 0 if kinds[kind].shoot else area
        if not _put_apart(room, some, covered, blocks, opaque) and any(tile == middle for tile, _ in some):
            return False
    return True


def _put_apart(
    room: DecoratedRoom, things: Sequence[PlacedThing], cells: Bitboard, blocks: Bitboard, opaque: Bitboard
) -> bool:
    """Put things, and keep others off them and off the tiles round them."""
    if not room.put(things, dilate8(cells, room.stride), blocks, opaque):
        return False
    room.bare &= ~cells
    return True


def _lead(room: DecoratedRoom, site: Site, door: Opening, tile: Point, carpet: int) -> None:
    """Lay a carpet from a door to what stands round a tile, as wide as the door: straight in, then across."""
    stride, breadth = room.stride, len(door.tiles)
    (left, top), (right, bottom) = door.tiles[0], door.tiles[-1]
    x, y = tile
    if door.side.is_vertical_way:
        deep = abs(y - top) + (breadth - 1) // 2
        way = _inwards(door, deep, stride)
        if not left - 1 <= x <= right + 1:
            first = top + deep - breadth + 1 if door.side is Side.NORTH else top - deep
            way |= rectangle(min(left, x), first, max(right, x) - min(left, x) + 1, breadth, stride)
    else:
        deep = abs(x - left) + (breadth - 1) // 2
        way = _inwards(door, deep, stride)
        if not top - 1 <= y <= bottom + 1:
            first = left + deep - breadth + 1 if door.side is Side.WEST else left - deep
            way |= rectangle(first, min(top, y), breadth, max(bottom, y) - min(top, y) + 1, stride)
    way &= ~room.covered
    bare = way & room.bare
    bare &= bare << 1 | bare >> 1 | bare << stride | bare >> stride  # no tile lies alone
    if bare.bit_count() * 100 >= way.bit_count() * _WORN:
        _put_apart(room, [(at, carpet) for at in tiles_in(bare)], bare, 0, 0)


# --- the middle of a room where ways meet ------------------------------------------------------------


def _is_crossing(site: Site) -> bool:
    is_hub = site.layout is not None and HUB in site.layout.layout.tags
    return not site.gives and (is_hub or len(site.openings) >= _MEETING)


def _set_middle(room: DecoratedRoom, site: Site, rows: Sequence[Arrangement], stream: Stream) -> None:
    """Put an arrangement near the middle of a room: with bare floor all round, or else where one stands."""
    ground = room.bare & room.free
    for board, aside in ((erode8(ground, room.stride), _ASIDE), (ground, 0)):
        tiles = _middle(room, site, board, aside)
        for row in _in_random_order(rows, stream) if tiles else ():
            stands = [
                _set_round(room, site, tile, (row,), site.doorsteps(margin=1), stream) for tile in tiles
            ]
            if stands[0]:
                return


def _middle(room: DecoratedRoom, site: Site, ground: Bitboard, aside: int) -> list[Point]:
    """Return the tile of some ground nearest to a room's middle that is seen from a door, if one is near.

    In a symmetric room it is on the axis, or at least `aside` half tiles from it, with its mirror image.
    """
    stride = room.stride
    for x, y in _from_middle(room.size, (room.mirrors_x, room.mirrors_y), aside):
        tile = x + y * stride
        if ground >> tile & 1 and any(_sees(room, site, way, (x, y)) for way in site.openings):
            twin = room.twin(tile, 1, 1)
            is_alone = abs(twin - tile) in (0, 1, stride)
            return [(x, y)] if is_alone else [(x, y), (twin % stride, twin // stride)]
    return []


@lru_cache(maxsize=1024)
def _from_middle(size: Point, mirrors: tuple[bool, bool], aside: int) -> tuple[Point, ...]:
    """List the tiles about a room's middle, the nearest first, without those too near to its axis."""
    near: list[tuple[int, Point]] = []
    (middle_x, middle_y), (left, top) = (
        (side - 1 for side in size),
        (max(side // 2 - _ASTRAY, 0) for side in size),
    )
    for x, y in product(range(left, middle_x + 1 - left), range(top, middle_y + 1 - top)):
        off_x, off_y = abs(2 * x - middle_x), abs(2 * y - middle_y)
        if not 1 < off_x * mirrors[0] + off_y * mirrors[1] < aside:
            near.append((off_x * off_x + off_y * off_y, (x, y)))
    return tuple(tile for _, tile in sorted(near))
