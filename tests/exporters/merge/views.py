"""Where things are in a file, by room: an oracle for merges that reads the files in the simplest way.

It knows only rooms that there is one of, by kind, shape and layout, and says nothing of the others.
"""

from __future__ import annotations

import base64
import json
import re
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

Json = dict[str, Any]
Place = tuple[int, int]


class RoomView(NamedTuple):
    """A room: what it is, by which key it is found in another state of its file, and its rectangle of tiles."""

    what: tuple[object, ...]
    key: object
    rect: tuple[int, int, int, int]


class FileView(NamedTuple):
    """Rooms; tiles by layer, key of the room or None, and place; markers by kind and place likewise."""

    rooms: list[RoomView]
    cells: dict[object, dict[object, dict[Place, object]]]
    things: dict[object, dict[Place, Counter[object]]]


def of_map(data: bytes) -> FileView:
    map_ = json.loads(data)
    view, width = FileView([], {}, {None: {}}), map_["width"]
    waiting = [*map_["layers"]]
    while waiting:
        layer = waiting.pop()
        waiting += layer.get("layers", [])
        if layer["type"] == "tilelayer":
            tiles = {(at % width, at // width): gid for at, gid in enumerate(layer["data"]) if gid}
            view.cells[layer["id"]] = {None: tiles}
        for each in layer.get("objects", []):
            told = {one["name"]: one["value"] for one in each.get("properties", [])}
            x, y = int(each["x"] // 16), int(each["y"] // 16) - ("gid" in each)
            if each["type"] == "room" and "polygon" in each:
                size = (int(max(one[axis] for one in each["polygon"]) // 16) for axis in "xy")
                what = tuple(told.get(key) for key in ("kind", "shape", "layout"))
                view.rooms.append(RoomView(what, None, (x, y, *size)))  # type: ignore[arg-type]
            elif "marker_id" in told:
                view.things[None].setdefault((x, y), Counter())[told.get("kind")] += 1
    return view


def of_project(data: bytes) -> FileView:
    view = FileView([], {}, {})
    for level in json.loads(data)["levels"]:
        told = {one["__identifier"]: one["__value"] for one in level["fieldInstances"]}
        key, size = level["iid"], (level["pxWid"] // 16, level["pxHei"] // 16)
        what = tuple(told.get(each) for each in ("kind", "shape", "layout"))
        view.rooms.append(RoomView(what, key, (0, 0, *size)))
        view.things[key] = {}
        for layer in level["layerInstances"]:
            tiles: dict[Place, object] = {}
            for tile in layer["gridTiles"]:
                x, y = tile["px"][0] // 16, tile["px"][1] // 16
                tiles[x, y] = (*tiles.get((x, y), ()), tile["t"])  # type: ignore[misc]
            width = layer["__cWid"]
            tiles |= {
                (at % width, at // width): value for at, value in enumerate(layer["intGridCsv"]) if value
            }
            view.cells.setdefault(layer["__identifier"], {})[key] = tiles
            for each in layer["entityInstances"]:
                x, y = each["px"][0] // 16, each["px"][1] // 16
                view.things[key].setdefault((x, y), Counter())[each["__identifier"]] += 1
    return view


def of_scene(data: bytes) -> FileView:
    view = FileView([], {}, {None: {}})
    for part in data.decode().split("\n[node ")[1:]:
        head, _, body = part.partition("]\n")
        parent = re.search(r'parent="([^"]*)"', head)
        name = re.search(r'name="([^"]*)"', head)
        if not parent or not name:
            continue
        bounds = re.search(r"\nmetadata/bounds = Rect2i\((-?\d+), (-?\d+), (\d+), (\d+)\)", body)
        kind, shape, layout = (
            re.search(rf'(?:\A|\n)metadata/{key} = "([^"]*)"', body) for key in ("kind", "shape", "layout")
        )
        place = re.search(r"(?:\A|\n)position = Vector2\(([-\d.]+), ([-\d.]+)\)", body)
        packed = re.search(r'tile_map_data = PackedByteArray\("([^"]*)"\)', body)
        if parent[1] == "Rooms" and bounds:
            what = tuple(each and each[1] for each in (kind, shape, layout))
            view.rooms.append(RoomView(what, None, tuple(map(int, bounds.groups()))))  # type: ignore[arg-type]
        elif parent[1] == "Markers" and place and kind:
            tile = int(float(place[1]) // 16), int(float(place[2]) // 16)
            view.things[None].setdefault(tile, Counter())[kind[1]] += 1
        if packed and parent[1] == ".":
            cells = base64.b64decode(packed[1])[2:]
            found = (struct.unpack_from("<hhQ", cells, at) for at in range(0, len(cells), 12))
            view.cells[name[1]] = {None: {(x, y): code for x, y, code in found}}
    return view


READERS: dict[str, Callable[[bytes], FileView]] = {"tmj": of_map, "ldtk": of_project, "tscn": of_scene}


def misplaced(suffix: str, base: bytes, theirs: bytes, new: bytes, merged: bytes) -> list[str]:
    """What does not lie where it must: in rooms that are told apart, cell by cell and marker by marker.

    What a person left alone is as in the new file. What they painted or erased is as they made it where all
    layers of the old and the new level have the same tiles; elsewhere it is theirs or new. A marker that they
    took away from its place in a room is not there again; one that nobody took away is.
    """
    views = [READERS[suffix](data) for data in (base, theirs, new, merged)]
    found = []
    for old, now in pairs(views[0], views[2]):
        sides = [(old.key, old.rect), (old.key, old.rect), (now.key, now.rect), (now.key, now.rect)]
        layers = [each for each in views[0].cells if all(each in view.cells for view in views)]
        for y in range(old.rect[3]):
            for x in range(old.rect[2]):
                places = [(key, (rect[0] + x, rect[1] + y)) for key, rect in sides]
                stacks = [
                    [view.cells[layer].get(key, {}).get(place) for layer in layers]
                    for view, (key, place) in zip(views, places, strict=True)
                ]
                agree = stacks[0] == stacks[2]
                for layer, before, after, fresh, made in zip(layers, *stacks, strict=True):
                    may = (fresh,) if after == before else (after,) if agree else (after, fresh)
                    if made not in may:
                        found.append(f"{layer} of {old.what} at {x},{y}: {made}, not {may}")
                found += _markers(views, places, f"in {old.what} at {x},{y}")
    return found


def pairs(old: FileView, new: FileView) -> list[tuple[RoomView, RoomView]]:
    """The rooms that both have, and of which neither has another."""
    counts = [Counter(room.what for room in view.rooms) for view in (old, new)]
    there = {room.what: room for room in new.rooms}
    return [
        (room, there[room.what])
        for room in old.rooms
        if counts[0][room.what] == counts[1][room.what] == 1 and there[room.what].rect[2:] == room.rect[2:]
    ]


def _markers(views: list[FileView], places: list[tuple[object, Place]], where: str) -> list[str]:
    at = [
        view.things.get(key, {}).get(place, Counter())
        for view, (key, place) in zip(views, places, strict=True)
    ]
    before, after, fresh, made = at
    return [
        f"{kind} {where}: {made[kind]}, not {after[kind]}"
        for kind in before.keys() & fresh.keys()
        if before[kind] == fresh[kind] == 1 >= after[kind] and made[kind] != after[kind]
    ]
