"""Reads maps, tilesets and templates of Tiled: JSON as it is, and XML in the form of the JSON.

    <layer id="1" name="Ground" width="2" height="2">      {"type": "tilelayer", "name": "Ground",
     <data encoding="csv">1,1,2,0</data>            ->      "width": 2, "height": 2, "encoding": "csv",
    </layer>                                                "data": "1,1,2,0"}

So what Tiled or `xml` wrote is read as if it were JSON, with the values that XML leaves out, but for these:
tiles stay a text; the layers of an infinite map have other sizes; elements that nobody here asks for, such
as the settings of the editor, are kept as they are, under their tag: `"<editorsettings>": [...]`.
`xml` writes all of it again.
(https://doc.mapeditor.org/en/stable/reference/tmx-map-format/)
"""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Any

from exporters.formats.tiled.syntax.xml import (
    LAYER,
    LAYERS,
    MAP,
    NO_ATTRIBUTES,
    NO_USUAL,
    OBJECT,
    OBJECTS,
    XML_TILES,
    Attributes,
    kept,
)
from generator.errors import BadInput, shown
from generator.files import parsed_json
from generator.xml_tree import Element, parse_xml

Json = dict[str, Any]
_JSON = (".tmj", ".tsj", ".tj", ".json")
_NUMBERS = {
    "columns", "compressionlevel", "duration", "firstgid", "gid", "height", "id", "margin", "nextlayerid",
    "nextobjectid", "offsetx", "offsety", "opacity", "parallaxx", "parallaxy", "probability", "rotation",
    "spacing", "tile", "tilecount", "tileheight", "tileid", "tilewidth", "width", "x", "y",
}  # fmt: skip
_TRUTHS = ("infinite", "locked", "visible")
_READ = {  # the elements in each one that become keys of its table
    "map": {"tileset", *LAYERS},
    "group": {*LAYERS},
    "layer": {"data"},
    "objectgroup": {"object"},
    "object": {"point", "ellipse", "polygon", "polyline"},
    "tileset": {"tile", "grid", "tileoffset", "wangsets"},
    "tile": {"animation", "objectgroup"},
    "wangset": {"wangcolor", "wangtile"},
    "template": {"tileset", "object"},
}
_NO_ELEMENTS: frozenset[str] = frozenset()


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
    return {**_plain(root, MAP), "tilesets": tilesets, "layers": _layers(root)}


def _template(root: Element) -> Json:
    return {
        "tileset": next((_tileset(child) for child in root.all("tileset")), None),
        "object": next((_object(child) for child in root.all("object")), None),
    }


# --- layers ------------------------------------------------------------------------------------------


def _layers(root: Element) -> list[Json]:
    return [_layer(element) for element in root.children if element.tag in LAYERS]


def _layer(element: Element) -> Json:
    usual = OBJECTS if element.tag == "objectgroup" else LAYER
    table = {**_plain(element, usual), "type": LAYERS[element.tag]}
    if element.tag == "layer":
        for data in element.all("data"):
            table |= _data(data)
    elif element.tag == "objectgroup":
        table["objects"] = [_object(child) for child in element.all("object")]
    elif element.tag == "group":
        table["layers"] = _layers(element)
    return table


def _data(data: Element) -> Json:
    table: Json = {key: text for key, text in data.attributes.items() if key in ("encoding", "compression")}
    chunks = [{**_plain(chunk), "data": _tiles(chunk)} for chunk in data.all("chunk")]
    if chunks:
        return {**table, "chunks": chunks}
    tiles = _tiles(data)
    return {**table, "data": tiles} if isinstance(tiles, str) else {"encoding": XML_TILES, "data": tiles}


def _tiles(data: Element) -> object:
    """The text, or the numbers from elements, in which Tiled writes tiles if asked to."""
    listed = [_number(tile.attributes.get("gid", "0")) for tile in data.all("tile")]
    return listed or data.text.strip()


def _object(element: Element) -> Json:
    """An object. One of a template has only the values that differ from the template's."""
    table = _plain(element, {} if "template" in element.attributes else OBJECT)
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
        table["objectgroup"] = _layer(group)
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


def _plain(element: Element, usual: Attributes = NO_USUAL) -> Json:
    """The attributes by type, the image, the properties, and elements that are kept as they are.

    `usual` has the attributes in their order, with the values of those that XML leaves out.
    """
    table: Json = {key: value for key, value in usual.items() if value is not None}
    for key, text in element.attributes.items():
        if key not in NO_ATTRIBUTES:
            table[key] = _number(text) if key in _NUMBERS else text == "1" if key in _TRUTHS else text
    read = _READ.get(element.tag, _NO_ELEMENTS)
    for child in element.children:
        is_read = child.tag in read or child.tag == "properties" or _is_plain_image(child)
        if not is_read:
            table.setdefault(f"<{child.tag}>", []).append(kept(child))
    for image in element.all("image"):
        table |= {"image": image.attributes.get("source", "")}
        table |= {f"image{key}": value for key, value in _plain(image).items() if key in ("width", "height")}
        if "trans" in image.attributes:
            table["transparentcolor"] = f"#{image.attributes['trans'].removeprefix('#')}"
        break
    listed = _properties(element)
    return {**table, "properties": listed} if listed else table


def _is_plain_image(element: Element) -> bool:
    """Whether an element is an image of which the JSON says all: a file."""
    return (
        element.tag == "image"
        and not element.children
        and element.attributes.keys() <= {"source", "width", "height", "trans"}
    )


def _properties(element: Element) -> list[Json]:
    return [_property(child) for child in element.all("properties", "property")]


def _property(element: Element) -> Json:
    """A property; a long text is the element's content. What a class or a list has is kept as it is, too."""
    table: Json = {"name": "", "type": "string", **element.attributes}
    for child in element.children:
        table.setdefault(f"<{child.tag}>", []).append(kept(child))
    value: object = element.attributes.get("value", element.text)
    if table["type"] == "bool":
        value = value == "true"
    elif table["type"] in ("int", "float", "object"):
        value = _number(str(value))
    elif table["type"] == "class":
        value = {member["name"]: member["value"] for member in _properties(element)}
    return {**table, "value": value}


def _number(text: str) -> object:
    """A number, if the text is a short plain one; otherwise the text."""
    if text.isascii() and text.lstrip("-").isdigit() and len(text) < 12:
        return int(text) if text.count("-") < 2 else text
    try:
        number = float(text) if len(text) < 25 else math.nan
    except ValueError:
        return text
    return number if math.isfinite(number) else text
