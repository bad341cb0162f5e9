"""Whether two files have the same content. Other library versions may compress it to different bytes.

PNG images are compared by their pixels, and Tiled maps with their layer data unpacked. All other files
are compared byte by byte.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from generator.errors import ThemeError

_MAX_LAYERS = 10_000


def same_content(name: str, ours: bytes, theirs: bytes) -> bool:
    """Return whether the untrusted `theirs` has the content of `ours`. `name` gives the format."""
    if ours == theirs:
        return True
    if name.endswith(".png"):
        return _same_pixels(ours, theirs)
    if name.endswith(".tmj"):
        return _same_map(ours, theirs)
    return False


def _same_pixels(ours: bytes, theirs: bytes) -> bool:
    from PIL import Image

    from exporters.theme.file import any_png_size

    most, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None  # a large level has more
    try:
        if any_png_size(ours, "") != any_png_size(theirs, ""):  # before decoding: only ours is of a safe size
            return False
        images = [Image.open(io.BytesIO(data), formats=["PNG"]) for data in (ours, theirs)]
        pixels = [image.convert("RGBA").tobytes() for image in images]
        return images[0].mode == images[1].mode and pixels[0] == pixels[1]
    except (ThemeError, OSError, ValueError, SyntaxError, zlib.error):
        return False
    finally:
        Image.MAX_IMAGE_PIXELS = most


def _same_map(ours: bytes, theirs: bytes) -> bool:
    """Return whether both the text without packed data and the unpacked data are equal."""
    our_layers, their_layers = list(_packed(ours)), list(_packed(theirs))
    if not our_layers or [layer[0] for layer in our_layers] != [layer[0] for layer in their_layers]:
        return False
    for (compression, text), (_, their_text) in zip(our_layers, their_layers, strict=True):
        data = _unpacked(compression, text, None)
        if data is None or _unpacked(compression, their_text, len(data)) != data:
            return False
    return _without(ours, our_layers) == _without(theirs, their_layers)


def _packed(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the compression and the data of each tile layer, in file order."""
    try:
        layers = json.loads(data)["layers"]
        for layer in layers[:_MAX_LAYERS]:
            if layer.get("encoding") == "base64":
                yield str(layer.get("compression", "")), str(layer["data"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return


def _without(data: bytes, layers: list[tuple[str, str]]) -> bytes:
    for _, text in layers:
        data = data.replace(text.encode(), b"", 1)
    return data


def _unpacked(compression: str, text: str, most: int | None) -> bytes | None:
    """Unpack a layer's bytes, at most `most`. None if the data is damaged or longer."""
    try:
        packed = base64.b64decode(text, validate=True)
        data = (
            packed if not compression else _UNPACKERS[compression](packed, -1 if most is None else most + 1)
        )
    except (binascii.Error, KeyError, ValueError, zlib.error):
        return None
    return data if most is None or len(data) <= most else None


def _zlib(packed: bytes, most: int) -> bytes:
    return zlib.decompressobj().decompress(packed, max(0, most))


def _gzip(packed: bytes, most: int) -> bytes:
    return zlib.decompressobj(wbits=31).decompress(packed, max(0, most))


def _zstd(packed: bytes, most: int) -> bytes:
    from exporters.formats.tiled.layers import zstd

    module: Any = zstd()
    try:
        unpacked: bytes = module.ZstdDecompressor().decompress(packed, max_length=most)
    except module.ZstdError as error:
        raise ValueError(str(error)) from None
    return unpacked


_UNPACKERS: dict[str, Callable[[bytes, int], bytes]] = {"zlib": _zlib, "gzip": _gzip, "zstd": _zstd}
