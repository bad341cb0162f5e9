"""Small LDtk projects, made of what a test says and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

Json = dict[str, Any]

TILES, ICONS = 90, 91  # uids of tilesets
POINT, AREA, ROUND = 50, 51, 52  # uids of entities


def sheet(folder: Path, name: str = "tiles.png", columns: int = 4, rows: int = 3, size: int = 16) -> None:
    """An image whose every tile is unlike the others, and unlike itself when turned."""
    image = Image.new("RGBA", (columns * size, rows * size))
    for y in range(image.height):
        for x in range(image.width):
            tile = x // size + columns * (y // size)
            image.putpixel((x, y), (40 + 17 * tile % 200, 20 + 12 * (x % size), 20 + 12 * (y % size), 255))
    image.save(folder / name)


def tileset(uid: int = TILES, **facts: object) -> Json:
    found: Json = {
        "uid": uid,
        "identifier": f"Tiles{uid}",
        "relPath": "tiles.png",
        "embedAtlas": None,
        "pxWid": 64,
        "pxHei": 48,
        "tileGridSize": 16,
        "spacing": 0,
        "padding": 0,
        "enumTags": [],
        "customData": [],
    }
    return found | facts


def layer_def(uid: int, name: str, type_: str, **facts: object) -> Json:
    found: Json = {
        "uid": uid,
        "identifier": name,
        "__type": type_,
        "type": type_,
        "gridSize": 16,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "tilesetDefUid": None if type_ == "Entities" else TILES,
        "intGridValues": [],
    }
    return found | facts


def layer(uid: int, name: str, type_: str, **facts: object) -> Json:
    """A layer of a level of 4 x 3 cells."""
    found: Json = {
        "__identifier": name,
        "__type": type_,
        "__cWid": 4,
        "__cHei": 3,
        "__gridSize": 16,
        "__opacity": 1,
        "__pxTotalOffsetX": 0,
        "__pxTotalOffsetY": 0,
        "__tilesetDefUid": None if type_ == "Entities" else TILES,
        "iid": f"layer-{uid}",
        "layerDefUid": uid,
        "visible": True,
        "overrideTilesetUid": None,
        "intGridCsv": [],
        "autoLayerTiles": [],
        "gridTiles": [],
        "entityInstances": [],
    }
    return found | facts


def tile(x: int, y: int, number: int = 0, flips: int = 0, opacity: float = 1, columns: int = 4) -> Json:
    at = [number % columns * 16, number // columns * 16]
    return {"px": [x, y], "src": at, "f": flips, "t": number, "d": [0], "a": opacity}


def level(name: str, layers: Sequence[Json], **facts: object) -> Json:
    found: Json = {
        "identifier": name,
        "iid": f"level-{name}",
        "uid": 1000 + sum(map(ord, name)),
        "worldX": 0,
        "worldY": 0,
        "worldDepth": 0,
        "pxWid": 64,
        "pxHei": 48,
        "__bgColor": "#203040",
        "bgRelPath": None,
        "__bgPos": None,
        "externalRelPath": None,
        "fieldInstances": [],
        "layerInstances": list(layers),
        "__neighbours": [],
    }
    return found | facts


def entity(uid: int, name: str, x: int, y: int, fields: Sequence[Json] = (), **facts: object) -> Json:
    found: Json = {
        "__identifier": name,
        "__pivot": [0.5, 1],
        "__tile": None,
        "iid": f"{name}-{x}-{y}",
        "defUid": uid,
        "px": [x, y],
        "width": 16,
        "height": 16,
        "fieldInstances": list(fields),
    }
    return found | facts


def field(name: str, type_: str, value: object) -> Json:
    return {"__identifier": name, "__type": type_, "__value": value, "defUid": 1}


def refer(iid: str) -> Json:
    return {"entityIid": iid, "layerIid": "l", "levelIid": "v", "worldIid": "w"}


def project(
    levels: Sequence[Json], layers: Sequence[Json], more_defs: Json | None = None, **facts: object
) -> Json:
    defs: Json = {
        "layers": list(layers),
        "tilesets": [tileset()],
        "entities": [
            {"uid": POINT, "identifier": "Point", "tags": ["tagged"]},
            {"uid": AREA, "identifier": "Area", "tags": [], "resizableX": True},
            {"uid": ROUND, "identifier": "Round", "tags": [], "resizableX": True, "renderMode": "Ellipse"},
        ],
        "enums": [],
    }
    defs |= more_defs or {}
    found: Json = {
        "iid": "project",
        "jsonVersion": "1.5.3",
        "defaultGridSize": 16,
        "worldLayout": "Free",
        "externalLevels": False,
        "toc": [],
        "worlds": [],
        "defs": defs,
        "levels": list(levels),
    }
    return found | facts


def save(folder: Path, name: str, content: Json) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
