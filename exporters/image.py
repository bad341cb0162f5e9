"""Tile layers as pictures, and markers as icons.

A picture is drawn in bands, so that memory does not grow with the level's height.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, TileLayer
from exporters.formats.png.syntax import png_bytes
from exporters.theme import AtlasIndex, Theme
from exporters.theme.image import (
    Coloured,
    ColourNumbers,
    Pixels,
    atlas_pixels,
    coloured_tiles,
    cut_tiles,
    numbered,
    over,
)
from generator.kinds import Kinds
from generator.level import Level, Marker
from generator.named_tuple import NamedTuple

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
    """Draw some stacks. With at most 256 colours the picture gets a palette: smaller and faster.

    With more, it has no alpha if one colour can stand for what is transparent.
    """
    colours, numbers = stacks.pictures
    palette = colours if len(colours) <= _MAX_PALETTE else None
    clear = None if palette is not None else _clear(colours)
    pictures = numbers.astype(np.uint8) if palette is not None else colours[numbers]
    if clear is not None:
        pictures = np.ascontiguousarray(pictures[..., :3])
    pictures = pictures.repeat(scale, axis=1).repeat(scale, axis=2)
    height, width = (side * pictures.shape[1] for side in stacks.places.shape)
    return png_bytes(width, height, _bands(pictures, stacks.places), palette, clear)


def _clear(colours: Pixels) -> npt.NDArray[np.uint8] | None:
    """Return the only colour that is transparent, [3], or [0] if there is none; None if there are others."""
    opaque = colours[:, 3] == 255
    rest = colours[~opaque]
    clear: npt.NDArray[np.uint8] = rest[:, :3].ravel()
    if len(rest) > 1 or rest[:, 3].any() or (len(rest) and (colours[opaque, :3] == clear).all(axis=1).any()):
        return None
    return clear


# --- a level's picture as stacks of tiles; each distinct stack is drawn only once --------------------
#
# ground   f f g     Stacks 0 to 2 are f, f with w on it, and g; `places` is 0 1 2. A level with many
# walls    . w .     thousands of tiles has a few hundred stacks.

_MAX_COUNTED = 1 << 20  # with at most this many possible stacks, a table of all is faster than sorting


class Stacks(NamedTuple):
    """`places` [y, x] are indexes into `pictures` [n, tile, tile], which hold only colours in use."""

    pictures: Coloured
    places: npt.NDArray[np.intp]


def stacked(layers: Sequence[TileLayer], theme: Theme, background: tuple[int, int, int, int]) -> Stacks:
    """Stack layers over a background (RGBA). Raises ThemeError for an image that cannot be decoded."""
    present = np.zeros(max(int(layer.max(initial=EMPTY)) for layer in layers) + 2, bool)
    for layer in layers:
        present[layer - EMPTY] = True
    present[0] = False  # EMPTY
    order = np.cumsum(present) - 1
    tiles = coloured_tiles(theme, (np.flatnonzero(present) + EMPTY).tolist())
    count, size = len(tiles.numbers), theme.tile_size
    colours = np.concatenate((tiles.colours, np.array([background], np.uint8)))
    pictures = Coloured(colours, np.full((1, size, size), len(tiles.colours), np.uint32))
    places = np.zeros(layers[0].shape, np.intp)
    for layer in layers:
        seen = layer != EMPTY
        keys = places[seen] * count + order[layer[seen] - EMPTY]
        new, numbers = _distinct(keys, len(pictures.numbers) * count)
        places[seen] = len(pictures.numbers) + numbers
        below, above = divmod(new, max(count, 1))
        pictures = _drawn(pictures, below, tiles.numbers[above])
    return Stacks(_tidied(pictures, places), places)


def _distinct(keys: npt.NDArray[np.intp], below: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Find the distinct keys (0 to `below` - 1), ascending, and the index of each given key among them."""
    if below > _MAX_COUNTED:
        return np.unique(keys, return_inverse=True)
    present = np.zeros(below, bool)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def _drawn(pictures: Coloured, below: npt.NDArray[np.intp], above: ColourNumbers) -> Coloured:
    """Append copies of the pictures in `below` with the tiles `above` drawn on them."""
    colours, known = pictures
    alphas = colours[:, 3]
    drawn = np.where(alphas[above] == 255, above, known[below])
    soft = (alphas % 255 != 0)[above]
    if soft.any():
        blended = numbered(over(colours[known[below][soft]], colours[above[soft]]))
        drawn[soft] = len(colours) + blended.numbers
        colours = np.concatenate((colours, blended.colours))
    return Coloured(colours, np.concatenate((known, drawn)))


def _tidied(pictures: Coloured, places: npt.NDArray[np.intp]) -> Coloured:
    """Keep only the colours of the pictures that are used, each listed once."""
    used = np.bincount(places.ravel(), minlength=len(pictures.numbers)) > 0
    present = np.zeros(len(pictures.colours), bool)
    present[pictures.numbers[used]] = True
    colours = numbered(pictures.colours[present])
    order = np.zeros(len(present), np.uint32)
    order[present] = colours.numbers
    return Coloured(colours.colours, order[pictures.numbers])
