"""Lights of torches and fires: the option `godot.lights`.

    [sub_resource type="GradientTexture2D" id="GradientTexture2D_9"]       one for all lights of a scene
    [node name="Light" type="PointLight2D" parent="Markers/Torch_12_4"]    in each marker that is a light
    [node name="Ambient" type="CanvasModulate" parent="."]                 what no light reaches

Each is a node inside its marker, so it moves along with it. A marker with a scene of the game gets none: that
scene has the light that it wants. Colours are the theme's, those of lights in the look of their room.
"""

from __future__ import annotations

from exporters.formats.godot.syntax.document import Document
from exporters.formats.godot.syntax.literals import Packed, Reference, vector2
from exporters.formats.godot.write_tileset import colour_of, light_colours
from exporters.theme import Theme
from generator.level import Marker

AMBIENT = "Ambient"
LIGHT = "Light"
_TEXTURE_PX = 128
_ENERGY = 0.8  # where several lights meet, they add up
_RADIAL = 1  # GradientTexture2D.FILL_RADIAL
_FALLOFF = ((0.0, 1.0), (0.25, 0.989), (0.5, 0.844), (0.75, 0.407), (0.875, 0.139), (1.0, 0.0))
"""How bright a light is from its middle to its radius, as on pictures: with n = 1 - away², n²(3 - 2n)."""


def add_ambient(document: Document, theme: Theme) -> None:
    """Darken what no light reaches."""
    document.node(AMBIENT, "CanvasModulate", ".", {"color": light_colours(theme)["ambient_light"]})


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


def add_light(
    document: Document, marker: Marker, name: str, texture: Reference, tile_size: int, colour: str
) -> None:
    """Add the light of a marker of this name and colour, as far as its property says."""
    radius = marker.properties.get("light_radius_tiles", 0)
    if not isinstance(radius, (int, float)) or radius <= 0:
        return
    scale = 2 * radius * tile_size / _TEXTURE_PX
    properties = {
        "color": colour_of(colour),
        "texture": texture,
        "texture_scale": scale,
        "energy": _ENERGY,
    }
    document.node(LIGHT, "PointLight2D", f"Markers/{name}", properties)
