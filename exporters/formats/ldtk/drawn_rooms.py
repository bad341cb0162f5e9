"""Rooms and levels drawn in LDtk. In a project of rooms, each LDtk level is one; a level has the LDtk
levels as rooms, or the entities `Room` in them. They are painted by the IntGrid or with the theme's tiles.

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

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from generator.errors import LayoutError
from generator.geometry import Point, Rect
from generator.interiors.drawings import DrawnFiles, DrawnSheet
from generator.interiors.editor_room import (
    NOTHING,
    DrawnObject,
    EditorRoom,
    RoomCanvas,
    TileMeaning,
    TileNumbers,
    class_of,
)
from generator.interiors.editor_world import PlacedRoom, combined, in_a_line
from generator.level import Property
from generator.named_tuple import NamedTuple
from generator.node import LayoutNode

_MAX_LEVELS = 1 << 12
_MAX_LISTED = 1 << 18
_FAR = 1 << 24
_UID = (1 << 31) - 1

_VOID = TileMeaning(known=True)
_LINES = {"LinearHorizontal": 0, "LinearVertical": 1}  # layouts in which levels have no places; the axis

Meanings = Mapping[int, TileMeaning]


class _Meant(NamedTuple):
    """The meanings of each IntGrid's values and of each tileset's tiles, by uid."""

    grids: Mapping[int, Meanings]
    tilesets: Mapping[int, Meanings]


def ldtk_rooms(path: Path, files: DrawnFiles) -> Iterator[EditorRoom]:
    """Yield the rooms of a project, in its order. Raises LayoutError with the file and the position in it."""
    root = files.json(path)
    known = _known(root["defs"], path, files)
    is_empty = True
    for level in _levels([root, *root.list("worlds", _MAX_LEVELS)], path, files):
        is_empty = False
        yield _room(level, path, known, files)
    if is_empty:
        raise LayoutError(f"{path}: levels: is empty; draw a level for each room")


def ldtk_level(path: Path, files: DrawnFiles) -> EditorRoom:
    """Read all levels of a project as one level, where they are in its world; in a line if it has no places.

    Raises LayoutError with the file and the position in it.
    """
    root = files.json(path)
    known = _known(root["defs"], path, files)
    world = _world(root)
    nodes = list(_levels([world], path, files))
    if not nodes:
        raise LayoutError(f"{path}: levels: is empty; draw a level for each room, or one with entities Room")
    rooms = [_room(node, path, known, files) for node in nodes]
    sizes = {layer["__gridSize"].number(1, 4096) for node in nodes for layer in _tile_layers(node)}
    if len(sizes) > 1:
        root["levels"].fail(f"have grids of {' and '.join(map(str, sorted(sizes)))} px; use one grid")
    layout = world.word("worldLayout") or "Free"
    if len(rooms) == 1:
        places = [(0, 0)]
    elif layout in _LINES:
        places = in_a_line(rooms, _LINES[layout])
    else:
        places = [_corner(node, *sizes) for node in nodes]
    placed = [
        PlacedRoom(room, at, node["identifier"].line())
        for node, room, at in zip(nodes, rooms, places, strict=True)
    ]
    return combined(path, placed, files, world["levels"])


def _world(root: LayoutNode) -> LayoutNode:
    """Return what holds the levels: the project or the one of its worlds that has any."""
    holders = [root, *root.list("worlds", _MAX_LEVELS)]
    held = [holder for holder in holders if holder.list("levels", _MAX_LEVELS)] or holders[:1]
    if len(held) > 1:
        root["worlds"].fail(f"{len(held)} of them have levels; keep the rooms of one level in one world")
    return held[0]


def _tile_layers(level: LayoutNode) -> Iterator[LayoutNode]:
    layers = level.list("layerInstances", _MAX_LISTED)
    return (layer for layer in layers if layer["__type"].text() in ("IntGrid", "Tiles"))


def _corner(level: LayoutNode, size: int = 1) -> Point:
    """Return the first tile of a level in its world, for tiles of so many px."""
    x, y = (level[key].number(-_FAR, _FAR) for key in ("worldX", "worldY"))
    if x % size or y % size:
        name = level["identifier"].line()
        level["worldX"].fail(f"level {name} lies between tiles of {size} px; move it onto the grid")
    return x // size, y // size


def _levels(holders: Sequence[LayoutNode], path: Path, files: DrawnFiles) -> Iterator[LayoutNode]:
    """Yield the levels of a project or its worlds, also those in files of their own."""
    for level in (level for holder in holders for level in holder.list("levels", _MAX_LEVELS)):
        outer = level.word("externalRelPath")
        is_outside = level.get("layerInstances") is None and outer
        yield files.json(files.beside(path, outer, level["externalRelPath"].place)) if is_outside else level


def _known(defs: LayoutNode, path: Path, files: DrawnFiles) -> _Meant:
    grids = {
        layer["uid"].number(0, _UID): {
            **{
                value["value"].number(0, _UID): files.meaning(*_words(value.word("identifier")))
                for value in layer.list("intGridValues", _MAX_LISTED)
            },
            **files.said_of(layer.word("identifier")),
        }
        for layer in defs.list("layers", _MAX_LISTED)
    }
    tilesets = {
        tileset["uid"].number(0, _UID): _tile_meanings(tileset, path, files)
        for tileset in defs.list("tilesets", _MAX_LISTED)
    }
    return _Meant(grids, tilesets)


def _tile_meanings(tileset: LayoutNode, path: Path, files: DrawnFiles) -> Meanings:
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
    tagged = {number: files.meaning(*texts) for number, texts in words.items()}
    image = tileset.word("relPath")
    if not (image and files.of_level):
        return tagged
    keys = ("__cWid", "tileGridSize", "padding", "spacing")
    sheet = DrawnSheet(path.parent / image, *(tileset.whole(key, 0, _UID, 0) for key in keys))
    return {**files.sheet_tiles(sheet), **{n: each for n, each in tagged.items() if each != NOTHING}}


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
            if files.of_level and size != first:
                layer.fail("has another grid than the tiles; use one grid")
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
            _put_tiles(canvas, layer, size, known, files)
    if canvas is None:
        raise LayoutError(f"{where}: has no layers; save the project again in LDtk")
    for numbers, meanings in grids:  # what is painted counts, not what auto-layer rules draw
        if files.of_level:  # stone in the void covers the tiles of walls that rise into it
            canvas.clear(np.isin(numbers, [value for value, meaning in meanings.items() if meaning == _VOID]))
        canvas.put(numbers if 0 in meanings else np.where(numbers == 0, -1, numbers), meanings, _value_called)
    _note_pictures(level, name, files)
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


def _put_tiles(canvas: RoomCanvas, layer: LayoutNode, size: Point, known: _Meant, files: DrawnFiles) -> None:
    """Put the tiles of a layer on the canvas."""
    tileset = layer.whole("__tilesetDefUid", 0, _UID, 0)
    meanings = known.tilesets.get(tileset, {})
    for numbers in _tiles(layer, size):
        canvas.put(numbers - 1, meanings, _called)
        for number in np.unique(numbers[numbers > 0] - 1).tolist():
            files.note_look(meanings.get(number, NOTHING), (tileset, number))


def _note_pictures(level: LayoutNode, name: str, files: DrawnFiles) -> None:
    """Note what only shows how a level looks."""
    if level.word("bgRelPath"):
        files.lost.add("background picture", name)
    for layer in level.list("layerInstances", _MAX_LISTED):
        if layer["__type"].text() == "AutoLayer":
            files.lost.add("auto-layer", layer.word("__identifier"))


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
