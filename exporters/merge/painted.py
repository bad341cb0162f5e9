"""Painted tiles that the new level already has, taken out of a person's file before it is merged.

Whoever paints a wall paints one of many pictures of a wall, and the new level draws another one there, and
other rims around it. Compared by their numbers, the two contradict each other, although both mean a wall. So
where an edit was read and taken, the file gets back the tiles that it had, and the merge takes the new ones.
Tiles of a person's own tilesets stay. Another theme numbers its tiles otherwise: then all that was painted of
the old one is taken out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from exporters.formats.godot.syntax.sections import plain
from exporters.formats.tiled.syntax.data import TURNED
from exporters.merge import godot_cells
from exporters.merge.godot_tree import Tree
from exporters.merge.ldtk_cells import AUTO, GRID
from exporters.merge.ldtk_ids import tables
from exporters.merge.outcome import CannotMerge
from exporters.merge.taken import Taken
from exporters.merge.tiled_flat import FlatMap
from generator.arrays import Mask
from generator.geometry import Point
from generator.pattern import pattern

_BOUNDS = pattern(r"Rect2i?\((-?\d+), (-?\d+), \d+, \d+\)", re.ASCII)
_RIMS = 2  # tiles around a painted one that may look different now: the tops, faces and shades of walls
# Where a cell's number has the tile's source: bits to shift, and a mask.
_SOURCE = {"PackedByteArray": (0, 0xFFFF), "PackedInt32Array": (32, 0xFFFF), "PoolIntArray": (32, 0x1FFFFFFF)}


# --- Tiled -------------------------------------------------------------------------------------------


def unpaint_map(mine: FlatMap, old: FlatMap, fresh: FlatMap, taken: Taken) -> None:
    """Give the cells of a map that were taken the tiles that they had, in place."""
    is_other_theme = _sheets(old) != _sheets(fresh)
    if mine.shape != old.shape or not (taken.painted or taken.looks or is_other_theme):
        return
    properties = {entry.get("name"): entry.get("value") for entry in old.top.get("properties", ())}
    origin = properties.get("left", 0), properties.get("top", 0)  # of a room's own map
    exact, near = _masks(taken, origin, old.shape)
    limit = _first_own_gid(mine, old)
    for layer in mine.tiles.keys() & old.tiles.keys():
        gids, before, now = mine.tiles[layer], old.tiles[layer], fresh.tiles.get(layer)
        is_new = before != now if now is not None and now.shape == before.shape else True
        is_taken = (is_other_theme | exact | near & is_new) & (gids & ~np.uint32(TURNED) < limit)
        mine.tiles[layer] = np.where(is_taken, before, gids)


def _sheets(map_: FlatMap) -> list[Any]:
    """Return the files of a map's tilesets, of which the theme's are the first."""
    return [tileset.get("source", tileset.get("image")) for tileset in map_.top.get("tilesets", ())]


def _first_own_gid(mine: FlatMap, old: FlatMap) -> int:
    """Return the lowest gid of the tilesets that a person added, or one that no tile has."""
    known = {tileset.get("firstgid") for tileset in old.top.get("tilesets", ())}
    added = [tileset.get("firstgid") for tileset in mine.top.get("tilesets", ())]
    return min([gid for gid in added if isinstance(gid, int) and gid not in known], default=TURNED)


# --- Godot -------------------------------------------------------------------------------------------


def unpaint_scene(mine: Tree, old: Tree, fresh: Tree, taken: Taken) -> None:
    """Give the cells of a scene that were taken the tiles that they had, in place."""
    is_other_theme = _tile_sets(old) != _tile_sets(fresh)
    if not (taken.painted or taken.looks or is_other_theme):
        return
    corner, sides = _corner(old), [_layers(side) for side in (mine, old, fresh)]
    for key in sides[0].keys() & sides[1].keys() & sides[2].keys():
        texts = [side[key][key[1]] for side in sides]
        layers = [godot_cells.sparse(text) for text in texts]
        frame = godot_cells.frame_of(layers, (0, 0))
        codes, before, now = (godot_cells.dense(layer, frame) for layer in layers)
        origin = corner[0] + frame.origin[0], corner[1] + frame.origin[1]
        exact, near = _masks(taken, origin, frame.shape)
        is_taken = (is_other_theme | exact | near & (before != now)) & _is_ours(codes, before, texts[0])
        left = np.where(is_taken, before, codes)
        text = None if np.array_equal(left, before) else godot_cells.written(left, frame, texts[0])
        sides[0][key][key[1]] = text or texts[1]


def _tile_sets(scene: Tree) -> list[str]:
    """Return the paths of a scene's tile sets."""
    classes = [resource["class"] for resource in scene["ext"]]
    return [plain(each.get("path")) for each in classes if plain(each.get("type")) == "TileSet"]


