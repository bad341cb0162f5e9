"""The tiles of a layer of Tiled that somebody saved, whole or in the chunks of an infinite map.

    "chunks": [{"x": -16, "y": 0, "width": 16, "height": 16, "data": ...}]

(https://doc.mapeditor.org/en/stable/reference/json-map-format/)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from exporters.syntax.tiled_data import TileDataError, decoded
from generator.level_node import LayoutNode

_FAR = 1 << 20
_MOST_CHUNKS = 1 << 12


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
    pieces = layer.list("chunks", _MOST_CHUNKS) or [layer]
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
