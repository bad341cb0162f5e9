"""The empty room that furnishing starts from, and where a body can walk in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from generator.algorithms.bitboard import (
    Bitboard,
    component4,
    dilate4,
    dilate_square,
    erode_square,
    mask_of,
    rectangle,
    square_hits,
    without_cutting,
)
from generator.geometry import Point, Side
from generator.interiors.chapters import chapter_number
from generator.interiors.interior import STANDS_ON, PlacedMarker
from generator.interiors.pools import SHIPPED_KIT
from generator.kinds import VOID, Kinds, Kit
from generator.level import Tiles
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import GungeonRoomKind, gungeon_kind

DOORSTEP = 2  # tiles that stay clear inside a door
_FULL_ROWS = 2  # rows of a path that end it where they lie on floor


class Opening(NamedTuple):
    """A door in the room's outer wall: the side of the room that it is on, and its tiles.

    The tiles run left to right or top to bottom on the outermost ring of the site, never in a corner. `kind`
    is that of the door, or `border` for one that leads into the room from another district.
    """

    side: Side
    tiles: tuple[Point, ...]
    kind: str = "open"

    @property
    def doorstep(self) -> Point:
        """The tile inside the room that one enters by its middle."""
        x, y = self.tiles[len(self.tiles) // 2]
        return x - self.side.dx, y - self.side.dy


class Site(NamedTuple):
    """An empty room: its size in tiles, walls included, and its openings (only those in use).

    `distance` counts the rooms walked from the start; `danger` is this in percent of the furthest room's of
    the level: 0 at the start, 100 there. Without a `layout` the room is furnished by procedure. A room that
    `is_quiet` has no enemies. `stages` are those whose enemies it gets; None: the spec's. The kinds of things
    in it, and their tables, are those of `kit`. `gives` is a kind of marker that the room must have; `hand`
    numbers the arrangements that it may have, all if it is None. `turn` counts up from room to room.
    """

    kind: str
    width: int
    height: int
    openings: tuple[Opening, ...]
    distance: int
    danger: int
    layout: GungeonLayout | None = None
    is_quiet: bool = False
    stages: tuple[int, int] | None = None
    kit: Kit = SHIPPED_KIT
    gives: str = ""
    hand: int | None = None
    turn: int = 0

    @property
    def kinds(self) -> Kinds:
        """The kinds of its kit."""
        return self.kit.kinds

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width: the shape of arrays of its tiles."""
        return self.height, self.width

    @property
    def stride(self) -> int:
        """The stride of boards of its tiles."""
        return self.width + 1

    @property
    def inside(self) -> Bitboard:
        """All tiles except the outermost ring."""
        return rectangle(1, 1, self.width - 2, self.height - 2, self.stride)

    @property
    def ring(self) -> Bitboard:
        """The outermost ring of tiles, doors included."""
        return rectangle(0, 0, self.width, self.height, self.stride) ^ self.inside

    @property
    def doors(self) -> Bitboard:
        """The tiles of all openings."""
        return _doors(self.openings, self.stride)

    def board(self, tiles: Iterable[Point]) -> Bitboard:
        """Return the board of some tiles."""
        board, stride = 0, self.width + 1
        for x, y in tiles:
            board |= 1 << x + y * stride
        return board

    def doorsteps(self, margin: int = 0, depth: int = DOORSTEP) -> Bitboard:
        """Return the tiles `depth` deep inside each opening, and `margin` to its sides, not its own."""
        return _doorsteps(self.openings, self.shape, margin, depth)

    @property
    def row(self) -> GungeonRoomKind:
        """The style's row for its kind."""
        return gungeon_kind(self.kit.kinds, self.kind)


@lru_cache(maxsize=256)  # a room asks for them several times
def _doors(openings: Sequence[Opening], stride: int) -> Bitboard:
    """Return the tiles of some openings."""
    board = 0
    for opening in openings:
        for x, y in opening.tiles:
            board |= 1 << x + y * stride
    return board


@lru_cache(maxsize=256)
def _doorsteps(openings: Sequence[Opening], shape: tuple[int, int], margin: int, depth: int) -> Bitboard:
    """See `Site.doorsteps`."""
    board, (height, width) = 0, shape
    for side, tiles, _ in openings:
        (left, top), (right, bottom) = tiles[0], tiles[-1]
        dx, dy = -depth * side.dx, -depth * side.dy
        across, down = (margin, 0) if side.is_vertical_way else (0, margin)
        left, top = max(left - across + min(0, dx), 1), max(top - down + min(0, dy), 1)
        right = min(right + across + max(0, dx), width - 2)
        bottom = min(bottom + down + max(0, dy), height - 2)
        board |= rectangle(left, top, right - left + 1, bottom - top + 1, width + 1)
    return board


def stages_of(chapter: str, kit: Kit) -> tuple[int, int] | None:
    """Return the two stages of a chapter of a kit. None for an empty or unknown name."""
    if chapter not in kit.rules.chapters:
        return None
    last = 2 * chapter_number(chapter, kit)
    return last - 1, last


