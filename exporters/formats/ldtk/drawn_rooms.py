"""Rooms drawn in LDtk: one level, one room, painted by the IntGrid or with the theme's tiles.

    "defs": {"layers": [{"uid": 8, "type": "IntGrid", "intGridValues": [{"value": 1, "identifier": "wall"}]}],
             "tilesets": [{"uid": 9, "enumTags": [{"enumValueId": "wall", "tileIds": [256]}],
                           "customData": [{"tileId": 700, "data": "decor=rock"}]}]}
    "levels": [{"identifier": "Pond", "fieldInstances": [...], "layerInstances": [
        {"__type": "IntGrid", "layerDefUid": 8, "__cWid": 15, "__cHei": 9, "intGridCsv": [1, 1, ...]},
        {"__type": "Tiles", "gridTiles": [{"px": [16, 0], "t": 324}]},
        {"__type": "Entities", "entityInstances": [{"__identifier": "Enemy", "px": [48, 64]}]}]}]

(https://ldtk.io/json/; a level's first layer is the topmost.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from generator.errors import LayoutError
from generator.geometry import Point, Rect
from generator.interiors.drawings import DrawnFiles
from generator.interiors.editor_room import (
    DrawnObject,
    EditorRoom,
    RoomCanvas,
    TileMeaning,
    TileNumbers,
    class_of,
)
from generator.level import Property
from generator.node import LayoutNode

_MAX_LEVELS = 1 << 12
_MAX_LISTED = 1 << 18
_FAR = 1 << 24
_UID = (1 << 31) - 1

Meanings = Mapping[int, TileMeaning]


class _Meant(NamedTuple):
    """The meanings of each IntGrid's values and of each tileset's tiles, by uid."""

    grids: Mapping[int, Meanings]
    tilesets: Mapping[int, Meanings]


def ldtk_rooms(path: Path, files: DrawnFiles) -> Iterator[EditorRoom]:
    """Yield the rooms of a project, in its order. Raises LayoutError with the file and the position in it."""
    root = files.json(path)
    known = _known(root["defs"], files)
    levels = root.list("levels", _MAX_LEVELS)
    for world in root.list("worlds", _MAX_LEVELS):
        levels += world.list("levels", _MAX_LEVELS)
    if not levels:
        raise LayoutError(f"{path}: levels: is empty; draw a level for each room")
    for level in levels:
        outer = level.word("externalRelPath")
        if level.get("layerInstances") is None and outer:
            own_file = files.beside(path, outer, level["externalRelPath"].place)
            yield _room(files.json(own_file), path, known, files)
        else:
            yield _room(level, path, known, files)


def _known(defs: LayoutNode, files: DrawnFiles) -> _Meant:
    grids = {
        layer["uid"].number(0, _UID): {
            value["value"].number(0, _UID): files.meaning(*_words(value.word("identifier")))
            for value in layer.list("intGridValues", _MAX_LISTED)
        }
        for layer in defs.list("layers", _MAX_LISTED)
    }
    tilesets = {
        tileset["uid"].number(0, _UID): _tile_meanings(tileset, files)
        for tileset in defs.list("tilesets", _MAX_LISTED)
    }
    return _Meant(grids, tilesets)


def _tile_meanings(tileset: LayoutNode, files: DrawnFiles) -> Meanings:
    """Return the meanings by enum tags that name terrain or decor, and by data such as `decor=rock`."""
    words: dict[int, list[str]] = {}
    for tag in tileset.list("enumTags", _MAX_LISTED):
        for number in tag["tileIds"].items():
            words.setdefault(number.number(0, _UID), []).append(class_of(tag["enumValueId"].text()))
    for data in tileset.list("customData", _MAX_LISTED):
        names = words.setdefault(data["tileId"].number(0, _UID), [])
        for line in data["data"].text().splitlines():
            key, _, value = line.partition("=")
            if key.strip() in ("decor", "terrain"):
                names.append(value.strip())
    return {number: files.meaning(*texts) for number, texts in words.items()}


def _words(identifier: str) -> tuple[str, str]:
    """Return an IntGrid value's name, as written and in the spelling of kinds."""
    return identifier.lower(), class_of(identifier)


