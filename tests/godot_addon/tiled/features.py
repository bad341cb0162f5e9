"""One map with everything that is not drawn: objects of every shape, properties of every type, templates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .maps import H, Map, a_map, object_layer, save, sheet, tile_layer, tileset

SOLID = {"x": 0, "y": 0, "width": 16, "height": 8, "rotation": 0}
PROJECT = {
    "propertyTypes": [
        {"id": 1, "name": "Mood", "type": "enum", "storageType": "string", "values": ["calm", "angry"]},
        {
            "id": 2,
            "name": "Keys",
            "type": "enum",
            "storageType": "string",
            "values": ["red", "blue", "gold"],
            "valuesAsFlags": True,
        },
        {
            "id": 3,
            "name": "Loot",
            "type": "class",
            "useAs": ["property"],
            "members": [
                {"name": "coins", "type": "int", "value": 3},
                {"name": "owner", "type": "object", "value": 0},
            ],
        },
        {
            "id": 4,
            "name": "guard",
            "type": "class",
            "useAs": ["object"],
            "members": [
                {"name": "mood", "type": "string", "propertyType": "Mood", "value": "calm"},
                {"name": "speed", "type": "float", "value": 1.5},
            ],
        },
    ]
}


def prop(name: str, type_: str, value: Any, own: str = "") -> Map:
    """A property as Tiled writes it."""
    return {"name": name, "type": type_, "value": value, **({"propertytype": own} if own else {})}


CORNER = {"x": 0, "y": 0}
OBJECTS: list[Map] = [
    {"name": "Point", "point": True, "x": 5, "y": 6},
    {"name": "Box", "x": 10, "y": 20, "width": 30, "height": 10, "rotation": 90},
    {"name": "Ring", "ellipse": True, "x": 0, "y": 0, "width": 12, "height": 12},
    {"name": "Poly", "polygon": [CORNER, {"x": 9, "y": 0}, {"x": 9, "y": 9}], "x": 7, "y": 8},
    {"name": "Line", "polyline": [CORNER, {"x": 9, "y": 5}], "x": 1, "y": 2},
    {
        "name": "Words",
        "text": {"text": 'Hello <you> & "me"', "wrap": True, "halign": "center"},
        "width": 50,
        "height": 20,
    },
    {"name": "Tile", "gid": 3 | H, "x": 16, "y": 48, "width": 32, "height": 16},
    {"name": "Moving", "gid": 5, "x": 40, "y": 48, "width": 16, "height": 16},
    {
        "name": "Guard",
        "type": "guard",
        "point": True,
        "properties": [
            prop("mood", "string", "angry", "Mood"),
            prop("keys", "string", "red,gold", "Keys"),
            prop("loot", "class", {"coins": 7}, "Loot"),
            prop("tint", "color", "#80ff0000"),
            prop("picture", "file", "rich.png"),
            prop("friend", "object", 2),
            prop("big", "int", 2000000000),
        ],
    },
    {"name": "Bow", "polygon": [CORNER, {"x": 9, "y": 9}, {"x": 9, "y": 0}, {"x": 0, "y": 9}]},
]


FAR: Map = {
    "type": "group",
    "name": "Far",
    "opacity": 1,
    "visible": True,
    "parallaxx": 0.5,
    "layers": [
        {
            "type": "imagelayer",
            "name": "Sky",
            "id": 30,
            "image": "rich.png",
            "opacity": 1,
            "visible": True,
            "parallaxx": 0.5,
            "parallaxy": 0.25,
            "repeatx": True,
        }
    ],
}


def rich_tileset() -> Map:
    """Collisions of every kind, animations beside each other and strewn, terrains, custom data."""
    triangle = [{"x": 0, "y": 0}, {"x": 16, "y": 16}, {"x": 0, "y": 16}]
    tiles = [
        {"id": 0, "type": "stone", "objectgroup": shapes(SOLID), "properties": [prop("cost", "int", 4)]},
        {"id": 1, "objectgroup": shapes({**SOLID, "type": "navigation"})},
        {"id": 2, "objectgroup": shapes({**SOLID, "properties": [prop("occluder", "bool", True)]})},
        {"id": 3, "probability": 0.25, "objectgroup": shapes({"x": 0, "y": 0, "polygon": triangle})},
        {"id": 4, "animation": _frames(4, 5, 6)},
        {"id": 7, "animation": _frames(7, 3, 7, 0)},
    ]
    wang = {
        "name": "Ground",
        "type": "corner",
        "tile": -1,
        "colors": [
            {"name": "sand", "color": "#ffff00", "probability": 1, "tile": -1},
            {"name": "grass", "color": "#00ff00", "probability": 1, "tile": -1},
        ],
        "wangtiles": [{"tileid": 8, "wangid": [0, 1, 0, 1, 0, 2, 0, 1]}],
    }
    return {**tileset("rich.png", 12, 4, (16, 16)), "tiles": tiles, "wangsets": [wang]}


def _frames(*ids: int) -> list[Map]:
    return [{"tileid": number, "duration": 100 + number} for number in ids]


def shapes(*objects: Map) -> Map:
    """The collisions of a tile."""
    return object_layer(*objects, draworder="index")


def write_features(folder: Path) -> None:
    """`features.tmj` with its tileset, template and project."""
    sheet(4, 3, (16, 16)).save(folder / "rich.png")
    save(folder, "rich.tsj", rich_tileset())
    save(folder, "game.tiled-project", PROJECT)
    template = {"name": "Sentry", "type": "guard", "width": 20, "height": 10, "rotation": 0, "visible": True}
    properties = [prop("speed", "float", 4.0), prop("from_template", "bool", True)]
    save(
        folder,
        "sentry.tj",
        {"type": "template", "object": {**template, "id": 1, "properties": properties}},
    )
    gids = np.arange(1, 13, dtype=np.uint32).reshape(3, 4)
    objects = object_layer(*OBJECTS)
    objects["objects"].append({"id": 50, "template": "sentry.tj", "x": 100, "y": 50})
    objects["objects"].append(
        {"id": 51, "template": "sentry.tj", "x": 1, "y": 2, "name": "Own", "width": 4, "height": 10}
    )
    ground = tile_layer(gids, name="Ground", **{"class": "floor"}, properties=[prop("z_index", "int", 3)])
    rich = {"firstgid": 1, "source": "rich.tsj"}
    content = a_map(
        (4, 3), (16, 16), [rich], FAR, ground, objects, properties=[prop("music", "string", "a\nb")]
    )
    save(folder, "features.tmj", {**content, "class": "world"})
