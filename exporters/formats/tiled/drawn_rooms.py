"""Rooms and levels drawn in Tiled: one map, one room, or one map, one level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

import numpy as np

from exporters.formats.tiled.names import chosen, plain_name
from exporters.formats.tiled.syntax.data import TURNED, PlacedLayer, parts_of, placed_layers
from exporters.formats.tiled.syntax.reader import tiled_table
from generator.errors import LayoutError, shown
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
    objects_of,
)
from generator.interiors.editor_world import PlacedRoom, combined
from generator.level import Property
from generator.named_tuple import NamedTuple
from generator.node import LayoutNode

_MAX_LAYERS = 256
_MAX_MAPS = 1 << 12
_MAPS = (".tmj", ".tmx", ".json")
_FAR = 1 << 24
_MAX_OBJECTS = 1 << 16
_NUMBER = 0x0FFF_FFFF  # without the bits for a tile's rotation


def tiled_rooms(path: Path, files: DrawnFiles) -> list[EditorRoom]:
    """Read the one room of a map. Raises LayoutError with the file and the position in it."""
    return [tiled_room(path, files)]


def tiled_world(path: Path, files: DrawnFiles) -> EditorRoom:
    """Read all maps of a world as one level, where they are in it.

    Raises LayoutError with the file and the position in it.
    """
    root = files.json(path)
    if root.list("patterns", _MAX_MAPS):
        root["patterns"].fail("are not read; list each map under maps, with its fileName, x and y")
    placed, sizes = [], set()
    rooms: dict[Path, tuple[Point, EditorRoom]] = {}
    exported = 0
    for entry in root.list("maps", _MAX_MAPS):
        file = files.beside(path, entry["fileName"].text(), entry["fileName"].place)
        if file.suffix.lower() not in _MAPS:
            entry["fileName"].fail(
                f"{shown(file.name)}: is not a map; give one that ends in {', '.join(_MAPS)}"
            )
        if file not in rooms:
            map_ = read_tiled(file, files, "map")
            exported += map_.word("class") == "level" and "fingerprint" in _names_of(map_)
            if exported > 1:
                entry["fileName"].fail(
                    "is another level of a run; give the map of one level instead of the world"
                )
            size = map_["tilewidth"].number(1, 4096), map_["tileheight"].number(1, 4096)
            rooms[file] = size, _room_of(map_, file, files)
        size, room = rooms[file]
        sizes.add(size)
        x, y = (entry.whole(key, -_FAR, _FAR, 0) for key in ("x", "y"))
        if x % size[0] or y % size[1]:
            entry.fail(f"lies between tiles of {size[0]} x {size[1]} px; move it onto the grid")
        at = x // size[0] + room.origin[0], y // size[1] + room.origin[1]
        placed.append(PlacedRoom(room, at, file.stem))
    if not placed:
        raise LayoutError(f"{path}: maps: is empty; add a map for each room")
    if len(sizes) > 1:
        listed = " and ".join(f"{width} x {height}" for width, height in sorted(sizes))
        root["maps"].fail(f"have tiles of {listed} px; use one size")
    return combined(path, placed, files, root["maps"])


def _names_of(map_: LayoutNode) -> set[str]:
    """Return the names of a map's properties."""
    return {property_.word("name") for property_ in map_.list("properties", _MAX_MAPS)}


def tiled_room(path: Path, files: DrawnFiles) -> EditorRoom:
    """Read the room of a map, or all of its rooms for a level.

    Raises LayoutError with the file and the position in it.
    """
    return _room_of(read_tiled(path, files, "map"), path, files)


def _room_of(root: LayoutNode, path: Path, files: DrawnFiles) -> EditorRoom:
    if root.word("orientation", "orthogonal") != "orthogonal":
        root["orientation"].fail(f"{shown(root['orientation'].value)}: only orthogonal maps can be read")
    size = root["tilewidth"].number(1, 4096), root["tileheight"].number(1, 4096)
    tiles = map_tiles(root, path, files)
    layers = list(placed_layers(root))
    if len(layers) > _MAX_LAYERS:
        root.fail(f"has {len(layers)} layers; use at most {_MAX_LAYERS}")
    parts = [
        _DrawnPart(
            part.x + round(layer.x / size[0]),
            part.y + round(layer.y / size[1]),
            part.numbers,
            _layers_meaning(layer.node, files),
        )
        for layer in layers
        if layer.node.word("type") == "tilelayer"
        for part in parts_of(layer.node, files, files.most_side)
    ]
    origin, canvas = _drawn(root, parts, tiles, files)
    for layer in layers:
        if layer.node.word("type") == "imagelayer":
            files.lost.add("image layer", layer.node.word("name"))
    groups = [group for group in layers if group.node.word("type") == "objectgroup"]
    objects = list(_painted(path, parts, tiles, origin))
    objects += [item for layer in groups for item in _objects(layer, path, files, tiles, size, origin)]
    if not files.of_level:
        _clear_beyond_room(groups, size, origin, canvas)
    header = plain(properties(root))
    room = EditorRoom(
        path.stem, path, str(path), origin, canvas.terrain, canvas.decor, tuple(objects), header, files.kit
    )
    unknown = canvas.unknown()
    if unknown:
        tile, called = unknown
        raise room.fail(f"{called} has no terrain; {_REMEDIES[files.of_level]}", tile)
    return room


