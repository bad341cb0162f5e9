"""The JSON Schema of themes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exporters.blob import MASKS
from exporters.theme.decor import decor_of
from exporters.theme.file import KIND
from exporters.theme.icons import ICON_VARIANT
from exporters.theme.limits import (
    COLOUR,
    FRAME_MS,
    FRAMES,
    MOST_TILES,
    NAME,
    OUTSIDES,
    SOURCE,
    SPACING,
    TILE_SIZE,
    WEIGHT,
)
from exporters.theme.parts import SIDES, floor_names
from exporters.theme.rims import BLOCKS, RIM_TILES, THIN_TILES
from exporters.theme.sets import SETS
from generator.interiors.chapters import chapter_names
from generator.json_schema import JsonSchema, fields, listed, matching, told, whole
from generator.kinds import SHIPPED, Kinds

_TEXT: JsonSchema = {"type": "string"}
_TILE = told("a tile: [column, row], counted from 0", listed({"type": "integer", "minimum": 0}, 2))
_TILES = told("tiles, each [column, row]; variants of one another", listed(_TILE, 1, MOST_TILES))
_FOUR = told("one tile, or four: alone, first, middle, last", listed(_TILE, 1, 4))
_WEIGHTS = told("how often each of the tiles is drawn", listed(whole(*WEIGHT), 1, MOST_TILES))
_FRAMES = {
    "frames": told("how many frames an animation has, from the tile to the right", whole(*FRAMES)),
    "frame_ms": told("how long a frame is shown [ms]", {**whole(*FRAME_MS), "default": 100}),
}
_TERRAIN = told("a terrain of the theme's tileset", _TEXT)

FLOOR = {
    "tiles": _TILES,
    "weights": _WEIGHTS,
    "shaded": told("the tiles south of a wall", _TILES),
    "shaded_weights": _WEIGHTS,
    "terrain": _TERRAIN,
    **_FRAMES,
}
DOOR = {
    "open": told("the open door: one tile, or four: alone, first, middle, last", _FOUR),
    "shut": told("the shut door, likewise", _FOUR),
    "overlay": told("what is drawn over bodies, likewise", _FOUR),
    **_FRAMES,
}
DECOR = {
    "tiles": told("the top left tile of each variant", _TILES),
    "weights": _WEIGHTS,
    "overlay": told("its top, one tile higher and drawn over bodies; one for each of `tiles`", _TILES),
    "like": told("another kind of decor that it looks like", _TEXT),
    "hidden": told("nothing is drawn: the game has its own scene for it", {"const": True}),
    **_FRAMES,
}
ICON = {"icon": told("the icon's tile", _TILE)}
VARIANT = {
    "of": told("a tile that this theme names elsewhere", _TILE),
    "tiles": told("further looks of that tile", _TILES),
    "weights": told("how often each is drawn; the first look has 10", _WEIGHTS),
}
_LIGHTS = {
    "torch_light": told("the colour of torches", matching(f"(?:{COLOUR})?")),
    "ambient_light": told("the colour of what no torch reaches", matching(f"(?:{COLOUR})?")),
}
LOOK = {"image": told("a sheet as large as the theme's own", _TEXT), **_LIGHTS}
_RIM = {name: told(f"the rim's tile `{name}`", _TILES) for name in RIM_TILES}
SET = {
    "set": told("how a neighbourhood chooses its tile", {"type": "string", "enum": list(SETS)}),
    "terrain": _TERRAIN,
    "alone": told("the tile without any neighbour, where a terrain has none", _TILES),
    "under": told("the tile below each, such as the floor that shows through", _TILE),
    "tiles": told("all tiles of the set, in its order", _TILES),
    "weights": _WEIGHTS,
    "first": told("the first tile of the set; the others follow row by row", _TILE),
    "columns": told("how many of the set's tiles are in a row of the sheet", whole(1, len(MASKS))),
    **_RIM,
    **{f"{name}_weights": _WEIGHTS for name in RIM_TILES},
    "top": told("what is seen elsewhere", _TILES),
    "top_weights": _WEIGHTS,
    **{name: told(f"the top left tile of a block of them: {name}", _TILE) for name in BLOCKS},
    "under_of": told("the tiles above `under`; by default all", {"type": "array", "items": _TEXT}),
    **_FRAMES,
}
WALL = {
    **SET,
    "outside": told(
        "whether walls are seen from outside too, or the stone goes on",
        {"type": "string", "enum": list(OUTSIDES)},
    ),
}
TOP = {
    "name": told("the theme's name; files are called after it", matching(NAME)),
    "image": told("the sheet: a PNG image in the theme's folder", _TEXT),
    "tileset": told("a tileset of Tiled (.tsx, .tsj) or Godot (.tres) that says where the tiles are", _TEXT),
    "source": told("which of several atlas sources of a .tres", whole(*SOURCE)),
    "tile_size": told("a tile's side [px]", whole(*TILE_SIZE)),
    "margin": told("px before the first tile", {**whole(0, TILE_SIZE[1] - 1), "default": 0}),
    "spacing": told("px between tiles", {**whole(*SPACING), "default": 0}),
    "kit": told("the name of the kit that it is drawn for; its shipped kinds may be left out", _TEXT),
    **_LIGHTS,
}


def theme_schema(kinds: Kinds = SHIPPED) -> JsonSchema:
    """The schema of themes, in which editors offer the shipped kinds and those of a kit.

    Other names are free, for they may be those of any kit.
    """
    sides = {"all": "every side", **{side: f"doors in the {side} of a room" for side in SIDES}}
    one_side = {"$ref": "#/definitions/side"}
    keys = {
        **TOP,
        "variant": told(
            "further looks of tiles", {"type": "array", "items": fields(VARIANT, ("of", "tiles"))}
        ),
        "floor": told("floors: of room kinds and terrains; `default` for all others", _floors(kinds)),
        "wall": told("the tiles of walls", _set_schema(WALL)),
        "pit": told("the tiles of pits", _set_schema(SET)),
        "door": told("doors by their kind", _by_kind([*SHIPPED.doors, *kinds.doors], "door")),
        "decor": told("things by their kind", _by_kind(decor_of(SHIPPED) | decor_of(kinds), "decor")),
        "marker": told(
            "icons of markers, for editors",
            _by_kind([*SHIPPED.markers, *kinds.markers], "icon", ICON_VARIANT),
        ),
        "icon": told(
            "icons of rooms on a map", {"type": "object", "additionalProperties": fields(ICON, ("icon",))}
        ),
        "look": told("another sheet for the levels of a chapter", _looks()),
    }
    return {
        "title": "Undercroft theme",
        "description": "What each tile of a sheet shows: floors, walls, doors and things.",
        **fields(keys, ("name", "floor", "wall")),
        "if": {"required": ["tileset"]},
        "then": {"properties": dict.fromkeys(("tile_size", "margin", "spacing"), False)},
        "else": {"required": ["image", "tile_size"]},
        "definitions": {
            "floor": fields(FLOOR),
            "side": fields(DOOR, ("open", "shut")),
            "door": fields({side: told(help, {"allOf": [one_side]}) for side, help in sides.items()}),
            "decor": fields(DECOR),
            "icon": fields(ICON, ("icon",)),
        },
    }


def _by_kind(known: Iterable[str], what: str, names: str = KIND) -> JsonSchema:
    """A table by kinds; editors offer those that are known, and it may have others of a kit."""
    one = {"$ref": f"#/definitions/{what}"}
    return {
        "type": "object",
        "properties": dict.fromkeys(known, one),
        "propertyNames": matching(names),
        "additionalProperties": one,
    }


def _floors(kinds: Kinds) -> JsonSchema:
    names = [*floor_names(SHIPPED), *floor_names(kinds)]
    return {**_by_kind(names, "floor"), "required": ["default"]}


def _set_schema(keys: Mapping[str, JsonSchema]) -> JsonSchema:
    """A set of walls or pits; tiles of `thin` and `rim` have the same names: one each, or variants."""
    is_thin = {"properties": {"set": {"const": "thin"}}, "required": ["set"]}
    shared = {name: told(keys[name]["description"], {}) for name in THIN_TILES}
    return {
        **fields({**keys, **shared}),
        "if": is_thin,
        "then": {"properties": dict.fromkeys(THIN_TILES, _TILE)},
        "else": {"properties": dict.fromkeys(THIN_TILES, _TILES)},
    }


def _looks() -> JsonSchema:
    return fields(dict.fromkeys(chapter_names(), fields(LOOK, ("image",))))
