"""Tile layers with one byte per cell: a palette stores once what `tile_map_data` repeats in 12 bytes.

    0 0 0 1 2 0        a rectangle of cells; 0 is empty, 1 the palette's first tile
    0 0 0 3 2 0

A palette has up to 255 tiles of 64 bits: from the lowest, 16 each for source, column, row and alternative.
Layers with the same name share palettes. If a layer uses several palettes, it has a rectangle for each.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exporters.formats.godot.layers import CELL
from exporters.formats.pack.variant import Int64s

_MAX_TILES = 255  # per palette


class Palettes:
    """The tiles of a block's layers, in order of appearance."""

    def __init__(self) -> None:
        self._tiles: list[list[int]] = []
        self._places: dict[str, dict[int, tuple[int, int]]] = {}  # by layer and tile: palette, place
        self._open: dict[str, int] = {}  # each layer's palette for new tiles

    def tables(self) -> list[Int64s]:
        """Return the tiles of each palette."""
        return [Int64s(tiles) for tiles in self._tiles]

    def add(self, layer: str, data: bytes) -> tuple[list[int], bytes]:
        """Encode a layer's `tile_map_data` as numbers, and its cells.

        The numbers are the count of rectangles, and for each x, y, width, height and palette.
        """
        cells = np.frombuffer(data, CELL, offset=2)
        fields = ("source", "column", "row", "alt")
        tiles = sum(cells[name].astype(np.int64) << 16 * index for index, name in enumerate(fields))
        distinct, inverse = np.unique(tiles, return_inverse=True)
        places = np.array([self._place(layer, tile) for tile in distinct.tolist()], np.int64)[inverse]
        numbers, parts = [0], []
        for palette in np.unique(places[:, 0]).tolist():
            mask = places[:, 0] == palette
            rect, part = _rectangle(cells["x"][mask], cells["y"][mask], places[mask, 1])
            numbers += [*rect, palette]
            parts.append(part)
        numbers[0] = len(parts)
        return numbers, b"".join(parts)

    def _place(self, layer: str, tile: int) -> tuple[int, int]:
        known = self._places.setdefault(layer, {})
        if tile not in known:
            palette = self._open.get(layer, -1)
            if palette < 0 or len(self._tiles[palette]) == _MAX_TILES:
                palette = self._open[layer] = len(self._tiles)
                self._tiles.append([])
            self._tiles[palette].append(tile)
            known[tile] = palette, len(self._tiles[palette])
        return known[tile]


def _rectangle(
    xs: npt.NDArray[np.int16], ys: npt.NDArray[np.int16], places: npt.NDArray[np.int64]
) -> tuple[list[int], bytes]:
    """Find the rectangle around some cells, and return it with all bytes in it."""
    left, top = int(xs.min()), int(ys.min())
    grid = np.zeros((int(ys.max()) - top + 1, int(xs.max()) - left + 1), np.uint8)
    grid[ys - top, xs - left] = places
    return [left, top, grid.shape[1], grid.shape[0]], grid.tobytes()
