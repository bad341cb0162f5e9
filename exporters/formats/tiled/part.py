"""The part of a level in one map (the whole level, or a room or hallway), and the ids of its objects.

An object has the same id in every map, because ids count through the whole level: rooms, then doors, hallways
and markers. Marker ids have gaps where rooms were rolled again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from exporters.dress import Layers
from exporters.formats.tiled.syntax.text import Ref
from exporters.names import Names, names_of
from exporters.shut_doors import keys_by_name
from exporters.theme import Theme
from generator.geometry import Point, Rect
from generator.level import Door, Hallway, Level, Marker, Room


@dataclass(frozen=True)
class MapPart:
    """The part of a level in a map, and the targets of references between its objects.

    `area` is the map's rectangle of the level's tiles. A door has only its tiles in that area. `maps` is
    empty if one map shows everything; else it has the file of each room's map, and `hallway_maps` that of
    each hallway's, relative to this map's.
    """

    level: Level
    theme: Theme
    area: Rect
    layers: Layers
    rooms: tuple[Room, ...]
    doors: tuple[tuple[Door, tuple[Point, ...]], ...]
    hallways: tuple[Hallway, ...]
    markers: tuple[Marker, ...]
    maps: Mapping[int, str] = field(default_factory=dict)
    hallway_maps: Mapping[int, str] = field(default_factory=dict)

    @property
    def tile_size(self) -> int:
        """The side of a tile, px."""
        return self.theme.tile_size

    @property
    def is_whole(self) -> bool:
        """Whether this is the map of the whole level."""
        return not self.maps

    @property
    def next_id(self) -> int:
        """The first unused object id of the level."""
        markers = self.level.markers
        return self.marker_id(markers[-1].id + 1 if markers else 0)

    def room_id(self, room: int) -> int:
        """Return the object id of a room."""
        return 1 + room

    def door_id(self, door: int) -> int:
        """Return the object id of a door."""
        return self._first_ids[0] + door

    def hallway_id(self, hallway: int) -> int:
        """Return the object id of a hallway."""
        return self._first_ids[1] + hallway

    def marker_id(self, marker: int) -> int:
        """Return the object id of a marker."""
        return self._first_ids[2] + marker

    @cached_property
    def _first_ids(self) -> tuple[int, int, int]:
        """The ids of the first door, hallway and marker."""
        doors = 1 + len(self.level.rooms)
        hallways = doors + len(self.level.doors)
        return doors, hallways, hallways + len(self.level.hallways)

    def room_ref(self, room: int | None) -> Ref | None:
        """Return a reference to a room, if it is on this map."""
        return Ref(self.room_id(room)) if room is not None and room in self._room_ids else None

    def hallway_ref(self, hallway: int | None) -> Ref | None:
        """Return a reference to a hallway, if it is on this map."""
        is_here = hallway is not None and hallway in self._hallway_ids
        return Ref(self.hallway_id(hallway)) if hallway is not None and is_here else None

    @cached_property
    def _room_ids(self) -> frozenset[int]:
        return frozenset(room.id for room in self.rooms)

    @cached_property
    def _hallway_ids(self) -> frozenset[int]:
        return frozenset(hallway.id for hallway in self.hallways)

    def px(self, corner: Point) -> Point:
        """Convert a corner of the level's tiles to px of this map."""
        return (corner[0] - self.area.x) * self.tile_size, (corner[1] - self.area.y) * self.tile_size


@dataclass(frozen=True)
class Links:
    """The connections in a level: doors by room, hallways by door, keys by the name that locks use.

    Also the names of all objects.
    """

    level: Level
    doors_of_room: Mapping[int, list[int]]
    hallway_of_door: Mapping[int, int]
    names: Names
    keys: Mapping[str, list[Marker]]

    @classmethod
    def of(cls, level: Level) -> Links:
        """Build the links of a level."""
        doors: dict[int, list[int]] = {}
        for door in level.doors:
            for room in dict.fromkeys(door.rooms):
                if room is not None:
                    doors.setdefault(room, []).append(door.id)
        hallways = {door: way.id for way in level.hallways for door in way.doors}
        return cls(level, doors, hallways, names_of(level), keys_by_name(level))

    def beyond(self, door: Door, room: int) -> int | None:
        """Return the room that a door of `room` leads to, also through a hallway, or None."""
        if door.rooms[1] is not None:
            return door.rooms[1] if room == door.rooms[0] else door.rooms[0]
        hallway = self.hallway_of_door.get(door.id)
        if hallway is None:
            return None
        a, b = self.level.hallways[hallway].doors
        return self.level.doors[b if a == door.id else a].rooms[0]
