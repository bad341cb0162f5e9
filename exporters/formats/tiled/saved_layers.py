"""The layers of a map saved in Tiled, and their tiles, whole or in the chunks of an infinite map.

    "chunks": [{"x": -16, "y": 0, "width": 16, "height": 16, "data": ...}]

(https://doc.mapeditor.org/en/stable/reference/json-map-format/)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from exporters.formats.tiled.syntax.data import TileDataError, decoded
from generator.node import LayoutNode

_FAR = 1 << 20
_MAX_CHUNKS = 1 << 12
_MAX_LAYERS = 256  # in one list
_MAX_DEPTH = 16


class PlacedLayer(NamedTuple):
    """A layer taken out of its groups, and their total offset in px."""

    node: LayoutNode
    x: float
    y: float


def placed_layers(holder: LayoutNode, *, without: str = "") -> Iterator[PlacedLayer]:
    """The layers of a map, lowest first, except those in a group of the name `without`."""
    yield from _placed(holder, 0.0, 0.0, 0, without)


def _placed(holder: LayoutNode, x: float, y: float, depth: int, without: str) -> Iterator[PlacedLayer]:
    if depth > _MAX_DEPTH:
        holder.fail("has groups nested too deeply; ungroup some")
    for node in holder.list("layers", _MAX_LAYERS):
        at = x + node.real("offsetx"), y + node.real("offsety")
        if node.word("type") != "group":
            yield PlacedLayer(node, *at)
        elif not without or node.word("name") != without:
            yield from _placed(node, *at, depth + 1, without)


class TileBudget(Protocol):
    """Counts the tiles that are read, and refuses too many."""

    def spend(self, tiles: int, node: LayoutNode) -> None:
        """Count tiles that are about to be read."""


class Part(NamedTuple):
    """A rectangle of a layer's tiles: its corner, and the gids [y, x] with all bits."""

    x: int
    y: int
    numbers: npt.NDArray[np.int64]


def parts_of(layer: LayoutNode, files: TileBudget, most_side: int) -> Iterator[Part]:
    """The parts of a tile layer that hold tiles; only one unless the map is infinite."""
    encoding = layer.word("encoding", "csv")
    compression = layer.word("compression")
    pieces = layer.list("chunks", _MAX_CHUNKS) or [layer]
    if layer.get("chunks") is None and layer.get("data") is None:
        return
    for piece in pieces:
        x, y = (piece.whole(key, -_FAR, _FAR, 0) for key in ("x", "y"))
        width, height = (piece[key].number(1, most_side) for key in ("width", "height"))
        files.spend(width * height, piece)
        data = piece["data"]
        try:
            gids = decoded(data.value, encoding, compression, width * height)
        except TileDataError as error:
            data.fail(str(error))
        if gids.any():
            yield Part(x, y, gids.astype(np.int64).reshape(height, width))
