"""The exporter `png`: a picture of the tile layers in animation frame 0, with icons of markers if asked."""

from __future__ import annotations

import re

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from generator.errors import BadInput, shown
from generator.values import Value

_MAX_SIDE_PX = 65_535  # many image viewers accept no more


def _export(job: Job) -> Bundle:
    from exporters.image import icon_layer, png_of, stacked

    scale = int(job.options["scale"])
    size = tuple(side * job.theme.tile_size * scale for side in (job.level.width, job.level.height))
    if max(size) > _MAX_SIDE_PX:
        fits = _MAX_SIDE_PX * scale // max(size)
        remedy = f"give {fits} or less" if fits else "make the level smaller, or leave out the format png"
        raise BadInput(
            f"png.scale: {scale} makes {size[0]} x {size[1]} px, and each side can be at most "
            f"{_MAX_SIDE_PX}; {remedy}"
        )
    background = _colour(str(job.options["background"]))
    layers = list(job.layers)
    if job.options["markers"]:
        layers.append(icon_layer(job.level, job.theme))
    return Bundle({f"{job.name}.png": png_of(stacked(layers, job.theme, background), scale)})


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
        "markers": Value(False, "draw an icon at every marker"),
        "background": Value("", "colour behind the level as #rrggbb; empty: transparent", form="colour"),
        "scale": Value(1, "how many pixels wide each pixel is drawn", low=1, high=8, unit="px"),
    },
    export=_export,
)
