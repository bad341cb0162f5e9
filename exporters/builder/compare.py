"""Whether two files have the same content. Other library versions may compress it to different bytes.

PNG images are compared by their pixels, and Tiled maps with their layer data unpacked. All other files
are compared byte by byte.
"""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from exporters.syntax.tiled_data import TileDataError, decoded
from generator.errors import ThemeError

_MOST_LAYERS = 10_000


def same_content(name: str, ours: bytes, theirs: bytes) -> bool:
    """Whether `theirs`, which is not trusted, has the content of `ours`; `name` gives the format."""
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
    """Both the text without packed data and the unpacked data must be equal."""
    mine, others = list(_packed(ours)), list(_packed(theirs))
    if not mine or [layer.form for layer in mine] != [layer.form for layer in others]:
        return False
    for layer, other in zip(mine, others, strict=True):
        compression, width, height = layer.form
        try:
            a, b = (decoded(each.data, "base64", compression, width * height) for each in (layer, other))
        except TileDataError:
            return False
        if not np.array_equal(a, b):
            return False
    return _without(ours, mine) == _without(theirs, others)


class _PackedLayer(NamedTuple):
    """A layer's compression, width and height, and its data."""

    form: tuple[str, Any, Any]
    data: str


def _packed(data: bytes) -> Iterator[_PackedLayer]:
    """The packed tile layers, in file order."""
    try:
        layers = json.loads(data)["layers"]
        for layer in layers[:_MOST_LAYERS]:
            if layer.get("encoding") == "base64":
                form = str(layer.get("compression", "")), layer["width"], layer["height"]
                yield _PackedLayer(form, str(layer["data"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return


def _without(data: bytes, layers: list[_PackedLayer]) -> bytes:
    for layer in layers:
        data = data.replace(layer.data.encode(), b"", 1)
    return data
