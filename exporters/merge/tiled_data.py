"""The tiles of a Tiled layer: read from any encoding, and written in the same one.

    "data": [0, 17, 17, ...]                                           csv
    "data": "eJxjYGBg...", "encoding": "base64", "compression": "zlib"    or gzip, zstd, or "" for none

(`docs/reference/json-map-format.rst` of Tiled.) Compressed data is never unpacked beyond the expected size.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.formats.tiled.layers import zstd
from exporters.merge.outcome import CannotMerge
from generator.errors import BadInput

Gids = npt.NDArray[np.uint32]

MAX_TILES = 1 << 26


def decoded(layer: dict[str, Any]) -> Gids:
    """[y, x]: the gids of a tile layer. Raises CannotMerge if it is damaged."""
    width: Any = layer.get("width")
    height: Any = layer.get("height")
    if not (_is_size(width) and _is_size(height)) or width * height > MAX_TILES:
        raise CannotMerge(f"{_name(layer)} has no valid size")
    if "chunks" in layer:
        raise CannotMerge("the map was made infinite; clear Infinite in its properties")
    count = width * height
    data: Any = layer.get("data")
    try:
        if layer.get("encoding") == "base64":
            packed = base64.b64decode(data, validate=True)
            found = np.frombuffer(_unpacked(packed, layer.get("compression", ""), 4 * count), "<u4")
        else:
            found = np.array(data, np.uint32) if isinstance(data, list) else np.zeros(0, np.uint32)
    except (ValueError, TypeError, OverflowError, binascii.Error, zlib.error):
        raise CannotMerge(f"{_name(layer)} has damaged tiles") from None
    if found.shape != (count,):
        raise CannotMerge(f"{_name(layer)} has {found.size} tiles, not {width} × {height}")
    return found.astype(np.uint32).reshape(height, width)


def encoded(gids: Gids, layer: dict[str, Any]) -> object:
    """The value of `data` in the encoding of a layer: rows of gids as JSON, or a text."""
    if layer.get("encoding") != "base64":
        rows = (",".join(map(str, row)) for row in gids.tolist())
        return ("[\n" + ",\n".join(rows) + "]").encode()
    data = gids.astype("<u4").tobytes()
    return base64.b64encode(_packed(data, layer.get("compression", ""))).decode()


def _unpacked(data: bytes, compression: object, size: int) -> bytes:
    if compression == "":
        return data
    if compression in ("zlib", "gzip"):
        return zlib.decompressobj(47).decompress(data, size + 1)
    if compression != "zstd":
        raise CannotMerge(f"unknown compression {compression!r}")
    try:
        module = zstd()
    except BadInput as error:
        raise CannotMerge(f"its tiles are compressed with zstd: {error}") from None
    try:
        return bytes(module.ZstdDecompressor().decompress(data, size + 1))
    except module.ZstdError:
        raise ValueError from None


def _packed(data: bytes, compression: object) -> bytes:
    if compression == "zlib":
        return zlib.compress(data)
    if compression == "gzip":
        return gzip.compress(data, mtime=0)
    return bytes(zstd().compress(data)) if compression == "zstd" else data


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_TILES


def _name(layer: dict[str, Any]) -> str:
    return f"layer {str(layer.get('name', ''))[:60]}"
