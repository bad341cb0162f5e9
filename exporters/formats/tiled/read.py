"""What Tiled maps show of a level: `NAME.tmj` and `.tmx`, and all the maps of a `NAME.world`."""

from __future__ import annotations

from functools import partial

import numpy as np

from exporters.dress import EMPTY
from exporters.formats.tiled.names import SKETCH
from exporters.formats.tiled.read_objects import (
    MAX_ENTRIES,
    MAX_OBJECTS,
    add_object,
    in_part,
    property_of,
    with_template,
)
from exporters.formats.tiled.syntax.data import TURNED as TURNED_GID
from exporters.formats.tiled.syntax.data import parts_of, placed_layers
from exporters.formats.tiled.syntax.reader import tiled_table
from exporters.merge.outcome import LOST
from exporters.reading.files import ExportFiles, beside
from exporters.reading.seen import FOREIGN, LAYERS, TURNED, SeenPart, ShownCells, ShownLevel
from exporters.theme import Theme
from generator.errors import LayoutError, shown
from generator.geometry import Point
from generator.node import LayoutNode

_MAX_MAPS = 1 << 14
_MAX_SIDE = 1 << 15
_MAX_GID = (1 << 28) - 1
_FAR = 1 << 24
_LEVEL_OWN = ("style", "seed", "fingerprint", "spec")


def read_map(path: str, files: ExportFiles, theme: Theme) -> ShownLevel:
    """Read a map of a whole level. Raises BadInput for a file that is not a map."""
    root = _root(path, files)
    seen = ShownLevel(fingerprint=_text_of(root, "fingerprint"))
    for property_ in root.list("properties", MAX_ENTRIES):
        if property_["name"].text() not in _LEVEL_OWN:
            seen.facts |= property_of(property_, "level")
    _add_map(seen, root, path, "", (0, 0), theme, files)
    return seen


def read_world(path: str, files: ExportFiles, theme: Theme) -> ShownLevel:
    """Read all maps of a world. Raises BadInput for a file that is not a world."""
    root = files.json(path)
    seen = ShownLevel()
    shown_at: dict[str, tuple[LayoutNode, Point, Point]] = {}
    for entry in root.list("maps", _MAX_MAPS):
        name = entry["fileName"].text()
        if not files.has(beside(path, name)):
            seen.notes.append(f"{path}: {name} is missing; what it showed stays as it was")
            seen.is_incomplete = True
            continue
        map_ = _root(beside(path, name), files)
        values = {
            property_["name"].text(): property_["value"].value
            for property_ in map_.list("properties", MAX_ENTRIES)
        }
        if not {"level", "fingerprint", "left", "top"} <= values.keys():
            remedy = "to add a room, copy the map of one, and add the copy to the world"
            seen.notes.append(f"{name}: is not a map of the level, so it is left out; {remedy}")
            seen.is_incomplete = True  # it may have been one
            continue
        seen.fingerprint = seen.fingerprint or _text_of(map_, "fingerprint")
        left, top = (_property_node(map_, key).number(-_FAR, _FAR) for key in ("left", "top"))
        x, y = (entry.whole(key, -_FAR, _FAR, 0) for key in ("x", "y"))
        shown_at[name] = map_, (x, y), (left, top)
    for name, (map_, (x, y), own) in shown_at.items():
        size = theme.tile_size
        is_in_place = (x, y) == (own[0] * size, own[1] * size)
        at = own if is_in_place else (round(x / size), round(y / size))
        _add_map(seen, map_, beside(path, name), name.rpartition("/")[2], at, theme, files)
    return seen


def identity(path: str, files: ExportFiles) -> dict[str, str]:
    """Read style, seed, spec and fingerprint of the level from a map's properties."""
    facts = {}
    for property_ in _root(path, files).list("properties", MAX_ENTRIES):
        if isinstance(property_["value"].value, str):
            facts[property_["name"].text()] = property_["value"].value
    return facts


def identity_in_world(path: str, files: ExportFiles) -> dict[str, str]:
    """Read the same as `identity`, from the first map of a room. A world of whole levels has no such map."""
    for entry in files.json(path).list("maps", _MAX_MAPS):
        name = beside(path, entry["fileName"].text())
        if files.has(name) and {"level", "fingerprint"} <= (facts := identity(name, files)).keys():
            return facts
    return {}


def options(path: str, files: ExportFiles) -> dict[str, object]:
    """Find the visible options that a map, or a world's first map, was exported with."""
    if path.endswith(".world"):
        names = [beside(path, entry["fileName"].text()) for entry in files.json(path).list("maps", _MAX_MAPS)]
        path = next((name for name in names if files.has(name)), path)
    root = _root(path, files)
    embedded = any(not node.word("source") for node in root.list("tilesets", MAX_ENTRIES)[:1])
    return {
        "tiled.format": "tmx" if path.lower().endswith(".tmx") else "tmj",
        "tiled.tileset": "embedded" if embedded else "external",
        "tiled.encoding": _encoding(root),
    }


def _encoding(root: LayoutNode) -> str:
    """Find how a map stores its tiles. Encodings that we do not write count as csv."""
    layers = root.list("layers", MAX_ENTRIES)
    packed = [layer.word("compression") for layer in layers if layer.word("encoding") == "base64"]
    return {"": "base64", "zstd": "zstd"}.get(packed[0], "zlib") if packed else "csv"


