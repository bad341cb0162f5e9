"""The tiles of a layer of Tiled: `data` as a list or as text, compressed or not, or in chunks.

    "data": [1, 1, 2, 0]                                            csv
    "encoding": "base64", "compression": "zlib", "data": "eJxj..."  u32, little endian; "", gzip, zlib, zstd
    "chunks": [{"x": -16, "y": 0, "width": 16, "height": 16, "data": ...}]       of an infinite map

The highest four bits of a number give its tile's rotation.
(https://doc.mapeditor.org/en/stable/reference/json-map-format/)
"""

from __future__ import annotations

import base64
import binascii
import importlib
import zlib
from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from generator.errors import shown
from generator.interiors.drawn.files import LayoutNode
from generator.interiors.drawn.room import MAX_SIDE, TileNumbers

TURNED = 0xF000_0000
_FAR = 1 << 20
_MAX_CHUNKS = 1 << 12


class TileBudget(Protocol):
    """Counts the tiles that are read, and refuses too many."""

    def spend(self, tiles: int, node: LayoutNode) -> None:
        """Count tiles that are about to be read."""


class Part(NamedTuple):
    """A rectangle of a layer's tiles: its corner, and the numbers [y, x] with all bits."""

    x: int
    y: int
    numbers: TileNumbers


def parts_of(layer: LayoutNode, files: TileBudget, most_side: int = MAX_SIDE) -> Iterator[Part]:
    """Yield the parts of a tile layer that hold tiles, which is only one unless the map is infinite."""
    encoding = layer.word("encoding", "csv")
    compression = layer.word("compression")
    pieces = layer.list("chunks", _MAX_CHUNKS) or [layer]
    if layer.get("chunks") is None and layer.get("data") is None:
        return
    for piece in pieces:
        x, y = (piece.whole(key, -_FAR, _FAR, 0) for key in ("x", "y"))
        width, height = (piece[key].number(1, most_side) for key in ("width", "height"))
        files.spend(width * height, piece)
        numbers = _numbers(piece["data"], encoding, compression, width * height)
        if numbers.any():
            yield Part(x, y, numbers.reshape(height, width))


def _numbers(data: LayoutNode, encoding: str, compression: str, count: int) -> TileNumbers:
    """Read the `count` tile numbers of a layer."""
    if isinstance(data.value, list):
        return whole_numbers(data, count, 0xFFFF_FFFF)
    if not isinstance(data.value, str):
        data.fail(f"{shown(data.value)} is neither a list nor text; save the map again in Tiled")
    if encoding == "csv":
        return _listed(data, count)
    if encoding != "base64":
        data.fail(f"unknown encoding {shown(encoding)}; save the map as CSV or base64")
    try:
        packed = base64.b64decode("".join(data.value.split()), validate=True)
    except (binascii.Error, ValueError):
        data.fail("is not base64; save the map again in Tiled")
    plain = _unpacked(data, packed, compression, 4 * count)
    if len(plain) != 4 * count:
        data.fail(f"has {len(plain)} bytes, not 4 for each of {count} tiles; save the map again in Tiled")
    return np.frombuffer(plain, "<u4").astype(np.int64)


def whole_numbers(data: LayoutNode, count: int, most: int) -> TileNumbers:
    """Read a list of `count` whole numbers from 0 to `most`."""
    values = data.value
    if not isinstance(values, list):
        data.fail(f"{shown(values)} is not a list; save the file again")
    if len(values) != count:
        data.fail(f"has {len(values)} entries, not {count}; save the file again")
    if not all(type(value) is int and 0 <= value <= most for value in values):
        data.numbers(count, 0, most)  # names the wrong one
    return np.array(values, np.int64)


def _listed(data: LayoutNode, count: int) -> TileNumbers:
    """Parse comma-separated numbers, as in .tmx."""
    texts = data.value.split(",", count)
    plain = [text.strip() for text in texts]
    if len(plain) != count or not all(text.isascii() and text.isdigit() and len(text) < 11 for text in plain):
        data.fail(f"is not a list of {count} tile numbers; save the map again in Tiled")
    return np.array([int(text) for text in plain], np.int64)


def _unpacked(data: LayoutNode, packed: bytes, compression: str, size: int) -> bytes:
    """Unpack the bytes of a layer, which should be `size`. It never unpacks many more."""
    if not compression:
        return packed
    if compression == "zstd":
        return _unpacked_zstd(data, packed, size)
    if compression not in ("zlib", "gzip"):
        data.fail(f"unknown compression {shown(compression)}; save the map as CSV, zlib, gzip or zstd")
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(packed, size + 1)
    except zlib.error as error:
        data.fail(f"cannot be unpacked: {error}; save the map again in Tiled")


def _unpacked_zstd(data: LayoutNode, packed: bytes, size: int) -> bytes:
    """Unpack with Python's own module from 3.14 on, otherwise with the package that backports it."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            zstd = importlib.import_module(name)
            break
        except ImportError:
            continue
    else:
        data.fail("is compressed with zstd; `pip install 'undercroft[zstd]'`, or save the map as zlib")
    try:
        return bytes(zstd.ZstdDecompressor().decompress(packed, size + 1))
    except zstd.ZstdError as error:
        data.fail(f"cannot be unpacked: {error}; save the map again in Tiled")
