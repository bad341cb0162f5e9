"""The cells of a layer in a scene, as each Godot version packs them; see `write_layers.py` beside this."""

from __future__ import annotations

import base64
import binascii
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from exporters.formats.godot.read_nodes import TreeNode
from exporters.formats.godot.syntax.sections import Built
from exporters.formats.godot.write_layers import CELL
from exporters.formats.godot.write_tileset import tile_table
from exporters.reading.files import ExportFiles
from exporters.theme import Theme
from generator.arrays import Ints
from generator.errors import LayoutError
from generator.named_tuple import NamedTuple

_MAX_CELLS = 1 << 23
_FLIPPED = 0x7000  # in an alternative: TRANSFORM_FLIP_H, FLIP_V and TRANSPOSE of TileSetAtlasSource
_FLIPPED_3 = 0xE000_0000  # in an id
_ERASED = 0xFFFF  # the source of an erased cell that Godot still stores
_NOWHERE = -1  # for a place outside the theme's image


class SceneCells(NamedTuple):
    """Cells: their places, atlas indexes and sources, and whether each is flipped or rotated."""

    xs: Ints
    ys: Ints
    indexes: Ints
    sources: Ints
    turned: npt.NDArray[np.bool_]


def cells_of(node: TreeNode, theme: Theme, files: ExportFiles) -> SceneCells:
    """Read the cells of a TileMapLayer or TileMap. Raises LayoutError for a node without cells."""

    def fail(problem: str) -> NoReturn:
        raise LayoutError(f"{files.where(node.path)}: {problem}; save it again in Godot")

    for key, reader in (
        ("tile_map_data", _godot_4_3),
        ("layer_0/tile_data", _godot_4_2),
        ("tile_data", _godot_3),
    ):
        data = node.properties.get(key)
        if isinstance(data, Built):
            try:
                return reader(data, theme)
            except (ValueError, OverflowError, binascii.Error) as error:
                fail(f"{key}: {error}")
    none = np.zeros(0, np.int64)
    return SceneCells(none, none, none, none, none.astype(bool))


def _godot_4_3(data: Built, theme: Theme) -> SceneCells:
    if data.args and isinstance(data.args[0], str):
        raw = base64.b64decode(data.args[0], validate=True)
    else:
        raw = bytes(map(int, data.numbers(2 + CELL.itemsize * _MAX_CELLS)))
    size, left = divmod(len(raw) - 2, CELL.itemsize) if raw else (0, 0)
    if left or size > _MAX_CELLS or (raw and raw[:2] != b"\0\0"):
        raise ValueError(f"{len(raw)} bytes are not two plus {CELL.itemsize} per cell")
    cells = np.frombuffer(raw[2:], CELL)
    cells = cells[cells["source"] != _ERASED]
    columns, rows = (cells[name].astype(np.int64) for name in ("column", "row"))
    turned = (cells["alt"] & _FLIPPED) != 0
    return _cells(cells["x"], cells["y"], columns, rows, cells["source"], turned, theme)


def _triples(data: Built) -> Ints:
    """Convert the data to triples [cell, 3], int32."""
    numbers = np.array(data.numbers(3 * _MAX_CELLS), np.int64)
    if len(numbers) % 3:
        raise ValueError(f"{len(numbers)} numbers are not three per cell")
    return numbers.reshape(-1, 3) & 0xFFFF_FFFF


def _place(first: Ints) -> tuple[Ints, Ints]:
    """Split a number into x and y, 16 bits each, signed."""
    x, y = (
        (half & 0xFFFF).astype(np.uint16).astype(np.int16).astype(np.int64) for half in (first, first >> 16)
    )
    return x, y


def _godot_4_2(data: Built, theme: Theme) -> SceneCells:
    triples = _triples(data)
    first, second, third = triples[triples[:, 1] & 0xFFFF != _ERASED].T
    xs, ys = _place(first)
    turned = (third >> 16 & _FLIPPED) != 0
    return _cells(xs, ys, second >> 16, third & 0xFFFF, second & 0xFFFF, turned, theme)


def _godot_3(data: Built, theme: Theme) -> SceneCells:
    """Read cells of Godot 3. An id is that of a tile of the TileSet. Several share the theme's image."""
    first, second, third = _triples(data).T
    xs, ys = _place(first)
    columns, rows = third & 0xFFFF, third >> 16
    cells = _cells(xs, ys, columns, rows, second & ~np.int64(_FLIPPED_3), (second & _FLIPPED_3) != 0, theme)
    known = tile_table(theme).ids
    return cells._replace(
        sources=np.where(cells.indexes >= 0, cells.sources - known[cells.indexes], _NOWHERE)
    )


def _cells(
    xs: npt.NDArray[np.integer],
    ys: npt.NDArray[np.integer],
    columns: Ints,
    rows: Ints,
    sources: npt.NDArray[np.integer],
    turned: npt.NDArray[np.bool_],
    theme: Theme,
) -> SceneCells:
    inside = (columns < theme.columns) & (rows < theme.rows)
    indexes = np.where(inside, rows * theme.columns + columns, _NOWHERE)
    own = np.where(inside, sources.astype(np.int64), _NOWHERE)
    return SceneCells(xs.astype(np.int64), ys.astype(np.int64), indexes, own, turned)
