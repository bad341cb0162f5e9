"""Writes Tiled's XML: any elements, and maps and tilesets (`.tmx`, `.tsx`) from the tables of its JSON.

    <objectgroup color="#e05050" id="9" name="Markers">
     <object id="18" name="PlayerStart" type="player_start" gid="769" x="640" y="256" width="16" height="16">
      <properties>
       <property name="kind" propertytype="MarkerKind" value="player_start"/>

Default values are left out. A file that Tiled or `written` wrote is the same bytes when it is read by
`parse_xml` and written again, and also when `reader` read it as a table. (Tiled's `mapwriter.cpp` defines the
order of attributes and elements.)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exporters.formats.tiled.syntax.text import TiledTable, plain_number, unwrapped
from generator.pattern import pattern
from generator.xml_tree import Element

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NO_XML = dict.fromkeys("\x08\x0c\ufffe\uffff", "\ufffd")  # allowed in JSON, but in no version of XML
_ESCAPES = {**_NO_XML, "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}
_ATTRIBUTE = {**_ESCAPES, "\n": "&#10;", "\t": "&#9;"}
_ESCAPED = pattern(f"[{''.join(_ATTRIBUTE)}]")

Attributes = Mapping[str, object]
"""Those of an element in Tiled's order, with the values that are left out. None: it is always written."""

LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
XML_TILES = "xml"
"""The encoding, here, of tiles that are an element each: Tiled's *XML (deprecated)*."""

MAP: Attributes = {
    **dict.fromkeys(("version", "tiledversion", "class", "orientation", "renderorder")),
    "compressionlevel": -1,
    **dict.fromkeys(("width", "height", "tilewidth", "tileheight", "infinite", "hexsidelength")),
    **dict.fromkeys(("staggeraxis", "staggerindex", "parallaxoriginx", "parallaxoriginy")),
    **dict.fromkeys(("backgroundcolor", "nextlayerid", "nextobjectid", "digest")),
}
LAYER: Attributes = {
    **{"id": None, "name": "", "class": None, "x": 0, "y": 0, "width": None, "height": None, "visible": True},
    **{"locked": None, "opacity": 1},
}
OBJECTS: Attributes = {"color": None, "draworder": "topdown", **LAYER}
OBJECT: Attributes = {
    **{"id": None, "template": None, "name": "", "type": "", "gid": None, "x": None, "y": None},
    **{"width": 0, "height": 0, "rotation": 0, "visible": True},
}
_TILESET: Attributes = {
    **dict.fromkeys(("version", "tiledversion", "firstgid", "source", "name", "class")),
    **{"tilewidth": None, "tileheight": None, "spacing": 0, "margin": 0, "tilecount": None, "columns": None},
    **dict.fromkeys(("backgroundcolor", "objectalignment", "tilerendersize", "fillmode", "digest")),
}
_TILE: Attributes = dict.fromkeys(("id", "type", "terrain", "probability"))
_WANG_SET: Attributes = dict.fromkeys(("name", "class", "type", "tile"))
_COLOR: Attributes = dict.fromkeys(("name", "class", "color", "tile", "probability"))
_PROPERTY: Attributes = {"name": None, "type": "string", "propertytype": None}
_FRAME: Attributes = dict.fromkeys(("tileid", "duration"))
_WANG_TILE: Attributes = dict.fromkeys(("tileid", "wangid"))
NO_USUAL: Attributes = {}

