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
from exporters.dress import EMPTY, TileLayer
from exporters.stacks import Stacks, stacked
from exporters.theme import AtlasIndex, Theme
from exporters.theme.image import Pixels, atlas_pixels, cut_tiles
from generator.errors import BadInput, shown
from generator.kinds import Kinds
from generator.level import Level, Marker
from generator.values import Value

_BAND_BYTES = 1 << 20  # of pixels worked on at once
_MOST_PALETTE = 256  # colours, which are numbered in a byte
_RGBA_LEVEL, _PALETTE_LEVEL = 6, 5  # of zlib: a step more takes half as long again and gains 7 %
_MOST_SIDE_PX = 65_535  # what programs that show pictures put up with
# The first of these that a marker's icon is known for.
_ICON_PROPERTIES = ("name", "role", "item", "tier", "opens")


def _export(job: Job) -> Bundle:
    scale = int(job.options["scale"])
    size = tuple(side * job.theme.tile_size * scale for side in (job.level.width, job.level.height))
    if max(size) > _MOST_SIDE_PX:
        raise BadInput(f"png.scale: {scale} makes {size[0]} x {size[1]} px; at most {_MOST_SIDE_PX} a side")
    background = _colour(str(job.options["background"]))
    layers: list[TileLayer] = list(job.layers)
    if job.options["markers"]:
        layers.append(icon_layer(job.level, job.theme))
    return Bundle({f"{job.name}.png": _png_of(stacked(layers, job.theme, background), scale)})


def _colour(text: str) -> tuple[int, int, int, int]:
    """RGBA of `#rrggbb`; transparent for an empty text."""
    if not text:
        return 0, 0, 0, 0
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        raise BadInput(f"png.background: {shown(text)} is no colour; give #rrggbb, or nothing")
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue, 255


def icon_layer(level: Level, theme: Theme) -> TileLayer:
    """[y, x]: the icon of the last marker on each tile, EMPTY where no marker stands."""
    layer = np.full(level.terrain.shape, EMPTY, np.int32)
    for marker in level.markers:
        icon = marker_icon(marker, theme, level.kinds)
        if icon is not None:
            layer[marker.y, marker.x] = icon
    return layer


def marker_icon(marker: Marker, theme: Theme, kinds: Kinds) -> AtlasIndex | None:
    """The icon of `KIND_VARIANT` if the theme has one for the name, role, item, tier or lock; else of KIND.

    A key that is a lever has the variant `key_lever`. A kind that no theme knows has the icon of an item.
    """
    for name in _ICON_PROPERTIES:
        icon = theme.icons.get(f"{marker.kind}_{marker.properties.get(name)}")
        if icon is not None:
            return icon
    if marker.kind == "key" and marker.properties.get("lever") is True and "key_lever" in theme.icons:
        return theme.icons["key_lever"]
    return theme.icons.get(marker.kind if marker.kind in kinds.markers else "item")


def cut_atlas(theme: Theme, indexes: Sequence[AtlasIndex]) -> Pixels:
    """[n, tile, tile, 4]: the pixels of some tiles. Raises ThemeError if the image cannot be decoded."""
    return cut_tiles(atlas_pixels(theme), theme, indexes)


def composed(
    layers: Sequence[TileLayer], theme: Theme, background: tuple[int, int, int, int]
) -> Iterator[Pixels]:
    """The layers over one another and a background, as bands [rows, width, 4] of px from top to bottom."""
    stacks = stacked(layers, theme, background)
    colours, numbers = stacks.pictures
    return _bands(colours[numbers], stacks.places)


def _bands(pictures: npt.NDArray[np.uint8], places: npt.NDArray[np.intp]) -> Iterator[npt.NDArray[np.uint8]]:
    """[px, px, ...] from top to bottom: the `pictures` [n, tile, tile, ...] at their `places` [y, x]."""
    size, pixel = pictures.shape[1], pictures.shape[3:]
    height, width = places.shape
    rows = max(1, _BAND_BYTES // max(1, width * pictures[0].nbytes))
    for top in range(0, height, rows):
        yield pictures[places[top : top + rows]].swapaxes(1, 2).reshape(-1, width * size, *pixel)


def _png_of(stacks: Stacks, scale: int) -> bytes:
    """The picture of some stacks, with a palette if it has at most 256 colours: smaller, and faster made."""
    colours, numbers = stacks.pictures
    palette = colours if len(colours) <= _MOST_PALETTE else None
    pictures = colours[numbers] if palette is None else numbers.astype(np.uint8)
    pictures = pictures.repeat(scale, axis=1).repeat(scale, axis=2)
    height, width = (side * pictures.shape[1] for side in stacks.places.shape)
    return png_bytes(width, height, _bands(pictures, stacks.places), palette)


def png_bytes(
    width: int, height: int, bands: Iterator[npt.NDArray[np.uint8]], palette: Pixels | None = None
) -> bytes:
    """A PNG file of bands, packed as they come (Pillow would want the whole picture at once).

        signature | IHDR width, height, 8 bits, RGBA | IDAT (zlib: for each row a 0 and its px) ... | IEND

    The 0 says that the row is not filtered, which packs pixel art best. With a palette [number, 4] of RGBA,
    a pixel is one byte, its colour's number; the palette stands in PLTE and, for what is not opaque, tRNS.
    """
    out = io.BytesIO()
    out.write(b"\x89PNG\r\n\x1a\n")
    _chunk(out, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6 if palette is None else 3, 0, 0, 0))
    if palette is not None:
        _chunk(out, b"PLTE", palette[:, :3].tobytes())
        clear = np.flatnonzero(palette[:, 3] < 255)
        _chunk(out, b"tRNS", palette[: clear.max(initial=-1) + 1, 3].tobytes())
    packer = zlib.compressobj(_RGBA_LEVEL if palette is None else _PALETTE_LEVEL)
    for band in bands:
        line = band[0].size
        rows = np.zeros((len(band), 1 + line), np.uint8)
        rows[:, 1:] = band.reshape(len(band), line)
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
