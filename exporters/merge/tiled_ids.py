"""Translate a map of an old level to the numbers of a new one: object ids, layer ids, gids, and px.

Things in both maps get the new number. Things that are gone, or that a person added, get an unused number;
an added one keeps its own if that is free.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from exporters.formats.tiled.syntax.data import TURNED
from exporters.merge.matching import Moves, RoomFact, ThingFact, moves_of, things_of
from exporters.merge.tiled_flat import INSIDE, FlatMap
from generator.geometry import Point, Rect

_NUMBERS = frozenset({"id", "door_id", "hallway_id", "marker_id"})  # properties that depend on numbering


def moves_between(old: FlatMap, new: FlatMap) -> tuple[Moves, dict[int, int]]:
    """Find where the rooms moved to, and the new id of each old object that the new map also has."""
    moves = moves_of(list(_rooms(old)), list(_rooms(new)))
    ids: dict[Any, Any] = {pair.old.key: pair.new.key for pair in moves.pairs}
    ids |= things_of(list(_things(old)), list(_things(new)), moves)
    return moves, ids


def _rooms(flat: FlatMap) -> Iterator[RoomFact]:
    height, width = flat.shape
    for object_ in flat.objects:
        rect = _rect(object_, flat.tile_size) if object_.get("type") == "room" else None
        if rect and rect.x >= 0 and rect.y >= 0 and rect.right <= width and rect.bottom <= height:
            facts = _properties(object_)
            yield RoomFact(object_["id"], rect, (facts.get("kind"), facts.get("shape"), facts.get("layout")))


def _things(flat: FlatMap) -> Iterator[ThingFact]:
    for object_ in flat.objects:
        tile, facts = tile_of(object_, flat.tile_size), _properties(object_)
        sort = object_.get("type")
        if sort != "room" and tile and facts.keys() & _NUMBERS:
            sort = sort if sort in ("door", "hallway") else "marker"
            number = facts.get("marker_id", "")
            yield ThingFact(object_["id"], str(sort), str(facts.get("kind")), tile, number)


def _rect(object_: Mapping[str, Any], size: Point) -> Rect | None:
    corner_tile = tile_of(object_, size)
    corners = object_.get("polygon")
    if not corner_tile or not isinstance(corners, list):
        return None
    corner_tiles = [tile_of(corner, size) for corner in corners if isinstance(corner, dict)]
    tiles = [tile for tile in corner_tiles if tile]
    if len(tiles) < 3:
        return None
    around = Rect.around(tiles)
    return Rect(corner_tile[0] + around.x, corner_tile[1] + around.y, around.width - 1, around.height - 1)


def tile_of(object_: Mapping[str, Any], size: Point) -> Point | None:
    """Return the tile of an object, or None if it has no valid position."""
    x, y = object_.get("x"), object_.get("y")
    if not isinstance(x, (int, float)) or not isinstance(y, (int, float)):
        return None
    if not (math.isfinite(x) and math.isfinite(y)):
        return None
    if "gid" in object_:
        y -= 1  # the position of a tile object is its lower left corner
    return math.floor(x / size[0]), math.floor(y / size[1])


def _properties(object_: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the properties that can be compared."""
    listed = object_.get("properties")
    tables = (
        [property_ for property_ in listed if isinstance(property_, dict)] if isinstance(listed, list) else []
    )
    return {str(property_.get("name")): str(property_.get("value")) for property_ in tables}


def numbered(
    matched: Mapping[int, int], old: Iterable[int], mine: Iterable[int], new: Iterable[int]
) -> dict[int, int]:
    """Assign a number in the new file to each id of the old file and the person's."""
    old, mine = list(old), list(mine)
    numbers, used, known = dict(matched), set(new), set(old)
    for number in mine:
        if number not in numbers and number not in used and number not in known:
            numbers[number] = number
            used.add(number)
    free = max([0, *old, *mine, *used]) + 1
    for number in dict.fromkeys((*old, *mine)):
        if number not in numbers:
            numbers[number] = free
            free += 1
    return numbers


def renumber(flat: FlatMap, layers: Mapping[int, int], objects: Mapping[int, int]) -> None:
    """Give a map new ids, in place."""
    for layer in flat.layers:
        layer["id"] = layers[layer["id"]]
        layer[INSIDE] = layers.get(layer[INSIDE], 0)
    flat.tiles = {layers[key]: tiles for key, tiles in flat.tiles.items()}
    for object_ in flat.objects:
        object_["id"] = objects[object_["id"]]
        object_[INSIDE] = layers[object_[INSIDE]]
    for holder in (flat.top, *flat.layers, *flat.objects):
        refer(holder, objects)


def refer(holder: dict[str, Any], objects: Mapping[int, int]) -> None:
    """Have the properties of an object, a layer or a map refer to the new ids, in place."""
    listed = holder.get("properties")
    if isinstance(listed, list):
        holder["properties"] = [_referring(property_, objects) for property_ in listed]


def _referring(property_: Any, objects: Mapping[int, int]) -> Any:
    if (
        isinstance(property_, dict)
        and property_.get("type") == "object"
        and isinstance(property_.get("value"), int)
    ):
        return {**property_, "value": objects.get(property_["value"], property_["value"])}
    return property_


def move(flat: FlatMap, moves: Moves) -> None:
    """Move all objects with their rooms, in place."""
    for object_ in flat.objects:
        tile = tile_of(object_, flat.tile_size)
        if tile:
            dx, dy = moves.shift_at(*tile)
            object_["x"] += dx * flat.tile_size[0]
            object_["y"] += dy * flat.tile_size[1]


def make_room(mine: FlatMap, old: FlatMap, new: FlatMap) -> None:
    """Move the gids of a person's own tilesets behind those of the new map, in place."""
    ours = {_first(tileset) for tileset in tilesets_of(old)}
    theirs = [tileset for tileset in tilesets_of(mine) if _first(tileset) not in ours]
    if not theirs:
        return
    lowest = min(map(_first, theirs))
    ends = [_first(tileset) + _count(tileset) for tileset in tilesets_of(new)]
    ends += [int((tiles & ~np.uint32(TURNED)).max(initial=0)) + 1 for tiles in new.tiles.values()]
    shift = max(0, max(ends) - lowest)
    if not shift:
        return
    for tileset in theirs:
        tileset["firstgid"] += shift
    for key, tiles in mine.tiles.items():
        far = (tiles & ~np.uint32(TURNED)) >= lowest
        mine.tiles[key] = np.where(far, tiles + np.uint32(shift), tiles)
    for object_ in mine.objects:
        if isinstance(object_.get("gid"), int) and object_["gid"] & ~TURNED >= lowest:
            object_["gid"] += shift


def tilesets_of(flat: FlatMap) -> list[dict[str, Any]]:
    """Return the tilesets of a map that are tables."""
    listed = flat.top.get("tilesets")
    return [tileset for tileset in listed if isinstance(tileset, dict)] if isinstance(listed, list) else []


def _first(tileset: Mapping[str, Any]) -> int:
    first = tileset.get("firstgid")
    return first if isinstance(first, int) and 0 < first < 1 << 28 else 1


def _count(tileset: Mapping[str, Any]) -> int:
    count = tileset.get("tilecount")
    return count if isinstance(count, int) and 0 < count < 1 << 28 else 0
