"""The TileSet that all levels of a theme share: `THEME.tres`, beside the scene.

    [sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_4"]
    texture = ExtResource("1")
    texture_region_size = Vector2i(16, 16)
    0:4/0 = 0                                          creates the tile of column 0, row 4
    0:4/0/terrain_set = 0                              before `terrain` and the bits
    0:4/0/terrain = 0
    0:4/0/terrains_peering_bit/right_side = 0
    0:4/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, -8, 8, -8, 8, 8, -8, 8)

Polygons are in px relative to the tile's centre. (TileSet's property names:
`scene/resources/2d/tile_set.cpp`.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt

from exporters import blob
from exporters.formats.godot.syntax import GODOT_3_6, GODOT_4_2, GODOT_4_3, Dialect
from exporters.formats.godot.syntax.document import Document
from exporters.formats.godot.syntax.literals import (
    Call,
    Reference,
    Written,
    packed_int32,
    packed_vector2,
    typed_array,
    vector2,
    vector2i,
    written,
)
from exporters.formats.godot.theme import PEERING_BITS
from exporters.theme import (
    Animation,
    AtlasIndex,
    Passing,
    Theme,
    TileUse,
    Variants,
    foremost_uses,
    lights_of,
    look_suffixed,
    passing,
    sheet_name,
    terrain_of,
)
from generator.kinds import SHIPPED, DecorKind, Kinds, TerrainKind
from generator.named_tuple import NamedTuple

# --- what the tiles of a theme do, in Godot's terms: their collisions and custom data -----------------

# Bits of collision layers: a body stops at the layers in its mask.
WALKERS, FLYERS, SHOTS = 1, 2, 4
EVERYONE = WALKERS | FLYERS | SHOTS

CUSTOM_DATA = ("terrain", "decor", "walk", "fly", "shoot", "hazard")
_BITS = {"walk": WALKERS, "fly": FLYERS, "shoot": SHOTS}


@cache
def stops(what_passes: Passing) -> int:
    """Return the bits of the collision layer."""
    return sum(_BITS[way] for way in what_passes.stopped)


def light_colours(theme: Theme) -> dict[str, Call]:
    """Return the light colours that the theme has, by name, as in `lights_of`."""
    return {name: colour_of(colour) for name, colour in lights_of(theme).items()}


def colour_of(colour: str) -> Call:
    """Return a colour `#rrggbb` as Godot writes it."""
    return Call("Color", (*(round(part / 255, 4) for part in bytes.fromhex(colour[1:])), 1))


def floor_terrains(theme: Theme) -> dict[str, int]:
    """Return the index in the floors' terrain set by floor name, for all floors with a tile of their own.

    A floor that uses another floor's tiles is left out: a tile has one terrain, and a brush needs tiles.
    Floors of further looks on the sheet have the name of the look in theirs.
    """
    uses = foremost_uses(theme).items()
    own = {sheet_name(theme, use.name, tile) for tile, use in uses if use.role == "floor" and not use.state}
    names = [look_suffixed(name, look, theme) for look in theme.sheets for name in theme.floors]
    return {name: index for index, name in enumerate(name for name in names if name in own)}


def common_bits(looks: Mapping[int, Variants]) -> dict[AtlasIndex, tuple[int, int]]:
    """Return for each wall or pit tile the bits common to all masks that choose it, and those in any."""
    by_tile: dict[AtlasIndex, tuple[int, int]] = {}
    for mask, variants in looks.items():
        for tile in variants.tiles:
            common, either = by_tile.get(tile, (mask, mask))
            by_tile[tile] = common & mask, either | mask
    return by_tile


def custom_data(use: TileUse, kinds: Kinds) -> Mapping[str, object]:
    """Return the values of CUSTOM_DATA. False and empty values are the default."""
    return {
        "terrain": terrain_of(use, kinds) or "",
        "decor": use.name if use.role == "decor" else "",
        **passing(use, kinds)._asdict(),
    }


# --- Godot 4 -----------------------------------------------------------------------------------------

_TYPE_BOOL, _TYPE_STRING = 1, 4  # Variant.Type

_MODES = {blob.SIDES | blob.CORNERS: 0, blob.CORNERS: 1, blob.SIDES: 2}  # TileSet.TerrainMode by mask bits
_WALL_SET, _PIT_SET, _FLOOR_SET = range(3)
_COLORS = {"wall": (0.55, 0.55, 0.75), "pit": (0.1, 0.1, 0.15), "floor": (0.6, 0.45, 0.3)}

UNTOUCHED = 1  # the alternative tile that only shows its picture, for Godot 4.2


@lru_cache(maxsize=16)
def layer_bits(kinds: Kinds = SHIPPED) -> tuple[int, ...]:
    """Return the physics layers' collision layers: each combination that terrain, decor or doors block."""
    all_kinds: list[TerrainKind | DecorKind] = [*kinds.terrain[1:], *kinds.decor[1:]]
    bits = {stops(Passing(kind.walk, kind.fly, kind.shoot, kind.hazard)) for kind in all_kinds}
    return tuple(sorted((bits | {EVERYONE}) - {0}, reverse=True))


