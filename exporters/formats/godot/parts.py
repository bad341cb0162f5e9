"""The part of a level in one scene: the whole level, or a room or hallway with everything in it.

The origin of a room's scene is the corner of the room's bounds. So an instance at that place lies exactly
where the room lies in the level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, Layers, TileLayer
from exporters.owners import extents, owners
from generator.geometry import Point, Rect
from generator.level import Door, Hallway, Level, Marker, Room


class DoorPart(NamedTuple):
    """The tiles of a door in a scene, in level coordinates, and its side as seen from that scene."""

    door: Door
    tiles: tuple[Point, ...]
    side: str

    @property
    def rect(self) -> Rect:
        """The door's tiles, which always form a rectangle."""
        return Rect.around(self.tiles)


class ScenePart(NamedTuple):
    """`origin` is the level's tile at the scene's (0, 0). `own` [y, x] masks the part's tiles in `rect`."""

    origin: Point
    rect: Rect
    own: npt.NDArray[np.bool_]
    doors: tuple[DoorPart, ...]
    markers: tuple[Marker, ...]

    def cut(self, layer: TileLayer) -> TileLayer:
        """Cut the part's tiles out of a layer, in the size of `rect`."""
        return np.where(self.own, layer[self.rect.slices], EMPTY)

    def offset(self) -> Point:
        """Return the place of `rect` in the scene, in tiles."""
        return self.rect.x - self.origin[0], self.rect.y - self.origin[1]

    def here(self, points: Sequence[Point]) -> list[Point]:
        """Convert tiles or corners of the level to scene coordinates."""
        left, top = self.origin
        return [(x - left, y - top) for x, y in points]


def whole(level: Level) -> ScenePart:
    """Return the level as one scene."""
    doors = tuple(DoorPart(door, door.tiles, door.side) for door in level.doors)
    everything = np.ones(level.terrain.shape, np.bool_)
    rect = Rect(0, 0, level.width, level.height)
    return ScenePart((0, 0), rect, everything, doors, level.markers)


def parts(level: Level, layers: Layers) -> Iterator[tuple[Room | Hallway, ScenePart]]:
    """Yield each room, then each hallway, with its part of the level."""
    own = owners(level, layers)
    count = len(level.rooms) + len(level.hallways)
    rects = extents(own, np.full((count, 2), max(own.shape)), np.zeros((count, 2), int))
    spaces: list[Room | Hallway] = [*level.rooms, *level.hallways]
    doors = _doors_by_room(level)
    markers = _markers_by_place(level)
    for number, (space, rect) in enumerate(zip(spaces, rects, strict=True)):
        if isinstance(space, Room):
            own_doors = tuple(doors.get(space.id, ()))
            origin = (space.bounds.x, space.bounds.y)
        else:
            own_doors, origin = (), (rect.x, rect.y)
        yield space, ScenePart(origin, rect, own[rect.slices] == number, own_doors, markers.get(number, ()))


def _doors_by_room(level: Level) -> dict[int, list[DoorPart]]:
    """Collect for each room the parts of its doors that lie in its wall."""
    by_room: dict[int, list[DoorPart]] = {}
    for door in level.doors:
        for half in door.halves:
            by_room.setdefault(half.room, []).append(DoorPart(door, half.tiles, half.side))
    return by_room


def _markers_by_place(level: Level) -> dict[int, tuple[Marker, ...]]:
    """Group the markers by owner. Those without an owner are ignored."""
    by_owner: dict[int, list[Marker]] = {}
    for marker in level.markers:
        if marker.room is not None:
            by_owner.setdefault(marker.room, []).append(marker)
        elif marker.hallway is not None:
            by_owner.setdefault(len(level.rooms) + marker.hallway, []).append(marker)
    return {number: tuple(markers) for number, markers in by_owner.items()}