def path_inwards(opening: Opening, site: Site, floor: Bitboard = 0) -> Bitboard:
    """Lay a path from an opening straight inwards, as wide as it is, until two rows of it lie on floor.

    If that does not happen by the middle of the room, the path turns there and goes to the middle.

        #DD###     #DD####
        #..###     #..####
        #....#     #..####
        #....#     #.....# <- the middle
    """
    stride, breadth = site.stride, len(opening.tiles)
    inwards = opening.side.opposite
    step = inwards.dx + inwards.dy * stride
    row = site.board(opening.tiles)
    way = full_rows = 0
    for _ in range((site.height if inwards.is_vertical_way else site.width) // 2):
        row = row << step if step > 0 else row >> -step
        way |= row
        full_rows = 0 if row & ~floor else full_rows + 1
        if full_rows == _FULL_ROWS:
            return way
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    x, y = (site.width - breadth) // 2, (site.height - breadth) // 2
    if inwards.is_vertical_way:
        left, right = min(left, x), max(right, x + breadth - 1)
        return way | rectangle(left, y, right - left + 1, breadth, stride)
    top, bottom = min(top, y), max(bottom, y + breadth - 1)
    return way | rectangle(x, top, breadth, bottom - top + 1, stride)


def paint(site: Site, layers: Iterable[tuple[int, Bitboard]]) -> Tiles:
    """Paint terrain [y, x]: each layer's tiles over those before it, and void elsewhere."""
    terrain = np.full(site.shape, VOID, np.uint8)
    for kind, board in layers:
        terrain[mask_of(board, site.shape)] = kind
    return terrain


# Where a body of several tiles can walk in a room that is furnished by procedure.
#
# A body is a square that moves by steps to its four neighbours. A place is the tile of its top left corner:
#
#     tiles  .....     places of a body of 2  xx.x.
#            .....                            x....
#            ..#..                            x....
#            .....                            .....


class Footing:
    """The places of a body that walks between the doors, while things are put into the room."""

    __slots__ = ("_body", "_needs", "_stride", "places")

    def __init__(self, body: int, stride: int, places: Bitboard, needs: list[Bitboard]) -> None:
        """Keep at least one of each of the `needs` among `places`, which are connected."""
        self._body = body
        self._stride = stride
        self.places = places
        self._needs = needs

    def give_way(self, area: Bitboard) -> bool:
        """Make tiles impassable if the body still gets everywhere. Otherwise change nothing."""
        lost = square_hits(area, self._body, self._stride) & self.places
        if not lost:
            return True
        left = without_cutting(self.places, lost, self._stride)
        if left is None:
            return False
        for need in self._needs:
            if not need & left:
                return False
        self.places = left
        return True


def footing(
    walkable: Bitboard, site: Site, body: int, markers: Iterable[PlacedMarker] = ()
) -> Footing | None:
    """Return the footing of a body that enters by every door and reaches the markers. None if it cannot.

    It gets to a marker if its square covers the tile or one beside it. It must cover the player's own tile,
    and that of a boss that walks.
    """
    stride = site.stride
    places = erode_square(walkable, body, stride)
    needs = [_behind(opening, site, body) for opening in site.openings]
    for marker in markers:
        tile = 1 << marker.x + marker.y * stride
        walks = marker.kind in STANDS_ON and tile & walkable and not marker.properties.get("flies")
        near = tile if walks else dilate4(tile, stride)
        needs.append(square_hits(near, body, stride))
    untried = (needs[0] if needs else 0) & places
    while untried:
        piece = component4(untried & -untried, places, stride)
        if all(need & piece for need in needs):
            return Footing(body, stride, piece, needs)
        untried &= ~piece
    return None if needs else Footing(body, stride, places, needs)


def _behind(opening: Opening, site: Site, body: int) -> Bitboard:
    """Return the places wholly inside the room that a body enters straight from an opening.

    #DDD#     for a body of 2: the places x; on the door tiles it would not yet be inside
    .xx..
    .....
    """
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    if opening.side.is_vertical_way:
        y = min(max(top, 1), site.height - 1 - body)
        return rectangle(left, y, right - left + 2 - body, 1, site.stride)
    x = min(max(left, 1), site.width - 1 - body)
    return rectangle(x, top, 1, bottom - top + 2 - body, site.stride)


def reach(walkable: Bitboard, site: Site, body: int, joined: Bitboard = 0) -> Bitboard:
    """Return the tiles that a body can cover on paths from the doors.

    `joined` are places known to be connected, which saves a search if doors lead to them.
    """
    if body == 1:
        return walkable
    stride = site.stride
    places = erode_square(walkable, body, stride)
    start = square_hits(site.doors, body, stride) & places
    if start & joined:
        start |= joined
    return dilate_square(component4(start, places, stride), body, stride)


def corners_round(tile: Point) -> tuple[Point, Point, Point, Point]:
    """Return the four tiles that touch a tile at its corners, row by row."""
    x, y = tile
    return (x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)
