"""Tile layers in Tiled's encodings.

A tile is a gid: 0 for no tile, else 1 + its atlas index, because the map has one tileset with the first gid
1. The highest four bits would rotate or flip the tile. No atlas has that many tiles, so they are never set.

    "data": [                      "encoding": "base64", "compression": "zlib",
    0,0,17,17,                     "data": "eJxjYGBgAAAABAAB"
    0,0,3,4
    ],                             u32, little endian, row by row; "" for no compression

(`docs/reference/global-tile-ids.rst` of Tiled.)
"""

from __future__ import annotations

import base64
import importlib
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import ModuleType

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, TileLayer
from generator.errors import BadInput

FIRST_GID = 1  # of a map's only tileset

_LINE_END = np.frombuffer(b"\n" + bytes(7), np.uint8)
_BAND = 1 << 16  # tiles encoded at once, so that memory does not grow with the level


def encoded(layer: TileLayer, encoding: str) -> dict[str, object]:
    """Encode a layer's tiles as keys. Raises BadInput if this machine cannot write the encoding."""
    if encoding == "csv":
        return {"data": b"".join((b"[\n", *_rows(layer), b"]"))}
    compression = "" if encoding == "base64" else encoding
    data = base64.b64encode(_packer(encoding)((layer - EMPTY).astype("<u4").tobytes()))
    return {"compression": compression, "data": b'"' + data + b'"', "encoding": "base64"}


def _rows(layer: TileLayer) -> Iterator[bytes]:
    """Yield the gids as text, one line per row.

    Each comes from a table, right-aligned in a machine word; then blank bytes are dropped.
    """
    height, width = layer.shape
    table = _texts(int(layer.max(initial=EMPTY) - EMPTY).bit_length())
    step = max(1, _BAND // max(1, width))
    for top in range(0, height, step):
        band = layer[top : top + step]
        words = np.full((len(band), width + 1), _LINE_END.view(table.dtype)[0])
        words[:, :-1] = table[band - EMPTY]
        if top + step >= height:
            last = words[-1:, -2].view(np.uint8)
            last[last == ord(",")] = 0
            words[-1, -2] = last.view(table.dtype)[0]
        yield words.tobytes().translate(None, b"\0")


@lru_cache(maxsize=4)
def _texts(bits: int) -> npt.NDArray[np.uint32] | npt.NDArray[np.uint64]:
    """Return the text of every number of `bits` bits with a comma, [number], as bytes padded with 0."""
    numbers = np.arange(1 << bits)
    digits = len(str(numbers[-1]))
    table = np.zeros((len(numbers), 4 if digits < 4 else 8), np.uint8)
    for power in range(digits):
        seen = (numbers >= 10**power) | (power == 0)
        table[:, digits - 1 - power] = np.where(seen, ord("0") + numbers // 10**power % 10, 0)
    table[:, digits] = ord(",")
    return table.view(np.uint32)[:, 0] if digits < 4 else table.view(np.uint64)[:, 0]


def _packer(encoding: str) -> Callable[[bytes], bytes]:
    if encoding == "base64":
        return bytes
    if encoding == "zlib":
        return zlib.compress
    compress = zstd().compress
    return lambda data: bytes(compress(data))


def zstd() -> ModuleType:
    """Import Python's own module from 3.14 on, or else that of its backport."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    remedy = "pip install 'undercroft[zstd]', or choose zlib"
    raise BadInput(f"tiled.encoding: zstd needs Python 3.14 or the package backports.zstd; {remedy}")
