"""A layout: one room's inside, drawn by hand, and its images. `docs/layouts.md` describes the format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from generator.errors import LayoutError, shown
from generator.geometry import Point, Side
from generator.interiors.interior import Interior, PlacedMarker
from generator.interiors.variations import Variation, fullest_rows, varied_rows
from generator.kinds import SHIPPED, Glyph, Kinds
from generator.named_tuple import NamedTuple
from generator.node import KIND
from generator.pattern import pattern
from generator.rng import Stream
from generator.shapes import SIDES, Shape, Slot, mirrored_side

OWN = "own/"  # how the names of a team's own layouts begin

# Exits: the places on a layout's outline where a hallway can begin, in the `gungeon` style.
#
# exits: N 6-7, E any         N 6-7: columns 6 to 7 of the first row; E any: wherever there is floor
#                             in the last column. Columns and rows count from 1, as editors do.
# exits: N 2-5 joins=wide     its class is `wide`: a hallway joins only exits of one class

_EXIT = pattern(rf"([NESW])\s+(?:any|([0-9]{{1,2}})(?:-([0-9]{{1,2}}))?)(?:\s+joins=({KIND}))?\Z")


class Exit(NamedTuple):
    """A part of a layout's outline: a side, and the columns or rows `first` to `last`, both included.

    Both count from 0. `last` is -1 for `any`: the whole side, wherever there is floor. `joins` is its class,
    empty for the plain one.
    """

    side: Side
    first: int
    last: int
    joins: str = ""

    @property
    def is_any(self) -> bool:
        """Whether the hallway can begin anywhere on the side."""
        return self.last < 0

    def tiles(self, size: Point) -> list[Point]:
        """Return its tiles in a layout of this size, which for `any` are all tiles of the side."""
        width, height = size
        length = width if self.side.is_vertical_way else height
        along = range(length) if self.is_any else range(self.first, self.last + 1)
        if self.side.is_vertical_way:
            y = 0 if self.side is Side.NORTH else height - 1
            return [(x, y) for x in along]
        x = 0 if self.side is Side.WEST else width - 1
        return [(x, y) for y in along]

    def image(self, image: str, size: Point) -> Exit:
        """Return the exit in an image of a layout of this size: mirrored, then turned, as in `Layout`."""
        side, span = mirrored_side(self.side, image), (self.first, self.last)
        if ("h" if side.is_vertical_way else "v") in image:
            span = self._from_the_end(span, size)
        if "r" in image:
            if not side.is_vertical_way:  # (x, y) goes to (height - 1 - y, x)
                span = self._from_the_end(span, size)
            side = side.clockwise
        return Exit(side, *span, self.joins)

    def _from_the_end(self, span: tuple[int, int], size: Point) -> tuple[int, int]:
        """Count a span from the other end of the side."""
        length = size[0] if self.side.is_vertical_way else size[1]
        return span if self.is_any else (length - 1 - span[1], length - 1 - span[0])

    def __str__(self) -> str:
        """Write the exit as in a file."""
        span = f"-{self.last + 1}" if self.last > self.first else ""
        where = "any" if self.is_any else f"{self.first + 1}{span}"
        return f"{self.side.letter} {where}" + (f" joins={self.joins}" if self.joins else "")


def read_exits(text: str, where: str) -> tuple[Exit, ...]:
    """Parse the exits of a header line. Raises LayoutError, which begins with `where`."""
    return tuple(_exit(part.strip(), where) for part in text.split(","))


def _exit(text: str, where: str) -> Exit:
    match = _EXIT.match(text)
    if not match:
        raise LayoutError(
            f"{where}: exits: {shown(text)} is not an exit; write a side and its columns or rows, such as "
            "`N 6-7`, `E 4` or `W any`, and joins=CLASS if it has a class (up to 64 of a-z, 0-9 and _)"
        )
    side, first = SIDES[match[1]], int(match[2] or 1)
    last = int(match[3] or first) if match[2] else 0
    if match[2] and not 1 <= first <= last:
        raise LayoutError(
            f"{where}: exits: {shown(text)}: columns and rows count from 1, the lower one first"
        )
    return Exit(side, first - 1, last - 1, match[4] or "")


@dataclass(frozen=True, eq=False)
class Layout:
    """A layout as drawn: `rows` is the map, `doors` the slots of its shape where it may have doors.

    `mirrors` are the images that count as variants, each some of `h`, `v` and `r`: `h` swaps left and right,
    `v` top and bottom, and `r` then turns it by a quarter, clockwise.

    A layout with `exits` has any outline, without the shape and doors of a grid room. `variations` are the
    letters whose meaning differs from room to room. `kinds` are the kinds that it is drawn with.
    """

    path: Path
    rows: tuple[str, ...]
    first_line: int  # the line of the file where the map begins
    glyphs: Mapping[str, Glyph]
    weight: int
    mirrors: tuple[str, ...]
    shape: Shape
    doors: tuple[str, ...]
    exits: tuple[Exit, ...] = ()
    difficulty: int = 0  # 0: that of its folder
    tags: frozenset[str] = frozenset()
    repeat: str = "freely"
    variations: Mapping[str, Variation] = field(default_factory=dict)
    kinds: Kinds = SHIPPED

    @cached_property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.path.stem

    @cached_property
    def size(self) -> Point:
        """Width and height in tiles, without the room's walls."""
        return len(self.rows[0]), len(self.rows)

    @cached_property
    def pitch(self) -> Point:
        """Width and height of the cells that it is drawn for, walls included."""
        (width, height), (columns, rows) = self.size, self.shape.size
        return (width + 2) // columns, (height + 2) // rows

    @cached_property
    def used_glyphs(self) -> tuple[Glyph, ...]:
        """What can stand in its rooms: the meanings of the map's letters, and of all that these vary to."""
        signs = {*"".join(self.rows)}.union(*(variation.signs for variation in self.variations.values()))
        return tuple(self.glyphs[sign] for sign in sorted(signs))

    @cached_property
    def fullest(self) -> Layout:
        """The layout with the greatest obstacle wherever it varies: what is reachable in it always is."""
        if not self.variations:
            return self
        rows = fullest_rows(self.rows, self.variations, self.glyphs, self.kinds)
        return replace(self, rows=rows, variations={})

    def varied(self, stream: Stream) -> Layout:
        """Return the layout with every variation drawn."""
        if not self.variations:
            return self
        return replace(self, rows=varied_rows(self.rows, self.variations, stream), variations={})

    def slots(self, mirror: str = "") -> frozenset[Slot]:
        """Return the doors that a mirror image has: cells of its shape, and their sides."""
        return _slots(self, mirror)

    def interior(self, mirror: str = "") -> Interior:
        """Return the room's inside in an image, with bare floor wherever the layout varies."""
        return _interior(self, mirror)