_CLASS = "give it the class wall, floor, pit or the name of a thing in Tiled, or"
_REMEDIES = {
    False: f"{_CLASS} draw with the tileset that `undercroft layouts new` writes",
    True: f"{_CLASS} import the map with --meaning, as in --meaning 'LAYER=floor'",
}


class _DrawnPart(NamedTuple):
    """A part of a layer, and the meaning of those of its tiles that have none of their own.

    The numbers have all bits.
    """

    x: int
    y: int
    numbers: TileNumbers
    meaning: TileMeaning


def _layers_meaning(layer: LayoutNode, files: DrawnFiles) -> TileMeaning:
    """Return what is said of a layer's tiles: with --meaning, by its properties, its class or its name."""
    if not files.of_level:
        return NOTHING
    own, name = properties(layer), layer.word("name")
    for said in (files.said.get(name), own.get("terrain"), own.get("decor"), layer.word("class"), name):
        if isinstance(said, str) and (meaning := files.meaning(said)) != NOTHING:
            return meaning
    return NOTHING


def _drawn(
    root: LayoutNode, parts: list[_DrawnPart], tiles: MapTiles, files: DrawnFiles
) -> tuple[Point, RoomCanvas]:
    """Return the corner of the drawing in the map, and its layers combined."""
    if not parts:
        what = "its rooms" if files.of_level else "the room with its walls"
        raise LayoutError(f"{root.place}: has no tiles; draw {what}")
    left, top = min(part.x for part in parts), min(part.y for part in parts)
    right = max(part.x + part.numbers.shape[1] for part in parts)
    bottom = max(part.y + part.numbers.shape[0] for part in parts)
    if max(right - left, bottom - top) > files.most_side:
        root.fail(
            f"its tiles cover {right - left} x {bottom - top}; each side can be at most {files.most_side}"
        )
    files.spend((right - left) * (bottom - top), root)
    canvas = RoomCanvas(right - left, bottom - top)
    for x, y, turned, of_layer in parts:
        numbers = turned & ~np.int64(TURNED)
        meanings = {number: tiles.meaning(number) for number in np.unique(numbers).tolist() if number}
        meanings = {number: of_layer if own == NOTHING else own for number, own in meanings.items()}
        canvas.put(np.where(numbers == 0, -1, numbers), meanings, tiles.called, (x - left, y - top))
        for number in np.unique(turned).tolist() if files.of_level else ():
            plain_number = number & ~TURNED
            if plain_number:
                look = tiles.called(plain_number), number & TURNED
                files.note_look(meanings[plain_number], look)
    return (left, top), canvas


def _painted(path: Path, parts: list[_DrawnPart], tiles: MapTiles, origin: Point) -> Iterator[DrawnObject]:
    """Yield the markers whose icons are painted on a tile layer."""
    for left, top, turned, _ in parts:
        numbers = turned & ~np.int64(TURNED)
        for number in np.unique(numbers).tolist():
            marker = tiles.marker(number)
            if marker:
                for y, x in np.argwhere(numbers == number).tolist():
                    rect = Rect(left + x - origin[0], top + y - origin[1], 1, 1)
                    yield DrawnObject(marker.kind, rect, plain(marker.properties), f"{path}: {marker.kind}")


def _objects(
    layer: PlacedLayer, path: Path, files: DrawnFiles, tiles: MapTiles, size: Point, origin: Point
) -> Iterator[DrawnObject]:
    for listed in layer.node.list("objects", _MAX_OBJECTS):
        node, own = _with_template(listed, path, files)
        icon = tiles.marker(node.whole("gid", 0, (1 << 32) - 1, 0) & _NUMBER)
        kind = class_of(node.word("type") or node.word("class")) or (icon.kind if icon else "")
        if icon and icon.kind == kind:
            own = {**plain(icon.properties), **own}
        if files.leaves_out(kind) or not (kind or files.of_level):
            continue
        corners = [
            (
                round((layer.x + node.real("x") + corner.real("x")) / size[0]) - origin[0],
                round((layer.y + node.real("y") + corner.real("y")) / size[1]) - origin[1],
            )
            for corner in node.list("polygon", _MAX_OBJECTS)
        ]
        left, top, right, bottom = _box(node)
        covered = _covered(
            (layer.x + left) / size[0],
            (layer.y + top) / size[1],
            (right - left) / size[0],
            (bottom - top) / size[1],
        )
        at = covered._replace(x=covered.x - origin[0], y=covered.y - origin[1])
        own = {plain_name(name, kind): value for name, value in own.items()}
        name = f"object {node.whole('id', 0, 1 << 31, 0)} ({kind})"
        yield DrawnObject(kind, at, own, f"{path}: {name}", node.word("name"), tuple(corners))


