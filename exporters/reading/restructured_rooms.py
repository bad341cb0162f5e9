"""Apply edits of a level's rooms: removed, moved, resized and added. Their shapes follow from the tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy  # its modules are loaded when they are used

from exporters.reading.seen import EditKey, Edits
from generator.algorithms.outline import close_pinches, outline, ring
from generator.arrays import Mask
from generator.checks.base import area_of, owners, terrain_number
from generator.geometry import Point, Rect
from generator.level import MARGIN, Level, Marker, Room
from generator.shapes import SHAPES
from generator.things import called

_ROOMS_OWN = ("difficulty", "layout", "zone", "name")


class RoomWork:
    """The level while its rooms change: `owner` has the number of each tile's room, -1 for none."""

    def __init__(self, before: Level, level: Level) -> None:
        self.before, self.level = before, level
        self.terrain, self.decor = level.terrain.copy(), level.decor.copy()
        self.rooms = {room.id: room for room in level.rooms}
        self.doors = {door.id: door for door in level.doors}
        self.hallways = list(level.hallways)
        self.dropped: set[int] = set()  # markers
        self.refused: dict[EditKey, str] = {}
        self.notes: list[str] = []
        self.changed: set[int] = set()  # rooms that are new or elsewhere
        self.taken: set[Point] = set()  # tiles of doors
        self.owner = owners(level)
        self.wall, self.door_tile = (terrain_number(level, name) for name in ("wall", "door"))
        self.hallway_tile = terrain_number(level, "hallway")
        self.walk = np.array([kind.walk for kind in level.terrain_kinds])

    @property
    def _unmoved(self) -> Iterator[Marker]:
        """Yield the markers that stand where they stood before all edits."""
        places = {(marker.id, marker.x, marker.y) for marker in self.before.markers}
        return (each for each in self.level.markers if (each.id, each.x, each.y) in places)

    def change_rooms(self, edits: Edits) -> None:
        """Remove, move, resize and add rooms."""
        removed = [key[1] for key in edits if key[0] == "room" and key[2] == "gone" and key[1] in self.rooms]
        of_rooms = {key: value for key, value in edits.items() if key[0] == "room"}
        placed = {key: Rect(*value) for key, value in of_rooms.items() if key[2] == "bounds"}
        for number in removed:
            del self.rooms[number]
        for key, bounds in placed.items():
            if key[1] in self.rooms:
                self._put(key, bounds, self.rooms[key[1]])
        for key, values in edits.items():
            if key[0] == "new room":
                number = max([*self.rooms, len(self.before.rooms) - 1]) + 1
                own = {name: values[name] for name in _ROOMS_OWN if name in values}
                kind = str(values.get("kind", "normal"))
                room = Room(number, kind, "", (), Rect(0, 0, 1, 1), values.get("outline", ()), None, 0, 0, "")
                self._put(key, Rect(*key[1:]), replace(room, **own))
        old = self.owner
        self.owner = owners(self._so_far())
        for number in removed:
            self.clear((old == number) & (self.owner == -1))
            self.dropped |= {marker.id for marker in self._unmoved if marker.room == number}

    def _put(self, key: EditKey, bounds: Rect, room: Room) -> None:
        """Give a room its place, if that can be one."""
        reason = self._why_not(bounds, room.id)
        placed = None
        if not reason:
            placed = self._on_grid(bounds, room) if self.level.grid else self._free(bounds, room)
            reason = "" if placed else self._remedy()
        if placed:
            self.rooms[room.id] = placed
            self.changed.add(room.id)
        else:
            self.refused[key] = reason

    def _remedy(self) -> str:
        if self.level.grid is None:
            return "its tiles do not hang together; paint its floor and walls in one piece"
        width, height = self.level.grid.cell_size
        x, y = self.level.grid.origin
        where = f"{width} x {height} tiles, from {x % width},{y % height}"
        return f"it does not cover whole cells of {where}, in one of the shapes of rooms"

    def _why_not(self, bounds: Rect, number: int) -> str:
        """Say why no room can be there. Empty if one can."""
        inner = Rect(0, 0, self.level.width, self.level.height).shrunk(MARGIN)
        is_far_enough = bounds.right <= inner.right and bounds.bottom <= inner.bottom
        if not is_far_enough or min(bounds.x, bounds.y) < MARGIN:
            return f"the level keeps its size, and rooms stay {MARGIN} tiles away from its edge"
        if min(bounds.width, bounds.height) < 3:
            return "a room has at least 3 x 3 tiles, walls included"
        if not self.walk[self.terrain[bounds.shrunk(1).slices]].any():
            return "there is no floor in it; paint its floor and walls, too"
        others = np.isin(self.owner[bounds.slices], [other for other in self.rooms if other != number])
        if others.any() and self.level.grid is None:
            other = int(self.owner[bounds.slices][others].max())
            return f"it overlaps {called(self.level, 'room', other)}"
        return ""

    def _free(self, bounds: Rect, room: Room) -> Room | None:
        """Return a room with all tiles in a rectangle that are neither void nor another room's.

        A new room that has an outline already has the tiles in that.
        """
        if room.outline and room.id not in self.rooms:
            area: Mask = area_of(room.outline, bounds[:2], bounds[2:])
        else:
            owner = self.owner[bounds.slices]
            others = [other for other in self.rooms if other != room.id]
            area = (self.terrain[bounds.slices] != 0) & ~np.isin(owner, others)
        ys, xs = np.nonzero(area)
        tight = Rect(
            bounds.x + int(xs.min()),
            bounds.y + int(ys.min()),
            int(xs.max() - xs.min()) + 1,
            int(ys.max() - ys.min()) + 1,
        )
        area = area[tight.y - bounds.y :, tight.x - bounds.x :][: tight.height, : tight.width]
        pinched = area.astype(np.uint8)
        close_pinches(pinched, 0, 1)
        if scipy.ndimage.label(area)[1] != 1 or (pinched != area).any():
            return None
        rings = (ring(tight),) if area.all() else outline(area, tight[:2])
        shape = "rectangle" if area.all() else "ragged"
        return replace(room, shape=shape, bounds=tight, outline=rings)

    def _on_grid(self, bounds: Rect, room: Room) -> Room | None:
        """Return a room of a grid style that covers the cells of a rectangle that have floor."""
        grid = self.level.grid
        assert grid
        (left, top), (width, height) = grid
        x, y = (bounds.x - left) // width, (bounds.y - top) // height
        columns, rows = bounds.width // width, bounds.height // height
        cells = [(x + i, y + j) for j in range(rows) for i in range(columns)]
        if not cells or grid.bounds(cells) != bounds:
            return None
        cells = [cell for cell in cells if self.walk[self.terrain[grid.cell_rect(cell).slices]].any()]
        taken = {cell for other in self.rooms.values() if other.id != room.id for cell in other.cells}
        shape = next(
            (
                shape
                for shape in SHAPES.values()
                if {(cell[0] + x, cell[1] + y) for cell in shape.cells} == set(cells)
                and (shape.name == room.shape or len(shape.sides) == 4)
            ),
            None,
        )
        if shape is None or not taken.isdisjoint(cells):
            return None
        cells = [(cell[0] + x, cell[1] + y) for cell in shape.cells]
        area = np.zeros((bounds.height, bounds.width), bool)
        for cell in cells:
            rect = grid.cell_rect(cell)
            area[rect._replace(x=rect.x - bounds.x, y=rect.y - bounds.y).slices] = True
        return replace(
            room, shape=shape.name, cells=tuple(cells), bounds=bounds, outline=outline(area, bounds[:2])
        )

    def clear(self, area: Mask) -> None:
        """Leave nothing in an area."""
        self.terrain[area] = 0
        self.decor[area] = 0
        self.dropped |= {marker.id for marker in self.level.markers if area[marker.y, marker.x]}

    def _so_far(self) -> Level:
        return replace(self.level, rooms=tuple(self.rooms.values()))

    def owner_at(self, x: int, y: int) -> int:
        """Return the number of the room that a tile is in, -1 for none."""
        return self.value_at(self.owner, x, y, -1)

    def value_at(self, array: npt.NDArray[Any], x: int, y: int, outside: int = 0) -> int:
        """Return a tile's value in an array, `outside` for a tile outside of the level."""
        inside = 0 <= x < self.level.width and 0 <= y < self.level.height
        return int(array[y, x]) if inside else outside
