"""The class and properties of each tile of a theme in Tiled."""

from __future__ import annotations

from exporters.formats.tiled.syntax.text import PropertyValue
from exporters.theme import TileUse
from exporters.tile_uses import passing, terrain_of
from generator.kinds import Kinds

CLASSES = {  # by role
    "wall": "wall",
    "door": "door_tile",
    "pit": "pit",
    "decor": "decor",
    "floor": "floor",
    "overlay": "overlay",
}


# The marker property that the icon shows, by marker kind.
ICON_PROPERTIES = {"enemy": "role", "boss": "rank", "chest": "tier", "ware": "item", "pickup": "item"}


def tile_properties(use: TileUse, shared: bool, kinds: Kinds) -> dict[str, PropertyValue | None]:
    """Return a tile's own properties. A door tile that is `shared` by kinds of doors has no kind."""
    if use.role == "overlay":
        return {}
    terrain = terrain_of(use, kinds)
    return {
        **passing(use, kinds)._asdict(),
        "terrain": terrain,
        "decor": use.name if use.role == "decor" else None,
        "floor": use.name if use.role == "floor" else None,
        "shaded": use.state == "shaded" if use.role == "floor" else None,
        "door": use.name if use.role == "door" and not shared else None,
        "shut": use.state == "shut" if use.role == "door" else None,
    }
