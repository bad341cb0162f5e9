"""Maps of Tiled made by hand: a small room in every way in which Tiled stores one."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from backports import zstd

Json = dict[str, Any]

# A room of 9 x 7 tiles, walls included, with a door in the north and one in the south.
ROOM = """\
####D####
#.......#
#..o....#
#..~~...#
#.......#
#.......#
####D####"""
ROWS = [".......", "..o....", "..~~.E.", ".......", "......."]
TILES = {"#": 1, ".": 2, "~": 3, "o": 4, "D": 5}
TILESET: Json = {
    "name": "own", "columns": 4, "image": "own.png", "tilewidth": 8, "tileheight": 8,
    "tiles": [
        {"id": 0, "type": "wall"},
        {"id": 1, "class": "floor"},
        {"id": 2, "properties": [{"name": "terrain", "type": "string", "value": "pit"}]},
        {"id": 3, "type": "decor", "properties": [{"name": "decor", "type": "string", "value": "rock"}]},
        {"id": 4, "type": "door"},
        {"id": 6, "type": "enemy", "properties": [{"name": "role", "type": "string", "value": "shooter"}]},
    ],
}  # fmt: skip


def numbers() -> np.ndarray[Any, Any]:
    """[y, x]: the tiles of the room."""
    return np.array([[TILES[sign] for sign in row] for row in ROOM.splitlines()], "<u4")


def packed(data: bytes, compression: str) -> str:
    """A layer's bytes as base64, packed."""
    pack = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress, "zstd": zstd.compress}[compression]
    return base64.b64encode(pack(data)).decode()


def map_of(layer: Json, **more: Any) -> Json:
    """A map with that layer of tiles, and an enemy."""
    enemy = {"id": 1, "type": "enemy", "point": True, "x": 52, "y": 28, "width": 0, "height": 0}
    return {
        "type": "map", "orientation": "orthogonal", "infinite": False, "width": 9, "height": 7,
        "tilewidth": 8, "tileheight": 8, "tilesets": [{"firstgid": 1, **TILESET}],
        "layers": [
            {"type": "tilelayer", "name": "Room", "width": 9, "height": 7, **layer},
            {"type": "objectgroup", "name": "Things", "objects": [enemy]},
        ],
        **more,
    }  # fmt: skip


def plain() -> Json:
    """The room as CSV."""
    return copy.deepcopy(map_of({"data": numbers().ravel().tolist()}))


def write(folder: Path, map_: Json, name: str = "room.tmj") -> Path:
    """Write a map, and return where."""
    (folder / name).write_text(json.dumps(map_), "utf-8")
    return folder / name


def tmx(data: str, *, attributes: str = 'encoding="csv"', map_: str = "", tileset: str = "") -> str:
    """The room as XML; `data` is what stands in the layer."""
    tiles = (
        tileset
        or """<tileset firstgid="1" name="own" tilewidth="8" tileheight="8" columns="4">
 <image source="own.png" width="32" height="16"/>
 <tile id="0" type="wall"/><tile id="1" class="floor"/>
 <tile id="2"><properties><property name="terrain" value="pit"/></properties></tile>
 <tile id="3" type="decor"><properties><property name="decor">rock</property></properties></tile>
 <tile id="4" type="door"/></tileset>"""
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="9" height="7" tilewidth="8" tileheight="8" {map_}>
 <properties><property name="weight" type="int" value="3"/></properties>
 {tiles}
 <group id="1" name="All" offsetx="8" offsety="16">
  <layer id="2" name="Room" width="9" height="7"><data {attributes}>{data}</data></layer>
  <objectgroup id="3" name="Things"><object id="1" class="Enemy" x="52" y="28"><point/></object></objectgroup>
 </group>
</map>"""
