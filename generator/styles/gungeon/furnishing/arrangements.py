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
from operator import itemgetter

from generator.algorithms.bitboard import Bitboard, rectangle
from generator.geometry import Point, Side
from generator.kinds import Kinds, Kit
from generator.kinds.decor_tables import ANYTHING, ArrangementRow, things_drawn
from generator.kinds.settings import SPOTS
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.furnishing.decorated_room import decor_areas
from generator.styles.gungeon.furnishing.kit_tables import NORTH
from generator.styles.gungeon.furnishing.site import Opening
from generator.turns import is_its_turn

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


class TurnedDrawing(NamedTuple):
    """A drawing turned in one way, in tiles (x, y) from its top left one.

    `things` are the top left tile and the number of each thing, `tiles` all tiles that it needs, and
    `anchors` the tiles of walls or pits that it stands at.
    """

    turn: Orientation
    width: int
    height: int
    things: tuple[tuple[Point, int], ...]
    tiles: tuple[Point, ...]
    anchors: tuple[Point, ...]


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
        board = -1
        for offset in self.anchors:  # first, as few tiles are beside them
            board &= solid >> offset if offset >= 0 else solid << -offset
            if not board:
                return 0
        for offset in self.needs:
            board &= free >> offset
            if not board:
                return 0
        return board & rectangle(0, 0, width - self.width + 1, height - self.height + 1, width + 1)


class Arrangement:
    """A row of a kit, drawn for boards of one stride. Each of its images is made when it is asked for.

    `drawings` are by their turns, and `distinct` are the turns that look different. `leads` is the number of
    the decor that leads to it.
    """

    def __init__(
        self,
        row: ArrangementRow,
        drawings: Mapping[Orientation, TurnedDrawing],
        distinct: tuple[Orientation, ...],
        kinds: Kinds,
        stride: int,
    ) -> None:
        self.anchor, self.most, self.weight = row.anchor, row.most, row.weight
        self.leads = kinds.decor_ids[row.leads] if row.leads else 0
        self.drawings = drawings
        self.distinct = distinct
        self._kinds, self._stride = kinds, stride
        self._images: dict[Orientation, Image] = {}

    def image(self, turn: Orientation) -> Image:
        """Return its image turned in one of the ways of its `drawings`."""
        image = self._images.get(turn)
        if image is None:
            image = self._images[turn] = _image(self.drawings[turn], self._kinds, self._stride)
        return image

    def towards(self, side: Side) -> Image:
        """Return the image whose top is at a side, or the drawing itself if it cannot be turned to it."""
        turn = _BY_SIDE[side]
        return self.image(turn if turn in self.drawings else Orientation())


class KnownArrangements(NamedTuple):
    """The names of the arrangements that suit a room, and the running totals of their weights.

    `rare` are those that come only in one of several rooms.
    """

    names: tuple[str, ...]
    totals: tuple[int, ...]
    rare: frozenset[str] = frozenset()


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
    rare = frozenset(name for name, row in rows if row.one_in > 1)
    return KnownArrangements(names, tuple(accumulate(row.weight for _, row in rows)), rare)


def in_turn(known: KnownArrangements, turn: int, kit: Kit) -> KnownArrangements:
    """Leave out the arrangements that are for one of several rooms, but not for the one of this turn."""
    rows = kit.rules.arrangements
    gone = {name for name in known.rare if not is_its_turn("arrangement", name, rows[name].one_in, turn)}
    if not gone:
        return known
    names = tuple(name for name in known.names if name not in gone)
    return KnownArrangements(names, tuple(accumulate(rows[name].weight for name in names)))


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
    return Arrangement(row, _drawings(name, kit), _distinct(name, kit), kit.kinds, stride)


def beside_door(opening: Opening, arrangement: Arrangement, gap: int = 1) -> Iterator[tuple[Image, Point]]:
    """Yield what stands to both sides of a door, `gap` tiles away from it, and the top left tile of each.

    Nothing if the drawing cannot be turned to the door's side.
    """
    turn = _BY_SIDE[opening.side]
    is_upright = opening.side.is_vertical_way
    other = turn._replace(flips_x=True) if is_upright else turn._replace(flips_y=True)
    if turn not in arrangement.drawings or other not in arrangement.drawings:
        return
    first, second = arrangement.image(turn), arrangement.image(other)
    (left, top), (right, bottom) = opening.tiles[0], opening.tiles[-1]
    if is_upright:
        y = top + 1 if opening.side is Side.NORTH else top - first.height
        yield first, (right + 1 + gap, y)
        yield second, (left - gap - second.width, y)
    else:
        x = left + 1 if opening.side is Side.WEST else left - first.width
        yield first, (x, bottom + 1 + gap)
        yield second, (x, top - gap - second.height)


@lru_cache(maxsize=1024)
def _drawings(name: str, kit: Kit) -> Mapping[Orientation, TurnedDrawing]:
    """Turn the drawing of an arrangement in every way in which all its things can stand."""
    row, kinds = kit.rules.arrangements[name], kit.kinds
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
    size = len(row.drawing[0]), len(row.drawing)
    fits_sideways = all(kinds.decor[number].width == kinds.decor[number].height for *_, number in things)
    return {
        turn: _turned(turn, size, tiles, things, anchors, kinds)
        for turn in (UPRIGHT if leans else ALL_TURNS)
        if fits_sideways or not turn.swaps
    }


@lru_cache(maxsize=1024)
def _distinct(name: str, kit: Kit) -> tuple[Orientation, ...]:
    """Return the turns of an arrangement that look different."""
    return tuple({drawing[1:]: turn for turn, drawing in _drawings(name, kit).items()}.values())


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
) -> TurnedDrawing:
    width, height = size[::-1] if turn.swaps else size

    def moved(x: int, y: int, wide: int = 1, high: int = 1) -> Point:
        """Return the top left tile of what lay at (x, y)."""
        x, y = (y, x) if turn.swaps else (x, y)
        return width - x - wide if turn.flips_x else x, height - y - high if turn.flips_y else y

    placed = [
        (moved(x, y, kinds.decor[number].width, kinds.decor[number].height), number)
        for x, y, number in things
    ]
    needed, leant_on = ([moved(*tile) for tile in some] for some in (tiles, anchors))
    by_row = itemgetter(1, 0)
    return TurnedDrawing(
        turn,
        width,
        height,
        tuple(sorted(placed, key=lambda thing: by_row(thing[0]))),
        tuple(sorted(needed, key=by_row)),
        tuple(sorted(leant_on, key=by_row)),
    )


def _image(drawing: TurnedDrawing, kinds: Kinds, stride: int) -> Image:
    """Convert a drawing to boards."""
    turn, width, height, things, tiles, anchors = drawing
    placed = tuple([(x + y * stride, number) for (x, y), number in things])
    needs = tuple([x + y * stride for x, y in tiles])
    leant_on = tuple([x + y * stride for x, y in anchors])
    cells = blocks = opaque = 0
    areas = decor_areas(kinds, stride)
    for at, number in placed:
        kind, area = kinds.decor[number], areas[number] << at
        blocks |= area if kind.is_in_the_way else 0
        opaque |= 0 if kind.shoot else area
    for need in needs:
        cells |= 1 << need
    return Image(turn, width, height, placed, needs, leant_on, cells, blocks, opaque)
