"""The light of torches and fires on a picture: what no light reaches has the theme's ambient light only.

A picture's colours are multiplied by `ambient + colour * pool`, at most 1. Each light is a pool that is 1 in
the middle and falls smoothly to 0 at its radius; where pools meet, they add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from exporters.theme import Theme, lit
from exporters.theme.districts import light_colour
from exporters.theme.image import Pixels
from generator.level import Level
from generator.named_tuple import NamedTuple

Brightness = npt.NDArray[np.float32]


class PlacedLight(NamedTuple):
    """A light: its middle and its radius, in px, and its colour, `#rrggbb`."""

    x: int
    y: int
    radius: int
    colour: str


def lights_of(level: Level, theme: Theme) -> list[PlacedLight]:
    """Return the lights of a level."""
    tile, colour = theme.tile_size, light_colour(level, theme)
    return [
        PlacedLight(
            marker.x * tile + tile // 2, marker.y * tile + tile // 2, int(radius) * tile, colour(marker)
        )
        for marker in level.markers
        if marker.kind in level.kinds.light_markers
        and isinstance(radius := marker.properties.get("light_radius_tiles", 0), (int, float))
        and radius > 0
    ]


def lit_bands(bands: Iterator[Pixels], level: Level, theme: Theme) -> Iterator[Pixels]:
    """Multiply the bands of a level's picture, from top to bottom, by the light that falls on them.

    Raises BadInput for a theme without colours of light.
    """
    ambient, lights = _rgb(lit(theme, "png.light", "torch", "ambient").ambient), lights_of(level, theme)
    top = 0
    for band in bands:
        height, width = band.shape[:2]
        shade = np.tile(ambient, (height, width, 1))
        for light in lights:
            _add(shade, light, top)
        np.minimum(shade, 1, out=shade)
        shown = band.copy()
        shown[..., :3] = (band[..., :3] * shade + 0.5).astype(np.uint8)
        yield shown
        top += height


def _rgb(colour: str) -> Brightness:
    """Parse `#rrggbb` to three parts of 1."""
    return np.frombuffer(bytes.fromhex(colour[1:]), np.uint8).astype(np.float32) / np.float32(255)


def _add(shade: Brightness, light: PlacedLight, top: int) -> None:
    """Add the part of a light's pool that lies on a band that begins at the row `top`."""
    height, width, _ = shade.shape
    x, y, radius, colour = light
    first, last = max(y - radius - top, 0), min(y + radius - top, height)
    left, right = max(x - radius, 0), min(x + radius, width)
    if first < last and left < right:
        down, across = top + radius - y, radius - x
        pool = _pool(radius)[first + down : last + down, left + across : right + across]
        shade[first:last, left:right] += pool[..., np.newaxis] * _rgb(colour)


@lru_cache(maxsize=16)
def _pool(radius: int) -> Brightness:
    """Return a pool, [2 * radius, 2 * radius]."""
    along: Brightness = (np.arange(-radius, radius, dtype=np.float32) + np.float32(0.5)) / np.float32(radius)
    near: Brightness = np.maximum(1 - along[:, np.newaxis] ** 2 - along**2, 0)
    pool: Brightness = near * near * (3 - 2 * near)
    return pool
