"""Painted tiles that the new level already has, taken out of a person's file before it is merged.

Whoever paints a wall paints one of many pictures of a wall, and the new level draws another one there, and
other rims around it. Compared by their numbers, the two contradict each other, although both mean a wall. So
where an edit was read and taken, the file gets back the tiles that it had, and the merge takes the new ones.
Another theme numbers its tiles otherwise: then all that was painted of the old one is taken out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from exporters.formats.godot.syntax.sections import TextSection, plain, written
from exporters.formats.tiled.syntax.data import TURNED
from exporters.merge import godot_cells
from exporters.merge.godot_tree import parsed
from exporters.merge.json_files import read
from exporters.merge.ldtk_cells import AUTO, GRID
from exporters.merge.ldtk_ids import tables
from exporters.merge.outcome import CannotMerge
from exporters.merge.tiled_flat import FlatMap, flat, folded
from generator.arrays import Mask
from generator.geometry import Point

_BOUNDS = re.compile(r"Rect2i?\((-?\d+), (-?\d+), \d+, \d+\)", re.ASCII)
_RIMS = 2  # tiles around a painted one that may look different now: the tops, faces and shades of walls
# Where a cell's number has the tile's source: bits to shift, and a mask.
_SOURCE = {"PackedByteArray": (0, 0xFFFF), "PackedInt32Array": (32, 0xFFFF), "PoolIntArray": (32, 0x1FFFFFFF)}


class Painted(NamedTuple):
    """The tiles of the level that were painted, and by LDtk level the tile in its corner.

    `looks` are those that only look different, so that nothing around them does.
    """

    tiles: Collection[Point]
    corners: Mapping[str, Point]
    looks: Collection[Point] = ()

    def exact(self) -> set[Point]:
        """Return the tiles that were painted in any way."""
        return {*self.tiles, *self.looks}


def without_painted(suffix: str, theirs: bytes, base: bytes, new: bytes, painted: Painted) -> bytes:
    """Take out what was painted on the level's tiles, and around them where the new file differs now.

    Tiles of a person's own tilesets stay. Returns `theirs` for a file that is damaged, or of a format without
    tiles.
    """
    take = _BY_SUFFIX.get(suffix)
    try:
        return take(theirs, base, new, painted) if take else theirs
    except CannotMerge:  # the merge says why
        return theirs


# --- Tiled -------------------------------------------------------------------------------------------


def _map_unpainted(theirs: bytes, base: bytes, new: bytes, painted: Painted) -> bytes:
    is_other_theme = _sheets(read(base)) != _sheets(read(new))
    if not (painted.exact() or is_other_theme):
        return theirs
    mine, old, fresh = flat(theirs), flat(base), flat(new)
    if mine.shape != old.shape:
        return theirs
    properties = {entry.get("name"): entry.get("value") for entry in old.top.get("properties", ())}
    origin = properties.get("left", 0), properties.get("top", 0)  # of a room's own map
    exact = _around(painted.exact(), origin, old.shape, 0)
    near = _around(painted.tiles, origin, old.shape, _RIMS)
    limit = _first_own_gid(mine, old)
    for layer in mine.tiles.keys() & old.tiles.keys():
        gids, before, now = mine.tiles[layer], old.tiles[layer], fresh.tiles.get(layer)
        is_new = before != now if now is not None and now.shape == before.shape else True
        is_taken = (is_other_theme | exact | near & is_new) & (gids & ~np.uint32(TURNED) < limit)
        mine.tiles[layer] = np.where(is_taken, before, gids)
    return folded(mine)


def _sheets(map_: Mapping[str, Any]) -> list[Any]:
    """Return the files of a map's tilesets, of which the theme's are the first."""
    return [tileset.get("source", tileset.get("image")) for tileset in map_.get("tilesets", ())]


def _first_own_gid(mine: FlatMap, old: FlatMap) -> int:
    """Return the lowest gid of the tilesets that a person added, or one that no tile has."""
    known = {tileset.get("firstgid") for tileset in old.top.get("tilesets", ())}
    added = [tileset.get("firstgid") for tileset in mine.top.get("tilesets", ())]
    return min([gid for gid in added if isinstance(gid, int) and gid not in known], default=TURNED)


# --- Godot -------------------------------------------------------------------------------------------


def _scene_unpainted(theirs: bytes, base: bytes, new: bytes, painted: Painted) -> bytes:
    is_other_theme = _tile_sets(base) != _tile_sets(new)
    if not (painted.exact() or is_other_theme):
        return theirs
    sides = [parsed(data) for data in (theirs, base, new)]
    mine, old, fresh = (_layers(side) for side in sides)
    corner = _corner(sides[1])
    all_tiles, tiles = (
        [(x - corner[0], y - corner[1]) for x, y in some] for some in (painted.exact(), painted.tiles)
    )
    for key in mine.keys() & old.keys() & fresh.keys():
        texts = [side[key].properties[key[1]] for side in (mine, old, fresh)]
        layers = [godot_cells.sparse(text) for text in texts]
        frame = godot_cells.frame_of(layers, (0, 0))
        codes, before, now = (godot_cells.dense(layer, frame) for layer in layers)
        exact = _around(all_tiles, frame.origin, frame.shape, 0)
        near = _around(tiles, frame.origin, frame.shape, _RIMS)
        is_taken = (is_other_theme | exact | near & (before != now)) & _is_ours(codes, before, texts[0])
        text = godot_cells.written(np.where(is_taken, before, codes), frame, texts[0])
        mine[key].properties[key[1]] = text if text is not None else texts[1]
    return written(sides[0])


def _tile_sets(scene: bytes) -> list[str]:
    """Return the paths of a scene's tile sets."""
    return [
        plain(part.attributes.get("path"))
        for part in parsed(scene, only_head=True)
        if part.kind == "ext_resource" and plain(part.attributes.get("type")) == "TileSet"
    ]


