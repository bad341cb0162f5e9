"""The level as one picture: `NAME.png`, the tile layers only, animation frame 0, void transparent.

The picture is made and packed band by band, so that memory does not grow with the level's height.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from exporters.dress import EMPTY, Layer
from exporters.theme import AtlasIndex, Theme
from exporters.theme.image import Pixels, atlas_pixels
from generator.errors import BadInput, shown
from generator.level import Level, Marker
from generator.values import Value

_BAND_BYTES = 1 << 24  # of pixels worked on at once
_MOST_SIDE_PX = 65_535  # what programs that show pictures put up with
_ICON_PROPERTIES = ("role", "item", "tier")  # the first of these that a marker's icon is known for


def _export(job: Job) -> Bundle:
    scale = int(job.options["scale"])
    size = tuple(side * job.theme.tile_size * scale for side in (job.level.width, job.level.height))
    if max(size) > _MOST_SIDE_PX:
        raise BadInput(f"png.scale: {scale} makes {size[0]} x {size[1]} px; at most {_MOST_SIDE_PX} a side")
    background = _colour(str(job.options["background"]))
    layers: list[Layer] = list(job.layers)
    if job.options["markers"]:
        layers.append(icon_layer(job.level, job.theme))
    bands = composed(layers, job.theme, background)
    scaled = (band.repeat(scale, axis=0).repeat(scale, axis=1) for band in bands)
    return Bundle({f"{job.name}.png": png_bytes(size[0], size[1], scaled)})


def _colour(text: str) -> tuple[int, int, int, int]:
    """RGBA of `#rrggbb`; transparent for an empty text."""
    if not text:
        return 0, 0, 0, 0
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        raise BadInput(f"png.background: {shown(text)} is no colour; give #rrggbb, or nothing")
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue, 255


def icon_layer(level: Level, theme: Theme) -> Layer:
    """[y, x]: the icon of the last marker on each tile, EMPTY where there is none."""
    layer = np.full(level.terrain.shape, EMPTY, np.int32)
    for marker in level.markers:
        icon = _icon(marker, theme)
        if icon is not None:
            layer[marker.y, marker.x] = icon
    return layer


def _icon(marker: Marker, theme: Theme) -> AtlasIndex | None:
    """The icon of `KIND_VARIANT` if the theme has one for the marker's role, item or tier; else of KIND."""
    for name in _ICON_PROPERTIES:
        icon = theme.icons.get(f"{marker.kind}_{marker.properties.get(name)}")
        if icon is not None:
            return icon
    return theme.icons.get(marker.kind)


def cut_atlas(theme: Theme, indexes: Sequence[AtlasIndex]) -> Pixels:
    """[n, tile, tile, 4]: the pixels of some tiles. Raises ThemeError if the image cannot be decoded."""
    atlas, size = atlas_pixels(theme), theme.tile_size
    tiles = np.empty((len(indexes), size, size, 4), np.uint8)
    for tile, index in zip(tiles, indexes, strict=True):
        x, y = theme.at_px(index)
        tile[...] = atlas[y : y + size, x : x + size]
    return tiles


def composed(
    layers: Sequence[Layer], theme: Theme, background: tuple[int, int, int, int]
) -> Iterator[Pixels]:
    """The layers over one another and a background, as bands [rows, width, 4] of px from top to bottom."""
    used = np.unique(np.concatenate([layer.ravel() for layer in layers]))
    used = used[used != EMPTY]
    atlas = cut_atlas(theme, used.tolist())
    # Tiles with half transparent pixels take the long way.
    soft = np.array([bool((tile[..., 3] % 255).any()) for tile in atlas], bool)  # [n]
    size = theme.tile_size
    height, width = layers[0].shape
    rows = max(1, _BAND_BYTES // (width * size * size * 4))
    for top in range(0, height, rows):
        numbers = [np.searchsorted(used, layer[top : top + rows]) for layer in layers]
        seen = [layer[top : top + rows] != EMPTY for layer in layers]
        tiles = np.empty((*seen[0].shape, size, size, 4), np.uint8)
        tiles[...] = background
        for number, where in zip(numbers, seen, strict=True):
            _draw(tiles, number, where, atlas, soft)
        yield tiles.swapaxes(1, 2).reshape(-1, width * size, 4)


def _draw(
    tiles: Pixels,
    numbers: npt.NDArray[np.intp],
    seen: npt.NDArray[np.bool_],
    atlas: Pixels,
    soft: npt.NDArray[np.bool_],
) -> None:
    """Draw one layer onto `tiles` [y, x, tile, tile, 4]; `numbers` [y, x] are places in `atlas`."""
    chosen = numbers[seen]
    for blend, some in ((_stamp, ~soft[chosen]), (over, soft[chosen])):
        if some.any():
            where = seen.copy()
            where[seen] = some
            tiles[where] = blend(tiles[where], atlas[chosen[some]])


def _stamp(below: Pixels, above: Pixels) -> Pixels:
    """`over` for pixels that are either opaque or fully transparent."""
    return np.where(above[..., 3:] == 255, above, below)


def over(below: Pixels, above: Pixels) -> Pixels:
    """Porter and Duff's "over" in whole numbers, each result rounded to the nearest.

    With alphas a (above) and b (below) of 0 to 255: w = 255·a + b·(255 - a) is 255 times the result's
    alpha, and its colour is the mean of both colours, weighted by 255·a and b·(255 - a).
    """
    a = above[..., 3:].astype(np.uint32)
    rest = below[..., 3:] * (255 - a)
    weight = 255 * a + rest
    colour = above[..., :3] * (255 * a) + below[..., :3] * rest
    result = np.empty_like(below)
    result[..., :3] = (colour + weight // 2) // np.maximum(weight, 1)
    result[..., 3:] = (weight + 127) // 255
    return result


def png_bytes(width: int, height: int, bands: Iterator[Pixels]) -> bytes:
    """A PNG file of RGBA bands, packed as they come (Pillow would want the whole picture at once).

        signature | IHDR width, height, 8 bits, RGBA | IDAT (zlib: for each row a 0 and its px) ... | IEND

    The 0 says that the row is not filtered, which packs pixel art best.
    """
    out = io.BytesIO()
    out.write(b"\x89PNG\r\n\x1a\n")
    _chunk(out, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    packer = zlib.compressobj(6)
    for band in bands:
        rows = np.zeros((len(band), 1 + 4 * width), np.uint8)
        rows[:, 1:] = band.reshape(len(band), -1)
        _chunk(out, b"IDAT", packer.compress(rows.data))
    _chunk(out, b"IDAT", packer.flush())
    _chunk(out, b"IEND", b"")
    return out.getvalue()


def _chunk(out: io.BytesIO, kind: bytes, data: bytes) -> None:
    if data or kind == b"IEND":
        out.write(struct.pack(">I", len(data)) + kind + data)
        out.write(struct.pack(">I", zlib.crc32(data, zlib.crc32(kind))))


EXPORTER = Exporter(
    name="png",
    summary="a picture of the tile layers",
    suffixes=(".png",),
    options={
        "markers": Value(False, "draw an icon on the tile of every marker"),
        "background": Value("", "colour behind the level as #rrggbb; empty: transparent", form="colour"),
        "scale": Value(1, "how many pixels wide a pixel is drawn", low=1, high=8, unit="px"),
    },
    export=_export,
)
