"""The TileSet for Godot 3: three tiles with one image, because each tile has one set of autotile rules.

    0/name = "tiles"                           an atlas: floors, doors, decor, overlays
    0/texture = ExtResource(1)
    0/region = Rect2(0, 0, 512, 384)
    0/tile_mode = 2
    0/autotile/tile_size = Vector2(16, 16)
    0/autotile/navpoly_map = [Vector2(0, 0), SubResource(2)]
    0/shapes = [{"autotile_coord": Vector2(0, 12), "shape": SubResource(3), ...}]
    1/name = "wall"                            an autotile, as is 2, "pit"
    1/tile_mode = 1
    1/autotile/bitmask_flags = [Vector2(0, 4), 16]

Polygons are in px from the tile's top left. Nothing is animated, because Godot 3 can only animate whole
textures. The metadata `tiles` says what tiles do. (Names: `scene/resources/tile_set.cpp` of 3.x.)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters import blob
from exporters.formats.godot.dialects import GODOT_3_6
from exporters.formats.godot.document import Document
from exporters.formats.godot.text import Call, Reference, packed_int32, packed_vector2, vector2
from exporters.formats.godot.tile_uses import common_bits, custom_data, light_colours, stops
from exporters.theme import Theme, TileUse
from exporters.tile_uses import foremost_uses, passing

_AUTO_TILE, _ATLAS_TILE = 1, 2  # TileSet.TileMode
_IGNORE = 16  # shift of the bit that says that another bit is ignored
_3X3_MINIMAL = 1  # TileSet.BitmaskMode: a corner counts only if both sides next to it do
_CENTER = 16
_BITS = {
    blob.NW: 1,
    blob.N: 2,
    blob.NE: 4,
    blob.W: 8,
    blob.E: 32,
    blob.SW: 64,
    blob.S: 128,
    blob.SE: 256,
}
_NAMES = ("tiles", "wall", "pit")  # by tile number
_HERE = Call("Transform2D", (1, 0, 0, 1, 0, 0))


class _SquareResources(NamedTuple):
    """The full squares that all tiles with collision or navigation share."""

    shape: Reference
    navigation: Reference
    occluder: Reference


class TileTable(NamedTuple):
    """By atlas index: the TileSet's tile that contains it, and the collision bits of those it stops."""

    ids: npt.NDArray[np.int64]
    stops: npt.NDArray[np.uint8]


@lru_cache(maxsize=16)
def tile_table(theme: Theme) -> TileTable:
    """Build the table of a theme's tiles. Unused ones belong to the first tile."""
    count = theme.columns * theme.rows
    table = TileTable(np.zeros(count, np.int64), np.zeros(count, np.uint8))
    for tile, use in foremost_uses(theme).items():
        table.ids[tile], table.stops[tile] = _tile_id(use), stops(passing(use, theme.kinds))
    for column in table:
        column.setflags(write=False)
    return table


def _tile_id(use: TileUse) -> int:
    return _NAMES.index(use.role) if use.role in _NAMES else 0


def tileset_3(theme: Theme) -> bytes:
    """Write `THEME.tres`, the same for every level."""
    document = Document("gd_resource", GODOT_3_6, type="TileSet")
    texture = document.ext_resource("Texture2D", f"{theme.name}.png")
    shapes = _shapes(document, theme.tile_size)
    uses = foremost_uses(theme)
    properties: dict[str, object] = {}
    for number, name in enumerate(_NAMES):
        mine = {tile: use for tile, use in uses.items() if _tile_id(use) == number}
        values = {"name": name, "texture": texture, **_tile(theme, mine, shapes)}
        properties |= {f"{number}/{key}": value for key, value in values.items()}
    facts = {
        vector2(*theme.at(tile)): dict(custom_data(use, theme.kinds))
        for tile, use in uses.items()
        if use.role != "overlay"
    }
    document.resource({**properties, GODOT_3_6.metadata: {"tiles": facts, **light_colours(theme)}})
    return document.encode()


def _shapes(document: Document, size: int) -> _SquareResources:
    square = packed_vector2(((0, 0), (size, 0), (size, size), (0, size)))
    polygons = [packed_int32(range(4))]
    navigation = {"vertices": square, "polygons": polygons, "outlines": [square]}
    return _SquareResources(
        document.sub_resource("ConvexPolygonShape2D", {"points": square}),
        document.sub_resource("NavigationPolygon", navigation),
        document.sub_resource("OccluderPolygon2D", {"polygon": square}),
    )


def _tile(theme: Theme, uses: dict[int, TileUse], shapes: _SquareResources) -> dict[str, object]:
    """Return all properties of a TileSet tile that contains these tiles of the theme."""
    pitch = theme.tile_size + theme.spacing
    size = (theme.columns * pitch - theme.spacing, theme.rows * pitch - theme.spacing)
    auto = any(use.mask is not None for use in uses.values())
    at = {tile: vector2(*theme.at(tile)) for tile in uses}
    tile: dict[str, object] = {
        "tex_offset": vector2(0, 0),
        "modulate": Call("Color", (1, 1, 1, 1)),
        "region": Call("Rect2", (theme.margin, theme.margin, *size)),
        "tile_mode": _AUTO_TILE if auto else _ATLAS_TILE,
        "autotile/icon_coordinate": at[min(uses)],
        "autotile/tile_size": vector2(theme.tile_size, theme.tile_size),
        "autotile/spacing": theme.spacing,
    }
    if auto:
        tile["autotile/bitmask_mode"] = _3X3_MINIMAL
        walls = next(iter(uses.values())).role == "wall"
        bits = common_bits(theme.walls if walls else theme.pits)
        flags = ((at[i], _bitmask(*bits[i])) for i in uses)
        tile["autotile/bitmask_flags"] = [item for pair in flags for item in pair]
    return tile | {
        "autotile/occluder_map": _map(at, uses, "wall", shapes.occluder),
        "autotile/navpoly_map": _map(at, uses, "floor", shapes.navigation),
        "autotile/priority_map": [
            Call("Vector3", (*theme.at(i), use.weight)) for i, use in uses.items() if use.weight != 1
        ],
        "autotile/z_index_map": [],
        "shapes": [
            _shape(at[i], shapes.shape) for i, use in uses.items() if stops(passing(use, theme.kinds))
        ],
        "z_index": 0,
    }


def _map(at: Mapping[int, Call], uses: Mapping[int, TileUse], role: str, shape: Reference) -> list[object]:
    """Return an alternating list of a place and its shape."""
    return [item for tile, use in uses.items() if use.role == role for item in (at[tile], shape)]


def _bitmask(common: int, either: int) -> int:
    """Combine the bits in all masks of a tile. Bits in only some of them are ignored (BIND_IGNORE_...)."""
    ignored = sum(bit << _IGNORE for ours, bit in _BITS.items() if either & ~common & ours)
    return _CENTER | ignored | sum(bit for ours, bit in _BITS.items() if common & ours)


def _shape(at: Call, shape: Reference) -> dict[str, object]:
    return {
        "autotile_coord": at,
        "one_way": False,
        "one_way_margin": 1.0,
        "shape": shape,
        "shape_transform": _HERE,
    }
