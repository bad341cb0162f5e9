"""Tiles that a sheet lacks, composed from its own: from quarters, or drawn over one another.

They are added in rows below a copy of the sheet, so that all the team's own tiles keep their places:

    own tiles      0   1   2   3
                   4   5   6   7
    added          8   9  10  11     8: the top left quarter of 3, the top right quarter of 6 ...

Quarters are numbered 0 top left, 1 top right, 2 bottom left, 3 bottom right.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from exporters.formats.png.syntax import png_bytes
from exporters.lettering import LETTER_DOTS, letter_dots, write
from exporters.theme import AtlasIndex
from exporters.theme.file import MAX_AREA_PX, MAX_SIDE_PX
from exporters.theme.image import Pixels, decoded, over
from generator.errors import ThemeError
from generator.named_tuple import NamedTuple

# Labelled tiles, drawn for a kit's kinds without a picture in the theme.
#
# A label has the size of the thing. It shows the letters of its name in black on a bright colour, in a
# striped frame, so that nobody overlooks it:
#
#     name "slime_pool"      SLI
#                            MEP      as many letters as fit, in lines

_INK = (12, 10, 16, 255)


class NameTile(NamedTuple):
    """A tile of a label: the text, whether the background is filled, the size in tiles, the tile's place."""

    text: str
    filled: bool = True
    width: int = 1
    height: int = 1
    x: int = 0
    y: int = 0

    def drawn(self, size: int) -> npt.NDArray[np.uint8]:
        """Draw the tile's pixels, [size, size, 4]."""
        label = _block(self.text, self.filled, self.width * size, self.height * size)
        return label[self.y * size : (self.y + 1) * size, self.x * size : (self.x + 1) * size]


