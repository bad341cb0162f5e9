"""The tileset: the theme's image, the tags of its tiles, and the data that LDtk computes from its pixels.

    "enumTags": [ { "enumValueId": "wall", "tileIds": [256,257] }, ... ],
    "cachedPixelData": { "opaqueTiles": "1101...", "averageColors": "f432f321..." }

One digit per tile says whether it is opaque; four digits per tile are its average alpha, red, green, blue.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from exporters.formats.ldtk.ids import identifier
from exporters.formats.ldtk.kinds import enums_of_kinds
from exporters.formats.ldtk.model import Definitions
from exporters.theme import Theme
from exporters.theme.file import png_size
from exporters.theme.image import Pixels, atlas_pixels
from exporters.tile_uses import terrain_of


def columns_of(theme: Theme) -> int:
    """Return the number of columns in LDtk, which counts an incomplete last one too."""
    width, _ = png_size(theme.image, theme.name)
    return _counted(theme, width)


def _counted(theme: Theme, side: int) -> int:
    return -(-(side - 2 * theme.margin) // (theme.tile_size + theme.spacing))


def tileset_def(theme: Theme, definitions: Definitions) -> dict[str, object]:
    """Return the tileset's definition."""
    width, height = png_size(theme.image, theme.name)
    columns, rows = _counted(theme, width), _counted(theme, height)
    opaque, averages = _pixel_data(theme, columns, rows)
    return {
        "__cWid": columns,
        "__cHei": rows,
        "identifier": identifier(theme.name),
        "uid": definitions.tileset,
        "relPath": f"{theme.name}.png",
        "embedAtlas": None,
        "pxWid": width,
        "pxHei": height,
        "tileGridSize": theme.tile_size,
        "spacing": theme.spacing,
        "padding": theme.margin,
        "tags": [],
        "tagsSourceEnumUid": definitions.enums["Terrain"].uid,
        "enumTags": [
            {"enumValueId": terrain, "tileIds": tiles} for terrain, tiles in _tags(theme, columns).items()
        ],
        "customData": _custom_data(theme, columns),
        "savedSelections": [],
        "cachedPixelData": {"opaqueTiles": opaque, "averageColors": averages},
    }


def _tags(theme: Theme, columns: int) -> dict[str, list[int]]:
    """Return for each terrain the numbers of its tiles, ascending."""
    by_terrain: dict[str, set[int]] = {terrain: set() for terrain in enums_of_kinds(theme.kinds)["Terrain"]}
    for use in theme.uses():
        terrain = terrain_of(use, theme.kinds)
        if terrain:
            column, row = theme.at(use.tile)
            by_terrain[terrain].add(row * columns + column)
    return {terrain: sorted(tiles) for terrain, tiles in by_terrain.items()}


def _custom_data(theme: Theme, columns: int) -> list[dict[str, object]]:
    """Return for each decor tile the name of the thing."""
    names: dict[int, str] = {}
    for use in theme.uses():
        if use.role == "decor":
            column, row = theme.at(use.tile)
            names.setdefault(row * columns + column, f"decor={use.name}")
    return [{"tileId": tile, "data": names[tile]} for tile in sorted(names)]


@lru_cache(maxsize=16)
def _pixel_data(theme: Theme, columns: int, rows: int) -> tuple[str, str]:
    """Write both texts, for each tile in LDtk. Tiles over the image's edge are opaque and black."""
    atlas = atlas_pixels(theme)
    height, width = atlas.shape[:2]
    size, pitch = theme.tile_size, theme.tile_size + theme.spacing
    whole_columns = max(0, min(columns, (width - theme.margin - size) // pitch + 1))
    opaque, averages = np.ones((rows, columns), bool), np.zeros((rows, columns, 4), np.uint16)
    for row in range(rows):
        top = theme.margin + row * pitch
        if top + size <= height and whole_columns:
            lefts = theme.margin + np.arange(whole_columns) * pitch
            strip = atlas[top : top + size]
            tiles = strip[:, (lefts[:, None] + np.arange(size)).ravel()]
            tiles = tiles.reshape(size, whole_columns, size, 4).swapaxes(0, 1).reshape(whole_columns, -1, 4)
            opaque[row, :whole_columns] = (tiles[..., 3] == 255).all(axis=1)
            averages[row, :whole_columns] = _averages(tiles)
    digits = "".join("0123456789abcdef"[digit] for digit in averages.ravel().tolist())
    return "".join("01"[bit] for bit in opaque.ravel().tolist()), digits


def _averages(tiles: Pixels) -> npt.NDArray[np.uint16]:
    """Return [tile, 4]: alpha, red, green, blue of each of `tiles` [tile, pixel, 4], 0 to 15.

    Alpha is a mean; the colours are root mean squares weighted by alpha. All are truncated to 8 bits, then
    rounded to 4. As in LDtk, numbers are added one by one, because rounding errors can change the result.
    """
    parts = tiles / 255.0
    alpha = parts[..., 3]
    weight = np.add.accumulate(alpha, axis=1)[:, -1]
    squares = np.add.accumulate(parts[..., :3] * parts[..., :3] * alpha[..., None], axis=1)[:, -1]
    seen = np.where(weight, weight, 1)[:, None]
    mean = np.concatenate([(weight / tiles.shape[1])[:, None], np.sqrt(squares / seen)], axis=1)
    eight = np.floor(np.minimum(mean, 1) * 255)
    rounded: npt.NDArray[np.uint16] = np.floor(eight / 255 * 15 + 0.5).astype(np.uint16)
    return rounded
