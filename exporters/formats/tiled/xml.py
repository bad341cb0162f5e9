"""Maps and tilesets in Tiled's XML formats `.tmx` and `.tsx`, from the same tables as the JSON formats.

    <objectgroup color="#e05050" id="9" name="Markers">
     <object id="18" name="PlayerStart" type="player_start" gid="769" x="640" y="256" width="16" height="16">
      <properties>
       <property name="kind" propertytype="MarkerKind" value="player_start"/>

Default values are left out. (Tiled's `mapwriter.cpp` defines the order of attributes.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from exporters.formats.tiled.text import TiledTable, plain_number, unwrapped

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_SPACES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_ESCAPED = re.compile('[&<>"\n\r\t]')
_NO_XML = re.compile("[\x08\x0c\ufffe\uffff]")  # characters allowed in JSON but in no version of XML
_MAP = ("version", "tiledversion", "class", "orientation", "renderorder", "width", "height", "tilewidth")
_MAP_END = ("tileheight", "infinite", "nextlayerid", "nextobjectid", "digest")
_SIZES = ("tilewidth", "tileheight", "spacing", "margin", "tilecount", "columns")
_TILESET = ("version", "tiledversion", "firstgid", "name", *_SIZES, "digest")
_COLOR = ("name", "color", "tile", "probability")

Attributes = Mapping[str, object]


def map_xml(top: TiledTable) -> bytes:
    """Write a map in XML."""
    attributes = {key: top[key] for key in (*_MAP, *_MAP_END) if key in top}
    children = [_properties(top, 1), *(_tileset(unwrapped(item), 1) for item in unwrapped(top["tilesets"]))]
    children += [_layer(unwrapped(item)) for item in unwrapped(top["layers"])]
    return (_HEAD + _element(0, "map", attributes, children)).encode("utf-8")


def tileset_xml(top: TiledTable) -> bytes:
    """Write a tileset in XML."""
    return (_HEAD + _tileset(top, 0)).encode("utf-8")


def _element(depth: int, name: str, attributes: Attributes, children: Iterable[str] = ()) -> str:
    written = "".join(f' {key}="{_value(value)}"' for key, value in attributes.items())
    inside = "".join(children)
    tabs = " " * depth
    return f"{tabs}<{name}{written}>\n{inside}{tabs}</{name}>\n" if inside else f"{tabs}<{name}{written}/>\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return _text(value, _ESCAPES | _SPACES) if isinstance(value, str) else plain_number(value)


def _text(value: str, escapes: Mapping[str, str]) -> str:
    free = _NO_XML.sub("\ufffd", value)
    return _ESCAPED.sub(lambda match: escapes.get(match[0], match[0]), free)


def _without(table: TiledTable, usual: TiledTable, keys: Sequence[str]) -> dict[str, object]:
    """Return the values of some keys of a table, without those that have their usual value."""
    return {
        key: table[key] for key in keys if key in table and (key not in usual or table[key] != usual[key])
    }


def _properties(holder: TiledTable, depth: int) -> str:
    listed = unwrapped(holder.get("properties", ()))
    return (
        _element(depth, "properties", {}, (_property(property_, depth + 1) for property_ in listed))
        if listed
        else ""
    )


def _property(property_: TiledTable, depth: int) -> str:
    attributes = {"name": property_["name"]}
    if property_["type"] != "string":
        attributes["type"] = property_["type"]
    if "propertytype" in property_:
        attributes["propertytype"] = property_["propertytype"]
    value = property_["value"]
    if isinstance(value, str) and "\n" in value:  # a multi-line text goes between the tags
        written = "".join(f' {key}="{_value(name)}"' for key, name in attributes.items())
        inside = _text(value, {**_ESCAPES, "\r": "&#13;"})
        return f"{' ' * depth}<property{written}>{inside}</property>\n"
    if isinstance(value, bool):
        value = "true" if value else "false"
    return _element(depth, "property", {**attributes, "value": value})


def _layer(layer: TiledTable) -> str:
    usual = {"visible": True, "opacity": 1}
    if layer["type"] == "tilelayer":
        attributes = _without(layer, usual, ("id", "name", "width", "height", "visible", "opacity"))
        return _element(1, "layer", attributes, [_data(layer)])
    return _group(layer, usual, 1)


def _data(layer: TiledTable) -> str:
    """Format the tiles: rows of numbers, or packed data."""
    raw = layer["data"].decode("ascii")
    if "encoding" not in layer:
        return f'  <data encoding="csv">\n{raw[2:-2]}\n</data>\n'
    packing = f' compression="{layer["compression"]}"' if layer["compression"] else ""
    return f'  <data encoding="base64"{packing}>\n   {raw[1:-1]}\n  </data>\n'


def _group(layer: TiledTable, usual: TiledTable, depth: int) -> str:
    usual = {**usual, "draworder": "topdown", "name": ""}
    keys = ("draworder", "color", "id", "name", "visible", "opacity")
    objects = (_object(object_, depth + 1) for object_ in unwrapped(layer["objects"]))
    return _element(depth, "objectgroup", _without(layer, usual, keys), objects)


def _object(object_: TiledTable, depth: int) -> str:
    usual = {"name": "", "type": "", "width": 0, "height": 0, "rotation": 0, "visible": True}
    keys = ("id", "name", "type", "gid", "x", "y", "width", "height", "rotation", "visible")
    children = [_properties(object_, depth + 1)]
    if "point" in object_:
        children.append(_element(depth + 1, "point", {}))
    if "polygon" in object_:
        corners = (
            f"{plain_number(corner['x'])},{plain_number(corner['y'])}" for corner in object_["polygon"]
        )
        children.append(_element(depth + 1, "polygon", {"points": " ".join(corners)}))
    return _element(depth, "object", _without(object_, usual, keys), children)


def _tileset(table: TiledTable, depth: int) -> str:
    if "source" in table:
        return _element(depth, "tileset", {key: table[key] for key in ("firstgid", "source")})
    head = _without(table, {"spacing": 0, "margin": 0}, _TILESET)
    image = {"source": table["image"], "width": table["imagewidth"], "height": table["imageheight"]}
    children = [_properties(table, depth + 1), _element(depth + 1, "image", image)]
    children += [_tile(item, depth + 1) for item in unwrapped(table["tiles"])]
    sets = (_wang_set(unwrapped(item), depth + 2) for item in unwrapped(table["wangsets"]))
    return _element(depth, "tileset", head, [*children, _element(depth + 1, "wangsets", {}, sets)])


def _tile(tile: TiledTable, depth: int) -> str:
    children = [_properties(tile, depth + 1)]
    if "objectgroup" in tile:
        children.append(_group(tile["objectgroup"], {"visible": True, "opacity": 1}, depth + 1))
    if "animation" in tile:
        frames = (_element(depth + 2, "frame", _ordered(frame)) for frame in tile["animation"])
        children.append(_element(depth + 1, "animation", {}, frames))
    return _element(depth, "tile", _without(tile, {}, ("id", "type", "probability")), children)


def _ordered(frame: TiledTable) -> Attributes:
    return {"tileid": frame["tileid"], "duration": frame["duration"]}


def _wang_set(table: TiledTable, depth: int) -> str:
    colors = (
        _element(depth + 1, "wangcolor", {key: color[key] for key in _COLOR})
        for color in unwrapped(table["colors"])
    )
    tiles = (
        _element(depth + 1, "wangtile", {**tile, "wangid": ",".join(map(str, tile["wangid"]))})
        for tile in unwrapped(table["wangtiles"])
    )
    head = {key: table[key] for key in ("name", "type", "tile")}
    return _element(depth, "wangset", head, chain(colors, tiles))
