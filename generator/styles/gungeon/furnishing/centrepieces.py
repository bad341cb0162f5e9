"""Centrepieces: what stands in the middle of shops, chest rooms and the other quiet rooms of `gungeon`.

They are drawn like layouts (`docs/layouts.md`), in any size, in a folder named after the room kind. A room
gets one that fits; each kind has one of a single tile, which always fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from generator.algorithms.bitboard import Bitboard
from generator.arrays import Mask
from generator.geometry import Point
from generator.interiors.interior import Interior
from generator.interiors.layout_file import parse_layout
from generator.interiors.layouts import Layout
from generator.interiors.pool_rules import marker_counts
from generator.interiors.shipped_layouts import kept_texts
from generator.kinds import FLOOR, SHIPPED, Kinds
from generator.rng import Stream
from generator.shipped_files import shipped_folder

_MAX_NEEDED = 9  # markers: as many as fit into the smallest room
_LETTERS = "ZYQJHLUDNO"
_NEEDED = "needed.txt"
_BESIDE = 1  # tiles that stay free all round


class Centrepiece(NamedTuple):
    """One mirror image of a centrepiece: its inside, its tiles except bare floor, and the walkable ones.

    `weight` is its weight; all images of a file together have the weight the file gives. `solid_rows` and
    `taken_rows` have a number for each row; bit x is set if tile x is not walkable, or is taken.
    """

    name: str
    weight: int
    interior: Interior
    taken: Mask
    walkable: Mask
    solid_rows: tuple[int, ...]
    taken_rows: tuple[int, ...]

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
    return [
        _centrepiece(layout.name, layout.weight * 4 // len(layout.mirrors), layout.interior(mirror))
        for layout in layouts
        for mirror in layout.mirrors
    ]


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


def _centrepiece(name: str, weight: int, interior: Interior) -> Centrepiece:
    covered = interior.covered
    taken = (interior.terrain != FLOOR) | (covered > 0)
    for marker in interior.markers:
        taken[marker.y, marker.x] = True
    walkable = interior.safe()
    return Centrepiece(name, weight, interior, taken, walkable, _row_bits(~walkable), _row_bits(taken))


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
    room_kind: str,
    kinds: Kinds,
    room: Point,
    clear: Bitboard,
    stream: Stream,
    suits: Callable[[PlacedCentrepiece], bool] | None = None,
) -> PlacedCentrepiece:
    """Draw one that fits into the middle of a room of this size (walls included) and keeps off `clear`.

    Only those at least half as large as the largest that fits are considered, and only those that `suits`
    accepts, if given; it must accept a single tile. If none fits, the middle stays bare. Takes one word.
    """
    fitting: list[PlacedCentrepiece] = []
    for piece in centrepieces(room_kind, kinds):
        if fitting and 2 * piece.taken.size < fitting[0].piece.taken.size:
            break
        placed = _placed(piece, room, clear)
        if placed and (suits is None or suits(placed)):
            fitting.append(placed)
    if not fitting:  # the markers that the kind must hold need more space side by side
        fitting.append(PlacedCentrepiece(_bare_floor(kinds), room[0] // 2, room[1] // 2))
    return stream.weighted(fitting, [placed.piece.weight for placed in fitting])


def _placed(piece: Centrepiece, room: Point, clear: Bitboard) -> PlacedCentrepiece | None:
    """Put the centrepiece in the middle, rounded to the top left, or else a tile on. None if neither fits."""
    (width, height), border = piece.size, 2 * (1 + _BESIDE)
    if width > room[0] - border or height > room[1] - border:
        return None
    for y in _middles(room[1] - height):
        for x in _middles(room[0] - width):
            if not _board(piece.taken_rows, x, y, room[0] + 1) & clear:
                return PlacedCentrepiece(piece, x, y)
    return None


def _middles(spare: int) -> tuple[int, ...]:
    return (spare // 2,) if spare % 2 == 0 else (spare // 2, spare // 2 + 1)
