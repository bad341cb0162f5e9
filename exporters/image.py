"""Tile layers as pictures, and markers as icons.

A picture is drawn in bands, so that memory does not grow with the level's height.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, TileLayer
from exporters.formats.png.syntax import png_bytes
from exporters.stacks import Stacks, stacked
from exporters.theme import AtlasIndex, Theme
from exporters.theme.image import Pixels, atlas_pixels, cut_tiles
from generator.kinds import Kinds
from generator.level import Level, Marker

_BAND_BYTES = 1 << 20  # size of the pixels of one band
_MAX_PALETTE = 256  # colours; each number fits into a byte
# The first of these properties for which the theme has an icon decides.
_ICON_PROPERTIES = ("name", "role", "item", "tier", "opens")


def icon_layer(level: Level, theme: Theme) -> TileLayer:
    """Return the icon of the last marker on each tile [y, x], EMPTY without a marker."""
    layer = np.full(level.terrain.shape, EMPTY, np.int32)
    for marker in level.markers:
        icon = marker_icon(marker, theme, level.kinds)
        if icon is not None:
            layer[marker.y, marker.x] = icon
    return layer


def marker_icon(marker: Marker, theme: Theme, kinds: Kinds) -> AtlasIndex | None:
    """Choose the icon `KIND_VARIANT` if the theme has it for name, role, item, tier or lock, else `KIND`.

    A key that is a lever has the variant `key_lever`. A kind unknown to the theme gets the icon of an item.
    """
    for name in _ICON_PROPERTIES:
        if name in marker.properties:
            icon = theme.icons.get(f"{marker.kind}_{marker.properties[name]}")
            if icon is not None:
                return icon
    if marker.kind == "key" and marker.properties.get("lever") is True and "key_lever" in theme.icons:
        return theme.icons["key_lever"]
    return theme.icons.get(marker.kind if marker.kind in kinds.markers else "item")


def cut_atlas(theme: Theme, indexes: Sequence[AtlasIndex]) -> Pixels:
    """Cut out the pixels of some tiles, [n, tile, tile, 4]. Raises ThemeError if the image is damaged."""
    return cut_tiles(atlas_pixels(theme), theme, indexes)


def composed(
    layers: Sequence[TileLayer], theme: Theme, background: tuple[int, int, int, int]
) -> Iterator[Pixels]:
    """Draw the layers over a background, as bands [rows, width, 4] of px from top to bottom."""
    stacks = stacked(layers, theme, background)
    colours, numbers = stacks.pictures
    return _bands(colours[numbers], stacks.places)


def _bands(pictures: npt.NDArray[np.uint8], places: npt.NDArray[np.intp]) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield [px, px, ...] from top to bottom: `pictures` [n, tile, tile, ...] at their `places` [y, x]."""
    size, pixel = pictures.shape[1], pictures.shape[3:]
    height, width = places.shape
    rows = max(1, _BAND_BYTES // max(1, width * pictures[0].nbytes))
    for top in range(0, height, rows):
        yield pictures[places[top : top + rows]].swapaxes(1, 2).reshape(-1, width * size, *pixel)


def png_of(stacks: Stacks, scale: int) -> bytes:
    """Draw some stacks. With at most 256 colours the picture gets a palette: smaller and faster."""
    colours, numbers = stacks.pictures
    palette = colours if len(colours) <= _MAX_PALETTE else None
    pictures = colours[numbers] if palette is None else numbers.astype(np.uint8)
    pictures = pictures.repeat(scale, axis=1).repeat(scale, axis=2)
    height, width = (side * pictures.shape[1] for side in stacks.places.shape)
    return png_bytes(width, height, _bands(pictures, stacks.places), palette)
