"""The exporter `png`: a picture of the tile layers in animation frame 0, or a small map with signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from generator.errors import BadInput, shown
from generator.values import Value

if TYPE_CHECKING:
    from exporters.dress import TileLayer

TILE_PX = 2  # of the map; `exporters.map_picture` draws it
_MAX_SIDE_PX = 65_535  # many image viewers accept no more


def _export(job: Job) -> Bundle:
    from exporters.image import icon_layer, png_of, stacked

    scale, is_map = int(job.options["scale"]), bool(job.options["map"])
    tile_px = scale * (TILE_PX if is_map else job.theme.tile_size)
    size = tuple(side * tile_px for side in (job.level.width, job.level.height))
    if max(size) > _MAX_SIDE_PX:
        fits = _MAX_SIDE_PX * scale // max(size)
        remedy = f"give {fits} or less" if fits else "make the level smaller, or leave out the format png"
        raise BadInput(
            f"png.scale: {scale} makes {size[0]} x {size[1]} px, and each side can be at most "
            f"{_MAX_SIDE_PX}; {remedy}"
        )
    background = _colour(str(job.options["background"]))
    layers = list(job.layers)
    if is_map:
        return Bundle({f"{job.name}.png": _map(job, background)})
    if job.options["markers"]:
        layers.append(icon_layer(job.level, job.theme))
    if job.options["light"]:
        return Bundle({f"{job.name}.png": _lit(job, layers, background)})
    return Bundle({f"{job.name}.png": png_of(stacked(layers, job.theme, background), scale)})


def _map(job: Job, background: tuple[int, int, int, int]) -> bytes:
    """Draw the level as a map with signs."""
    from exporters.formats.png.syntax import png_bytes
    from exporters.map_picture import map_pixels

    scale, has_legend = int(job.options["scale"]), bool(job.options["legend"])
    pixels = map_pixels(job.level, job.theme, job.layers, background, has_legend)
    larger = pixels.repeat(scale, axis=0).repeat(scale, axis=1)
    return png_bytes(larger.shape[1], larger.shape[0], iter([larger]))


def _lit(job: Job, layers: Sequence[TileLayer], background: tuple[int, int, int, int]) -> bytes:
    """Draw the layers as torches and fires light them."""
    from exporters.formats.png.syntax import png_bytes
    from exporters.image import composed
    from exporters.light import lit_bands

    size, scale = job.theme.tile_size, int(job.options["scale"])
    bands = lit_bands(composed(layers, job.theme, background), job.level, job.theme)
    larger = (band.repeat(scale, axis=0).repeat(scale, axis=1) for band in bands)
    return png_bytes(job.level.width * size * scale, job.level.height * size * scale, larger)


def _colour(text: str) -> tuple[int, int, int, int]:
    """Parse `#rrggbb` to RGBA, transparent for an empty text."""
    if not text:
        return 0, 0, 0, 0
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        raise BadInput(f"png.background: {shown(text)} is not a colour; give #rrggbb, or leave it empty")
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue, 255


EXPORTER = Exporter(
    name="png",
    summary="a picture of the tile layers",
    suffixes=(".png",),
    options={
        "map": Value(
            False, f"draw a map instead: {TILE_PX} px per tile, with signs for rooms, keys and locks"
        ),
        "legend": Value(False, "explain the signs below the map"),
        "markers": Value(False, "draw an icon at every marker"),
        "light": Value(False, "darken what torches and fires do not light, in the theme's colours"),
        "background": Value("", "colour behind the level as #rrggbb; empty: transparent", form="colour"),
        "scale": Value(1, "how many pixels wide each pixel is drawn", low=1, high=8, unit="px"),
    },
    export=_export,
)