def _block(text: str, filled: bool, width: int, height: int) -> npt.NDArray[np.uint8]:
    """Draw the whole label, [height, width, 4]."""
    colour = _colour(text)
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[...] = colour if filled else (*(part // 3 for part in colour[:3]), 255)
    stripes = (np.add.outer(np.arange(height), np.arange(width)) // 2 % 2).astype(bool)
    frame = np.ones((height, width), bool)
    frame[1:-1, 1:-1] = False
    pixels[frame & stripes] = _INK
    pixels[frame & ~stripes] = (255, 236, 0, 255)
    _write(pixels, text, _INK if filled else colour)
    return pixels


def _colour(text: str) -> tuple[int, int, int, int]:
    """Choose a bright colour that depends on the name."""
    digest = zlib.crc32(text.encode())
    parts = [255, 110 + digest % 128, 100 + (digest >> 8) % 64]
    red, green, blue = (parts[(channel + (digest >> 16)) % 3] for channel in range(3))
    return red, green, blue, 255


def _write(pixels: npt.NDArray[np.uint8], text: str, ink: tuple[int, int, int, int]) -> None:
    """Write as many letters as fit inside the frame, centred."""
    height, width = pixels.shape[:2]
    columns, lines = (
        max(1, (side - 2) // letter) for side, letter in zip((width, height), LETTER_DOTS, strict=True)
    )
    known = [letter for letter in text.upper() if letter.isalnum() and letter_dots(letter) is not None]
    letters = "".join(known[: columns * lines])
    rows = [letters[start : start + columns] for start in range(0, len(letters), columns)]
    top = (height - len(rows) * LETTER_DOTS[1] + 1) // 2
    for number, row in enumerate(rows):
        left = (width - len(row) * LETTER_DOTS[0] + 1) // 2
        write(pixels, row, (max(0, left), max(0, top + number * LETTER_DOTS[1])), ink, 1)


Quarter = tuple[AtlasIndex, int]
"""A tile and one of its quarters."""

Recipe = tuple[Quarter, Quarter, Quarter, Quarter]
"""The source of each quarter of a new tile."""


class Stacked(NamedTuple):
    """Tiles drawn over one another, lowest first."""

    tiles: tuple[AtlasIndex, ...]


class Shared(NamedTuple):
    """The part of a tile that another tile also covers."""

    tile: AtlasIndex
    other: AtlasIndex


class Darkened(NamedTuple):
    """A darker copy of a tile, one for each thing that needs a separate tile."""

    tile: AtlasIndex
    apart: object


Drawn = Recipe | Stacked | Shared | Darkened | NameTile | str
"""How an added tile is made; a text stands for a warning sign."""

# Warning signs for missing parts, with conspicuous colours.
_SIGNS = {
    "floor": (255, 0, 220),
    "wall": (255, 60, 60),
    "pit": (0, 220, 255),
    "door": (255, 230, 0),
    "decor": (60, 255, 60),
}


class Geometry(NamedTuple):
    """The positions of the tiles of a sheet. All but the last two are in px."""

    tile_size: int
    margin: int
    spacing: int
    columns: int
    rows: int

    def at_px(self, tile: AtlasIndex) -> tuple[int, int]:
        """Return the left and top edge of a tile, in px."""
        pitch = self.tile_size + self.spacing
        return self.margin + tile % self.columns * pitch, self.margin + tile // self.columns * pitch


class Additions:
    """The tiles to add to a sheet, without repeats."""

    def __init__(self, geometry: Geometry, where: str) -> None:
        self.geometry = geometry
        self._where = where  # the image, in messages
        self._next = geometry.columns * geometry.rows
        self._recipes: dict[AtlasIndex, Drawn] = {}
        self._known: dict[object, AtlasIndex] = {}

    @property
    def rows(self) -> int:
        """The number of rows of tiles, including those added."""
        return max(self.geometry.rows, -(-self._next // self.geometry.columns))

    def tile(self, recipe: Recipe) -> AtlasIndex:
        """Return the tile with these quarters: one of the sheet's own if they match."""
        first = recipe[0][0]
        if recipe == whole(first):
            return first
        if self.geometry.tile_size % 2:
            odd = self.geometry.tile_size
            raise ThemeError(
                f"{self._where}: tiles of {odd} px cannot be divided into quarters; draw them with an even "
                "size"
            )
        return self._block((recipe,), {(0, 0): recipe}, 1, 1)

    def stacked(self, *tiles: AtlasIndex) -> AtlasIndex:
        """Draw tiles over one another, lowest first. A single tile is returned unchanged."""
        if len(tiles) == 1:
            return tiles[0]
        return self._block((Stacked(tiles),), {(0, 0): Stacked(tiles)}, 1, 1)

    def shared(self, tile: AtlasIndex, other: AtlasIndex) -> AtlasIndex:
        """Cut out the part of a tile that the other tile also covers."""
        return self._block((Shared(tile, other),), {(0, 0): Shared(tile, other)}, 1, 1)

    def darkened(self, tile: AtlasIndex, apart: object) -> AtlasIndex:
        """Make a darker copy of a tile, a separate one for each value of `apart`."""
        return self._block((Darkened(tile, apart),), {(0, 0): Darkened(tile, apart)}, 1, 1)

    def sign(self, part: str, width: int, height: int) -> AtlasIndex:
        """Add a warning sign for a missing part of the theme. Return the block's top left tile."""
        return self._block((part,), dict.fromkeys(_places(width, height), part), width, height)

    def label(self, part: str, text: str, filled: bool = True, width: int = 1, height: int = 1) -> AtlasIndex:
        """Add a label for a kind without a picture. Return the block's top left tile."""
        parts: dict[tuple[int, int], Drawn] = {
            (x, y): NameTile(text, filled, width, height, x, y) for x, y in _places(width, height)
        }
        return self._block((part, text, filled), parts, width, height)

    def copied(self, tile: AtlasIndex, width: int, height: int, apart: object) -> AtlasIndex:
        """Copy a block, separately for each value of `apart`. Return the copy's top left tile."""
        columns = self.geometry.columns
        parts = {(x, y): whole(tile + y * columns + x) for x, y in _places(width, height)}
        return self._block((tile, apart), parts, width, height)

    def repeated(self, tile: AtlasIndex, width: int, height: int, apart: object) -> AtlasIndex:
        """Copy a block like `copied`, with the same tile everywhere."""
        parts = dict.fromkeys(_places(width, height), whole(tile))
        return self._block((tile, apart, "repeated"), parts, width, height)

    def _block(
        self, key: tuple[object, ...], parts: Mapping[tuple[int, int], Drawn], width: int, height: int
    ) -> AtlasIndex:
        key = (*key, width, height)
        if key not in self._known:
            self._known[key] = self._add(parts, width, height)
        return self._known[key]

    def _add(self, parts: Mapping[tuple[int, int], Drawn], width: int, height: int) -> AtlasIndex:
        columns = self.geometry.columns
        if width > columns:
            raise ThemeError(f"{self._where}: is too narrow for {width} tiles in a row; widen it")
        if self._next % columns + width > columns or height > 1:
            self._next = -(-self._next // columns) * columns
        first = self._next
        for (x, y), recipe in parts.items():
            self._recipes[first + y * columns + x] = recipe
        self._next = first + width if height == 1 else first + height * columns
        return first

    def image(self, sheet: bytes) -> bytes:
        """Add the tiles below the sheet. Unchanged if there are none to add. Raises ThemeError."""
        if not self._recipes:
            return sheet
        size, pixels = self.geometry.tile_size, decoded(sheet, self._where)
        width = pixels.shape[1]
        pitch = size + self.geometry.spacing
        height = max(len(pixels), self.geometry.margin + self.rows * pitch)
        if height > MAX_SIDE_PX or width * height > MAX_AREA_PX:
            raise ThemeError(f"{self._where}: is too large to add tiles; give a smaller image")
        whole_sheet = np.zeros((height, width, 4), np.uint8)
        own = min(len(pixels), self.geometry.margin + self.geometry.rows * pitch)
        whole_sheet[:own] = pixels[:own]
        for tile, recipe in self._recipes.items():
            x, y = self.geometry.at_px(tile)
            whole_sheet[y : y + size, x : x + size] = self._drawn(pixels, recipe)
        return png_bytes(width, height, iter([whole_sheet]))

    def _drawn(self, pixels: Pixels, recipe: Drawn) -> Pixels:
        size = self.geometry.tile_size
        if isinstance(recipe, str):
            return _sign(size, recipe)
        if isinstance(recipe, NameTile):
            return recipe.drawn(size)
        if isinstance(recipe, Shared):
            tile, other = (self._tile_pixels(pixels, part) for part in recipe)
            return np.where(other[..., 3:] > 0, tile, np.uint8(0))
        if isinstance(recipe, Darkened):
            tile = self._tile_pixels(pixels, recipe.tile)
            return np.concatenate([tile[..., :3] // 3, tile[..., 3:]], axis=-1)
        if isinstance(recipe, Stacked):
            out = np.zeros((size, size, 4), np.uint8)
            for part in recipe.tiles:
                out = over(out, self._tile_pixels(pixels, part))
            return out
        return self._composed(pixels, recipe)

    def _tile_pixels(self, pixels: Pixels, tile: AtlasIndex) -> Pixels:
        """Return a tile of the sheet `pixels`, or one that was added."""
        if tile in self._recipes:
            return self._drawn(pixels, self._recipes[tile])
        size, (x, y) = self.geometry.tile_size, self.geometry.at_px(tile)
        return pixels[y : y + size, x : x + size]

    def _composed(self, pixels: Pixels, recipe: Recipe) -> Pixels:
        size = self.geometry.tile_size
        half = size // 2
        out = np.empty((size, size, 4), np.uint8)
        for target, (tile, quarter) in enumerate(recipe):
            (to_y, to_x), (y, x) = _corner(target, half), _corner(quarter, half)
            # With an odd size, only whole tiles are used: the middle belongs to the second half.
            to_h, to_w = (size - half if at else half for at in (to_y, to_x))
            source = self._tile_pixels(pixels, tile)
            out[to_y : to_y + to_h, to_x : to_x + to_w] = source[y : y + to_h, x : x + to_w]
        return out


def _places(width: int, height: int) -> list[tuple[int, int]]:
    return [(x, y) for y in range(height) for x in range(width)]


def whole(tile: AtlasIndex) -> Recipe:
    """Return the recipe of an unchanged tile."""
    return (tile, 0), (tile, 1), (tile, 2), (tile, 3)


def _corner(quarter: int, half: int) -> tuple[int, int]:
    """Return the top and left edges of a quarter in its tile, in px."""
    return quarter // 2 * half, quarter % 2 * half


def _sign(size: int, part: str) -> Pixels:
    """Draw glaring squares."""
    steps = np.arange(size) * 4 // size
    squares: Pixels = np.array(((*_SIGNS[part], 255), (20, 0, 20, 255)), np.uint8)[
        np.add.outer(steps, steps) % 2
    ]
    return squares