@lru_cache(maxsize=16)
def tileset_file(theme: Theme, target: str = GODOT_4_3.version) -> bytes:
    """Write `THEME.tres`, the same for every level."""
    if target == GODOT_3_6.version:
        return tileset_3(theme)
    return _tileset(theme, GODOT_4_2 if target == GODOT_4_2.version else GODOT_4_3)


def _tileset(theme: Theme, dialect: Dialect) -> bytes:
    document = Document("gd_resource", dialect, type="TileSet")
    texture = document.ext_resource("Texture2D", f"{theme.name}.png")
    half = theme.tile_size / 2
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    navigation = document.sub_resource(
        "NavigationPolygon",
        {
            "vertices": packed_vector2(square),
            "polygons": typed_array("PackedInt32Array", [range(4)]),
            "outlines": typed_array("PackedVector2Array", [[*chain.from_iterable(square)]]),
        },
    )
    occluder = document.sub_resource("OccluderPolygon2D", {"polygon": packed_vector2(square)})
    source: dict[str, object] = {
        "texture": texture,
        "margins": vector2i(theme.margin, theme.margin),
        "separation": vector2i(theme.spacing, theme.spacing),
        "texture_region_size": vector2i(theme.tile_size, theme.tile_size),
    }
    shapes = _SquareShapes(written(packed_vector2(square), dialect), navigation, occluder)
    does = cache(lambda role, name, state: (*_does(theme.kinds, TileUse(0, role, name, state), shapes),))
    floors = floor_terrains(theme)
    bits = {
        (role, tile): common & blob.counted(looks)
        for look in theme.sheets
        for role, looks in (("wall", look.walls), ("pit", look.pits))
        for tile, (common, _) in common_bits(looks).items()
    }
    plain = _pictures(theme) if dialect is GODOT_4_2 else frozenset()
    for tile, use in foremost_uses(theme).items():
        column, row = theme.at(tile)
        place = f"{column}:{row}"
        if tile in theme.animations:
            source.update(_animation(theme.animations[tile], place))
        source[f"{place}/0"] = 0
        for key, value in (
            *_terrain(theme, use, floors, bits),
            *_places(theme, tile, use),
            *does(use.role, use.name, use.state),
        ):
            source[f"{place}/0/{key}"] = value
        if tile in plain:
            source[f"{place}/{UNTOUCHED}"] = UNTOUCHED
    atlas = document.sub_resource("TileSetAtlasSource", source)
    light = {f"metadata/{name}": colour for name, colour in light_colours(theme).items()}
    document.resource({**_layers(theme, list(floors)), "sources/0": atlas, **light})
    return document.encode()


def _pictures(theme: Theme) -> frozenset[int]:
    """Return the tiles of layers without collisions, because a TileMap cannot turn collisions off."""
    return frozenset(use.tile for use in theme.uses() if use.role in ("door", "overlay"))


class _SquareShapes(NamedTuple):
    """The full squares that all tiles with collision or navigation share."""

    shape: Written | Reference
    navigation: Reference
    occluder: Reference


