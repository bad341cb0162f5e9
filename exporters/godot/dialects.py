"""What differs between the Godots that we write for. Everything else speaks as Godot 4.3 does.

`document.Document` translates by these tables while it writes: names of constructors, of classes and of their
properties. Of what a Godot does not know nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Dialect(NamedTuple):
    """One Godot's way to write a scene.

    `format` stands in a file's heading. `layer` is the class of a tile layer, whose cells each Godot
    packs in its own way (see `layers`). `properties` by class and name: the name here, or an empty one for
    what there is no place for. Of a class with `y_sort_enabled` there may be another that always sorts.
    """

    version: str
    format: int
    layer: str
    numbered: bool = False  # ids of resources are numbers
    typed_arrays: bool = True
    has_links: bool = True  # NavigationLink2D
    metadata: str = ""  # the one property that holds all metadata; empty: a property for each
    constructors: Mapping[str, str] = {}
    classes: Mapping[str, str] = {}
    sorting: Mapping[str, str] = {}
    properties: Mapping[tuple[str, str], str] = {}


GODOT_4_3 = Dialect("4.3", 4, "TileMapLayer")

# Neither byte arrays in base64 nor TileMapLayer: see `resource_format_text.cpp` of both versions.
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
    },
    classes={
        "Marker2D": "Position2D",
        "NavigationRegion2D": "NavigationPolygonInstance",
        "Texture2D": "Texture",
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

DIALECTS: Mapping[str, Dialect] = {each.version: each for each in (GODOT_4_3, GODOT_4_2, GODOT_3_6)}
