"""The ways from a new room: doors to what touches it, or a straight hallway to a room that it faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt
import scipy  # its modules are loaded when they are used

from exporters.reading.restructured_doors import FAR
from exporters.reading.seen import Edits
from generator.checks.base import owners, terrain_number
from generator.geometry import Point, Rect, Side
from generator.level import Level

_TRIED = 4  # hallways to rooms


class Ways:
    """What is around a new room: `level` has the room, without doors."""

    def __init__(self, level: Level, bounds: Rect) -> None:
        self.level, self.bounds = level, bounds
        self.owner = owners(level)
        self.walk = np.array([kind.walk for kind in level.terrain_kinds])[level.terrain]
        widths = Counter(len(door.halves[0].tiles) for door in level.doors)
        self.width = widths.most_common(1)[0][0] if widths else 1
        # Where no hallway may be, also in the notch of a room.
        self.inside = np.zeros(level.terrain.shape, bool)
        for room in level.rooms:
            self.inside[room.bounds.slices] = True
        # Hallways that do not join two rooms yet, numbered from 1.
        self.loose: npt.NDArray[np.int32] = np.zeros(level.terrain.shape, np.int32)
        if level.grid is None:
            loose = (level.terrain == terrain_number(level, "hallway")) & (self.owner < 0)
            for way in level.hallways:
                xs, ys = np.array(way.tiles).T
                loose[ys, xs] = False
            self.loose = np.asarray(scipy.ndimage.label(loose)[0], np.int32)

    def doors(self) -> Edits:
        """Return doors to all rooms beside, and to hallways that end there, in the middle of each side.

        A room or hallway that is there twice gets one, where they meet most. Where all doors of the level
        lead into hallways, rooms get none to each other.
        """
        runs = [run for side in Side for run in self._runs(side)]
        joins_rooms = not self.level.hallways or any(door.rooms[1] is not None for door in self.level.doors)
        doors: dict[int, Rect] = {}
        for _, behind, tiles in sorted(runs, key=lambda run: -run[0]):
            if joins_rooms or behind < 0:
                doors.setdefault(behind, Rect.around(tiles))
        return {("new door", *place): {} for place in doors.values()}

    def hallways(self) -> Iterator[Edits]:
        """Yield straight hallways to the nearest rooms that the room faces, each with its two doors."""
        best: dict[int, tuple[int, int, list[list[Point]]]] = {}
        for side in Side:
            line = self._line(side)[1:-1]
            for start in range(len(line) - self.width + 1):
                rows = self._dug(line[start : start + self.width], side)
                room = self._room_behind(rows[-1], side)
                way = len(rows), abs(2 * start + self.width - len(line)), rows
                if room >= 0 and len(rows) > 2:
                    best[room] = min(way, best.get(room, way))
        for _, _, rows in sorted(best.values())[:_TRIED]:
            digging = {("terrain", x, y): "hallway" for row in rows[1:-1] for x, y in row}
            yield digging | {("new door", *Rect.around(row)): {} for row in (rows[0], rows[-1])}

    def _line(self, side: Side) -> list[Point]:
        """Return the room's tiles at one side."""
        room = self.bounds
        if side.is_vertical_way:
            y = room.y if side is Side.NORTH else room.bottom - 1
            return [(x, y) for x in range(room.x, room.right)]
        x = room.x if side is Side.WEST else room.right - 1
        return [(x, y) for y in range(room.y, room.bottom)]

    def _runs(self, side: Side) -> Iterator[tuple[int, int, list[Point]]]:
        """Yield where a side meets something: on how many tiles, what, and the tiles of a door to it."""
        if self.level.grid is not None:
            (left, top), (across, down) = self.level.grid
            for x, y in self._line(side)[:: across if side.is_vertical_way else down]:
                cell = (x - left) // across, (y - top) // down
                tiles = self.level.grid.door_tiles(cell, side, self.width)[0]
                behind = self._behind(tiles, side)
                if behind >= 0:
                    yield 1, behind, self._with_both_walls(tiles, side)
            return
        line = self._line(side)[1:-1]
        for behind, run in groupby(line, key=lambda tile: self._behind([tile], side)):
            tiles = [*run]
            wide = self.width if behind >= 0 else min(self.width, len(tiles))
            if behind != -1 and len(tiles) >= wide:
                first = (len(tiles) - wide) // 2
                door = tiles[first : first + wide]
                yield len(tiles), behind, self._with_both_walls(door, side) if behind >= 0 else door

    @staticmethod
    def _with_both_walls(tiles: list[Point], side: Side) -> list[Point]:
        return [*tiles, *((x + side.dx, y + side.dy) for x, y in tiles)]

    def _behind(self, tiles: list[Point], side: Side) -> int:
        """Return what is behind tiles of a wall: a room's number, below -1 for a loose hallway, else -1."""
        beyond = [(x + side.dx, y + side.dy) for x, y in tiles]
        loose = {int(self.loose[y, x]) for x, y in beyond}
        room = self._room_behind(beyond, side)
        return room if room >= 0 or len(loose) > 1 else -1 - loose.pop()

    def _room_behind(self, wall: list[Point], side: Side) -> int:
        """Return the room in whose wall some tiles are, before its ground; -1 for none."""
        found = {int(self.owner[y, x]) for x, y in wall}
        inside = [(y + side.dy, x + side.dx) for x, y in wall]
        is_wall = len(found) == 1 and all({int(self.owner[at])} == found and self.walk[at] for at in inside)
        return found.pop() if is_wall else -1

    def _dug(self, tiles: list[Point], side: Side) -> list[list[Point]]:
        """Return the rows of tiles from a door on, through void and walls of nobody, up to what is there."""
        rows = [tiles]
        aside_x, aside_y = abs(side.dy), abs(side.dx)
        for _ in range(FAR + 1):
            row = [(x + side.dx, y + side.dy) for x, y in rows[-1]]
            if any(not (1 < x < self.level.width - 2 and 1 < y < self.level.height - 2) for x, y in row):
                break
            rows.append(row)
            (x, y), (last_x, last_y) = row[0], row[-1]
            wide = [*row, (x - aside_x, y - aside_y), (last_x + aside_x, last_y + aside_y)]
            if any(self.inside[y, x] for x, y in row) or any(self.walk[y, x] for x, y in wide):
                break
        return rows