def _layers(theme: Theme, floors: list[str]) -> dict[str, object]:
    """Return the TileSet's own properties. Layers must be declared before sources."""
    size = vector2i(theme.tile_size, theme.tile_size)
    properties: dict[str, object] = {"tile_size": size, "occlusion_layer_0/light_mask": 1}
    for layer, bits in enumerate(layer_bits(theme.kinds)):
        properties[f"physics_layer_{layer}/collision_layer"] = bits
        properties[f"physics_layer_{layer}/collision_mask"] = 0
    wall_mode, pit_mode = (_MODES[blob.counted(looks)] for looks in (theme.walls, theme.pits))
    walls, pits = ([look_suffixed(name, look, theme) for look in theme.sheets] for name in ("wall", "pit"))
    terrains = ((_WALL_SET, wall_mode, "wall", walls), (_PIT_SET, pit_mode, "pit", pits))
    for number, mode, role, names in (*terrains, (_FLOOR_SET, _MODES[blob.SIDES], "floor", floors)):
        properties[f"terrain_set_{number}/mode"] = mode
        for i, name in enumerate(names):
            properties[f"terrain_set_{number}/terrain_{i}/name"] = name
            properties[f"terrain_set_{number}/terrain_{i}/color"] = _color(role, i)
    properties["navigation_layer_0/layers"] = 1
    for i, name in enumerate(CUSTOM_DATA):
        properties[f"custom_data_layer_{i}/name"] = name
        properties[f"custom_data_layer_{i}/type"] = _TYPE_STRING if i < 2 else _TYPE_BOOL
    return properties


def _color(role: str, index: int) -> Call:
    """Return a terrain's colour in the editor. Each floor has its own."""
    red, green, blue = _COLORS[role]
    return Call("Color", (round((red + index * 0.13) % 1, 2), round((green + index * 0.29) % 1, 2), blue, 1))


def _animation(animation: Animation, place: str) -> Iterator[tuple[str, object]]:
    yield f"{place}/animation_columns", animation.frames
    for frame in range(animation.frames):
        yield f"{place}/animation_frame_{frame}/duration", animation.frame_ms / 1000


def _places(theme: Theme, tile: int, use: TileUse) -> Iterator[tuple[str, object]]:
    """Yield how often a brush places a tile, and how decor sorts."""
    if use.weight != 1 and use.role in ("wall", "pit", "floor", "decor"):
        yield "probability", float(use.weight)
    if use.role == "decor":
        yield "y_sort_origin", _sort_origin(theme, tile, use.name)


def _does(kinds: Kinds, use: TileUse, shapes: _SquareShapes) -> Iterator[tuple[str, object]]:
    """Yield what all tiles with a use do. Overlays do nothing."""
    if use.role == "overlay":
        return
    passes = passing(use, kinds)
    if stopped := stops(passes):
        yield f"physics_layer_{layer_bits(kinds).index(stopped)}/polygon_0/points", shapes.shape
    if use.role == "floor" and passes.walk:
        yield "navigation_layer_0/polygon", shapes.navigation
    if use.role == "wall":
        yield "occlusion_layer_0/polygon", shapes.occluder
    data = custom_data(use, kinds)
    for i, name in enumerate(CUSTOM_DATA):
        if data[name]:
            yield f"custom_data_{i}", data[name]


def _terrain(
    theme: Theme, use: TileUse, floors: Mapping[str, int], bits: Mapping[tuple[str, AtlasIndex], int]
) -> Iterator[tuple[str, object]]:
    """Yield the terrain, and the peering bits that tell Godot's brush which neighbours the tile fits.

    A tile for several neighbourhoods has the `bits` common to all of them. A floor has none, because a brush
    only uses tiles whose bits all have a matching neighbour, and so would leave the edge of a painted area
    empty. Shaded floors are for a neighbourhood that only the generator knows.
    """
    if use.role in ("wall", "pit"):
        terrain = use.tile // theme.sheet_tiles  # one for each look
        yield "terrain_set", _WALL_SET if use.role == "wall" else _PIT_SET
        yield "terrain", terrain
        for name, bit in PEERING_BITS.items():
            if bits[use.role, use.tile] & bit:
                yield f"terrains_peering_bit/{name}", terrain
    elif use.role == "floor" and use.state != "shaded":
        yield "terrain_set", _FLOOR_SET
        yield "terrain", floors[sheet_name(theme, use.name, use.tile)]


def _sort_origin(theme: Theme, tile: int, name: str) -> int:
    """Return where decor sorts against characters, in px from the tile's centre.

    Standing decor sorts by its lowest edge, with all its rows. Flat decor sorts by the upper edge of its
    tile, so that a character standing on it is in front.
    """
    kind = theme.kinds.decor[theme.kinds.decor_ids[name]]
    half = theme.tile_size // 2
    if kind.walk:
        return -half
    tops = {theme.at(top)[1] for top in theme.decor[name].variants.tiles}
    row = theme.at(tile % theme.sheet_tiles)[1]
    rows_above = min(row - top for top in tops if 0 <= row - top < kind.height)
    return (kind.height - rows_above) * theme.tile_size - half