def _room(level: LayoutNode, path: Path, known: _Meant, files: DrawnFiles) -> EditorRoom:
    name = level["identifier"].line()
    where = f"{path}: level {name}"
    canvas: RoomCanvas | None = None
    objects: list[DrawnObject] = []
    grids: list[tuple[TileNumbers, Meanings]] = []
    for layer in reversed(level.list("layerInstances", _MAX_LISTED)):
        kind = layer["__type"].text()
        size = layer["__cWid"].number(1, files.most_side), layer["__cHei"].number(1, files.most_side)
        if canvas is None:
            files.spend(size[0] * size[1], layer)
            canvas, first = RoomCanvas(*size), size
        if kind == "Entities":
            objects += _entities(layer, where, files)
            continue
        files.spend(size[0] * size[1], layer)
        if size != first:
            layer.fail(
                f"has {size[0]} x {size[1]} tiles, but other layers have {first[0]} x {first[1]}; use one "
                "grid"
            )
        if kind == "IntGrid":
            meanings = known.grids.get(layer["layerDefUid"].number(0, _UID), {})
            grids.append((_grid(layer, size), meanings))
        elif kind == "Tiles":
            meanings = known.tilesets.get(layer.whole("__tilesetDefUid", 0, _UID, 0), {})
            for numbers in _tiles(layer, size):
                canvas.put(numbers - 1, meanings, _called)
    if canvas is None:
        raise LayoutError(f"{where}: has no layers; save the project again in LDtk")
    for numbers, meanings in grids:  # what is painted counts, not what auto-layer rules draw
        canvas.put(np.where(numbers == 0, -1, numbers), meanings, _value_called)
    header = dict(_fields(level))
    drawn = canvas.terrain, canvas.decor, tuple(objects), header
    room = EditorRoom(name.replace("_", "-"), path, where, (0, 0), *drawn, files.kit)
    unknown = canvas.unknown()
    if unknown:
        tile, called = unknown
        raise room.fail(
            f"{called} has no terrain; tag it in the tileset, or paint it in an IntGrid with values named "
            "wall, floor, pit …",
            tile,
        )
    return room


def _called(number: int) -> str:
    return f"tile {number}"


def _value_called(number: int) -> str:
    return f"value {number} of the IntGrid"


def _grid(layer: LayoutNode, size: Point) -> TileNumbers:
    values = layer["intGridCsv"].numbers(size[0] * size[1], 0, _UID)
    return np.array(values, np.int64).reshape(size[1], size[0])


def _tiles(layer: LayoutNode, size: Point) -> Iterator[TileNumbers]:
    """Yield the tiles, counted from 1, in several parts if tiles are stacked."""
    px = layer["__gridSize"].number(1, 4096)
    shift = [round(layer.real(key) / px) for key in ("__pxTotalOffsetX", "__pxTotalOffsetY")]
    if any(shift):  # tiles that stick out over the room's edge
        return
    parts: list[TileNumbers] = []
    for tile in layer.list("gridTiles", _MAX_LISTED):
        x, y = (offset // px for offset in tile["px"].pair(-_FAR, _FAR))
        number = tile["t"].number(0, _UID) + 1
        if not (0 <= x < size[0] and 0 <= y < size[1]):
            continue
        part = next((layer_part for layer_part in parts if not layer_part[y, x]), None)
        if part is None and len(parts) < 8:
            part = np.zeros((size[1], size[0]), np.int64)
            parts.append(part)
        if part is not None:
            part[y, x] = number
    yield from parts


def _entities(layer: LayoutNode, where: str, files: DrawnFiles) -> Iterator[DrawnObject]:
    px = layer["__gridSize"].number(1, 4096)
    for node in layer.list("entityInstances", _MAX_LISTED):
        name = node["__identifier"].line()
        kind = class_of(name)
        if files.leaves_out(kind):
            continue
        pivot = [half.real("v") for half in _paired(node, "__pivot")]
        size = [node.whole(key, 0, _FAR, px) for key in ("width", "height")]
        corner = [
            at - p * side for at, p, side in zip(node["px"].pair(-_FAR, _FAR), pivot, size, strict=True)
        ]
        left, top = (int((at + min(side, px) / 2) // px) for at, side in zip(corner, size, strict=True))
        width, height = (max(1, round(side / px)) for side in size)
        yield DrawnObject(
            kind,
            Rect(left, top, width, height),
            dict(_fields(node)),
            f"{where}: entity {name} at {left}, {top}",
        )


def _paired(node: LayoutNode, key: str) -> list[LayoutNode]:
    """Return two numbers under a key, each as a node, or zeros if there is no such key."""
    pair = node.get(key)
    values = pair.items(2) if pair else []
    return [LayoutNode({"v": values[i].value if i < len(values) else 0}, node.place) for i in range(2)]


def _fields(node: LayoutNode) -> Iterator[tuple[str, Property]]:
    """Yield the fields of a level or an entity that have a value which a layout can hold."""
    for field in node.list("fieldInstances", _MAX_LISTED):
        value = field["__value"].value
        if isinstance(value, (bool, int, float, str)):
            yield field["__identifier"].line(), value
