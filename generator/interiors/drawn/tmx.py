"""Turns Tiled's XML (`.tmx`, `.tsx`, `.tx`) into the form of its JSON, so that one reader does for both.

    <layer id="1" name="Ground" width="2" height="2">      {"type": "tilelayer", "name": "Ground",
     <data encoding="csv">1,1,2,0</data>            ->      "width": 2, "height": 2, "encoding": "csv",
    </layer>                                                "data": "1,1,2,0"}

(https://doc.mapeditor.org/en/stable/reference/tmx-map-format/)
"""

from __future__ import annotations

from typing import Any

from generator.errors import LayoutError, shown
from generator.xml_tree import Element, parse_xml

Json = dict[str, Any]
_TEXTS = ("name", "type", "class", "value", "source", "template", "encoding", "compression")
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
_MAX_DEPTH = 16  # of groups and of properties


def tiled_xml(data: bytes, where: str, tag: str) -> Json:
    """Read a map, tileset or template, as `tag` says. Raises LayoutError, which begins with `where`."""
    root = parse_xml(data, where, LayoutError)
    if root.tag != tag:
        raise LayoutError(f"{where}: <{shown(root.tag)[1:-1]}> is not a {tag}; give one that Tiled saved")
    if tag == "map":
        return _map(root)
    if tag == "tileset":
        return _tileset(root)
    return {
        "tileset": next((_tileset(element) for element in root.all("tileset")), None),
        "object": next((_object(element) for element in root.all("object")), None),
    }


def _map(root: Element) -> Json:
    return {
        **_plain(root),
        "tilesets": [_tileset(element) for element in root.all("tileset")],
        "layers": _layers(root, 0),
        "properties": _properties(root),
    }


def _tileset(root: Element) -> Json:
    tiles = [{**_plain(tile), "properties": _properties(tile)} for tile in root.all("tile")]
    return {**_plain(root), "tiles": tiles}


def _layers(root: Element, depth: int) -> list[Json]:
    if depth > _MAX_DEPTH:
        return []
    layers = []
    for element in root.children:
        if element.tag in _LAYERS:
            layer = {**_plain(element), "type": _LAYERS[element.tag], "properties": _properties(element)}
            if element.tag == "layer":
                for data in element.all("data"):
                    layer |= _data(data)
            elif element.tag == "objectgroup":
                layer["objects"] = [_object(child) for child in element.all("object")]
            elif element.tag == "group":
                layer["layers"] = _layers(element, depth + 1)
            layers.append(layer)
    return layers


def _data(data: Element) -> Json:
    layer_data: Json = {
        key: text for key, text in data.attributes.items() if key in ("encoding", "compression")
    }
    chunks = [{**_plain(chunk), "data": _tiles(chunk)} for chunk in data.all("chunk")]
    return {**layer_data, "chunks": chunks} if chunks else {**layer_data, "data": _tiles(data)}


def _tiles(data: Element) -> object:
    """Return the text, or the numbers from the elements that old versions of Tiled wrote."""
    listed = [_number(tile.attributes.get("gid", "0")) for tile in data.all("tile")]
    return listed or data.text.strip()


def _object(element: Element) -> Json:
    item = {**_plain(element), "properties": _properties(element)}
    for tag in ("point", "ellipse", "polygon", "polyline", "text"):
        if any(child.tag == tag for child in element.children):
            item[tag] = True
    for polygon in element.all("polygon"):
        item["polygon"] = [
            {"x": _number(x), "y": _number(y)}
            for x, _, y in (point.partition(",") for point in polygon.attributes.get("points", "").split())
        ]
    return item


def _properties(element: Element, depth: int = 0) -> list[Json]:
    if depth > _MAX_DEPTH:
        return []
    return [_property(item, depth) for item in element.all("properties", "property")]


def _property(element: Element, depth: int) -> Json:
    """Read a property. A long text is the element's content."""
    name, kind = element.attributes.get("name", ""), element.attributes.get("type", "string")
    value: object = element.attributes.get("value", element.text)
    if kind == "bool":
        value = value == "true"
    elif kind in ("int", "float", "object"):
        value = _number(str(value))
    elif kind == "class":
        value = {member["name"]: member["value"] for member in _properties(element, depth + 1)}
    return {"name": name, "type": kind, "value": value}


def _plain(element: Element) -> Json:
    """Return the attributes, with numbers as numbers."""
    return {key: text if key in _TEXTS else _number(text) for key, text in element.attributes.items()}


def _number(text: str) -> object:
    """Convert a text to a number, if it is a short plain one, or else keep the text."""
    if text.isascii() and text.lstrip("-").isdigit() and len(text) < 12:
        return int(text) if text.count("-") < 2 else text
    try:
        return float(text) if len(text) < 25 else text
    except ValueError:
        return text
