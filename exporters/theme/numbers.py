"""A picture of a sheet with the place of every tile above it, to help with filling in a theme.

Tiles are enlarged by a whole number until their labels fit above them; nothing is drawn over them. Large
sheets are split into pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from exporters.stacks import over
from exporters.syntax.png import png_bytes
from exporters.theme.compose import Geometry
from exporters.theme.image import Pixels
from generator.errors import ThemeError

_PAGE = 32  # tiles per side
_MAX_PAGES = 64
_MIN_PX = 48  # a tile's side
_GAP = 2  # px between tiles
_DOT = 2  # px per dot of a glyph
_GLYPH_PX, _LABEL_PX = 4 * _DOT, 7 * _DOT  # a glyph's width and a label's height, with space around them

_BACK = (24, 22, 32, 255)
_CHECKS = ((62, 60, 72, 255), (80, 78, 92, 255))  # behind transparent tiles
_INK, _FAINT_INK = (255, 236, 150, 255), (110, 106, 120, 255)  # the latter above empty tiles

# Three by five dots, row by row.
_GLYPHS = {
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# .#. .#.",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    ",": "... ... ... .#. #..",
}


def numbered(pixels: Pixels, geometry: Geometry, stem: str, where: str) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of a sheet [y, x, 4] as names and PNG files. Raises ThemeError for too many tiles."""
    columns, rows = geometry.columns, geometry.rows
    starts = [(x, y) for y in range(0, rows, _PAGE) for x in range(0, columns, _PAGE)]
    if len(starts) > _MAX_PAGES:
        most = _MAX_PAGES * _PAGE * _PAGE
        raise ThemeError(
            f"{where}: has {columns} x {rows} tiles of {geometry.tile_size} px; give at most {most}"
        )
    longest = len(f"{columns - 1},{rows - 1}")
    zoom = -(-max(_MIN_PX, longest * _GLYPH_PX + _GAP) // geometry.tile_size)
    for left, top in starts:
        page = _page(pixels, geometry, left, top, zoom)
        name = f"{stem}.png" if len(starts) == 1 else f"{stem}-{left}-{top}.png"
        yield name, png_bytes(page.shape[1], page.shape[0], iter([page]))


def _page(pixels: Pixels, geometry: Geometry, left: int, top: int, zoom: int) -> Pixels:
    """Draw the page that starts at column `left` and row `top`."""
    side = geometry.tile_size * zoom
    columns, rows = min(_PAGE, geometry.columns - left), min(_PAGE, geometry.rows - top)
    pitch_x, pitch_y = side + _GAP, side + _LABEL_PX + _GAP
    page = np.empty((rows * pitch_y + _GAP, columns * pitch_x + _GAP, 4), np.uint8)
    page[...] = _BACK
    tiles = np.zeros_like(page)
    squares = np.arange(side) // 8
    checks = np.array(_CHECKS, np.uint8)[np.add.outer(squares, squares) % 2]
    for row in range(rows):
        for column in range(columns):
            x, y = _GAP + column * pitch_x, _GAP + row * pitch_y
            coords = left + column, top + row
            tile = _tile(pixels, geometry, *coords)
            ink = _INK if tile[..., 3].any() else _FAINT_INK
            _write(page, f"{coords[0]},{coords[1]}", x, y + _DOT, ink)
            inside = np.s_[y + _LABEL_PX : y + _LABEL_PX + side, x : x + side]
            page[inside] = checks
            tiles[inside] = tile.repeat(zoom, axis=0).repeat(zoom, axis=1)
    return over(page, tiles)


def _tile(pixels: Pixels, geometry: Geometry, column: int, row: int) -> Pixels:
    x, y = geometry.at_px(row * geometry.columns + column)
    return pixels[y : y + geometry.tile_size, x : x + geometry.tile_size]


def _write(page: Pixels, text: str, x: int, y: int, ink: tuple[int, int, int, int]) -> None:
    for letter in text:
        dots = _dots(letter)
        page[y : y + dots.shape[0], x : x + dots.shape[1]][dots] = ink
        x += _GLYPH_PX


@cache
def _dots(letter: str) -> npt.NDArray[np.bool_]:
    """Draw a glyph in its final size."""
    dots = np.array([[dot == "#" for dot in line] for line in _GLYPHS[letter].split()])
    return dots.repeat(_DOT, axis=0).repeat(_DOT, axis=1)