def _corner(parts: list[TextSection]) -> Point:
    """Return the tile that the first cell of a scene shows: the corner of its room, or the level's."""
    root = next(part for part in parts if part.kind == "node")
    bounds = _BOUNDS.fullmatch(root.properties.get("metadata/bounds", ""))
    return (int(bounds[1]), int(bounds[2])) if bounds else (0, 0)


def _layers(parts: list[TextSection]) -> dict[tuple[str, str], TextSection]:
    """Return the nodes with tiles, by their path and the property that holds the tiles."""
    return {
        (f"{plain(part.attributes.get('parent'))}/{plain(part.attributes.get('name'))}", key): part
        for part in parts
        if part.kind == "node"
        for key in part.properties
        if godot_cells.KEY.fullmatch(key)
    }


def _is_ours(codes: godot_cells.Codes, before: godot_cells.Codes, like: str) -> Mask:
    """Find the cells that are empty, or have a tile of a source that the layer had."""
    shift, mask = _SOURCE[like.partition("(")[0]]

    def source(cells: godot_cells.Codes) -> godot_cells.Codes:
        return (cells - np.uint64(1)) >> np.uint64(shift) & np.uint64(mask)

    is_ours: Mask = (codes == 0) | np.isin(source(codes), source(before[before != 0]))
    return is_ours


# --- LDtk --------------------------------------------------------------------------------------------


def _project_unpainted(theirs: bytes, base: bytes, new: bytes, painted: Painted) -> bytes:
    """Do so for the tiles and the terrain of a project, or of one level's file."""
    mine, old, fresh = (read(data) for data in (theirs, base, new))
    is_other_theme = _sheet_files(old) != _sheet_files(fresh)
    if not (painted.exact() or is_other_theme):
        return theirs
    before = {level.get("iid"): level for level in _levels(old)}
    for level in _levels(mine):
        number = level.get("iid")
        if number not in before or not isinstance(corner := painted.corners.get(str(number)), tuple):
            continue
        cells = {(x - corner[0], y - corner[1]) for x, y in painted.exact()}
        layers = {layer.get("iid"): layer for layer in tables(before[number].get("layerInstances"))}
        for layer in tables(level.get("layerInstances")):
            was = layers.get(layer.get("iid"), {})
            if layer.get("__tilesetDefUid") == was.get("__tilesetDefUid"):
                _put_back(layer, was, None if is_other_theme else cells)
            _put_values_back(layer, was, cells)
    return json.dumps(mine).encode()


def _put_back(layer: dict[str, Any], was: Mapping[str, Any], cells: Collection[Point] | None) -> None:
    """Give some cells of a layer, or all, the tiles that they had."""
    size = layer.get("__gridSize")
    if not isinstance(size, int) or size < 1:
        raise CannotMerge("the size of a layer is damaged")

    def is_taken(tile: Mapping[str, Any]) -> bool:
        place = tile.get("px")
        if not (isinstance(place, list) and len(place) == 2 and all(isinstance(at, int) for at in place)):
            raise CannotMerge("a tile of a layer is damaged")
        return cells is None or (place[0] // size, place[1] // size) in cells

    for key in (GRID, AUTO):
        before, now = tables(was.get(key)), tables(layer.get(key))
        tiles = [
            *(tile for tile in now if not is_taken(tile)),
            *(tile for tile in before if is_taken(tile)),
        ]
        order = {str(tile.get("px")): number for number, tile in enumerate(before)}
        layer[key] = sorted(tiles, key=lambda tile: order.get(str(tile.get("px")), len(order)))


def _put_values_back(layer: dict[str, Any], was: Mapping[str, Any], cells: Collection[Point]) -> None:
    """Give some cells of an IntGrid the values that they had: what was painted may have become a door."""
    values, before, width = layer.get("intGridCsv"), was.get("intGridCsv"), layer.get("__cWid")
    if not (isinstance(values, list) and isinstance(before, list) and isinstance(width, int)):
        return
    if len(values) == len(before) and width == was.get("__cWid"):
        for x, y in cells:
            at = y * width + x
            if 0 <= x < width and 0 <= at < len(values):
                values[at] = before[at]


def _levels(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the levels of a project, or the one of a level's file."""
    return tables(table["levels"]) if "levels" in table else [table]


def _sheet_files(table: dict[str, Any]) -> list[Any]:
    return [sheet.get("relPath") for sheet in tables((table.get("defs") or {}).get("tilesets"))][:1]


_BY_SUFFIX = {
    ".tmj": _map_unpainted,
    ".tscn": _scene_unpainted,
    ".ldtk": _project_unpainted,
    ".ldtkl": _project_unpainted,
}


def _around(tiles: Collection[Point], origin: Point, shape: tuple[int, int], by: int) -> Mask:
    """Return [y, x]: whether a cell is at most `by` cells from a tile. `origin` is the first cell's tile."""
    near = np.zeros(shape, np.bool_)
    for x, y in tiles:
        left, top = x - origin[0], y - origin[1]
        near[max(top - by, 0) : max(top + by + 1, 0), max(left - by, 0) : max(left + by + 1, 0)] = True
    return near