def _box(node: LayoutNode) -> tuple[float, float, float, float]:
    """Return an object's left, top, right and bottom in px. Tiled rotates it clockwise about its position."""
    x, y, width, height = (node.real(key) for key in ("x", "y", "width", "height"))
    polygon = node.list("polygon", _MAX_OBJECTS)
    if polygon and not node.real("rotation"):
        xs, ys = ([corner.real(key) for corner in polygon] for key in ("x", "y"))
        return x + min(xs), y + min(ys), x + max(xs), y + max(ys)
    turned = node.real("rotation")
    if turned % 90 and (width or height):
        node["rotation"].fail(f"{turned:g}: rotate the object by a multiple of 90 degrees, or not at all")
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(turned // 90) % 4]
    above = height if node.get("gid") else 0.0  # a tile object's position is its lower left corner
    corners = [(dx, dy) for dx in (0.0, width) for dy in (-above, height - above)]
    xs = [x + dx * cos - dy * sin for dx, dy in corners]
    ys = [y + dx * sin + dy * cos for dx, dy in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _covered(x: float, y: float, width: float, height: float) -> Rect:
    """Return the tiles that are covered by half or more, at least the middle one. All is in tiles."""
    left, top, right, bottom = (round(edge) for edge in (x, y, x + width, y + height))
    if right > left and bottom > top:
        return Rect(left, top, right - left, bottom - top)
    return Rect(int((x + width / 2) // 1), int((y + height / 2) // 1), 1, 1)


def _clear_beyond_room(layers: list[PlacedLayer], size: Point, origin: Point, canvas: RoomCanvas) -> None:
    """Remove what lies beyond the room of an exported map: the tops of its walls, and their outer faces.

    Such a map has a polygon of the class room; a map drawn by hand needs none.
    """
    shapes = [
        (layer.x + node.real("x"), layer.y + node.real("y"), node.list("polygon", _MAX_OBJECTS))
        for layer in layers
        for node in layer.node.list("objects", _MAX_OBJECTS)
        if "room" in (node.word("type"), node.word("class")) and node.get("polygon")
    ]
    if len(shapes) != 1 or not shapes[0][2]:
        return
    ((left, top, corners),) = shapes
    xs, ys = ([corner.real(key) for corner in corners] for key in ("x", "y"))
    low = round((left + min(xs)) / size[0]) - origin[0], round((top + min(ys)) / size[1]) - origin[1]
    high = round((left + max(xs)) / size[0]) - origin[0], round((top + max(ys)) / size[1]) - origin[1]
    beyond = np.ones(canvas.terrain.shape, bool)
    beyond[max(low[1], 0) : max(high[1], 0), max(low[0], 0) : max(high[0], 0)] = False
    canvas.clear(beyond)


def _with_template(
    node: LayoutNode, path: Path, files: DrawnFiles
) -> tuple[LayoutNode, Mapping[str, Property]]:
    """Merge an object over its template, and return the properties of both as well."""
    own = dict(properties(node))
    source = node.word("template")
    if source:
        files.lost.add("template link", PurePath(source).name)
        template = read_tiled(files.beside(path, source, node["template"].place), files, "template")
        base = template["object"]
        own = {**properties(base), **own}
        node = LayoutNode({**base.value, **node.value}, node.place)
    return node, plain(own)


def plain(properties: Mapping[str, object]) -> dict[str, Property]:
    """Return the properties that a layout can have."""
    return {key: value for key, value in properties.items() if isinstance(value, (bool, int, float, str))}


# --- what tiles mean: by their properties `terrain` and `decor`, or by their class -------------------
#
# {"firstgid": 1, "source": "undercroft.tsj"}        in a map; or the tileset itself
# {"id": 700, "type": "decor", "properties": [{"name": "decor", "type": "string", "value": "rock"}]}

_MAX_TILESETS = 64
_MAX_TILES = 1 << 18
_MAX_PROPERTIES = 256
_MAX_GID = (1 << 28) - 1


class TileMarker(NamedTuple):
    """The marker that a tile stands for: the icons of an exported tileset."""

    kind: str
    properties: Mapping[str, object]


class MapTileset(NamedTuple):
    """A tileset of a map: the number of its first tile there, and the meaning of each of its tiles."""

    first: int
    name: str
    tiles: Mapping[int, TileMeaning]
    markers: Mapping[int, TileMarker]


class MapTiles:
    """All tiles that a map can use."""

    def __init__(self, tilesets: list[MapTileset]) -> None:
        self._tilesets = sorted(tilesets, reverse=True, key=lambda tileset: tileset.first)

    def meaning(self, number: int) -> TileMeaning:
        """Return what a tile means, by its number in the map."""
        tileset = self._of(number)
        return tileset.tiles.get(number - tileset.first, NOTHING) if tileset else NOTHING

    def marker(self, number: int) -> TileMarker | None:
        """Return the marker that a tile stands for."""
        tileset = self._of(number)
        return tileset.markers.get(number - tileset.first) if tileset else None

    def called(self, number: int) -> str:
        """Return a tile's name for messages."""
        tileset = self._of(number)
        return f"tile {number - tileset.first} of {tileset.name}" if tileset else f"tile {number}"

    def _of(self, number: int) -> MapTileset | None:
        return next((tileset for tileset in self._tilesets if number >= tileset.first), None)


def map_tiles(root: LayoutNode, path: Path, files: DrawnFiles) -> MapTiles:
    """Read the tiles of a map that was read from `path`. Raises LayoutError."""
    return MapTiles([_map_tileset(node, path, files) for node in root.list("tilesets", _MAX_TILESETS)])


def _map_tileset(node: LayoutNode, path: Path, files: DrawnFiles) -> MapTileset:
    first, source = node["firstgid"].number(1, _MAX_GID), node.word("source")
    if not source:
        return _tileset(node, path, files)._replace(first=first)
    outer = files.beside(path, source, node["source"].place)
    tileset = files.tilesets.get(outer)
    if not isinstance(tileset, MapTileset):
        tileset = files.tilesets[outer] = _tileset(read_tiled(outer, files, "tileset"), outer, files)
    return tileset._replace(first=first, name=tileset.name or source)


def _tileset(tileset: LayoutNode, path: Path, files: DrawnFiles) -> MapTileset:
    markers, objects = {}, objects_of(files.kinds)
    meanings = (
        {**_of_sheet(tileset, path, files), **_by_terrain_sets(tileset, files)} if files.of_level else {}
    )
    meanings |= files.said_of(tileset.word("name"))
    for tile in tileset.list("tiles", _MAX_TILES):
        number, own = tile["id"].number(0, _MAX_GID), properties(tile)
        class_ = tile.word("type") or tile.word("class")
        kind = class_of(class_)
        if kind in objects:
            markers[number] = TileMarker(kind, own)
            meanings[number] = TileMeaning(known=True)
        else:
            named = [own.get(key) for key in ("terrain", "decor")]
            meaning = files.meaning(class_, *(word for word in named if isinstance(word, str)))
            meanings[number] = meanings.get(number, NOTHING) if meaning == NOTHING else meaning
    return MapTileset(1, tileset.word("name"), meanings, markers)


def _of_sheet(tileset: LayoutNode, path: Path, files: DrawnFiles) -> Mapping[int, TileMeaning]:
    """Return what the tiles of a tileset's picture mean, if it is known."""
    if not tileset.word("image"):
        return {}
    image = path.parent / tileset.word("image")
    keys = ("columns", "tilewidth", "margin", "spacing")
    return files.sheet_tiles(DrawnSheet(image, *(tileset.whole(key, 0, _MAX_GID, 0) for key in keys)))


def _by_terrain_sets(tileset: LayoutNode, files: DrawnFiles) -> dict[int, TileMeaning]:
    """Return what tiles mean by the names of terrains: that of most of a tile, or the solid one of two."""
    found: dict[int, TileMeaning] = {}
    for wang_set in tileset.list("wangsets", _MAX_TILESETS):
        colors = [NOTHING, *(files.meaning(color.word("name")) for color in wang_set.list("colors", 256))]
        for tile in wang_set.list("wangtiles", _MAX_TILES):
            ids = [part.number(0, len(colors) - 1) for part in tile["wangid"].items(8)]
            shares = Counter(colors[color] for color in ids if color and colors[color] != NOTHING)
            if shares:
                best = max(
                    shares, key=lambda each: (shares[each], not files.kinds.terrain[each.terrain].walk)
                )
                found.setdefault(tile["tileid"].number(0, _MAX_GID), best)
    return found


def properties(node: LayoutNode) -> dict[str, object]:
    """Read the properties of anything in Tiled, by name."""
    listed = node.list("properties", _MAX_PROPERTIES)
    return chosen({item["name"].text(): item["value"].value for item in listed})


def read_tiled(path: Path, files: DrawnFiles, tag: str) -> LayoutNode:
    """Read a map, tileset or template of Tiled, as JSON or XML by its suffix. Raises LayoutError."""
    return LayoutNode(tiled_table(files.read(path), str(path), tag, LayoutError), str(path), is_file=True)
