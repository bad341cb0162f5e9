"""A map for each room and hallway, and the world that lays them out: `tiled.split=rooms`.

    {"maps":[{"fileName":"isaac-7/room0.tmj", "height":144, "width":240, "x":464, "y":176}, ...],
     "onlyShowAdjacentMaps":false, "type":"world"}

Every tile belongs to one map alone: to the room whose walls enclose it, to the hallway whose floor it is,
or else to what it stands beside: the top of a wall and its outer face, both drawn in the void, to the
room; a hallway's walls to the hallway. A map's rectangle holds all of its tiles, so rectangles overlap
where rooms are no rectangles; where one map has a tile the others are empty, so that nothing is drawn
twice, and all maps together are the level.

    +--------+---------+
    | notch: |         |     an L and the room in its notch: the L's rectangle is the whole, its map
    | other  |    L    |     is empty in the notch
    +--------+         |
    |                  |
    +------------------+
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, Layers
from exporters.tiled.part import Part
from exporters.tiled.text import Lines, document
from generator.errors import BadInput
from generator.geometry import Point, Rect
from generator.kinds import VOID
from generator.level import Door, Level, Marker, Room

Owners = npt.NDArray[np.int32]
_NOBODY = -1
# Whom a tile of nobody's belongs to: a wall's top to the wall below it, an outer face to the one above.
_BESIDE = ((0, 1), (0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (-1, -1), (1, -1))
_MOST_STEPS = 4  # tiles from a room or hallway; nothing drawn is farther away on a level of ours


class Place(NamedTuple):
    """A map of the world: its number among all of them, its file, and its rectangle of tiles."""

    number: int
    path: str
    area: Rect


def owners(level: Level, layers: Layers) -> Owners:
    """[y, x]: the number of the map that each tile belongs to: a room's id, or behind them a hallway's."""
    found = np.full(level.terrain.shape, _NOBODY, np.int32)
    for room in level.rooms:
        for rect, inside in _room_tiles(level, room):
            found[rect.slices][inside] = room.id
    for hallway in level.hallways:
        for x, y in hallway.tiles:
            if found[y, x] == _NOBODY:
                found[y, x] = len(level.rooms) + hallway.id
    drawn = np.logical_or.reduce([layer != EMPTY for layer in layers])
    stone = drawn & (level.terrain != VOID)  # before the void: a top goes with its wall
    for some in (stone, drawn):
        for _ in range(_MOST_STEPS):
            if not (some & (found == _NOBODY)).any():
                break
            _spread(found, some)
    found[drawn & (found == _NOBODY)] = 0
    return found


def _room_tiles(level: Level, room: Room) -> Iterator[tuple[Rect, npt.NDArray[np.bool_]]]:
    """The tiles that a room encloses, walls included, as rectangles and what of each is the room."""
    if level.grid:
        parts = [level.grid.cell_rect(cell) for cell in room.cells]
        yield from ((part, np.ones((part.height, part.width), np.bool_)) for part in parts)
    else:
        yield room.bounds, _enclosed(room)


def _enclosed(room: Room) -> npt.NDArray[np.bool_]:
    """[y, x] of the room's bounds: what lies inside its outline, holes left out."""
    x, y, width, height = room.bounds
    inside = np.zeros((height, width), np.bool_)
    if not room.outline:
        return ~inside
    for ring in room.outline:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if ax == bx:  # each upright edge turns what is to its right inside out
                low, high = sorted((max(ay - y, 0), max(by - y, 0)))
                inside[low:high, max(ax - x, 0) :] ^= True
    return inside