# Keys of JSON that are elements in XML, or nothing. No attribute has such a name.
NO_ATTRIBUTES = frozenset({
    *("animation", "chunks", "colors", "compression", "data", "edited", "ellipse", "encoding", "grid"),
    *("image", "imageheight", "imagewidth", "layers", "objectgroup", "objects", "point", "polygon"),
    *("polyline", "properties", "startx", "starty", "terrains", "tileoffset", "tiles", "tilesets"),
    *("transparentcolor", "value", "wangsets", "wangtiles"),
})  # fmt: skip
_ORDER = {  # of the elements in another one; all others come last
    tag: place
    for place, tags in enumerate((
        "editorsettings", "tileoffset", "grid", "properties", "transformations", "image", "terraintypes",
        "tileset", (*LAYERS, "tile", "wangcolor", "object"), "wangtile", "animation", "wangsets",
    ))
    for tag in ((tags,) if isinstance(tags, str) else tags)
}  # fmt: skip
_TYPED = frozenset({"map", "tileset", *LAYERS})  # their type is their tag
_PROPERTIES_LAST = ("imagelayer", "wangset")
_SCALARS = (str, int, float, bool)


def written(root: Element) -> bytes:
    """The document with this root. Text beside child elements, in Tiled's files only space, is left out."""
    pieces = [_HEAD]
    _add(root, "", pieces)
    return "".join(pieces).encode("utf-8")


def _add(element: Element, indent: str, pieces: list[str]) -> None:
    attributes = "".join(f' {key}="{_text(value, _ATTRIBUTE)}"' for key, value in element.attributes.items())
    if element.children:
        pieces.append(f"{indent}<{element.tag}{attributes}>\n")
        for child in element.children:
            _add(child, f"{indent} ", pieces)
        pieces.append(f"{indent}</{element.tag}>\n")
    elif element.text:
        pieces.append(f"{indent}<{element.tag}{attributes}>{_text(element.text, _ESCAPES)}</{element.tag}>\n")
    else:
        pieces.append(f"{indent}<{element.tag}{attributes}/>\n")


def _text(text: str, escapes: Mapping[str, str]) -> str:
    if text.isalnum():
        return text
    return _ESCAPED.sub(lambda special: escapes.get(special[0], special[0]), text)


# --- elements as they are ----------------------------------------------------------------------------


def kept(element: Element) -> list[Any]:
    """An element as plain values: its tag, its attributes, its text and its elements."""
    return [element.tag, element.attributes, element.text, [kept(child) for child in element.children]]


def _as_kept(values: list[Any]) -> Element:
    tag, attributes, text, children = values
    return Element(tag, attributes, [_as_kept(child) for child in children], text)


# --- from tables -------------------------------------------------------------------------------------


def map_xml(top: TiledTable) -> bytes:
    """A map."""
    children = [*map(_tileset, _tables(top, "tilesets")), *map(_layer, _tables(top, "layers"))]
    return written(_element("map", top, MAP, children))


def tileset_xml(top: TiledTable) -> bytes:
    """A tileset."""
    return written(_tileset(top))


def _tables(holder: TiledTable, key: str) -> Iterator[TiledTable]:
    return map(unwrapped, unwrapped(holder.get(key, ())))


def _element(
    tag: str, table: TiledTable, keys: Attributes, own: Iterable[Element] = (), text: str = ""
) -> Element:
    """The element of a table: its attributes, properties, `own` elements and those kept as they are."""
    attributes = {
        key: _value(table[key])
        for key, usual in keys.items()
        if key in table and (table[key] != usual or "template" in table)
    }
    children = _properties(table)
    children += own
    for key, value in table.items():
        if key[:1] == "<":
            children += map(_as_kept, value)
        elif key in keys or key in NO_ATTRIBUTES or (key == "type" and tag in _TYPED):
            continue
        elif isinstance(value, _SCALARS):
            attributes[key] = _value(value)
    if len(children) > 1:
        last = "properties" if tag in _PROPERTIES_LAST else ""
        children.sort(key=lambda child: len(_ORDER) if child.tag == last else _ORDER.get(child.tag, 99))
    return Element(tag, attributes, children, text)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return value if isinstance(value, str) else plain_number(value)


def _properties(table: TiledTable) -> list[Element]:
    listed = [_property(each) for each in unwrapped(table.get("properties", ()))]
    return [Element("properties", {}, listed)] if listed else []