# --- Godot 3: three tiles with one image, because each tile has one set of autotile rules -------------
#
#     0/name = "tiles"                           an atlas: floors, doors, decor, overlays
#     0/texture = ExtResource(1)
#     0/region = Rect2(0, 0, 512, 384)
#     0/tile_mode = 2
#     0/autotile/tile_size = Vector2(16, 16)
#     0/autotile/navpoly_map = [Vector2(0, 0), SubResource(2)]
#     0/shapes = [{"autotile_coord": Vector2(0, 12), "shape": SubResource(3), ...}]
#     1/name = "wall"                            an autotile, as is 2, "pit"
#     1/tile_mode = 1
#     1/autotile/bitmask_flags = [Vector2(0, 4), 16]
#
# Polygons are in px from the tile's top left. Nothing is animated, because Godot 3 can only animate whole
# textures. The metadata `tiles` says what tiles do. (Names: `scene/resources/tile_set.cpp` of 3.x.)

_AUTO_TILE, _ATLAS_TILE = 1, 2  # TileSet.TileMode
_IGNORE = 16  # shift of the bit that says that another bit is ignored
_3X3_MINIMAL = 1  # TileSet.BitmaskMode: a corner counts only if both sides next to it do
_CENTER = 16
_BITS_3 = {blob.NW: 1, blob.N: 2, blob.NE: 4, blob.W: 8, blob.E: 32, blob.SW: 64, blob.S: 128, blob.SE: 256}
_NAMES = ("tiles", "wall", "pit")  # by tile number; then `wall_LOOK` and `pit_LOOK` of each further look
_HERE = Call("Transform2D", (1, 0, 0, 1, 0, 0))


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
        table.ids[tile], table.stops[tile] = _tile_id(theme, use), stops(passing(use, theme.kinds))
    for column in table:
        column.setflags(write=False)
    return table


def _tile_id(theme: Theme, use: TileUse) -> int:
    further = use.tile // theme.sheet_tiles * (len(_NAMES) - 1)
    return _NAMES.index(use.role) + further if use.role in _NAMES else 0


def tileset_3(theme: Theme) -> bytes:
    """Write `THEME.tres`, the same for every level."""
    document = Document("gd_resource", GODOT_3_6, type="TileSet")
    texture = document.ext_resource("Texture2D", f"{theme.name}.png")
    shapes = _shapes(document, theme.tile_size)
    uses = foremost_uses(theme)
    properties: dict[str, object] = {}
    names = [look_suffixed(name, look, theme) for look in theme.sheets for name in _NAMES[1:]]
    for number, name in enumerate((_NAMES[0], *names)):
        mine = {tile: use for tile, use in uses.items() if _tile_id(theme, use) == number}
        values = {"name": name, "texture": texture, **_tile(theme, mine, shapes)}
        properties |= {f"{number}/{key}": value for key, value in values.items()}
    facts = {
        vector2(*theme.at(tile)): dict(custom_data(use, theme.kinds))
        for tile, use in uses.items()
        if use.role != "overlay"
    }
    document.resource({**properties, GODOT_3_6.metadata: {"tiles": facts, **light_colours(theme)}})
    return document.encode()


def _shapes(document: Document, size: int) -> _SquareShapes:
    square = written(packed_vector2(((0, 0), (size, 0), (size, size), (0, size))), GODOT_3_6)
    polygons = [packed_int32(range(4))]
    navigation = {"vertices": square, "polygons": polygons, "outlines": [square]}
    return _SquareShapes(
        document.sub_resource("ConvexPolygonShape2D", {"points": square}),
        document.sub_resource("NavigationPolygon", navigation),
        document.sub_resource("OccluderPolygon2D", {"polygon": square}),
    )


def _tile(theme: Theme, uses: dict[int, TileUse], shapes: _SquareShapes) -> dict[str, object]:
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
        look = theme.sheets[min(uses) // theme.sheet_tiles]
        bits = common_bits(look.walls if walls else look.pits)
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
    ignored = sum(bit << _IGNORE for ours, bit in _BITS_3.items() if either & ~common & ours)
    return _CENTER | ignored | sum(bit for ours, bit in _BITS_3.items() if common & ours)


def _shape(at: Call, shape: object) -> dict[str, object]:
    return {
        "autotile_coord": at,
        "one_way": False,
        "one_way_margin": 1.0,
        "shape": shape,
        "shape_transform": _HERE,
    }