def _spread(found: Owners, some: npt.NDArray[np.bool_]) -> None:
    """Give each of some tiles that is nobody's to the owner of a neighbour: the first by `_BESIDE`."""
    height, width = found.shape
    framed = np.full((height + 2, width + 2), _NOBODY, np.int32)
    framed[1:-1, 1:-1] = found
    free = some & (found == _NOBODY)
    for dx, dy in _BESIDE:
        beside = framed[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        taken = free & (beside != _NOBODY)
        found[taken] = beside[taken]
        free &= ~taken


def places(level: Level, name: str, owner: Owners) -> list[Place]:
    """Every map of the world, as large as what is its own, and at least as its room's bounds.

    A hallway without tiles has none. BadInput for a level without rooms.
    """
    if not level.rooms:
        raise BadInput("tiled.split: the level has no rooms to be split into; leave the option out")
    rooms = len(level.rooms)
    bounds = np.array([room.bounds for room in level.rooms])
    low = np.full((rooms + len(level.hallways), 2), max(owner.shape))
    high = np.zeros_like(low)
    low[:rooms], high[:rooms] = bounds[:, :2], bounds[:, :2] + bounds[:, 2:]
    ys, xs = np.nonzero(owner != _NOBODY)
    numbers = owner[ys, xs]
    for i, values in enumerate((xs, ys)):
        np.minimum.at(low[:, i], numbers, values)
        np.maximum.at(high[:, i], numbers, values + 1)
    found = []
    for number, ((x, y), (right, bottom)) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        if right:
            stem = f"room{number}" if number < rooms else f"hallway{number - rooms}"
            found.append(Place(number, f"{name}/{stem}.tmj", Rect(x, y, right - x, bottom - y)))
    return found


def parts(level: Level, layers: Layers, owner: Owners, found: list[Place], tile_size: int) -> Iterator[Part]:
    """What each of the maps shows."""
    rooms = len(level.rooms)
    files = {place.number: place.path.rpartition("/")[2] for place in found}
    room_files = {number: path for number, path in files.items() if number < rooms}
    hallway_files = {number - rooms: path for number, path in files.items() if number >= rooms}
    markers, doors = _markers_by_map(level, owner), _doors_by_room(level)
    for place in found:
        mine = owner[place.area.slices] == place.number
        is_room = place.number < rooms
        yield Part(
            level,
            tile_size,
            place.area,
            layers=Layers(*(np.where(mine, layer[place.area.slices], EMPTY) for layer in layers)),
            rooms=(level.rooms[place.number],) if is_room else (),
            doors=tuple(doors.get(place.number, ())),
            hallways=() if is_room else (level.hallways[place.number - rooms],),
            markers=tuple(markers.get(place.number, ())),
            maps=room_files,
            hallway_maps=hallway_files,
        )


def _markers_by_map(level: Level, owner: Owners) -> dict[int, list[Marker]]:
    """The markers on each map: those on its tiles; one on nobody's is on its room's map, or the first."""
    found: dict[int, list[Marker]] = {}
    for marker in level.markers:
        number = int(owner[marker.y, marker.x])
        found.setdefault((marker.room or 0) if number == _NOBODY else number, []).append(marker)
    return found


def _doors_by_room(level: Level) -> dict[int, list[tuple[Door, tuple[Point, ...]]]]:
    """The doors of each room, with those of their tiles that are in its wall."""
    found: dict[int, list[tuple[Door, tuple[Point, ...]]]] = {}
    for door in level.doors:
        half = len(door.tiles) if door.rooms[1] is None else len(door.tiles) // 2
        for room, tiles in zip(door.rooms, (door.tiles[:half], door.tiles[half:]), strict=True):
            if room is not None:
                found.setdefault(room, []).append((door, tiles or door.tiles))
    return found


def world_file(found: list[Place], tile_size: int) -> bytes:
    """`NAME.world`."""
    maps = [
        {
            "fileName": place.path,
            "height": place.area.height * tile_size,
            "width": place.area.width * tile_size,
            "x": place.area.x * tile_size,
            "y": place.area.y * tile_size,
        }
        for place in found
    ]
    return document({"maps": Lines(maps), "onlyShowAdjacentMaps": False, "type": "world"})
