"""Translate a map of an old level to the numbers of a new one: object ids, layer ids, gids, and px.

Things in both maps get the new number. Things that are gone, or that a person added, get an unused number;
an added one keeps its own if that is free.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from exporters.merge.matching import Moves, RoomFact, ThingFact, moves_of, things_of
from exporters.merge.tiled_flat import INSIDE, FlatMap
from generator.geometry import Point, Rect

_NUMBERS = frozenset({"id", "door_id", "hallway_id", "marker_id"})  # properties that depend on numbering
_TURNED = 0xF0000000  # the gid bits that rotate and flip a tile


def moves_between(old: FlatMap, new: FlatMap) -> tuple[Moves, dict[int, int]]:
    """Find where the rooms moved to, and the new id of each old object that the new map also has."""
    moves = moves_of(list(_rooms(old)), list(_rooms(new)))
    ids: dict[Any, Any] = {pair.old.key: pair.new.key for pair in moves.pairs}
    ids |= things_of(list(_things(old)), list(_things(new)), moves)
    return moves, ids


def _rooms(flat: FlatMap) -> Iterator[RoomFact]:
    height, width = flat.shape
    for each in flat.objects:
        rect = _rect(each, flat.tile_size) if each.get("type") == "room" else None
        if rect and rect.x >= 0 and rect.y >= 0 and rect.right <= width and rect.bottom <= height:
            facts = _properties(each)
            yield RoomFact(each["id"], rect, (facts.get("kind"), facts.get("shape"), facts.get("layout")))


def _things(flat: FlatMap) -> Iterator[ThingFact]:
    for each in flat.objects:
        place, facts = tile_of(each, flat.tile_size), _properties(each)
        sort = each.get("type")
        if sort != "room" and place and facts.keys() & _NUMBERS:
            sort = sort if sort in ("door", "hallway") else "marker"
            yield ThingFact(each["id"], str(sort), str(facts.get("kind")), place)


def _rect(each: Mapping[str, Any], size: Point) -> Rect | None:
    place = tile_of(each, size)
    corners = each.get("polygon")
    if not place or not isinstance(corners, list):
        return None
    found = [tile_of(corner, size) for corner in corners if isinstance(corner, dict)]
    tiles = [tile for tile in found if tile]
    if len(tiles) < 3:
        return None
    around = Rect.around(tiles)
    return Rect(place[0] + around.x, place[1] + around.y, around.width - 1, around.height - 1)


def tile_of(each: Mapping[str, Any], size: Point) -> Point | None:
    """Return the tile of an object, or None if it has no valid position."""
    x, y = each.get("x"), each.get("y")
    if not isinstance(x, (int, float)) or not isinstance(y, (int, float)):
        return None
    if not (math.isfinite(x) and math.isfinite(y)):
        return None
    if "gid" in each:
        y -= 1  # the position of a tile object is its lower left corner
    return math.floor(x / size[0]), math.floor(y / size[1])


def _properties(each: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the properties that can be compared."""
    listed = each.get("properties")
    found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return {str(one.get("name")): str(one.get("value")) for one in found}


def numbered(
    matched: Mapping[int, int], old: Iterable[int], mine: Iterable[int], new: Iterable[int]
) -> dict[int, int]:
    """Assign a number in the new file to each id of the old file and the person's."""
    old, mine = list(old), list(mine)
    numbers, used, known = dict(matched), set(new), set(old)
    for each in mine:
        if each not in numbers and each not in used and each not in known:
            numbers[each] = each
            used.add(each)
    free = max([0, *old, *mine, *used]) + 1
    for each in dict.fromkeys((*old, *mine)):
        if each not in numbers:
            numbers[each] = free
            free += 1
    return numbers


def renumber(flat: FlatMap, layers: Mapping[int, int], objects: Mapping[int, int]) -> None:
    """Give a map new ids, in place."""
    for layer in flat.layers:
        layer["id"] = layers[layer["id"]]
        layer[INSIDE] = layers.get(layer[INSIDE], 0)
    flat.tiles = {layers[key]: tiles for key, tiles in flat.tiles.items()}
    for each in flat.objects:
        each["id"] = objects[each["id"]]
        each[INSIDE] = layers[each[INSIDE]]
    for holder in (flat.top, *flat.layers, *flat.objects):
        listed = holder.get("properties")
        if isinstance(listed, list):
            holder["properties"] = [_referring(one, objects) for one in listed]


def _referring(one: Any, objects: Mapping[int, int]) -> Any:
    if isinstance(one, dict) and one.get("type") == "object" and isinstance(one.get("value"), int):
        return {**one, "value": objects.get(one["value"], one["value"])}
    return one


def move(flat: FlatMap, moves: Moves) -> None:
    """Move all objects with their rooms, in place."""
    for each in flat.objects:
        tile = tile_of(each, flat.tile_size)
        if tile:
            dx, dy = moves.shift_at(*tile)
            each["x"] += dx * flat.tile_size[0]
            each["y"] += dy * flat.tile_size[1]


def make_room(mine: FlatMap, old: FlatMap, new: FlatMap) -> None:
    """Move the gids of a person's own tilesets behind those of the new map, in place."""
    ours = {_first(each) for each in _tilesets(old)}
    theirs = [each for each in _tilesets(mine) if _first(each) not in ours]
    if not theirs:
        return
    lowest = min(map(_first, theirs))
    ends = [_first(each) + _count(each) for each in _tilesets(new)]
    ends += [int((tiles & ~np.uint32(_TURNED)).max(initial=0)) + 1 for tiles in new.tiles.values()]
    more = max(0, max(ends) - lowest)
    if not more:
        return
    for each in theirs:
        each["firstgid"] += more
    for key, tiles in mine.tiles.items():
        far = (tiles & ~np.uint32(_TURNED)) >= lowest
        mine.tiles[key] = np.where(far, tiles + np.uint32(more), tiles)
    for one in mine.objects:
        if isinstance(one.get("gid"), int) and one["gid"] & ~_TURNED >= lowest:
            one["gid"] += more


def _tilesets(flat: FlatMap) -> list[dict[str, Any]]:
    listed = flat.top.get("tilesets")
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _first(each: Mapping[str, Any]) -> int:
    first = each.get("firstgid")
    return first if isinstance(first, int) and 0 < first < 1 << 28 else 1


def _count(each: Mapping[str, Any]) -> int:
    count = each.get("tilecount")
    return count if isinstance(count, int) and 0 < count < 1 << 28 else 0
