"""A map: `NAME.tmj`, or the map of a room.

    {"height":40, "infinite":false, "layers":[
      {"name":"Ground", "type":"tilelayer", "data":[...], ...},     Walls, Doors, Decor, Overlay
      {"name":"Rooms", "type":"objectgroup", "objects":[...], ...}, Hallways, DoorObjects, Markers, Lights
     ], "nextlayerid":11, "nextobjectid":99, "orientation":"orthogonal", "type":"map", "version":"1.10",
     "tilesets":[{"firstgid":1, "source":"undercroft.tsj"}], ...}

Keys have the order in which Tiled writes them, so that a map saved by Tiled differs little from ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from exporters import digest
from exporters.formats.tiled.formats import FORMATS, written_map_file
from exporters.formats.tiled.layers import FIRST_GID, encoded
from exporters.formats.tiled.names import written_name
from exporters.formats.tiled.objects import (
    Object,
    door_objects,
    hallway_objects,
    marker_objects,
    room_objects,
)
from exporters.formats.tiled.part import Links, MapPart
from exporters.formats.tiled.syntax.text import TILED_VERSION, VERSION, Lines, PropertyValue, properties
from exporters.formats.tiled.tileset import tileset_table
from exporters.theme import Theme
from generator.level import Level, Property

_COLORS = {
    "Rooms": "#8c8cbf",
    "Hallways": "#996633",
    "DoorObjects": "#d0a040",
    "Markers": "#e05050",
    "Lights": "#ffb84d",
    "Exits": "#50b050",
}
LIGHTS = "Lights"  # hidden at first: there are many lights, and burning things are drawn anyway


class Target(NamedTuple):
    """The file of a map: its name and format.

    `up` leads from its folder to that of the tileset and the image.
    """

    name: str
    encoding: str = "csv"
    format: str = "tmj"
    embedded: bool = False
    up: str = ""


def map_file(
    part: MapPart,
    links: Links,
    target: Target,
    class_: str,
    own: Mapping[str, PropertyValue | None],
    facts: Mapping[str, Property],
) -> bytes:
    """Write the map of a part, with a class and properties."""
    groups: tuple[tuple[str, Iterable[Object]], ...] = (
        ("Rooms", room_objects(part, links)),
        ("Hallways", hallway_objects(part, links)),
        ("DoorObjects", door_objects(part, links)),
        ("Markers", marker_objects(part, links, lights=False)),
        (LIGHTS, marker_objects(part, links, lights=True)),
    )
    return written_map(part, groups, target, class_, own, facts, part.next_id)


def written_map(
    part: MapPart,
    groups: Iterable[tuple[str, Iterable[Object]]],
    target: Target,
    class_: str,
    own: Mapping[str, PropertyValue | None],
    facts: Mapping[str, Property],
    next_id: int,
) -> bytes:
    """Write a map like `map_file`, with the given object layers, whose ids are below `next_id`."""
    layers = [
        _tile_layer(number, name.capitalize(), encoded(layer, target.encoding), part)
        for number, (name, layer) in enumerate(part.layers._asdict().items(), 1)
    ]
    layers += [
        _object_layer(number, name, objects) for number, (name, objects) in enumerate(groups, len(layers) + 1)
    ]
    named = {written_name(name, class_): value for name, value in facts.items()}
    return written_map_file(
        {
            "class": class_,
            "compressionlevel": -1,
            **digest.header(bool(part.level.edited)),
            "height": part.area.height,
            "infinite": False,
            "layers": Lines(layers),
            "nextlayerid": len(layers) + 1,
            "nextobjectid": next_id,
            "orientation": "orthogonal",
            "properties": Lines(properties(own, named)),
            "renderorder": "right-down",
            "tiledversion": TILED_VERSION,
            "tileheight": part.tile_size,
            "tilesets": Lines([_tileset(part.theme, target)]),
            "tilewidth": part.tile_size,
            "type": "map",
            "version": VERSION,
            "width": part.area.width,
        },
        target.format,
        target.name,
    )


def _tileset(theme: Theme, target: Target) -> dict[str, object] | Lines:
    """Return the map's tileset: a reference to its file, or its content."""
    if not target.embedded:
        source = f"{target.up}{theme.name}.{FORMATS[target.format].tileset}"
        return {"firstgid": FIRST_GID, "source": source}
    table = {**tileset_table(theme), "firstgid": FIRST_GID}
    return Lines(dict(sorted({**table, "image": f"{target.up}{table['image']}"}.items())))


def level_facts(level: Level) -> dict[str, PropertyValue | None]:
    """Return a level's properties except its facts. The seed is text, as Tiled's int has 32 bits."""
    return {
        "style": level.style,
        "seed": str(level.seed),
        "fingerprint": level.fingerprint,
        "spec": json.dumps(level.spec.saved(), ensure_ascii=False),
    }


def _tile_layer(number: int, name: str, data: Mapping[str, object], part: MapPart) -> Lines:
    keys: dict[str, object] = {
        **data,
        "height": part.area.height,
        "id": number,
        "name": name,
        "opacity": 1,
        "type": "tilelayer",
        "visible": True,
        "width": part.area.width,
        "x": 0,
        "y": 0,
    }
    return Lines(dict(sorted(keys.items())))


def _object_layer(number: int, name: str, objects: Iterable[Object]) -> Lines:
    return Lines(
        {
            "color": _COLORS[name],
            "draworder": "topdown",
            "id": number,
            "name": name,
            "objects": Lines(objects),
            "opacity": 1,
            "type": "objectgroup",
            "visible": name != LIGHTS,
            "x": 0,
            "y": 0,
        }
    )
