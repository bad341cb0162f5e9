"""Lights of torches and fires, and walls that stop them: the options `godot.lights` and `godot.darkness`.

    [sub_resource type="GradientTexture2D" id="GradientTexture2D_9"]       one for all lights of a scene
    [node name="Light" type="PointLight2D" parent="Markers/Torch_12_4"]    in each marker that is a light
    [node name="Occluders" type="Node2D" parent="."]                       with a LightOccluder2D for walls
    [node name="Ambient" type="CanvasModulate" parent="."]                 what no light reaches

Each light is a node inside its marker, so it moves along with it. A marker with a scene of the game gets
none: that scene has the light that it wants. Colours are the theme's, those of lights in the look of their
room.

Walls are lit, and stop light at their far side: only the edges that face away from a light cast a shadow. A
torch hangs in a wall, which would enclose its light. So the light is where the wall ends, and its texture is
moved back to the torch:

    # # # # #        wall
    # # t # #        the torch
    . . * . .        its light, at the upper edge of the floor

The layer Walls does without the occluders of the TileSet, which are a square for each tile.

The addon's `runtime/undercroft_lights.gd` adds the same nodes to levels of packs and to imported ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from exporters.formats.godot.setting import ScenePart
from exporters.formats.godot.shapes import in_px, outlines_of_tiles
from exporters.formats.godot.syntax import Dialect
from exporters.formats.godot.syntax.document import Document
from exporters.formats.godot.syntax.literals import Packed, Reference, packed_vector2, vector2
from exporters.formats.godot.write_tileset import colour_of, light_colours
from exporters.objects import distinct, object_name
from exporters.owners import NOBODY, Owners, owners_of_rooms
from exporters.theme import Theme
from generator.arrays import Mask
from generator.geometry import Point
from generator.kinds import VOID
from generator.level import Level, Marker
from generator.named_tuple import NamedTuple

AMBIENT = "Ambient"
LIGHT = "Light"
OCCLUDERS = "Occluders"
_BESIDE = ((0, 1), (0, -1), (-1, 0), (1, 0))
_CULL_NEAR = 2  # OccluderPolygon2D.CULL_COUNTER_CLOCKWISE: edges that face a light cast no shadow
LIT_QUADRANT = 8
"""The side of the squares that a layer is drawn in, in tiles. Godot lights each by at most 16 lights, and
passes over others without saying so: of 227 lights in 40 rooms, 17 reach a square of 16 tiles, which is the
default, and 12 one of 8."""
_TEXTURE_PX = 128
_RADIAL = 1  # GradientTexture2D.FILL_RADIAL
_FALLOFF = ((0.0, 1.0), (0.25, 0.989), (0.5, 0.844), (0.75, 0.407), (0.875, 0.139), (1.0, 0.0))
"""How bright a light is from its middle to its radius, as on pictures: with n = 1 - away², n²(3 - 2n)."""


def add_ambient(document: Document, theme: Theme) -> None:
    """Darken what no light reaches."""
    document.node(AMBIENT, "CanvasModulate", ".", {"color": light_colours(theme)["ambient_light"]})


def energy_of(theme: Theme) -> float:
    """Return how strong lights are: together with the ambient light, one shows a tile as it is drawn.

    Where several lights meet, they add up.
    """
    return round(1 - sum(bytes.fromhex(theme.light.ambient[1:] or "808080")) / (3 * 255), 2)


def light_texture(document: Document) -> Reference:
    """Define the texture of all lights of a scene: white, and more and more transparent from its middle."""
    offsets = [offset for offset, _ in _FALLOFF]
    colours = [part for _, alpha in _FALLOFF for part in (1, 1, 1, alpha)]
    gradient = document.sub_resource(
        "Gradient",
        {"offsets": Packed("PackedFloat32Array", offsets), "colors": Packed("PackedColorArray", colours)},
    )
    return document.sub_resource(
        "GradientTexture2D",
        {
            "gradient": gradient,
            "width": _TEXTURE_PX,
            "height": _TEXTURE_PX,
            "fill": _RADIAL,
            "fill_from": vector2(0.5, 0.5),
            "fill_to": vector2(1, 0.5),
        },
    )


class Shine(NamedTuple):
    """What the lights of a scene share."""

    texture: Reference
    energy: float
    tile_size: int
    stone: Mask  # [y, x], see `stone_of`


@lru_cache(maxsize=1)  # for the parts of one level
def stone_of(level: Level) -> Mask:
    """Return the tiles [y, x] that stop light, which are those that stop shots, and void."""
    return np.isin(level.terrain, [n for n, kind in enumerate(level.terrain_kinds) if not kind.shoot])


def _way_out(stone: Mask, marker: Marker) -> Point:
    """Return the step from a marker out of the wall, first of all to the south: (0, 0) if it is in none."""
    height, width = stone.shape
    for dx, dy in _BESIDE if stone[marker.y, marker.x] else ():
        x, y = marker.x + dx, marker.y + dy
        if 0 <= x < width and 0 <= y < height and not stone[y, x]:
            return dx, dy
    return 0, 0


def add_light(document: Document, marker: Marker, name: str, shine: Shine, colour: str) -> None:
    """Add the light of a marker with this name, in a colour, as far as the marker's property says."""
    radius = marker.properties.get("light_radius_tiles", 0)
    if not isinstance(radius, (int, float)) or radius <= 0:
        return
    scale = 2 * radius * shine.tile_size / _TEXTURE_PX
    x, y = _way_out(shine.stone, marker) if has_shadows(document.dialect) else (0, 0)
    away = shine.tile_size // 2 + 1
    properties = {
        **({"position": vector2(x * away, y * away)} if (x, y) != (0, 0) else {}),
        "color": colour_of(colour),
        "texture": shine.texture,
        **({"offset": vector2(-x * away / scale, -y * away / scale)} if (x, y) != (0, 0) else {}),
        "texture_scale": scale,
        "energy": shine.energy,
        **({"shadow_enabled": True} if has_shadows(document.dialect) else {}),
    }
    document.node(LIGHT, "PointLight2D", f"Markers/{name}", properties)


