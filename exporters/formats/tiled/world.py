"""One map per room and hallway, and the world that lays them out: `tiled.split=rooms`.

    {"maps":[{"fileName":"isaac-7/room0.tmj", "height":144, "width":240, "x":464, "y":176}, ...],
     "onlyShowAdjacentMaps":false, "type":"world"}

Every tile belongs to one map only (`exporters.owners`). A map's rectangle covers all of its tiles, so
rectangles overlap where rooms are not rectangular. Where one map has a tile, the others are empty. So nothing
is drawn twice, and all maps together make up the level.

    +--------+---------+
    | notch: |         |     an L and the room in its notch: the L's rectangle covers both, but its map
    | other  |    L    |     is empty in the notch
    +--------+         |
    |                  |
    +------------------+
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from exporters.dress import EMPTY, Layers
from exporters.formats.tiled.part import MapPart
from exporters.formats.tiled.syntax.text import Lines, document
from exporters.owners import NOBODY, Owners, extents
from exporters.theme import Theme
from generator.errors import BadInput
from generator.geometry import Point, Rect
from generator.level import Door, Level, Marker


class MapPlace(NamedTuple):
    """A map of the world: its number, its file, and its rectangle of tiles."""

    number: int
    path: str
    area: Rect


def places(level: Level, name: str, owner: Owners, ending: str = "tmj") -> list[MapPlace]:
    """List all maps of the world, each large enough for its own tiles and its room's bounds.

    A hallway without tiles has no map. Raises BadInput for a level without rooms.
    """
    if not level.rooms:
        raise BadInput("tiled.split: the level has no rooms, so it cannot be split; leave the option out")
    rooms = len(level.rooms)
    bounds = np.array([room.bounds for room in level.rooms])
    low = np.full((rooms + len(level.hallways), 2), max(owner.shape))
    high = np.zeros_like(low)
    low[:rooms], high[:rooms] = bounds[:, :2], bounds[:, :2] + bounds[:, 2:]
    map_places = []
    for number, area in enumerate(extents(owner, low, high)):
        if area.width:
            stem = f"room{number}" if number < rooms else f"hallway{number - rooms}"
            map_places.append(MapPlace(number, f"{name}/{stem}.{ending}", area))
    return map_places


def parts(
    level: Level, layers: Layers, owner: Owners, map_places: list[MapPlace], theme: Theme
) -> Iterator[MapPart]:
    """Yield the part of the level in each map."""
    rooms = len(level.rooms)
    files = {map_place.number: map_place.path.rpartition("/")[2] for map_place in map_places}
    room_files = {number: path for number, path in files.items() if number < rooms}
    hallway_files = {number - rooms: path for number, path in files.items() if number >= rooms}
    markers, doors = _markers_by_map(level, owner), _doors_by_room(level)
    for map_place in map_places:
        mine = owner[map_place.area.slices] == map_place.number
        is_room = map_place.number < rooms
        yield MapPart(
            level,
            theme,
            map_place.area,
            layers=Layers(*(np.where(mine, layer[map_place.area.slices], EMPTY) for layer in layers)),
            rooms=(level.rooms[map_place.number],) if is_room else (),
            doors=tuple(doors.get(map_place.number, ())),
            hallways=() if is_room else (level.hallways[map_place.number - rooms],),
            markers=tuple(markers.get(map_place.number, ())),
            maps=room_files,
            hallway_maps=hallway_files,
        )


def _markers_by_map(level: Level, owner: Owners) -> dict[int, list[Marker]]:
    """Sort markers by map. One on an unowned tile goes to its room's map, or to the first."""
    by_map: dict[int, list[Marker]] = {}
    for marker in level.markers:
        number = int(owner[marker.y, marker.x])
        by_map.setdefault((marker.room or 0) if number == NOBODY else number, []).append(marker)
    return by_map


def _doors_by_room(level: Level) -> dict[int, list[tuple[Door, tuple[Point, ...]]]]:
    """Return the doors of each room, with their tiles in that room's wall."""
    by_room: dict[int, list[tuple[Door, tuple[Point, ...]]]] = {}
    for door in level.doors:
        for half in door.halves:
            by_room.setdefault(half.room, []).append((door, half.tiles))
    return by_room


def world_file(map_places: list[MapPlace], tile_size: int) -> bytes:
    """Write `NAME.world`."""
    maps = [
        {
            "fileName": map_place.path,
            "height": map_place.area.height * tile_size,
            "width": map_place.area.width * tile_size,
            "x": map_place.area.x * tile_size,
            "y": map_place.area.y * tile_size,
        }
        for map_place in map_places
    ]
    return document({"maps": Lines(maps), "onlyShowAdjacentMaps": False, "type": "world"})
