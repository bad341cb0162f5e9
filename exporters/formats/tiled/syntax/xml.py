"""Writes Tiled's XML: any elements, and maps and tilesets (`.tmx`, `.tsx`) from the tables of its JSON.

    <objectgroup color="#e05050" id="9" name="Markers">
     <object id="18" name="PlayerStart" type="player_start" gid="769" x="640" y="256" width="16" height="16">
      <properties>
       <property name="kind" propertytype="MarkerKind" value="player_start"/>

Default values are left out. A file that Tiled or `written` wrote is the same bytes when it is read by
`parse_xml` and written again, and one of `map_xml` or `tileset_xml` also when it is read as a table. (Tiled's
`mapwriter.cpp` defines the order of attributes.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from exporters.formats.tiled.syntax.text import TiledTable, plain_number, unwrapped
from generator.xml_tree import Element

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NO_XML = dict.fromkeys("\x08\x0c\ufffe\uffff", "\ufffd")  # allowed in JSON, but in no version of XML
_ESCAPES = {**_NO_XML, "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}
_ATTRIBUTE = {**_ESCAPES, "\n": "&#10;", "\t": "&#9;"}
_ESCAPED = re.compile(f"[{''.join(_ATTRIBUTE)}]")
_MAP = ("version", "tiledversion", "class", "orientation", "renderorder", "width", "height", "tilewidth")
_MAP_END = ("tileheight", "infinite", "nextlayerid", "nextobjectid", "digest")
_SIZES = ("tilewidth", "tileheight", "spacing", "margin", "tilecount", "columns")
_TILESET = ("version", "tiledversion", "firstgid", "name", *_SIZES, "digest")
_COLOR = ("name", "color", "tile", "probability")
_SHOWN = {"visible": True, "opacity": 1}


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


# --- from tables -------------------------------------------------------------------------------------


def map_xml(top: TiledTable) -> bytes:
    """A map."""
    attributes = {key: top[key] for key in (*_MAP, *_MAP_END) if key in top}
    children = [*_properties(top), *(_tileset(unwrapped(item)) for item in unwrapped(top["tilesets"]))]
    children += [_layer(unwrapped(item)) for item in unwrapped(top["layers"])]
    return written(_element("map", attributes, children))


def tileset_xml(top: TiledTable) -> bytes:
    """A tileset."""
    return written(_tileset(top))


def _element(
    tag: str, attributes: Mapping[str, object], children: Iterable[Element] = (), text: str = ""
) -> Element:
    return Element(tag, {key: _value(value) for key, value in attributes.items()}, list(children), text)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return value if isinstance(value, str) else plain_number(value)


def _without(table: TiledTable, usual: TiledTable, keys: Sequence[str]) -> dict[str, object]:
    """The values of some keys of a table, without those that have their usual value."""
    return {
        key: table[key] for key in keys if key in table and (key not in usual or table[key] != usual[key])
    }


def _properties(table: TiledTable) -> list[Element]:
    listed = unwrapped(table.get("properties", ()))
    return [_element("properties", {}, map(_property, listed))] if listed else []


def _property(table: TiledTable) -> Element:
    attributes = {"name": table["name"]}
    if table["type"] != "string":
        attributes["type"] = table["type"]
    if "propertytype" in table:
        attributes["propertytype"] = table["propertytype"]
    value = table["value"]
    if isinstance(value, str) and "\n" in value:  # a multi-line text goes between the tags
        return _element("property", attributes, text=value)
    if isinstance(value, bool):
        value = "true" if value else "false"
    return _element("property", {**attributes, "value": value})


def _layer(layer: TiledTable) -> Element:
    if layer["type"] == "tilelayer":
        keys = ("id", "name", "width", "height", "visible", "opacity")
        return _element("layer", _without(layer, _SHOWN, keys), [_data(layer)])
    return _group(layer)


def _data(layer: TiledTable) -> Element:
    """The tiles: rows of numbers, or packed data, as bytes of JSON or as read from XML."""
    data, is_csv = layer["data"], layer.get("encoding", "csv") == "csv"
    if isinstance(data, bytes):
        data = (data[2:-2] if is_csv else data[1:-1]).decode("ascii")
    if is_csv:
        return _element("data", {"encoding": "csv"}, text=f"\n{data}\n")
    packing = {key: layer[key] for key in ("encoding", "compression") if layer.get(key)}
    return _element("data", packing, text=f"\n   {data}\n  ")


def _group(layer: TiledTable) -> Element:
    usual = {**_SHOWN, "draworder": "topdown", "name": ""}
    keys = ("draworder", "color", "id", "name", "visible", "opacity")
    return _element("objectgroup", _without(layer, usual, keys), map(_object, unwrapped(layer["objects"])))


def _object(table: TiledTable) -> Element:
    usual = {"name": "", "type": "", "width": 0, "height": 0, "rotation": 0, "visible": True}
    keys = ("id", "name", "type", "gid", "x", "y", "width", "height", "rotation", "visible")
    children = _properties(table)
    if "point" in table:
        children.append(_element("point", {}))
    if "polygon" in table:
        corners = (f"{plain_number(corner['x'])},{plain_number(corner['y'])}" for corner in table["polygon"])
        children.append(_element("polygon", {"points": " ".join(corners)}))
    return _element("object", _without(table, usual, keys), children)


def _tileset(table: TiledTable) -> Element:
    if "source" in table:
        return _element("tileset", {key: table[key] for key in ("firstgid", "source")})
    head = _without(table, {"spacing": 0, "margin": 0}, _TILESET)
    image = {"source": table["image"], "width": table["imagewidth"], "height": table["imageheight"]}
    children = [*_properties(table), _element("image", image), *map(_tile, unwrapped(table.get("tiles", ())))]
    if "wangsets" in table:
        sets = (_wang_set(unwrapped(item)) for item in unwrapped(table["wangsets"]))
        children.append(_element("wangsets", {}, sets))
    return _element("tileset", head, children)


def _tile(table: TiledTable) -> Element:
    children = _properties(table)
    if "objectgroup" in table:
        children.append(_group(table["objectgroup"]))
    if "animation" in table:
        frames = ({key: frame[key] for key in ("tileid", "duration")} for frame in table["animation"])
        children.append(_element("animation", {}, (_element("frame", frame) for frame in frames)))
    return _element("tile", _without(table, {}, ("id", "type", "probability")), children)


def _wang_set(table: TiledTable) -> Element:
    colors = (
        _element("wangcolor", {key: color[key] for key in _COLOR}) for color in unwrapped(table["colors"])
    )
    tiles = (
        _element("wangtile", {**tile, "wangid": ",".join(map(str, tile["wangid"]))})
        for tile in unwrapped(table["wangtiles"])
    )
    return _element("wangset", {key: table[key] for key in ("name", "type", "tile")}, [*colors, *tiles])