def has_shadows(dialect: Dialect) -> bool:
    """Check whether walls stop lights. Older versions cannot turn off the TileSet's own occluders."""
    return dialect.layer == "TileMapLayer"


def add_occluders(document: Document, level: Level, part: ScenePart, tile_size: int) -> None:
    """Add the outlines of the walls of a part, apart for each room and hallway."""
    document.node(OCCLUDERS, "Node2D", ".")
    rings = [*chain.from_iterable(outlines_of_tiles(list(_walls(level, part))))]
    for name, ring in zip(distinct(object_name("wall", *ring[0]) for ring in rings), rings, strict=True):
        polygon = packed_vector2(in_px(part.here(ring), tile_size))
        occluder = document.sub_resource("OccluderPolygon2D", {"cull_mode": _CULL_NEAR, "polygon": polygon})
        document.node(name, "LightOccluder2D", OCCLUDERS, {"occluder": occluder, "sdf_collision": False})


def _walls(level: Level, part: ScenePart) -> Iterator[Sequence[Point]]:
    """Yield the tiles of the walls in a part, by room and hallway, whose walls are beside its floor."""
    owner = np.where(part.own, _owners_of_walls(level)[part.rect.slices], NOBODY)
    for number in np.unique(owner[owner != NOBODY]).tolist():
        ys, xs = np.nonzero(owner == number)
        yield list(zip((xs + part.rect.x).tolist(), (ys + part.rect.y).tolist(), strict=True))


@lru_cache(maxsize=1)  # for the parts of one level
def _owners_of_walls(level: Level) -> Owners:
    """Find the room or hallway of each wall [y, x], numbered as in `exporters.owners`."""
    owner = owners_of_rooms(level)
    for hallway in level.hallways:
        for x, y in hallway.tiles:
            around = owner[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2]
            around[around == NOBODY] = len(level.rooms) + hallway.id
    owner[~stone_of(level) | (level.terrain == VOID)] = NOBODY
    return owner
