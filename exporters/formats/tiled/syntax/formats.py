"""The formats that Tiled itself can write: one table as JSON, XML, Lua or JavaScript."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from exporters import digest
from exporters.formats.tiled.syntax.text import TiledTable, document, plain_number, unwrapped
from exporters.formats.tiled.syntax.xml import map_xml, tileset_xml
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

# --- Lua, for LÖVE, Solar2D and Defold scripts: a chunk that returns a table -------------------------
#
#     return {
#       version = "1.10",
#       ...
#       tilesets = {
#         {
#           name = "undercroft",
#           firstgid = 1,
#           filename = "undercroft.tsj"
#         }
#       },
#
# (Tiled's `luaplugin.cpp` defines the order of the keys and the keys that are always written.)

_STEP = "  "
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_ESCAPED = pattern(r'[\\"\n\r]')
_MAP = ("class", "orientation", "renderorder", "width", "height", "tilewidth", "tileheight", "nextlayerid")
_PLACE = {"offsetx": 0, "offsety": 0, "parallaxx": 1, "parallaxy": 1}
_LUA = {"luaversion": "5.1"}


class Raw(str):
    """Lua code, written unchanged."""

    __slots__ = ()


class Row(list[Any]):
    """A list written on one line."""

    __slots__ = ()


def map_lua(top: TiledTable) -> bytes:
    """Write a map in Lua."""
    table = {
        "version": top["version"],
        **_LUA,
        "tiledversion": top["tiledversion"],
        **{key: top[key] for key in (*_MAP, "nextobjectid")},
        "properties": _properties(top),
        "tilesets": [_tileset(unwrapped(item)) for item in unwrapped(top["tilesets"])],
        "layers": [_layer(unwrapped(item)) for item in unwrapped(top["layers"])],
    }
    return f"return {_written(table, '')}\n".encode()


def _written(value: object, indent: str) -> str:
    """Format a value. Its lines after the first are indented by `indent`."""
    if isinstance(value, str):
        quoted = '"' + _ESCAPED.sub(lambda match: _ESCAPES[match[0]], value) + '"'
        return value if isinstance(value, Raw) else quoted
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return _block([f"{key} = {_written(item, indent + _STEP)}" for key, item in value.items()], indent)
    if isinstance(value, Row):
        return "{ " + ", ".join(_row_item(item, indent) for item in value) + " }"
    if isinstance(value, list):
        return _block([_written(item, indent + _STEP) for item in value], indent)
    return plain_number(value)


def _row_item(item: object, indent: str) -> str:
    return f"{item[0]} = {_written(item[1], indent)}" if isinstance(item, tuple) else _written(item, indent)


def _block(lines: Sequence[str], indent: str) -> str:
    if not lines:
        return "{}"
    inside = indent + _STEP
    return "{\n" + inside + f",\n{inside}".join(lines) + f"\n{indent}}}"


def _properties(holder: TiledTable) -> dict[str, object]:
    """Return the values by name. An object reference becomes a table with its id."""
    values: dict[str, object] = {}
    for property_ in unwrapped(holder.get("properties", ())):
        value = Row([("id", property_["value"])]) if property_["type"] == "object" else property_["value"]
        values[f"[{_written(property_['name'], '')}]"] = value
    return values


def _tileset(table: TiledTable) -> dict[str, object]:
    if "source" in table:
        name = table["source"].rpartition("/")[2].rpartition(".")[0]
        return {"name": name, "firstgid": table["firstgid"], "filename": table["source"]}
    size = {"width": table["tilewidth"], "height": table["tileheight"]}
    keys = ("spacing", "margin", "columns", "image", "imagewidth", "imageheight")
    return {
        **{"name": table["name"], "firstgid": table["firstgid"], "class": ""},
        **{"tilewidth": table["tilewidth"], "tileheight": table["tileheight"]},
        **{key: table[key] for key in keys},
        **{"objectalignment": "unspecified", "tilerendersize": "tile", "fillmode": "stretch"},
        "tileoffset": {"x": 0, "y": 0},
        "grid": {"orientation": "orthogonal", **size},
        "properties": _properties(table),
        "wangsets": [_wang_set(unwrapped(item)) for item in unwrapped(table["wangsets"])],
        "tilecount": table["tilecount"],
        "tiles": [_tile(item) for item in unwrapped(table["tiles"])],
    }


def _wang_set(table: TiledTable) -> dict[str, object]:
    colors = [
        {
            "color": Row(bytes.fromhex(color["color"][1:])),
            **{"name": color["name"], "class": "", "probability": color["probability"]},
            **{"tile": color["tile"], "properties": {}},
        }
        for color in unwrapped(table["colors"])
    ]
    tiles = unwrapped(table["wangtiles"])
    return {
        **{"name": table["name"], "class": "", "tile": table["tile"], "wangsettype": table["type"]},
        "properties": {},
        "colors": colors,
        "wangtiles": [{"wangid": Row(tile["wangid"]), "tileid": tile["tileid"]} for tile in tiles],
    }


def _tile(tile: TiledTable) -> dict[str, object]:
    out = {key: tile[key] for key in ("id", "type") if key in tile}
    if tile.get("properties"):
        out["properties"] = _properties(tile)
    if "probability" in tile:
        out["probability"] = tile["probability"]
    if "objectgroup" in tile:
        out["objectGroup"] = _group(tile["objectgroup"], {})
    if "animation" in tile:
        out["animation"] = [
            {"tileid": frame["tileid"], "duration": frame["duration"]} for frame in tile["animation"]
        ]
    return out


def _layer(layer: TiledTable) -> dict[str, object]:
    own = {"id": layer["id"], "name": layer["name"]}
    if layer["type"] != "tilelayer":
        return _group(layer, own)
    data = layer["data"].decode("ascii")
    tiles: dict[str, object] = {"encoding": "lua", "data": Raw("{\n" + _rows(data[2:-1]) + "\n      }")}
    if "encoding" in layer:
        tiles = {"encoding": "base64", "compression": layer["compression"], "data": Raw(data)}
        if not layer["compression"]:
            del tiles["compression"]
    return {
        **{"type": "tilelayer", "x": 0, "y": 0, "width": layer["width"], "height": layer["height"]},
        **own,
        **{"class": "", "visible": layer["visible"], "opacity": layer["opacity"]},
        **_PLACE,
        "properties": {},
        **tiles,
    }


def _rows(rows: str) -> str:
    """Format rows of numbers for Lua, with a space after each comma."""
    lines: Iterable[str] = rows.rstrip("\n").split("\n")
    return "\n".join(8 * " " + line.replace(",", ", ").rstrip() for line in lines)


def _group(layer: TiledTable, own: TiledTable) -> dict[str, object]:
    return {
        **{"type": "objectgroup", "draworder": layer["draworder"], **own},
        **({} if own else {"name": layer["name"]}),
        **{"class": "", "visible": layer["visible"], "opacity": layer["opacity"]},
        **_PLACE,
        "properties": {},
        "objects": [_object(object_) for object_ in unwrapped(layer["objects"])],
    }


def _object(object_: TiledTable) -> dict[str, object]:
    shape = next((shape for shape in ("point", "polygon") if shape in object_), "rectangle")
    out: dict[str, object] = {
        "id": object_["id"],
        "name": object_["name"],
        "type": object_["type"],
        "shape": shape,
    }
    out |= {key: object_[key] for key in ("x", "y", "width", "height", "rotation", "gid") if key in object_}
    out["visible"] = object_["visible"]
    if "polygon" in object_:
        out["polygon"] = [Row([("x", corner["x"]), ("y", corner["y"])]) for corner in object_["polygon"]]
    return {**out, "properties": _properties(object_)}


# --- JavaScript: the JSON as an argument of a function, for a page or a Node module ------------------

# As Tiled's JavaScript plugin writes it: for a page's own function, a global table, and Node modules.
_SCRIPT = b"""(function(name,data){
 if(typeof onTileMapLoaded === 'undefined') {
  if(typeof TileMaps === 'undefined') TileMaps = {};
  TileMaps[name] = data;
 } else {
  onTileMapLoaded(name,data);
 }
 if(typeof module === 'object' && module && module.exports) {
  module.exports = data;
 }})(%b,
%b);
"""


# A text with `</script>` would end the script in a page that holds it inline; `<!--` may keep it from ending.
_OF_HTML = pattern(rb"<(?=/?script|!--)", re.IGNORECASE)


def map_script(top: TiledTable, name: str) -> bytes:
    """A map, which the page knows by its name."""
    values = json.dumps(name).encode("ascii"), document(top).rstrip()
    return _SCRIPT % tuple(_OF_HTML.sub(rb"\\u003c", value) for value in values)


# --- the formats -------------------------------------------------------------------------------------


class MapFormat(NamedTuple):
    """How to write a map from its top table and name, and the suffix of a tileset beside it.

    Only files that Tiled opens for editing have a digest, because nobody edits the other formats.
    """

    write: Callable[[TiledTable, str], bytes]
    tileset: str = "tsj"
    edited: bool = True


FORMATS: Mapping[str, MapFormat] = {
    "tmj": MapFormat(lambda top, name: document(top)),
    "tmx": MapFormat(lambda top, name: map_xml(top), "tsx"),
    "lua": MapFormat(lambda top, name: map_lua(top), edited=False),
    "js": MapFormat(map_script, edited=False),
}
_TILESETS: Mapping[str, Callable[[TiledTable], bytes]] = {"tsj": document, "tsx": tileset_xml}


def written_map_file(top: TiledTable, format_: str, name: str) -> bytes:
    """A map in one of FORMATS, with its digest if the format has one."""
    form = FORMATS[format_]
    if form.edited:
        return digest.with_digest(io.BytesIO(form.write(top, name)))
    return form.write(
        {key: value for key, value in top.items() if key not in (digest.KEY, digest.EDITED)}, name
    )


def written_tileset_file(top: TiledTable, ending: str) -> bytes:
    """A tileset, with its digest."""
    return digest.with_digest(io.BytesIO(_TILESETS[ending](top)))
