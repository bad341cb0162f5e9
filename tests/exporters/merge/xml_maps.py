"""Maps in XML as the JSON of the same map, and back: a second way, for oracles, in the simplest form.

Usual values are left out of both, so two maps that mean the same are equal. Elements and attributes of other kinds
than in our maps and those of `people` are lost.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

Json = dict[str, Any]

_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group"}
_TEXTS = {"name", "type", "class", "source", "orientation", "renderorder", "version", "tiledversion", "color"}
_USUAL: Json = {
    **{"name": "", "type": "", "visible": True, "opacity": 1, "x": 0, "y": 0, "width": 0, "height": 0},
    **{"rotation": 0, "draworder": "topdown", "infinite": False, "compressionlevel": -1, "digest": None},
    **{"properties": [], "objects": [], "nextlayerid": None, "nextobjectid": None},
}


def plain(value: Any) -> Any:
    """A map as JSON without usual values, and without what only says how or by whom it was written."""
    if isinstance(value, dict):
        kept = {
            key: plain(each)
            for key, each in value.items()
            if (key not in _USUAL or (each != _USUAL[key] and _USUAL[key] is not None))
            and key not in ("encoding", "data")
        }
        tiles = value.get("data")
        return (
            {**kept, "data": numbers(tiles) if isinstance(tiles, str) else tiles} if "data" in value else kept
        )
    return [plain(each) for each in value] if isinstance(value, list) else value


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def as_json(data: bytes) -> Json:
    """The table of a map."""
    root = ET.fromstring(data)
    tilesets = [_attributes(each) for each in root.findall("tileset")]
    return {**_attributes(root), "type": "map", "tilesets": tilesets, "layers": _layers(root)}


def _layers(holder: ET.Element) -> list[Json]:
    layers = []
    for each in holder:
        if each.tag in _LAYERS:
            layer: Json = {"name": "", "opacity": 1, "visible": True, "x": 0, "y": 0, **_attributes(each)}
            layer["type"] = _LAYERS[each.tag]
            if each.tag == "layer":
                layer["data"] = numbers(str(each.findtext("data")))
            elif each.tag == "objectgroup":
                layer["objects"] = [_object(one) for one in each.findall("object")]
            else:
                layer["layers"] = _layers(each)
            layers.append(layer)
    return layers


def _object(element: ET.Element) -> Json:
    usual = {"name": "", "type": "", "width": 0, "height": 0, "rotation": 0, "visible": True}
    made: Json = {**usual, **_attributes(element)}
    if element.find("point") is not None:
        made["point"] = True
    for each in element.findall("polygon"):
        corners = [corner.split(",") for corner in each.attrib["points"].split()]
        made["polygon"] = [{"x": _number(x), "y": _number(y)} for x, y in corners]
    return made


def _attributes(element: ET.Element) -> Json:
    made: Json = {
        key: text
        if key in _TEXTS or key == "digest"
        else text == "1"
        if key in ("visible", "infinite")
        else _number(text)
        for key, text in element.attrib.items()
    }
    listed = []
    for each in element.findall("properties/property"):
        told: Json = {"name": "", "type": "string", **each.attrib}
        value: Any = told.get("value", each.text or "")
        if told["type"] in ("int", "float", "object"):
            value = _number(value)
        listed.append({**told, "value": value == "true" if told["type"] == "bool" else value})
    return {**made, "properties": listed} if listed else made


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def as_xml(map_: Json) -> bytes:
    """The XML of a table."""
    keys = ("tilesets", "layers", "properties", "type")
    root = ET.Element("map", _texts({key: map_[key] for key in map_.keys() - {*keys}}))
    _add_properties(root, map_)
    for each in map_["tilesets"]:
        ET.SubElement(root, "tileset", _texts(each))
    _add_layers(root, map_["layers"])
    data: bytes = ET.tostring(root, encoding="UTF-8", xml_declaration=True)
    return data


def _texts(table: Json) -> dict[str, str]:
    return {
        key: ("1" if value else "0") if isinstance(value, bool) else str(value)
        for key, value in table.items()
    }


def _add_layers(holder: ET.Element, layers: list[Json]) -> None:
    tags = {type_: tag for tag, type_ in _LAYERS.items()}
    for layer in layers:
        inner = {"type", "data", "objects", "layers", "properties"}
        element = ET.SubElement(
            holder, tags[layer["type"]], _texts({key: layer[key] for key in layer.keys() - inner})
        )
        _add_properties(element, layer)
        if "data" in layer:
            ET.SubElement(element, "data", encoding="csv").text = ",".join(map(str, layer["data"]))
        for each in layer.get("objects", ()):
            shapes = {"point", "polygon", "properties"}
            one = ET.SubElement(element, "object", _texts({key: each[key] for key in each.keys() - shapes}))
            _add_properties(one, each)
            if "point" in each:
                ET.SubElement(one, "point")
            if "polygon" in each:
                points = " ".join(f"{corner['x']},{corner['y']}" for corner in each["polygon"])
                ET.SubElement(one, "polygon", points=points)
        _add_layers(element, layer.get("layers", []))


def _add_properties(holder: ET.Element, table: Json) -> None:
    if table.get("properties"):
        listed = ET.SubElement(holder, "properties")
        for each in table["properties"]:
            value = each["value"]
            text = ("true" if value else "false") if isinstance(value, bool) else str(value)
            ET.SubElement(
                listed, "property", {**_texts({k: v for k, v in each.items() if k != "value"}), "value": text}
            )
