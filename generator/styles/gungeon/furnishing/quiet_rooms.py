"""The rooms without fights: shop, chest room, start, and any other with a centrepiece.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): a keeper in the middle of the shop, wares
round the keeper and decor by the walls; a chest room has a chest, coins and candles instead; a start room
needs only the player. What stands in the middle is a centrepiece; a room with space to spare also gets posts,
rugs and the like in rows round it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms.bitboard import Bitboard, board_of, dilate8, mask_of, rectangle
from generator.algorithms.board_drawing import sight_line
from generator.arrays import Mask
from generator.geometry import Point
from generator.interiors.interior import FurnishedRoom, Interior, PlacedMarker
from generator.interiors.layout_file import parse_layout
from generator.interiors.layouts import Layout
from generator.interiors.pool_rules import marker_counts
from generator.interiors.pools import kept_texts
from generator.kinds import DOOR, FLOOR, SHIPPED, WALL, Kinds
from generator.level import Tiles, passable
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.shipped_files import shipped_folder
from generator.styles.gungeon.furnishing.decorate import place_decor
from generator.styles.gungeon.furnishing.decorated_room import Grounds, gives_way, over
from generator.styles.gungeon.furnishing.faces import behind_tall
from generator.styles.gungeon.furnishing.kit_tables import decor_tables
from generator.styles.gungeon.furnishing.site import Site, footing, paint

if TYPE_CHECKING:
    from generator.styles.gungeon.spec import GungeonSpec


_FEWEST_WARES = 3
_ROW_STEP = 5  # tiles from one object of a row to the next
_ROW_GAP = 2  # tiles that stay free between the rows and the walls or the centrepiece

# A chest's tiers, and their weights beside the start and in the furthest room.
_TIERS = ("wood", 70, 25), ("gold", 26, 50), ("red", 4, 25)


def shop_room(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish a shop of 7 × 7 tiles or more: a keeper in the middle, wares all round."""
    return quiet_room(site, spec, stream, fewest_wares=_FEWEST_WARES)


