"""Reads maps, tilesets and templates of Tiled: JSON as it is, and XML in the form of the JSON.

    <layer id="1" name="Ground" width="2" height="2">      {"type": "tilelayer", "name": "Ground",
     <data encoding="csv">1,1,2,0</data>            ->      "width": 2, "height": 2, "encoding": "csv",
    </layer>                                                "data": "1,1,2,0"}

So what Tiled or `xml` wrote is read as if it were JSON, but for these: default values are left out;
tiles stay a text; the layers of an infinite map have other sizes; the settings of the editor, the
transformations of tilesets and the texts of text objects are not read.
(https://doc.mapeditor.org/en/stable/reference/tmx-map-format/)
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from generator.errors import BadInput, shown
from generator.files import parsed_json
from generator.xml_tree import Element, parse_xml

Json = dict[str, Any]
_JSON = (".tmj", ".tsj", ".tj", ".json")
_NUMBERS = {
    "columns", "duration", "firstgid", "gid", "height", "id", "margin", "nextlayerid", "nextobjectid",
    "offsetx", "offsety", "opacity", "parallaxx", "parallaxy", "probability", "rotation", "spacing", "tile",
    "tilecount", "tileheight", "tileid", "tilewidth", "width", "x", "y",
}  # fmt: skip
_TRUTHS = ("infinite", "locked", "visible")
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
_MAX_DEPTH = 16  # of groups and of properties


def tiled_table(data: bytes, where: str, tag: str, error: type[BadInput]) -> Any:
    """A map, tileset or template, as `tag` says, from JSON or XML by the suffix of its file `where`.

    Raises `error`, whose message begins with `where`. The value of JSON may be anything.
    """
    if PurePath(where).suffix.lower() in _JSON:
        return parsed_json(data, where, error)
    root = parse_xml(data, where, error)
    if root.tag != tag:
        raise error(f"{where}: <{shown(root.tag)[1:-1]}> is not a {tag}; give one that Tiled saved")
    if tag == "map":
        return {**_map(root), "type": tag}
    return _tileset(root) if tag == "tileset" else _template(root)


def _map(root: Element) -> Json:
    tilesets = [_tileset(child) for child in root.all("tileset")]
    return {**_plain(root), "tilesets": tilesets, "layers": _layers(root, 0)}


def _template(root: Element) -> Json:
    return {
        "tileset": next((_tileset(child) for child in root.all("tileset")), None),
        "object": next((_object(child) for child in root.all("object")), None),
    }


# --- layers ------------------------------------------------------------------------------------------


def _layers(root: Element, depth: int) -> list[Json]:
    if depth > _MAX_DEPTH:
        return []
    return [_layer(element, depth) for element in root.children if element.tag in _LAYERS]


def _layer(element: Element, depth: int) -> Json:
    table = {**_plain(element), "type": _LAYERS[element.tag]}
    if element.tag == "layer":
        for data in element.all("data"):
            table |= _data(data)
    elif element.tag == "objectgroup":
        table["objects"] = [_object(child) for child in element.all("object")]
    elif element.tag == "group":
        table["layers"] = _layers(element, depth + 1)
    return table


def _data(data: Element) -> Json:
    table: Json = {key: text for key, text in data.attributes.items() if key in ("encoding", "compression")}
    chunks = [{**_plain(chunk), "data": _tiles(chunk)} for chunk in data.all("chunk")]
    return {**table, "chunks": chunks} if chunks else {**table, "data": _tiles(data)}


def _tiles(data: Element) -> object:
    """The text, or the numbers from the elements that old versions of Tiled wrote."""
    listed = [_number(tile.attributes.get("gid", "0")) for tile in data.all("tile")]
    return listed or data.text.strip()


def _object(element: Element) -> Json:
    table = _plain(element)
    for child in element.children:
        if child.tag in ("point", "ellipse"):
            table[child.tag] = True
        elif child.tag in ("polygon", "polyline"):
            corners = (corner.partition(",") for corner in child.attributes.get("points", "").split())
            table[child.tag] = [{"x": _number(x), "y": _number(y)} for x, _, y in corners]
    return table


# --- tilesets ----------------------------------------------------------------------------------------


def _tileset(root: Element) -> Json:
    table = _plain(root)
    if tiles := [_tile(tile) for tile in root.all("tile")]:
        table["tiles"] = tiles
    for child in root.children:
        if child.tag in ("grid", "tileoffset"):
            table[child.tag] = _plain(child)
        elif child.tag == "terraintypes":
            table["terrains"] = [_plain(terrain) for terrain in child.all("terrain")]
        elif child.tag == "wangsets":
            table["wangsets"] = [_wang_set(wang_set) for wang_set in child.all("wangset")]
    return table


def _tile(tile: Element) -> Json:
    table = _plain(tile)
    if "terrain" in table:
        corners = table["terrain"].split(",", 4)
        table["terrain"] = [_number(corner) if corner.strip() else -1 for corner in corners]
    if frames := [_plain(frame) for frame in tile.all("animation", "frame")]:
        table["animation"] = frames
    for group in tile.all("objectgroup"):
        table["objectgroup"] = _layer(group, 0)
    return table


def _wang_set(element: Element) -> Json:
    return {
        **_plain(element),
        "colors": [_plain(color) for color in element.all("wangcolor")],
        "wangtiles": [
            {
                **_plain(tile),
                "wangid": [_number(part) for part in tile.attributes.get("wangid", "").split(",", 8)],
            }
            for tile in element.all("wangtile")
        ],
    }


# --- attributes and properties -----------------------------------------------------------------------


def _plain(element: Element) -> Json:
    """The attributes by type, the image and the properties."""
    table: Json = {
        key: _number(text) if key in _NUMBERS else text == "1" if key in _TRUTHS else text
        for key, text in element.attributes.items()
    }
    for image in element.all("image"):
        table |= {"image": image.attributes.get("source", "")}
        table |= {f"image{key}": value for key, value in _plain(image).items() if key in ("width", "height")}
        if "trans" in image.attributes:
            table["transparentcolor"] = f"#{image.attributes['trans'].removeprefix('#')}"
        break
    listed = _properties(element, 0)
    return {**table, "properties": listed} if listed else table


def _properties(element: Element, depth: int) -> list[Json]:
    if depth > _MAX_DEPTH:
        return []
    return [_property(child, depth) for child in element.all("properties", "property")]


def _property(element: Element, depth: int) -> Json:
    """A property; a long text is the element's content."""
    table: Json = {"name": "", "type": "string", **element.attributes}
    value: object = element.attributes.get("value", element.text)
    if table["type"] == "bool":
        value = value == "true"
    elif table["type"] in ("int", "float", "object"):
        value = _number(str(value))
    elif table["type"] == "class":
        value = {member["name"]: member["value"] for member in _properties(element, depth + 1)}
    return {**table, "value": value}


def _number(text: str) -> object:
    """A number, if the text is a short plain one; otherwise the text."""
    if text.isascii() and text.lstrip("-").isdigit() and len(text) < 12:
        return int(text) if text.count("-") < 2 else text
    try:
        return float(text) if len(text) < 25 else text
    except ValueError:
        return text
