"""The cells of LDtk layers as arrays of numbers, and back.

    "gridTiles": [{ "px": [16,0], "src": [64,160], "f": 0, "t": 324, "d": [1], "a": 1 }, ...]

A cell may have several tiles. Each distinct pile of tiles gets a number, which the array contains.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.merge.ldtk_ids import tables
from exporters.merge.outcome import CannotMerge

INTS, GRID, AUTO = "intGridCsv", "gridTiles", "autoLayerTiles"
CellNumbers = npt.NDArray[np.int64]
LayerKey = tuple[int, str]

_MAX_CELLS = 1 << 24


class Piles:
    """Numbers for the piles of tiles found in cells."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._piles: list[tuple[Any, ...]] = [()]

    def number(self, pile: tuple[Any, ...]) -> int:
        """Return the number of a pile."""
        index = self._numbers.setdefault(pile, len(self._piles))
        if index == len(self._piles):
            self._piles.append(pile)
        return index

    def tiles(self, number: int, x: int, y: int, width: int, size: int) -> list[dict[str, Any]]:
        """Return the tiles of a pile, as those of one cell."""
        return [
            {
                "px": [x * size + dx, y * size + dy],
                "src": list(src),
                "f": flips,
                "t": tile,
                "d": [*rules, x + y * width],
                "a": alpha,
            }
            for dx, dy, src, flips, tile, rules, alpha in self._piles[number]
        ]


def cells_of(level: dict[str, Any], piles: Piles) -> dict[LayerKey, CellNumbers]:
    """Return the arrays of a level's layers, by layer definition and list key."""
    cells: dict[LayerKey, CellNumbers] = {}
    for layer in tables(level.get("layerInstances")):
        sizes: list[Any] = [layer.get(key) for key in ("__cWid", "__cHei", "__gridSize", "layerDefUid")]
        width, height, size, uid = sizes
        if not all(isinstance(value, int) and value > 0 for value in sizes) or width * height > _MAX_CELLS:
            raise CannotMerge(f"level {level.get('identifier')}: the size of a layer is damaged")
        shape = height, width
        if layer.get("__type") == "IntGrid":
            cells[uid, INTS] = _ints(layer.get(INTS), shape)
        for key in (GRID, AUTO):
            if layer.get(key) or layer.get("__type") in ("Tiles", "IntGrid", "AutoLayer"):
                cells[uid, key] = _piled(tables(layer.get(key)), shape, size, piles)
    return cells


def _ints(listed: Any, shape: tuple[int, int]) -> CellNumbers:
    try:
        return np.array(listed, np.int64).reshape(shape)
    except (ValueError, TypeError, OverflowError):
        raise CannotMerge("an IntGrid does not have a value for each cell") from None


def _piled(listed: list[dict[str, Any]], shape: tuple[int, int], size: int, piles: Piles) -> CellNumbers:
    height, width = shape
    by_cell: dict[tuple[int, int], list[tuple[Any, ...]]] = defaultdict(list)
    try:
        for tile in listed:
            left, top = tile["px"]
            *rules, at = tile["d"] or [left // size + top // size * width]
            y, x = divmod(at, width)
            src = tuple(tile["src"])
            drawn = (
                left - x * size,
                top - y * size,
                src,
                tile["f"],
                tile["t"],
                tuple(rules),
                tile.get("a", 1),
            )
            by_cell[y, x].append(drawn)
        numbers = np.zeros(shape, np.int64)
        for (y, x), pile in by_cell.items():
            if 0 <= y < height:
                numbers[y, x] = piles.number(tuple(pile))
    except (KeyError, ValueError, TypeError, IndexError):
        raise CannotMerge("a tile of a layer is damaged") from None
    return numbers


def put_cells(layer: dict[str, Any], key: str, cells: CellNumbers, piles: Piles) -> None:
    """Write an array of the layer's size into a layer, keeping the order of tiles from rules."""
    if key == INTS:
        layer[key] = cells.ravel().tolist()
        return
    size, width = layer["__gridSize"], cells.shape[1]
    tiles = []
    for y, x in np.argwhere(cells).tolist():
        tiles += piles.tiles(int(cells[y, x]), x, y, width, size)
    layer[key] = tiles
