"""The tiles of a Tiled layer or chunk, read and written in every form in which Tiled stores them.

    "data": [                      "encoding": "base64", "compression": "zlib",
    0,0,17,17,                     "data": "eJxjYGBgAAAABAAB"
    0,0,3,4
    ],                             u32, little endian, row by row; gzip, zstd, or "" for no compression

In XML, numbers are a text with the encoding `csv`. A number is a gid, 0 for no tile; its highest four bits
rotate and flip the tile. What is written and read again is equal. Packed data is never unpacked beyond the
size that it should have. (`docs/reference/global-tile-ids.rst` and `json-map-format.rst` of Tiled.)
"""

from __future__ import annotations

import base64
import binascii
import gzip
import importlib
import string
import zlib
from array import array
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from types import ModuleType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from generator.errors import shown
from generator.named_tuple import NamedTuple
from generator.node import LayoutNode

Gids = npt.NDArray[np.uint32]

TURNED = 0xF000_0000
"""The bits of a gid that rotate and flip its tile."""

_MAX_GID = 0xFFFF_FFFF
_NO_SPACE = dict.fromkeys(map(ord, string.whitespace))
_LINE_END = np.frombuffer(b"\n" + bytes(7), np.uint8)
_BAND = 1 << 16  # tiles written at once, so that memory does not grow with the layer
_TABLE_BITS = 20  # of numbers whose texts are in a table, at most


class TileDataError(Exception):
    """Tiles that cannot be read or written here; the message continues a sentence about them."""


# --- reading -----------------------------------------------------------------------------------------


def decoded(data: object, encoding: str, compression: str, count: int) -> Gids:
    """The `count` gids of a layer or a chunk, row by row. Raises TileDataError if they are damaged."""
    if isinstance(data, list):
        return _numbers(data, count)
    if not isinstance(data, str):
        raise TileDataError(f"{shown(data)} is neither a list nor text; save the map again in Tiled")
    if encoding == "csv":
        return _listed(data, count)
    if encoding != "base64":
        raise TileDataError(f"unknown encoding {shown(encoding)}; save the map as CSV or base64")
    plain = unpacked(data, compression, 4 * count)
    if len(plain) != 4 * count:
        raise TileDataError(
            f"has {len(plain)} bytes, not 4 for each of {count} tiles; save the map again in Tiled"
        )
    return np.frombuffer(plain, "<u4").astype(np.uint32)


def unpacked(data: str, compression: str, size: int) -> bytes:
    """The bytes in a base64 text, which should be `size`; never more than one more."""
    try:
        packed = base64.b64decode(data.translate(_NO_SPACE), validate=True)
    except (binascii.Error, ValueError):
        raise TileDataError("is not base64; save the map again in Tiled") from None
    if not compression:
        return packed
    if compression not in ("zlib", "gzip", "zstd"):
        raise TileDataError(
            f"unknown compression {shown(compression)}; save the map as CSV, zlib, gzip or zstd"
        )
    failed: type[Exception] = zlib.error
    try:
        if compression == "zstd":
            module = _zstd()
            failed = module.ZstdError
            return bytes(module.ZstdDecompressor().decompress(packed, size + 1))
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(packed, size + 1)
    except failed as error:
        raise TileDataError(f"cannot be unpacked: {error}; save the map again in Tiled") from None


def _numbers(values: list[Any], count: int) -> Gids:
    if len(values) != count:
        raise TileDataError(f"has {len(values)} entries, not {count}; save the map again in Tiled")
    if set(map(type, values)) <= {int}:
        with suppress(OverflowError):  # in half of the time of numpy
            return np.frombuffer(array("I", values), np.uint32)
    at, wrong = next(
        (at, gid) for at, gid in enumerate(values) if type(gid) is not int or not 0 <= gid <= _MAX_GID
    )
    raise TileDataError(f"entry {at}: {shown(wrong)} is not a whole number from 0 to {_MAX_GID}")


def _listed(data: str, count: int) -> Gids:
    """Comma-separated numbers, as in XML."""
    texts = [text.strip() for text in data.split(",", count)]
    if len(texts) != count or not all(text.isascii() and text.isdigit() and len(text) < 11 for text in texts):
        raise TileDataError(f"is not a list of {count} tile numbers; save the map again in Tiled")
    return _numbers([int(text) for text in texts], count)


# --- writing -----------------------------------------------------------------------------------------


def encoded(gids: Gids, encoding: str, compression: str) -> bytes:
    """Tiles [y, x] as JSON: a list with one line per row, or a text if the encoding is base64.

    Raises TileDataError if this machine cannot write the compression.
    """
    if encoding != "base64":
        return b"".join((b"[\n", *_rows(gids), b"]"))
    return b'"' + base64.b64encode(_packed(gids.astype("<u4").tobytes(), compression)) + b'"'


def _packed(data: bytes, compression: str) -> bytes:
    if compression == "gzip":
        return gzip.compress(data, mtime=0)
    if compression == "zlib":
        return zlib.compress(data)
    return bytes(_zstd().compress(data)) if compression else data


def _rows(gids: Gids) -> Iterator[bytes]:
    """The gids as text, one line per row.

    Each comes from a table, right-aligned in a machine word; then blank bytes are dropped.
    """
    height, width = gids.shape
    bits = int(gids.max(initial=0)).bit_length()
    if bits > _TABLE_BITS:  # turned tiles
        yield ",\n".join(",".join(map(str, row)) for row in gids.tolist()).encode() + b"\n"
        return
    table = _texts(bits)
    step = max(1, _BAND // max(1, width))
    for top in range(0, height, step):
        band = gids[top : top + step]
        words = np.full((len(band), width + 1), _LINE_END.view(table.dtype)[0])
        words[:, :-1] = table[band]
        if top + step >= height:
            last = words[-1:, -2].view(np.uint8)
            last[last == ord(",")] = 0
            words[-1, -2] = last.view(table.dtype)[0]
        yield words.tobytes().translate(None, b"\0")


@lru_cache(maxsize=4)
def _texts(bits: int) -> npt.NDArray[np.uint32] | npt.NDArray[np.uint64]:
    """[number]: the text of every number of `bits` bits with a comma, as bytes padded with 0."""
    numbers = np.arange(1 << bits)
    digits = len(str(numbers[-1]))
    table = np.zeros((len(numbers), 4 if digits < 4 else 8), np.uint8)
    for place in range(digits):
        seen = (numbers >= 10**place) | (place == 0)
        table[:, digits - 1 - place] = np.where(seen, ord("0") + numbers // 10**place % 10, 0)
    table[:, digits] = ord(",")
    return table.view(np.uint32)[:, 0] if digits < 4 else table.view(np.uint64)[:, 0]


def _zstd() -> ModuleType:
    """Python's own module from 3.14 on, else that of its backport."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    from generator.installed import install_command

    remedy = f"run {install_command('zstd')}, or choose zlib"
    raise TileDataError(f"zstd needs Python 3.14 or the package backports.zstd; {remedy}")


# --- the layers of a saved map, with their tiles whole or in the chunks of an infinite map -----------
#
#     "chunks": [{"x": -16, "y": 0, "width": 16, "height": 16, "data": ...}]
#
# (https://doc.mapeditor.org/en/stable/reference/json-map-format/)

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
