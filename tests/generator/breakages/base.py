"""What a breakage is, and how parts of a level are changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from generator import Door, Hallway, Level, Marker, Room
from generator.geometry import Point, Side
from generator.kinds import DECOR_IDS, SHIPPED

T = TypeVar("T")
Break = Callable[[Level], Level]

SIDES = {side.label: side for side in Side}
GRID = ("isaac", "rebirth")
ALL = (*GRID, "gungeon")


class Unfit(Exception):  # noqa: N818 - what happened to a breakage, no error
    """The level has nothing that could be broken so."""


class Breakage(NamedTuple):
    """A breakage, and the name of the check that must find it, by style: those that it applies to."""

    make: Break
    found_by: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.make.__name__


def found(check: str, *breaks: Break, styles: Iterable[str] = ALL) -> tuple[Breakage, ...]:
    """Breakages that one check finds."""
    return tuple(Breakage(make, dict.fromkeys(styles, check)) for make in breaks)


def found_by(make: Break, **checks: str) -> Breakage:
    """A breakage that another check finds in each style, or in both on a grid (`grid`)."""
    if "grid" in checks:
        checks |= dict.fromkeys(GRID, checks.pop("grid"))
    return Breakage(make, checks)


def first(things: Iterable[T]) -> T:
    for thing in things:
        return thing
    raise Unfit


def last(things: Iterable[T]) -> T:
    return first(list(things)[::-1])


def with_room(level: Level, number: int, **values: Any) -> Level:
    rooms = [replace(room, **values) if room.id == number else room for room in level.rooms]
    return replace(level, rooms=tuple(rooms))


def with_door(level: Level, number: int, **values: Any) -> Level:
    doors = [replace(door, **values) if door.id == number else door for door in level.doors]
    return replace(level, doors=tuple(doors))


def with_hallway(level: Level, number: int, **values: Any) -> Level:
    ways = [replace(way, **values) if way.id == number else way for way in level.hallways]
    return replace(level, hallways=tuple(ways))


def with_marker(level: Level, number: int, **values: Any) -> Level:
    markers = [replace(marker, **values) if marker.id == number else marker for marker in level.markers]
    return replace(level, markers=tuple(markers))


def one_more_marker(level: Level, marker: Marker, **values: Any) -> Level:
    made = replace(marker, id=level.markers[-1].id + 1, **values)
    return replace(level, markers=(*level.markers, made))


def without(level: Level, *markers: Marker) -> Level:
    return replace(level, markers=tuple(each for each in level.markers if each not in markers))


def with_terrain(level: Level, tiles: Mapping[Point, str]) -> Level:
    terrain = level.terrain.copy()
    for (x, y), name in tiles.items():
        terrain[y, x] = SHIPPED.terrain_ids[name]
    return replace(level, terrain=terrain)


def with_decor(level: Level, tiles: Mapping[Point, str]) -> Level:
    decor = level.decor.copy()
    for (x, y), name in tiles.items():
        decor[y, x] = DECOR_IDS[name]
    return replace(level, decor=decor)


def with_spec(level: Level, **values: Any) -> Level:
    return replace(level, spec=level.spec.replace(values))


def name_at(level: Level, tile: Point) -> str:
    return level.terrain_kinds[level.terrain[tile[1], tile[0]]].name


def tiles_of(level: Level, *names: str, room: Room | None = None) -> list[Point]:
    """The tiles of some terrain, row by row, of a room or of the whole level."""
    found = np.argwhere(np.isin(level.terrain, [SHIPPED.terrain_ids[name] for name in names])).tolist()
    own = own_tiles(level, room) if room else ()
    return [(x, y) for y, x in found if room is None or (x, y) in own]


def own_tiles(level: Level, room: Room) -> set[Point]:
    """The tiles of a room: its cells, or its bounds."""
    rects = [level.grid.cell_rect(cell) for cell in room.cells] if level.grid else [room.bounds]
    return {(x, y) for rect in rects for x in range(rect.x, rect.right) for y in range(rect.y, rect.bottom)}


def bare_floor(level: Level, room: Room) -> list[Point]:
    """Floor of a room on which nothing stands, far from its doors."""
    taken = {(marker.x, marker.y) for marker in level.markers}
    doors = [tile for door in level.doors if room.id in door.rooms for tile in door.tiles]
    return [
        (x, y)
        for x, y in tiles_of(level, "floor", room=room)
        if not level.covered[y, x]
        and (x, y) not in taken
        and all(abs(x - a) + abs(y - b) > 5 for a, b in doors)
    ]


def rooms_of(level: Level, *kinds: str) -> list[Room]:
    return [room for room in level.rooms if room.kind in kinds]


def markers_of(level: Level, *kinds: str) -> list[Marker]:
    return [marker for marker in level.markers if marker.kind in kinds]


def doors_of(level: Level, room: Room) -> list[Door]:
    return [door for door in level.doors if room.id in door.rooms]


def neighbours_of(level: Level, room: Room) -> list[Room]:
    """The rooms that a door or a hallway joins to one."""
    pairs = [door.rooms for door in level.doors]
    pairs += [ends_of(level, hallway) for hallway in level.hallways]
    others = {other for pair in pairs if room.id in pair for other in pair} - {room.id, None}
    return [each for each in level.rooms if each.id in others]


def ends_of(level: Level, hallway: Hallway) -> tuple[int, int]:
    a, b = (level.doors[number].rooms[0] for number in hallway.doors)
    return a, b


def inwards(door: Door) -> Side:
    """The side of a door's first tiles on which their room lies."""
    return SIDES[door.side].opposite


def own_half(door: Door) -> tuple[Point, ...]:
    """The door's tiles in its first room's wall."""
    return door.tiles[: len(door.tiles) // (1 if door.rooms[1] is None else 2)]
