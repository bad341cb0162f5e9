"""Tiles in a folder's files that no sheet has."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def beyond_sheets(folder: Path) -> Iterator[str]:
    """Yield the tiles in a folder's files that no sheet has, but for files put aside, which had another."""
    for path in sorted(each for each in folder.rglob("*") if ".mine" not in each.name):
        if path.suffix == ".tmj":
            yield from (f"{path.name}: {gid}" for gid in _beyond_in_map(path))
        elif path.suffix in (".ldtk", ".ldtkl"):
            yield from (f"{path.name}: {tile}" for tile in _beyond_in_project(path))
        elif path.suffix == ".tscn":
            yield from (f"{path.name}: {tile}" for tile in _beyond_in_scene(path))


def _beyond_in_map(path: Path) -> set[int]:
    map_ = json.loads(path.read_text())
    counts = {
        each["firstgid"]: json.loads(file.read_text())["tilecount"]
        for each in map_["tilesets"]
        if (file := path.parent / each["source"]).is_file()
    }
    return {
        gid
        for gid in _gids(map_["layers"])
        if gid and not any(first <= gid < first + count for first, count in counts.items())
    }


def _gids(layers: list[Any]) -> Iterator[int]:
    for layer in layers:
        yield from _gids(layer.get("layers", []))
        data = layer.get("data", [])
        if isinstance(data, str):
            packed = zlib.decompress(base64.b64decode(data))
            data = struct.unpack(f"<{len(packed) // 4}I", packed)
        yield from (gid & 0x1FFFFFFF for gid in data)
        yield from (each.get("gid", 0) & 0x1FFFFFFF for each in layer.get("objects", ()))


def _beyond_in_project(path: Path) -> set[int]:
    project = json.loads(path.read_text())
    main_file = path if path.suffix == ".ldtk" else path.parent.with_suffix(".ldtk")
    sheets = {each["uid"]: each for each in json.loads(main_file.read_text())["defs"]["tilesets"]}
    beyond = set()
    for level in project.get("levels", [project]):
        for layer in level["layerInstances"] or ():
            sheet = sheets.get(layer["__tilesetDefUid"])
            count = sheet["__cWid"] * sheet["__cHei"] if sheet else 0
            beyond |= {
                tile["t"] for tile in layer["gridTiles"] + layer["autoLayerTiles"] if tile["t"] >= count
            }
    return beyond


def _beyond_in_scene(path: Path) -> set[tuple[int, int]]:
    text = path.read_text()
    tilesets = re.findall(r'path="([^"]*\.tres)"', text)
    if not tilesets:
        return set()
    cells: set[tuple[int, int]] = set()
    known: set[tuple[int, int]] = set()
    for name in tilesets:
        places = re.findall(r"^(\d+):(\d+)/0 = ", (path.parent / name).read_text(), re.MULTILINE)
        known |= {(int(x), int(y)) for x, y in places}
    for packed in re.findall(r'tile_map_data = PackedByteArray\("([^"]*)"\)', text):
        data = base64.b64decode(packed)[2:]
        cells |= {struct.unpack_from("<HH", data, at + 6) for at in range(0, len(data), 12)}
    return cells - known
