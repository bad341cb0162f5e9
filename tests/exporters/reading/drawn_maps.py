"""Maps that somebody drew without Undercroft: of a picture in text, as Tiled and LDtk save them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from generator.level import Level

Json = dict[str, Any]
Box = tuple[int, int, int, int]
SIGNS = " #.~o+"  # void, and the tiles of the tileset: wall, floor, pit, rock, door
PX = 16

TILESET: Json = {
    "firstgid": 1, "name": "mine", "columns": 5, "tilecount": 5, "tilewidth": PX, "tileheight": PX,
    "image": "mine.png", "imagewidth": 80, "imageheight": PX, "margin": 0, "spacing": 0,
    "tiles": [
        {"id": 0, "type": "Wall"},
        {"id": 1, "type": "floor"},
        {"id": 2, "properties": [{"name": "terrain", "type": "string", "value": "pit"}]},
        {"id": 3, "type": "rock"},
        {"id": 4, "type": "door"},
    ],
}  # fmt: skip

CRYPT = """\
#########  ########
#.......#  #......#
#.......####......#
#.................#
#.......####......#
#..o....#  #......#
#.......#  #......#
####.####  ###.####
   #.#       #.#
   #.#       #.#
####.####  ###.####
#.......#  #......#
#..~~...####......#
#.................#
#.......####......#
#.......#  #......#
#.......#  #......#
#########  ########"""
ROOMS: tuple[tuple[str, Box, Json], ...] = (
    ("Hall", (0, 0, 9, 8), {"kind": "start"}),
    ("", (11, 0, 8, 8), {}),
    ("", (0, 10, 9, 8), {"kind": "shop"}),
    ("Throne room", (11, 10, 8, 8), {"kind": "boss"}),
)


def numbers(picture: str) -> list[list[int]]:
    """The tiles of a picture, row by row."""
    rows = picture.split("\n")
    width = max(map(len, rows))
    return [[SIGNS.index(sign) for sign in row.ljust(width)] for row in rows]


def drawn_object(number: int, class_: str, box: Box, name: str = "", **values: object) -> Json:
    """An object of Tiled over some tiles."""
    x, y, width, height = (PX * side for side in box)
    types = {bool: "bool", int: "int", float: "float"}
    listed = [
        {"name": key, "type": types.get(type(value), "string"), "value": value}
        for key, value in values.items()
    ]
    return {
        "id": number, "name": name, "type": class_, "x": x, "y": y, "width": width, "height": height,
        "rotation": 0, "visible": True, **({"properties": listed} if listed else {}),
    }  # fmt: skip


def tiled_map(picture: str, objects: Sequence[Json], **more: Any) -> Json:
    """A map with a layer of tiles and a layer of objects."""
    rows = numbers(picture)
    height, width = len(rows), len(rows[0])
    tiles = [number for row in rows for number in row]
    return {
        "type": "map", "version": "1.10", "tiledversion": "1.11.0", "orientation": "orthogonal",
        "renderorder": "right-down", "infinite": False, "width": width, "height": height,
        "tilewidth": PX, "tileheight": PX, "nextlayerid": 3, "nextobjectid": 99, "tilesets": [TILESET],
        "layers": [
            {"type": "tilelayer", "id": 1, "name": "Tiles", "x": 0, "y": 0, "width": width, "height": height,
             "opacity": 1, "visible": True, "data": tiles},
            {"type": "objectgroup", "id": 2, "name": "Things", "x": 0, "y": 0, "opacity": 1, "visible": True,
             "draworder": "topdown", "objects": list(objects)},
        ],
        **more,
    }  # fmt: skip


def rooms_of(rooms: Sequence[tuple[str, Box, Json]] = ROOMS) -> list[Json]:
    """The objects of rooms, with ids from 1."""
    return [drawn_object(id_, "room", box, name, **own) for id_, (name, box, own) in enumerate(rooms, 1)]


def write_map(folder: Path, map_: Json, name: str = "crypt.tmj") -> Path:
    """Write a map, and return where."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(map_), "utf-8")
    return folder / name


def crypt(folder: Path, *more: Json, picture: str = CRYPT, **changes: Any) -> Path:
    """Write a map of four rooms and four hallways, with more objects."""
    return write_map(folder, tiled_map(picture, [*rooms_of(), *more], **changes))


def ldtk_level(name: str, at: tuple[int, int], picture: str, *entities: Json, **fields: object) -> Json:
    """A level of LDtk: an IntGrid, and entities over it."""
    rows = numbers(picture)
    height, width = len(rows), len(rows[0])
    size = {"__cWid": width, "__cHei": height, "__gridSize": PX, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0}
    return {
        "identifier": name, "uid": 1, "iid": name, "worldX": PX * at[0], "worldY": PX * at[1], "worldDepth": 0,
        "pxWid": PX * width, "pxHei": PX * height, "externalRelPath": None,
        "fieldInstances": [ldtk_field(key, value) for key, value in fields.items()],
        "layerInstances": [
            {"__type": "Entities", "__identifier": "Entities", "layerDefUid": 2, **size,
             "entityInstances": list(entities)},
            {"__type": "IntGrid", "__identifier": "Collisions", "layerDefUid": 1, **size, "gridTiles": [],
             "intGridCsv": [number for row in rows for number in row]},
        ],
    }  # fmt: skip


def ldtk_field(key: str, value: object) -> Json:
    """A field of a level or an entity."""
    return {"__identifier": key, "__type": "String", "__value": value}


def ldtk_entity(identifier: str, box: Box, **fields: object) -> Json:
    """An entity over some tiles."""
    x, y, width, height = (PX * side for side in box)
    own = [ldtk_field(key, value) for key, value in fields.items()]
    return {"__identifier": identifier, "__pivot": [0, 0], "px": [x, y], "width": width, "height": height,
            "iid": f"{identifier}{x},{y}", "fieldInstances": own}  # fmt: skip


def ldtk_project(*levels: Json, layout: str = "Free", values: Sequence[str | None] = ()) -> Json:
    """A project of LDtk whose IntGrid has the values of `SIGNS`, or these."""
    names = values or ("Walls", "floor", "PIT", "rock", "door")
    return {
        "jsonVersion": "1.5.3", "worldLayout": layout, "externalLevels": False, "worlds": [],
        "defs": {
            "layers": [
                {"uid": 2, "identifier": "Entities", "type": "Entities", "intGridValues": []},
                {"uid": 1, "identifier": "Collisions", "type": "IntGrid", "intGridValues": [
                    {"value": number, "identifier": name} for number, name in enumerate(names, 1)]},
            ],
            "tilesets": [],
        },
        "levels": list(levels),
    }  # fmt: skip


def markers(level: Level) -> set[tuple[str, int | None]]:
    """The kinds of the markers of a level, each with its room."""
    return {(marker.kind, marker.room) for marker in level.markers}
