"""Arrangements: small drawings of decor, as boards that a room's floor is tried against.

An arrangement is drawn once, as it looks below a wall, in a north-western corner or to the right of a door in
a northern wall. Its images are that drawing mirrored and turned for the other walls, corners and doors:

    corner, as drawn      its images in the other three corners
    #####                 #####   #.%#   #%.#
    #cb.                   .bc#   .bb#   #bb.
    #b.%                   %.b#   .bc#   #cb.
    #.                       .#   ####   ####
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product
from typing import NamedTuple

from generator.algorithms.bitboard import Bitboard, rectangle
from generator.geometry import Point, Side
from generator.kinds import Kinds, Kit
from generator.kinds.decor_tables import ANYTHING, ArrangementRow, things_drawn
from generator.kinds.settings import SPOTS
from generator.styles.gungeon.furnishing.kit_tables import NORTH
from generator.styles.gungeon.furnishing.site import Opening

HANDS = 3  # into which the arrangements of a large table are dealt
DEALS = 3  # ways to deal them
_LARGE = 30  # arrangements


class Orientation(NamedTuple):
    """How a drawing is turned: its axes swapped first, then mirrored left to right, then top to bottom."""

    swaps: bool = False
    flips_x: bool = False
    flips_y: bool = False


UPRIGHT = Orientation(), Orientation(flips_x=True)
_BY_SIDE = {
    Side.NORTH: Orientation(),
    Side.SOUTH: Orientation(flips_y=True),
    Side.WEST: Orientation(swaps=True),
    Side.EAST: Orientation(swaps=True, flips_x=True),
}
ALL_TURNS = tuple(Orientation(*turn) for turn in product((False, True), repeat=3))


class Image(NamedTuple):
    """A drawing turned for one side, for boards of one stride. Offsets count from its top left tile.

    `needs` are the offsets of its tiles, `anchors` of the walls or pits that it stands at; `cells` its tiles
    as a board, `blocks` and `opaque` those that bodies or shots do not pass.
    """

    turn: Orientation
    width: int
    height: int
    things: tuple[tuple[int, int], ...]
    needs: tuple[int, ...]
    anchors: tuple[int, ...]
    cells: Bitboard
    blocks: Bitboard
    opaque: Bitboard

    def places(self, free: Bitboard, solid: Bitboard, size: Point) -> Bitboard:
        """Return where its top left tile can be: its tiles on `free`, its anchors on `solid`."""
        width, height = size
        if self.width > width or self.height > height:
            return 0
        board = rectangle(0, 0, width - self.width + 1, height - self.height + 1, width + 1)
        for offset in self.needs:
            board &= free >> offset
            if not board:
                return 0
        for offset in self.anchors:
            board &= solid >> offset if offset >= 0 else solid << -offset
        return board


class Arrangement(NamedTuple):
    """A row of a kit, drawn. `images` are by their turns, and `distinct` those that look different.

    `leads` is the number of the decor that leads to it.
    """

    name: str
    anchor: str
    most: int
    images: dict[Orientation, Image]
    distinct: tuple[Image, ...]
    weight: int = 1
    leads: int = 0

    def towards(self, side: Side) -> Image:
        """Return the image whose top is at a side, or the drawing itself if it cannot be turned to it."""
        return self.images.get(_BY_SIDE[side]) or self.images[Orientation()]


class KnownArrangements(NamedTuple):
    """The names of the arrangements that suit a room, and the running totals of their weights."""

    names: tuple[str, ...]
    totals: tuple[int, ...]


class BoundArrangements(NamedTuple):
    """Arrangements by the kinds of the markers round which they stand, and of the doors beside them."""

    at: Mapping[str, Sequence[Arrangement]]
    doors: Mapping[str, Sequence[Arrangement]]


@lru_cache(maxsize=1024)
def arrangements_of(table: str, chapter: str, kit: Kit, hand: int | None = None) -> KnownArrangements:
    """Return the arrangements for rooms with a decor table in a chapter.

    Those that belong to single markers or doors are not among them. Of a large table, a `hand` has only a
    third, so that neighbours with different hands share none.
    """
    rows = [(name, row) for name, row in _suiting(table, chapter, kit) if not row.at and not row.doors]
    if hand is not None and len(rows) >= _LARGE:
        deal, share = divmod(hand, HANDS)
        rows = [row for number, row in enumerate(rows) if number // HANDS**deal % HANDS == share]
    names = tuple(name for name, _ in rows)
    return KnownArrangements(names, tuple(accumulate(row.weight for _, row in rows)))


@lru_cache(maxsize=256)
def bound_arrangements(table: str, chapter: str, kit: Kit, stride: int) -> BoundArrangements:
    """Return the arrangements that each marker and each door of a kind gets in such rooms."""
    at: dict[str, list[Arrangement]] = {}
    doors: dict[str, list[Arrangement]] = {}
    for name, row in _suiting(table, chapter, kit):
        if row.at or row.doors:
            drawn = drawn_arrangement(name, kit, stride)
            for bound, kinds in ((at, row.at), (doors, row.doors)):
                for kind in kinds:
                    bound.setdefault(kind, []).append(drawn)
    return BoundArrangements(at, doors)


def _suiting(table: str, chapter: str, kit: Kit) -> Iterator[tuple[str, ArrangementRow]]:
    for name, row in kit.rules.arrangements.items():
        if table in row.decor and (not row.chapters or chapter in row.chapters):
            yield name, row


@lru_cache(maxsize=8192)
def drawn_arrangement(name: str, kit: Kit, stride: int) -> Arrangement:
    """Return an arrangement of a kit, drawn for boards of a stride."""
    row = kit.rules.arrangements[name]
    images = {image.turn: image for image in _images(row, kit, stride)}
    leads = kit.kinds.decor_ids[row.leads] if row.leads else 0
    return Arrangement(name, row.anchor, row.most, images, _distinct(images), row.weight, leads)


def _distinct(images: dict[Orientation, Image]) -> tuple[Image, ...]:
    return tuple({image[1:]: image for image in images.values()}.values())


def beside_door(
    opening: Opening, images: dict[Orientation, Image], gap: int = 1
) -> Iterator[tuple[Image, Point]]:
    """Yield what stands to both sides of a door, `gap` tiles away from it, and the top left tile of each.

    Nothing if the drawing cannot be turned to the door's side.
    """
    turn = _BY_SIDE[opening.side]
    is_upright = opening.side.is_vertical_way
    other = turn._replace(flips_x=True) if is_upright else turn._replace(flips_y=True)
    if turn not in images or other not in images:
        return
    first, second = images[turn], images[other]
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    if is_upright:
        y = top + 1 if opening.side is Side.NORTH else top - first.height
        yield first, (right + 1 + gap, y)
        yield second, (left - gap - second.width, y)
    else:
        x = left + 1 if opening.side is Side.WEST else left - first.width
        yield first, (x, bottom + 1 + gap)
        yield second, (x, top - gap - second.height)


def _images(row: ArrangementRow, kit: Kit, stride: int) -> Iterator[Image]:
    """Turn a drawing in every way in which all its things can stand."""
    kinds = kit.kinds
    size = len(row.drawing[0]), len(row.drawing)
    things = list(things_drawn(row, kinds))
    tiles = {(x, y) for y, line in enumerate(row.drawing) for x, sign in enumerate(line) if sign != ANYTHING}
    for x, y, number in things:
        kind = kinds.decor[number]
        tiles.update((x + dx, y + dy) for dy in range(kind.height) for dx in range(kind.width))
    anchors = list(_anchors(row.anchor, tiles))
    places = kit.rules.numbers["decor_place"]
    leans = row.anchor in ("wall", "corner") and any(
        places.get(kinds.decor[number].name) == SPOTS[NORTH] for _, _, number in things
    )
    for turn in UPRIGHT if leans else ALL_TURNS:
        if turn.swaps and any(
            kinds.decor[number].width != kinds.decor[number].height for *_, number in things
        ):
            continue
        yield _turned(turn, size, tiles, things, anchors, kinds, stride)


def _anchors(anchor: str, tiles: Iterable[Point]) -> Iterator[Point]:
    """Yield the tiles of wall or pit beside a drawing that it stands at."""
    for x, y in tiles:
        if y == 0 and anchor in ("wall", "corner", "pillar", "pit"):
            yield x, -1
        if x == 0 and anchor == "corner":
            yield -1, y


def _turned(
    turn: Orientation,
    size: Point,
    tiles: Iterable[Point],
    things: Sequence[tuple[int, int, int]],
    anchors: Sequence[Point],
    kinds: Kinds,
    stride: int,
) -> Image:
    width, height = size[::-1] if turn.swaps else size

    def moved(x: int, y: int, wide: int = 1, high: int = 1) -> Point:
        """Return the top left tile of what lay at (x, y)."""
        x, y = (y, x) if turn.swaps else (x, y)
        return width - x - wide if turn.flips_x else x, height - y - high if turn.flips_y else y

    def offset(tile: Point) -> int:
        return tile[0] + tile[1] * stride

    needs = {offset(moved(*tile)) for tile in tiles}
    placed, blocks, opaque = [], 0, 0
    for x, y, number in things:
        kind = kinds.decor[number]
        at = offset(moved(x, y, kind.width, kind.height))
        area = rectangle(0, 0, kind.width, kind.height, stride) << at
        placed.append((at, number))
        blocks |= area if kind.is_in_the_way else 0
        opaque |= 0 if kind.shoot else area
    cells = sum(1 << need for need in needs)
    return Image(
        turn,
        width,
        height,
        tuple(sorted(placed)),
        tuple(sorted(needs)),
        tuple(sorted(offset(moved(*tile)) for tile in anchors)),
        cells,
        blocks,
        opaque,
    )