def chest_room(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish a chest room of 7 × 7 tiles or more. The further from the start, the better the chest."""
    tier = chest_tier(site.danger, stream)
    inside = quiet_room(site, spec, stream)
    markers = tuple(
        marker._replace(properties={"tier": tier}) if marker.kind == "chest" else marker
        for marker in inside.markers
    )
    return inside._replace(markers=markers)


def chest_tier(danger: int, stream: Stream) -> str:
    """Roll how good a chest is, by its room's danger. Takes one word."""
    weights = [(near * (100 - danger) + far * danger) // 100 for _, near, far in _TIERS]
    return stream.weighted([tier for tier, _, _ in _TIERS], weights)


def quiet_room(site: Site, spec: GungeonSpec, stream: Stream, fewest_wares: int = 0) -> FurnishedRoom:
    """Furnish the start room, or another quiet one, of 7 × 7 tiles or more.

    It gets walls and doors, a centrepiece, rows of objects round it, and clutter in the space left.
    """
    stride, doors = site.stride, site.doors
    walls = site.ring & ~doors
    doorsteps, beside_doors = site.doorsteps(), site.doorsteps(margin=1)
    suits = partial(_is_passed, site, spec.body) if spec.body > 1 else None
    placed = choose(site, doorsteps, stream, suits, Counter(spec.memory.layouts))
    piece, x, y = placed
    area = np.s_[y : y + piece.size[1], x : x + piece.size[0]]
    markers = _markers(placed)
    wares = _wares_about(site, markers, fewest_wares, doorsteps)

    terrain = paint(site, ((FLOOR, site.inside), (WALL, walls), (DOOR, doors)))
    terrain[area] = piece.interior.terrain
    walkable = _walkable(site, placed)
    rows, in_rows, blocking = _rows(site, placed, beside_doors, spec, stream)
    centre = dilate8(_area(placed, stride), stride)
    free = site.inside & ~beside_doors & ~centre & ~in_rows
    large = None
    if spec.body > 1:
        large = footing(walkable & ~blocking, site, spec.body, (*markers, *wares))
        if large is None:  # in rooms hardly wider than the body
            rows[mask_of(blocking, site.shape)] = blocking = 0
            large = footing(walkable, site, spec.body, (*markers, *wares))
    drawn = rows
    drawn[area] = piece.interior.decor
    for ware in wares:
        drawn[ware.y, ware.x] = 0
    everything = (*markers, *wares)
    bare = board_of((terrain == FLOOR) & gives_way(drawn, site.kinds))
    hidden, walkable = board_of(behind_tall(drawn, site.kit)), walkable & ~blocking
    grounds = Grounds(walkable, free, walls, 0, spec.decor, spec.chapter, bare, everything, hidden)
    decor = over(place_decor(site, grounds, large, stream).decor, drawn, site.kinds)
    return FurnishedRoom(piece.name, 0, terrain, decor, everything)


def _area(placed: PlacedCentrepiece, stride: int) -> Bitboard:
    return rectangle(placed.x, placed.y, *placed.piece.size, stride)


def _markers(placed: PlacedCentrepiece) -> list[PlacedMarker]:
    """List a centrepiece's markers, in tiles of the room."""
    piece, x, y = placed
    return [marker._replace(x=x + marker.x, y=y + marker.y) for marker in piece.interior.markers]


def _walkable(site: Site, placed: PlacedCentrepiece) -> Bitboard:
    """Return the walkable tiles of a room that holds nothing but a centrepiece."""
    return (site.inside | site.doors) & ~placed.solid(site.stride)


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
    stride = site.stride
    pairs = decor_tables(site.row.decor, site.kit).rows
    pair = stream.pick(pairs) if pairs else ()
    decor = np.zeros(site.shape, np.uint8)
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
    x, y = keeper.x, keeper.y
    around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    # Those off doorsteps first, diagonal ones later.
    around.sort(key=lambda tile: (bool(doorsteps & site.board([tile])), tile[0] == x or tile[1] == y))
    return [PlacedMarker("ware", *tile, {"item": "any"}) for tile in around[:missing]]


# Centrepieces: what stands in the middle of shops, chest rooms and the other quiet rooms of `gungeon`.
#
# They are drawn like layouts (`docs/layouts.md`), in any size, in a folder named after the room kind. A
# room gets one that fits; each kind has one of a single tile, which always fits.

_MAX_NEEDED = 9  # markers: as many as fit into the smallest room
_LETTERS = "ZYQJHLUDNO"
_NEEDED = "needed.txt"
_BESIDE = 1  # tiles that stay free all round


class Centrepiece(NamedTuple):
    """One mirror image of a centrepiece: its inside, and its tiles except bare floor.

    `weight` is its weight; all images of a file together have the weight the file gives. `solid_rows`,
    `taken_rows` and `opaque_rows` have a number for each row; bit x is set if tile x is not walkable, is
    taken, or stops shots.
    """

    name: str
    weight: int
    interior: Interior
    taken: Mask
    solid_rows: tuple[int, ...]
    taken_rows: tuple[int, ...]
    opaque_rows: tuple[int, ...]

    @property
    def size(self) -> Point:
        """Width and height in tiles."""
        height, width = self.taken.shape
        return width, height


@lru_cache(maxsize=256)
def centrepieces(room_kind: str, kinds: Kinds = SHIPPED) -> tuple[Centrepiece, ...]:
    """List a room kind's shipped centrepieces, largest first. Other kinds get the markers they must hold.

    Those that break a kit's own rules for the kind's markers are left out.
    """
    folder = shipped_folder("generator.styles.gungeon.furnishing") / "layouts" / room_kind
    files = sorted(folder.iterdir() if folder.is_dir() else (), key=lambda file: file.name)
    texts = ((Path(str(file)), file.read_text("utf-8")) for file in files if file.name.endswith(".txt"))
    pieces = _pieces(layout for layout in kept_texts(texts, kinds) if _suits(layout, room_kind, kinds))
    if all(piece.taken.size > 1 for piece in pieces):
        pieces += _pieces(
            parse_layout(text, Path(_NEEDED), kinds, check=False) for text in _needed(room_kind, kinds)
        )
    return tuple(sorted(pieces, key=lambda piece: -piece.taken.size))


def _suits(layout: Layout, kind: str, kinds: Kinds) -> bool:
    """Check whether a shipped centrepiece's markers obey a kit's own rules, if it has any."""
    rules = kinds.room(kind).markers
    if rules == SHIPPED.room(kind).markers:
        return True
    counts = marker_counts(layout)
    return all(least <= counts[marker] <= most for marker, (least, most) in rules.items())


def _pieces(layouts: Iterable[Layout]) -> list[Centrepiece]:
    """List all images of some layouts."""
    pieces = []
    for layout in layouts:
        for mirror in layout.mirrors:
            interior, weight = layout.interior(mirror), layout.weight * 4 // len(layout.mirrors)
            taken = (interior.terrain != FLOOR) | (interior.covered > 0)
            for marker in interior.markers:
                taken[marker.y, marker.x] = True
            solid_rows = _row_bits(~interior.safe())
            shots = passable(interior.terrain, interior.covered, "shoot", interior.kinds)
            rows = solid_rows, _row_bits(taken), _row_bits(~shots)
            pieces.append(Centrepiece(layout.name, weight, interior, taken, *rows))
    return pieces


@lru_cache(maxsize=64)
def _bare_floor(kinds: Kinds) -> Centrepiece:
    return _pieces([parse_layout("map:\n.", Path(_NEEDED), kinds, check=False)])[0]


def _needed(kind: str, kinds: Kinds) -> Iterator[str]:
    """Layout texts with the markers a kind must hold: as a block, and with free tiles between."""
    markers = [
        marker
        for marker, (least, _) in kinds.room(kind).markers.items()
        for _ in range(least)
        if "floor" in kinds.grounds_of(kinds.markers[marker])
    ][:_MAX_NEEDED]
    letters = dict(zip(dict.fromkeys(markers), _LETTERS, strict=False))
    head = "\n".join(
        ["mirror: none", *(f"{letter} = {marker}" for marker, letter in letters.items()), "map:\n"]
    )
    signs = [letters[marker] for marker in markers] or ["."]
    yield head + "\n".join(
        "".join(signs[i : i + 3]).ljust(min(3, len(signs)), ".") for i in range(0, len(signs), 3)
    )
    if len(signs) > 1:
        yield head + ".".join(signs)


def _row_bits(mask: Mask) -> tuple[int, ...]:
    return tuple(sum(1 << x for x, is_set in enumerate(row) if is_set) for row in mask.tolist())


class PlacedCentrepiece(NamedTuple):
    """A centrepiece and the tile of the room where its top left lies."""

    piece: Centrepiece
    x: int
    y: int

    def solid(self, stride: int) -> Bitboard:
        """Return its tiles in the room that are not walkable."""
        return _board(self.piece.solid_rows, self.x, self.y, stride)


def _board(rows: Sequence[int], x: int, y: int, stride: int) -> Bitboard:
    """Return rows of tiles as a board, with the top left one at (x, y)."""
    board = 0
    for row in reversed(rows):
        board = board << stride | row
    return board << x + y * stride


def choose(
    site: Site,
    clear: Bitboard,
    stream: Stream,
    suits: Callable[[PlacedCentrepiece], bool] | None,
    seen: Mapping[str, int] = MappingProxyType({}),
) -> PlacedCentrepiece:
    """Draw one that fits into the middle of a room and keeps off `clear`.

    Only those at least half as large as the largest that fits are considered, unless all of these were
    `seen`, and only those that `suits` accepts, if given; it must accept a single tile. Those whose markers
    are seen from a door come first, and of these one of those `seen` least is drawn. If none fits, the middle
    stays bare. Takes one word.
    """
    fitting: list[PlacedCentrepiece] = []
    for piece in centrepieces(site.kind, site.kinds):
        is_small = fitting and 2 * piece.taken.size < fitting[0].piece.taken.size
        if is_small and not all(placed.piece.name in seen for placed in fitting):
            break
        placed = _placed(piece, site, clear)
        if placed and (suits is None or suits(placed)):
            fitting.append(placed)
    if not fitting:  # the markers that the kind must hold need more space side by side
        fitting.append(PlacedCentrepiece(_bare_floor(site.kinds), site.width // 2, site.height // 2))
    fitting = [placed for placed in fitting if _is_in_view(site, placed)] or fitting
    fewest = min(seen.get(placed.piece.name, 0) for placed in fitting)
    fitting = [placed for placed in fitting if seen.get(placed.piece.name, 0) == fewest]
    return stream.weighted(fitting, [placed.piece.weight for placed in fitting])


def _is_in_view(site: Site, placed: PlacedCentrepiece) -> bool:
    """Check whether a door has a clear view of each chest, keeper and the like, wares aside."""
    opaque = _board(placed.piece.opaque_rows, placed.x, placed.y, site.stride)
    return not opaque or all(
        any(not sight_line(way.doorstep, (x, y), site.stride) & opaque for way in site.openings)
        for kind, x, y, _ in _markers(placed)
        if kind != "ware"
    )


def _placed(piece: Centrepiece, site: Site, clear: Bitboard) -> PlacedCentrepiece | None:
    """Put the centrepiece in the middle, rounded to the top left, or else a tile on. None if neither fits."""
    (width, height), border = piece.size, 2 * (1 + _BESIDE)
    if width > site.width - border or height > site.height - border:
        return None
    for y in _middles(site.height - height):
        for x in _middles(site.width - width):
            if not _board(piece.taken_rows, x, y, site.stride) & clear:
                return PlacedCentrepiece(piece, x, y)
    return None


def _middles(spare: int) -> tuple[int, ...]:
    return (spare // 2,) if spare % 2 == 0 else (spare // 2, spare // 2 + 1)