def imaged(rows: Sequence[str], image: str) -> list[str]:
    """Return a map in an image: mirrored, then turned."""
    turned = [row[::-1] if "h" in image else row for row in rows]
    if "v" in image:
        turned.reverse()
    return ["".join(column) for column in zip(*turned[::-1], strict=True)] if "r" in image else turned


@lru_cache(maxsize=4096)
def _slots(layout: Layout, mirror: str) -> frozenset[Slot]:
    slots = (layout.shape.slots[name] for name in layout.doors)
    return frozenset(
        (layout.shape.mirrored_cell(cell, mirror), mirrored_side(side, mirror)) for cell, side in slots
    )


@lru_cache(maxsize=4096)
def _interior(layout: Layout, mirror: str) -> Interior:
    rows = imaged(layout.rows, mirror)
    width, drawn = len(rows[0]), "".join(rows)
    glyphs = {character: layout.glyphs[character] for character in set(drawn)}
    grounds = str.maketrans({character: chr(glyph.terrain) for character, glyph in glyphs.items()})
    terrain = drawn.translate(grounds).encode("latin-1")
    decor = bytearray(len(drawn))
    markers = []
    covered: set[Point] = set()
    for index in sorted(_places_of_things(drawn, glyphs)):
        character = drawn[index]
        glyph, (y, x) = glyphs[character], divmod(index, width)
        if glyph.decor and (x, y) not in covered:
            decor[index] = glyph.decor
            if layout.kinds.decor[glyph.decor][-2:] != (1, 1):
                covered.update(_tiles_of(layout, rows, character, x, y, mirror))
        if glyph.marker:
            markers.append(PlacedMarker(glyph.marker, x, y, MappingProxyType(dict(glyph.properties))))
    ground, stands = (np.frombuffer(tiles, np.uint8).reshape(-1, width) for tiles in (terrain, bytes(decor)))
    return Interior(ground, stands, tuple(markers), layout.kinds)


def _places_of_things(drawn: str, glyphs: Mapping[str, Glyph]) -> Iterator[int]:
    """Yield the positions of the things in a map."""
    for character, glyph in glyphs.items():
        if glyph.decor or glyph.marker:
            index = drawn.find(character)
            while index >= 0:
                yield index
                index = drawn.find(character, index + 1)


def _tiles_of(
    layout: Layout, rows: list[str], character: str, x: int, y: int, mirror: str
) -> Iterator[Point]:
    """Yield the tiles covered by the thing with its top left at (x, y). All must be drawn with its letter."""
    kind = layout.kinds.decor[layout.glyphs[character].decor]
    if "r" in mirror and kind.width != kind.height:
        raise LayoutError(
            f"{layout.path}: turn: {kind.name} covers {kind.width} x {kind.height} tiles and cannot be "
            f"turned; leave out `turn: quarter`, or the {kind.name}"
        )
    for ty in range(y, y + kind.height):
        for tx in range(x, x + kind.width):
            if not (ty < len(rows) and tx < len(rows[0]) and rows[ty][tx] == character):
                line = layout.first_line + (len(rows) - 1 - y if "v" in mirror else y)
                size = f"{kind.width} x {kind.height}"
                raise LayoutError(
                    f"{layout.path}:{line}: {kind.name} covers {size} tiles; draw `{character}` on each"
                )
            yield tx, ty