def _property(table: TiledTable) -> Element:
    value = table["value"]
    if isinstance(value, dict) or any(key[:1] == "<" for key in table):  # of a class, or a list
        return _element("property", table, _PROPERTY)
    if isinstance(value, str) and "\n" in value:  # a multi-line text goes between the tags
        return _element("property", table, _PROPERTY, text=value)
    element = _element("property", table, _PROPERTY)
    element.attributes["value"] = ("true" if value else "false") if isinstance(value, bool) else _value(value)
    return element


def _layer(layer: TiledTable) -> Element:
    tag = next(tag for tag, type_ in LAYERS.items() if type_ == layer["type"])
    own: Iterable[Element] = ()
    if tag == "layer":
        own = [_data(layer)]
    elif tag == "objectgroup":
        own = map(_object, _tables(layer, "objects"))
    elif tag == "group":
        own = map(_layer, _tables(layer, "layers"))
    else:
        own = _image(layer)
    return _element(tag, layer, OBJECTS if tag == "objectgroup" else LAYER, own)


def _data(layer: TiledTable) -> Element:
    """The tiles: rows of numbers, or packed data, as bytes of JSON or as read from XML."""
    data, encoding = layer["data"], layer.get("encoding", "csv")
    if encoding == XML_TILES:
        numbers = json.loads(data) if isinstance(data, bytes) else data
        tiles = [Element("tile", {"gid": _value(gid)} if gid else {}) for gid in numbers]
        return Element("data", {}, tiles)
    if isinstance(data, bytes):
        data = (data[2:-2] if encoding == "csv" else data[1:-1]).decode("ascii")
    if encoding == "csv":
        return Element("data", {"encoding": "csv"}, [], f"\n{data}\n")
    packing = {key: layer[key] for key in ("encoding", "compression") if layer.get(key)}
    return Element("data", packing, [], f"\n   {data}\n  ")


def _object(table: TiledTable) -> Element:
    shapes = [Element(key, {}) for key in ("point", "ellipse") if table.get(key)]
    for key in ("polygon", "polyline"):
        if key in table:
            corners = (f"{_value(corner['x'])},{_value(corner['y'])}" for corner in table[key])
            shapes.append(Element(key, {"points": " ".join(corners)}))
    return _element("object", table, OBJECT, shapes)


def _tileset(table: TiledTable) -> Element:
    own = [_element(key, table[key], NO_USUAL) for key in ("tileoffset", "grid") if key in table]
    own += [*_image(table), *map(_tile, _tables(table, "tiles"))]
    if "wangsets" in table:
        own.append(Element("wangsets", {}, [*map(_wang_set, _tables(table, "wangsets"))]))
    return _element("tileset", table, _TILESET, own)


def _image(table: TiledTable) -> list[Element]:
    """The picture of a tileset, a tile or a layer, unless its element is kept as it is."""
    if "image" not in table or "<image>" in table:
        return []
    image = {"source": table["image"]}
    if "transparentcolor" in table:
        image["trans"] = table["transparentcolor"].removeprefix("#")
    sizes = {key: table[f"image{key}"] for key in ("width", "height") if f"image{key}" in table}
    return [_element("image", {**image, **sizes}, NO_USUAL)]


def _tile(table: TiledTable) -> Element:
    own = _image(table)
    if "objectgroup" in table:
        own.append(_layer(table["objectgroup"]))
    if "animation" in table:
        own.append(Element("animation", {}, [_element("frame", each, _FRAME) for each in table["animation"]]))
    if "terrain" in table:
        corners = ("" if corner == -1 else _value(corner) for corner in table["terrain"])
        table = {**table, "terrain": ",".join(corners)}
    return _element("tile", table, _TILE, own)


def _wang_set(table: TiledTable) -> Element:
    own = [_element("wangcolor", each, _COLOR) for each in _tables(table, "colors")]
    for each in _tables(table, "wangtiles"):
        tile = {**each, "wangid": ",".join(map(str, each["wangid"]))}
        own.append(_element("wangtile", tile, _WANG_TILE))
    return _element("wangset", table, _WANG_SET, own)
