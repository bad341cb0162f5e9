"""The JSON Schema of themes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exporters.blob import MASKS
from exporters.theme.decor import decor_of
from exporters.theme.file import (
    COLOUR,
    FRAME_MS,
    FRAMES,
    KIND,
    MAX_TILES,
    NAME,
    OUTSIDES,
    SOURCE,
    SPACING,
    TILE_SIZE,
    WEIGHT,
)
from exporters.theme.parts import ICON_VARIANT, SIDES, floor_names
from exporters.theme.sets import BLOCKS, RIM_TILES, SETS, THIN_TILES
from generator.interiors.chapters import chapter_names
from generator.json_schema import JsonSchema, documented, fields, listed, matching, whole
from generator.kinds import SHIPPED, Kinds, shipped_kit

_TEXT: JsonSchema = {"type": "string"}
_TILE = documented("a tile: [column, row], counted from 0", listed({"type": "integer", "minimum": 0}, 2))
_TILES = documented("tiles, each [column, row]; several are variants", listed(_TILE, 1, MAX_TILES))
_FOUR = documented("one tile, or four for wide doors: alone, first, middle, last", listed(_TILE, 1, 4))
_WEIGHTS = documented("how often each of the tiles is used, as weights", listed(whole(*WEIGHT), 1, MAX_TILES))
_FRAMES = {
    "frames": documented(
        "the number of frames of an animation, which are the tile and those to the right of it",
        whole(*FRAMES),
    ),
    "frame_ms": documented("how long each frame is shown [ms]", {**whole(*FRAME_MS), "default": 100}),
}
_TERRAIN = documented("a terrain of the theme's tileset", _TEXT)

FLOOR = {
    "tiles": _TILES,
    "weights": _WEIGHTS,
    "shaded": documented("the tiles for floor directly south of a wall", _TILES),
    "shaded_weights": _WEIGHTS,
    "terrain": _TERRAIN,
    **_FRAMES,
}
DOOR = {
    "open": documented("the open door: one tile, or four for wide doors: alone, first, middle, last", _FOUR),
    "shut": documented("the shut door: one tile, or four", _FOUR),
    "overlay": documented("drawn over the player and enemies: one tile, or four", _FOUR),
    **_FRAMES,
}
DECOR = {
    "tiles": documented("the top left tile of each variant", _TILES),
    "weights": _WEIGHTS,
    "overlay": documented(
        "its top, drawn one tile higher, over the player and enemies; one for each of `tiles`", _TILES
    ),
    "like": documented("another kind of decor whose look it shares", _TEXT),
    "hidden": documented("nothing is drawn, because the game has its own scene for it", {"const": True}),
    **_FRAMES,
}
ICON = {"icon": documented("the icon's tile", _TILE)}
VARIANT = {
    "of": documented("a tile that is used elsewhere in this theme", _TILE),
    "tiles": documented("other tiles that may be drawn instead of it", _TILES),
    "weights": documented("how often each of them is used; the tile itself has the weight 10", _WEIGHTS),
}
_LIGHTS = {
    "torch_light": documented("the colour of torches", matching(f"(?:{COLOUR})?")),
    "ambient_light": documented("the colour of places without torchlight", matching(f"(?:{COLOUR})?")),
}
LOOK = {
    "image": documented("an image of the same size as the theme's, with all tiles in the same places", _TEXT),
    **_LIGHTS,
}
_RIM = {name: documented(f"the rim's tile `{name}`", _TILES) for name in RIM_TILES}
SET = {
    "set": documented(
        "how the neighbours of a tile decide which tile is drawn", {"type": "string", "enum": list(SETS)}
    ),
    "terrain": _TERRAIN,
    "alone": documented("the tile for a wall or pit without neighbours, if the terrain lacks one", _TILES),
    "under": documented("a tile drawn below each of them, such as the floor that shows through", _TILE),
    "tiles": documented("all tiles of the set, in the set's order", _TILES),
    "weights": _WEIGHTS,
    "first": documented("the first tile of the set; the others follow row by row", _TILE),
    "columns": documented("how many of the set's tiles are in each row of the image", whole(1, len(MASKS))),
    **_RIM,
    **{f"{name}_weights": _WEIGHTS for name in RIM_TILES},
    "top": documented("the tile with a wall or pit to its south; `face` is for all others", _TILES),
    "top_weights": _WEIGHTS,
    **{
        name: documented(f"the top left tile of a block of the rim's tiles: `{name}`", _TILE)
        for name in BLOCKS
    },
    "under_of": documented(
        "the names of the tiles that `under` is drawn below; default: all", {"type": "array", "items": _TEXT}
    ),
    **_FRAMES,
}
WALL = {
    **SET,
    "outside": documented(
        "open: walls have outer edges and faces; solid: the stone continues around the rooms",
        {"type": "string", "enum": list(OUTSIDES)},
    ),
}
TOP = {
    "name": documented("the theme's name; files are named after it", matching(NAME)),
    "image": documented("the PNG image with the tiles, in the theme's folder", _TEXT),
    "tileset": documented(
        "a tileset of Tiled (.tsx, .tsj) or Godot (.tres) that says where the tiles are", _TEXT
    ),
    "source": documented("the id of the atlas source to use, if a .tres has several", whole(*SOURCE)),
    "tile_size": documented("a tile's side [px]", whole(*TILE_SIZE)),
    "margin": documented(
        "space before the first tile, above and to the left [px]",
        {**whole(0, TILE_SIZE[1] - 1), "default": 0},
    ),
    "spacing": documented("space between tiles [px]", {**whole(*SPACING), "default": 0}),
    "kit": documented("the name of the kit that it is drawn for; shipped kinds may then be left out", _TEXT),
    **_LIGHTS,
}


def theme_schema(kinds: Kinds = SHIPPED) -> JsonSchema:
    """Make the schema of themes, in which editors offer the shipped kinds and those of a kit.

    Other names are free, for they may be those of any kit.
    """
    sides = {"all": "every side", **{side: f"doors in the {side} of a room" for side in SIDES}}
    one_side = {"$ref": "#/definitions/side"}
    keys = {
        **TOP,
        "variant": documented(
            "more variants of tiles", {"type": "array", "items": fields(VARIANT, ("of", "tiles"))}
        ),
        "floor": documented("floors of room kinds and terrains; `default` is for all others", _floors(kinds)),
        "wall": documented("the tiles of walls", _set_schema(WALL)),
        "pit": documented("the tiles of pits", _set_schema(SET)),
        "door": documented("doors, by kind", _by_kind([*SHIPPED.doors, *kinds.doors], "door")),
        "decor": documented("decor, by kind", _by_kind(decor_of(SHIPPED) | decor_of(kinds), "decor")),
        "marker": documented(
            "icons of markers, for Tiled and LDtk, by kind",
            _by_kind([*SHIPPED.markers, *kinds.markers], "icon", ICON_VARIANT),
        ),
        "icon": documented(
            "icons of rooms on a map, by name",
            {"type": "object", "additionalProperties": fields(ICON, ("icon",))},
        ),
        "look": documented("another image for the levels of a chapter", _looks()),
    }
    return {
        "title": "Undercroft theme",
        "description": "What each tile of an image shows: floors, walls, doors and decor.",
        **fields(keys, ("name", "floor", "wall")),
        "if": {"required": ["tileset"]},
        "then": {"properties": dict.fromkeys(("tile_size", "margin", "spacing"), False)},
        "else": {"required": ["image", "tile_size"]},
        "definitions": {
            "floor": fields(FLOOR),
            "side": fields(DOOR, ("open", "shut")),
            "door": fields({side: documented(help, {"allOf": [one_side]}) for side, help in sides.items()}),
            "decor": fields(DECOR),
            "icon": fields(ICON, ("icon",)),
        },
    }


def _by_kind(known: Iterable[str], definition: str, names: str = KIND) -> JsonSchema:
    """Describe a table by kinds. Editors offer those that are known, and it may have others of a kit."""
    reference = {"$ref": f"#/definitions/{definition}"}
    return {
        "type": "object",
        "properties": dict.fromkeys(known, reference),
        "propertyNames": matching(names),
        "additionalProperties": reference,
    }


def _floors(kinds: Kinds) -> JsonSchema:
    names = [*floor_names(SHIPPED), *floor_names(kinds)]
    return {**_by_kind(names, "floor"), "required": ["default"]}


def _set_schema(keys: Mapping[str, JsonSchema]) -> JsonSchema:
    """Describe a set of walls or pits. Tiles of `thin` and `rim` share names: one each, or variants."""
    is_thin = {"properties": {"set": {"const": "thin"}}, "required": ["set"]}
    shared = {name: documented(keys[name]["description"], {}) for name in THIN_TILES}
    return {
        **fields({**keys, **shared}),
        "if": is_thin,
        "then": {"properties": dict.fromkeys(THIN_TILES, _TILE)},
        "else": {"properties": dict.fromkeys(THIN_TILES, _TILES)},
    }


def _looks() -> JsonSchema:
    look = fields(LOOK, ("image",))
    return {
        "type": "object",
        "properties": dict.fromkeys(chapter_names(shipped_kit()), look),
        "propertyNames": matching(KIND),
        "additionalProperties": look,
    }
