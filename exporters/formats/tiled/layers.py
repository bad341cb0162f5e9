"""Tile layers in Tiled's encodings.

A tile is 0 for no tile, else 1 + its atlas index, because the map has one tileset with the first gid 1. No
atlas has so many tiles that a number would rotate or flip its tile.
"""

from __future__ import annotations

from exporters.dress import EMPTY, TileLayer
from exporters.formats.tiled.syntax import data as tiled_data
from generator.errors import BadInput

FIRST_GID = 1  # of a map's only tileset


def encoded(layer: TileLayer, encoding: str) -> dict[str, object]:
    """The keys of a layer that hold its tiles. Raises BadInput if this machine cannot write the encoding."""
    gids = (layer - EMPTY).astype("u4")
    if encoding == "csv":
        return {"data": tiled_data.encoded(gids, "csv", "")}
    compression = "" if encoding == "base64" else encoding
    try:
        data = tiled_data.encoded(gids, "base64", compression)
    except tiled_data.TileDataError as error:
        raise BadInput(f"tiled.encoding: {error}") from None
    return {"compression": compression, "data": data, "encoding": "base64"}
