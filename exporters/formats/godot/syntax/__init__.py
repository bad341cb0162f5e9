"""The text of Godot's scenes and resources. Nothing here knows about levels."""

from __future__ import annotations

from collections.abc import Mapping

from generator.named_tuple import NamedTuple

# The differences between the Godot versions that we write for. All other modules use the terms of Godot
# 4.3.
#
# `document.Document` uses these tables to translate the names of constructors, classes and properties while
# it writes. Anything that a version does not have is left out.


class Dialect(NamedTuple):
    """How one Godot version writes a scene.

    `format` is for a file's heading. `layer` is the class of a tile layer, whose cells each version packs in
    its own way. `properties` by class and name: the name here, or an empty text for properties that this
    version does not have. A class with `y_sort_enabled` may have a variant that always sorts.
    """

    version: str
    format: int
    layer: str
    numbered: bool = False  # ids of resources are numbers
    typed_arrays: bool = True
    has_links: bool = True  # NavigationLink2D
    metadata: str = ""  # the property with all metadata; empty: one property per entry
    constructors: Mapping[str, str] = {}
    classes: Mapping[str, str] = {}
    sorting: Mapping[str, str] = {}
    properties: Mapping[tuple[str, str], str] = {}


GODOT_4_3 = Dialect("4.3", 4, "TileMapLayer")

# 4.2 has neither base64 byte arrays nor TileMapLayer: see `resource_format_text.cpp` of both versions.
GODOT_4_2 = Dialect("4.2", 3, "TileMap")

GODOT_3_6 = Dialect(
    "3.6",
    2,
    "TileMap",
    numbered=True,
    typed_arrays=False,
    has_links=False,
    metadata="__meta__",
    constructors={
        "Vector2i": "Vector2",
        "Rect2i": "Rect2",
        "PackedVector2Array": "PoolVector2Array",
        "PackedInt32Array": "PoolIntArray",
        "PackedFloat32Array": "PoolRealArray",
        "PackedColorArray": "PoolColorArray",
    },
    classes={
        "Marker2D": "Position2D",
        "NavigationRegion2D": "NavigationPolygonInstance",
        "Texture2D": "Texture",
        "PointLight2D": "Light2D",
    },
    sorting={"Node2D": "YSort"},
    properties={
        ("Node2D", "texture_filter"): "",
        ("Node2D", "editor_description"): "",
        ("Area2D", "y_sort_enabled"): "",
        ("Area2D", "texture_filter"): "",
        ("Area2D", "editor_description"): "",
        ("NavigationRegion2D", "navigation_polygon"): "navpoly",
        ("NavigationPolygon", "agent_radius"): "",
    },
)

DIALECTS: Mapping[str, Dialect] = {dialect.version: dialect for dialect in (GODOT_4_3, GODOT_4_2, GODOT_3_6)}