def _root(path: str, files: ExportFiles) -> LayoutNode:
    where = files.where(path)
    table = files.parsed(path, lambda data: tiled_table(data, where, "map", LayoutError))
    root = LayoutNode(table, where, is_file=True)
    if root.word("orientation", "orthogonal") != "orthogonal":
        root["orientation"].fail(
            f"{shown(root['orientation'].value)}: only orthogonal maps can be read; make the map one"
        )
    return root


def _text_of(root: LayoutNode, key: str) -> str:
    return value if isinstance(value := _property_node(root, key).value, str) else ""


def _property_node(root: LayoutNode, key: str) -> LayoutNode:
    for property_ in root.list("properties", MAX_ENTRIES):
        if property_["name"].value == key:
            return property_["value"]
    return LayoutNode(None, f"{root.place}: property {key}")


def _add_map(
    seen: ShownLevel,
    root: LayoutNode,
    path: str,
    name: str,
    at: tuple[int, int],
    theme: Theme,
    files: ExportFiles,
) -> None:
    size = root["tilewidth"].number(1, 4096), root["tileheight"].number(1, 4096)
    if size != (theme.tile_size, theme.tile_size):
        problem = (
            f"its tiles have {size[0]} x {size[1]} px, but those of the theme {theme.name} have "
            f"{theme.tile_size}"
        )
        raise LayoutError(f"{root.place}: {problem}; give the theme that it was exported with by --theme")
    width, height = sides = tuple(root[key].number(1, _MAX_SIDE) for key in ("width", "height"))
    first = _first_gid(root, theme)
    layers: dict[str, ShownCells] = {}
    flat = list(placed_layers(root, without=LOST))
    names = {layer.node.word("name").lower() for layer in flat if layer.node.word("type") == "tilelayer"}
    by_id = {number: ours for number, ours in enumerate(LAYERS, 1) if ours not in names}  # of renamed ones
    for layer in flat:
        kind, called = layer.node.word("type"), layer.node.word("name")
        ours = by_id.get(layer.node.whole("id", 0, _MAX_GID, 0), called.lower())
        if kind == "tilelayer" and ours in LAYERS and ours not in layers:
            place = name, ours, first, theme, _origin(root), sides
            layers[ours] = files.thing(
                place, layer.node, partial(_cells, layer.node, root, first, theme, files)
            )
        elif kind in ("tilelayer", "imagelayer") and called != SKETCH:
            seen.notes.append(
                f"{in_part(name)}layer {shown(called)}: is not one of the level's, so it stays only in this "
                "file"
            )
    seen.notes += [
        f"{in_part(name)}layer {missing.capitalize()}: is gone; what it showed stays as it was"
        for missing in LAYERS
        if missing not in layers
    ]
    origin = _origin(root)
    x, y = at[0] + origin[0], at[1] + origin[1]
    seen.parts[name] = SeenPart(x, y, layers, name, at, (width, height))
    for layer in flat:
        if layer.node.word("type") == "objectgroup":
            if (layer.x, layer.y) != (0, 0):  # it stays so in the file, and would move them at each reading
                called = shown(layer.node.word("name"))
                seen.notes.append(
                    f"{in_part(name)}layer {called}: was moved; its objects are read where they were"
                )
            for listed in layer.node.list("objects", MAX_OBJECTS):
                node = with_template(listed, path, files, theme, first) if listed.get("template") else listed
                add_object(seen, node, files, at, theme, first, name)


def _origin(root: LayoutNode) -> tuple[int, int]:
    """Find where the arrays of `_cells` begin. An infinite map can have chunks left of and above 0, 0."""
    lefts, tops = [0], [0]
    for layer in placed_layers(root, without=LOST):
        for chunk in layer.node.list("chunks", 1 << 16):
            lefts.append(chunk.whole("x", -_FAR, _FAR, 0))
            tops.append(chunk.whole("y", -_FAR, _FAR, 0))
    return min(lefts), min(tops)


def _first_gid(root: LayoutNode, theme: Theme) -> int:
    """Find the gid of the theme's first tile in a map."""
    for node in root.list("tilesets", MAX_ENTRIES):
        source = node.word("source").replace("\\", "/").rpartition("/")[2]
        if theme.name in (source.rpartition(".")[0], node.word("name")):
            return node["firstgid"].number(1, _MAX_GID)
    raise LayoutError(
        f"{root.place}: tilesets: {theme.name} is not among them; give the theme that it was exported "
        "with by --theme"
    )


def _cells(layer: LayoutNode, root: LayoutNode, first: int, theme: Theme, files: ExportFiles) -> ShownCells:
    """Read the cells of a layer, starting at the map's `_origin`."""
    left, top = _origin(root)
    parts = list(parts_of(layer, files, _MAX_SIDE))
    width = max(
        [root["width"].number(1, _MAX_SIDE) - left, *(p.x + p.numbers.shape[1] - left for p in parts)]
    )
    height = max(
        [root["height"].number(1, _MAX_SIDE) - top, *(p.y + p.numbers.shape[0] - top for p in parts)]
    )
    files.spend(width * height, layer)  # two distant chunks cost as much as everything between them
    cells = np.full((height, width), EMPTY, np.int32)
    for part in parts:
        gids = part.numbers & ~np.int64(TURNED_GID)
        indexes = gids - first
        ours = (indexes >= 0) & (indexes < theme.columns * theme.rows)
        indexes = np.where(ours, indexes, FOREIGN) + np.where(ours & (gids != part.numbers), TURNED, 0)
        y, x = part.y - top, part.x - left
        part_cells = np.where(gids == 0, EMPTY, indexes).astype(np.int32)
        cells[y : y + part_cells.shape[0], x : x + part_cells.shape[1]] = part_cells
    return cells
