"""Painted tiles that the new level already has, taken out of a person's file before it is merged.

Whoever paints a wall paints one of many pictures of a wall, and the new level draws another one there, and
other rims around it. Compared by their numbers, the two contradict each other, although both mean a wall. So
where an edit was read and taken, the file gets back the tiles that it had, and the merge takes the new ones.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from exporters.formats.godot.syntax.sections import TextSection, plain, written
from exporters.formats.tiled.syntax.data import TURNED
from exporters.merge import godot_cells
from exporters.merge.godot_tree import parsed
from exporters.merge.outcome import CannotMerge
from exporters.merge.tiled_flat import FlatMap, flat, folded
from generator.arrays import Mask
from generator.geometry import Point

_RIMS = 2  # tiles around a painted one that may look different now: the tops, faces and shades of walls
# Where a cell's number has the tile's source: bits to shift, and a mask.
_SOURCE = {"PackedByteArray": (0, 0xFFFF), "PackedInt32Array": (32, 0xFFFF), "PoolIntArray": (32, 0x1FFFFFFF)}


def without_painted(suffix: str, theirs: bytes, base: bytes, new: bytes, tiles: Collection[Point]) -> bytes:
    """Take out what was painted on or around the level's `tiles`, where the new file has other tiles now.

    Tiles of a person's own tilesets stay. Returns `theirs` for a file that is damaged, or of a format whose
    tiles are not compared by number.
    """
    take = {".tmj": _map_unpainted, ".tscn": _scene_unpainted}.get(suffix)
    try:
        return take(theirs, base, new, tiles) if take and tiles else theirs
    except CannotMerge:  # the merge says why
        return theirs


def _map_unpainted(theirs: bytes, base: bytes, new: bytes, tiles: Collection[Point]) -> bytes:
    mine, old, fresh = flat(theirs), flat(base), flat(new)
    if not mine.shape == old.shape == fresh.shape:
        return theirs
    properties = {entry.get("name"): entry.get("value") for entry in old.top.get("properties", ())}
    origin = properties.get("left", 0), properties.get("top", 0)  # of a room's own map
    near = _near(tiles, origin, old.shape)
    limit = _first_own_gid(mine, old)
    for layer in mine.tiles.keys() & old.tiles.keys() & fresh.tiles.keys():
        gids, before = mine.tiles[layer], old.tiles[layer]
        is_taken = near & (before != fresh.tiles[layer]) & (gids & ~np.uint32(TURNED) < limit)
        mine.tiles[layer] = np.where(is_taken, before, gids)
    return folded(mine)


def _first_own_gid(mine: FlatMap, old: FlatMap) -> int:
    """Return the lowest gid of the tilesets that a person added, or one that no tile has."""
    known = {tileset.get("firstgid") for tileset in old.top.get("tilesets", ())}
    added = [tileset.get("firstgid") for tileset in mine.top.get("tilesets", ())]
    return min([gid for gid in added if isinstance(gid, int) and gid not in known], default=TURNED)


def _scene_unpainted(theirs: bytes, base: bytes, new: bytes, tiles: Collection[Point]) -> bytes:
    sides = [parsed(data) for data in (theirs, base, new)]
    mine, old, fresh = (_layers(side) for side in sides)
    for key in mine.keys() & old.keys() & fresh.keys():
        texts = [side[key].properties[key[1]] for side in (mine, old, fresh)]
        layers = [godot_cells.sparse(text) for text in texts]
        frame = godot_cells.frame_of(layers, (0, 0))
        codes, before, now = (godot_cells.dense(layer, frame) for layer in layers)
        near = _near(tiles, frame.origin, frame.shape)
        is_taken = near & (before != now) & _is_ours(codes, before, texts[0])
        text = godot_cells.written(np.where(is_taken, before, codes), frame, texts[0])
        mine[key].properties[key[1]] = text if text is not None else texts[1]
    return written(sides[0])


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


def _near(tiles: Collection[Point], origin: Point, shape: tuple[int, int]) -> Mask:
    """Return [y, x]: whether a cell is within `_RIMS` of a tile. `origin` is the first cell's tile."""
    near = np.zeros(shape, np.bool_)
    for x, y in tiles:
        left, top = x - origin[0], y - origin[1]
        near[
            max(top - _RIMS, 0) : max(top + _RIMS + 1, 0), max(left - _RIMS, 0) : max(left + _RIMS + 1, 0)
        ] = True
    return near