def _corner(scene: Tree) -> Point:
    """Return the tile that the first cell of a scene shows: the corner of its room, or the level's."""
    root = next(node for node in scene["nodes"] if node["path"] == ".")
    bounds = _BOUNDS.fullmatch(root["properties"].get("metadata/bounds", ""))
    return (int(bounds[1]), int(bounds[2])) if bounds else (0, 0)


def _layers(scene: Tree) -> dict[tuple[str, str], dict[str, str]]:
    """Return the properties of nodes with tiles, by their path and the property that holds the tiles."""
    return {
        (node["path"], key): node["properties"]
        for node in scene["nodes"]
        for key in node["properties"]
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


def is_other_theme(old: Mapping[str, Any], fresh: Mapping[str, Any]) -> bool:
    """Check whether two projects have different sheets."""
    first, second = (
        [sheet.get("relPath") for sheet in tables((side.get("defs") or {}).get("tilesets"))][:1]
        for side in (old, fresh)
    )
    return first != second


def unpaint_level(level: dict[str, Any], was: dict[str, Any], taken: Taken, *, other_theme: bool) -> None:
    """Give the cells of an LDtk level that were taken the tiles and values that they had, in place."""
    corner = taken.corners.get(str(level.get("iid")))
    if corner is None or not (taken.painted or taken.looks or other_theme):
        return
    cells = {(x - corner[0], y - corner[1]) for x, y in taken.painted | taken.looks}
    layers = {layer.get("iid"): layer for layer in tables(was.get("layerInstances"))}
    for layer in tables(level.get("layerInstances")):
        before = layers.get(layer.get("iid"), {})
        own = _own_values(layer, before, cells)
        if layer.get("__tilesetDefUid") == before.get("__tilesetDefUid"):
            _put_back(layer, GRID, before, None if other_theme else cells)
            _put_back(layer, AUTO, before, None if other_theme else _reach(cells) - _reach(own))
        _put_values_back(layer, before, cells)


def _reach(cells: Collection[Point]) -> set[Point]:
    """Return the cells, and all those around them: our rules look no farther."""
    return {(x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def _own_values(layer: Mapping[str, Any], was: Mapping[str, Any], cells: Collection[Point]) -> list[Point]:
    """List the other cells of an IntGrid whose values a person changed."""
    values, before, width = layer.get("intGridCsv"), was.get("intGridCsv"), layer.get("__cWid")
    if not (isinstance(values, list) and isinstance(before, list) and isinstance(width, int) and width > 0):
        return []
    changed = (at for at, (now, old) in enumerate(zip(values, before, strict=False)) if now != old)
    return [place for at in changed if (place := (at % width, at // width)) not in cells]


def _put_back(
    layer: dict[str, Any], key: str, was: Mapping[str, Any], cells: Collection[Point] | None
) -> None:
    """Give some cells of a layer, or all, the tiles that they had in the list `key`."""
    size = layer.get("__gridSize")
    if not isinstance(size, int) or size < 1:
        raise CannotMerge("the size of a layer is damaged")

    def is_taken(tile: Mapping[str, Any]) -> bool:
        place = tile.get("px")
        if not (isinstance(place, list) and len(place) == 2 and all(isinstance(at, int) for at in place)):
            raise CannotMerge("a tile of a layer is damaged")
        return cells is None or (place[0] // size, place[1] // size) in cells

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


def _masks(taken: Taken, origin: Point, shape: tuple[int, int]) -> tuple[Mask, Mask]:
    """Return the cells that were taken, and those near painted ones. `origin` is the first cell's tile."""
    exact = taken.painted | taken.looks
    return _around(exact, origin, shape, 0), _around(taken.painted, origin, shape, _RIMS)


def _around(tiles: Collection[Point], origin: Point, shape: tuple[int, int], by: int) -> Mask:
    """Return [y, x]: whether a cell is at most `by` cells from a tile. `origin` is the first cell's tile."""
    near = np.zeros(shape, np.bool_)
    for x, y in tiles:
        left, top = x - origin[0], y - origin[1]
        near[max(top - by, 0) : max(top + by + 1, 0), max(left - by, 0) : max(left + by + 1, 0)] = True
    return near
