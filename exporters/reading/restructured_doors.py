"""Apply edits of a level's doors: they join the rooms and hallways that meet at their tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import scipy  # its modules are loaded when they are used

from exporters.reading.follows import middles
from exporters.reading.restructured_rooms import RoomWork
from exporters.reading.seen import Edits
from generator.geometry import Point, Rect, Side
from generator.level import Door
from generator.things import called

FAR = 12  # tiles that a room may move along its hallway, which follows


class DoorWork(RoomWork):
    """The level while its doors change, after its rooms."""

    def change_doors(self, edits: Edits) -> None:
        """Remove doors whose rooms are gone or elsewhere, and add new ones."""
        lost = [door for door in self.doors.values() if self._is_elsewhere(door)]
        for door in lost:
            self.drop_door(door)
        stray = np.isin(self.owner, list(self.changed)) & (self.terrain == self.door_tile)
        for door in self.doors.values():
            for x, y in door.tiles:
                stray[y, x] = False
        self.terrain[stray] = self.wall
        self.taken = {tile for door in self.doors.values() for tile in door.tiles}
        for key, values in edits.items():
            if key[0] == "new door":
                made = self._new_door(Rect(*key[1:]), values)
                if isinstance(made, str):
                    self.refused[key] = made
                else:
                    self.doors[made.id] = made
        for door in lost:
            if all(half.room in self.rooms for half in door.halves) and not self._put_back(door):
                gone = "is gone, as it no longer joins its rooms; add one where they meet"
                self.notes.append(f"{called(self.before, 'door', door.id)}: {gone}")
        if self.hallway_tile >= 0 and self.level.grid is None:
            for tiles, side, room in self._openings():
                self._add(Door(self._next_door(), (room, None), tiles, side, "open"))

    def _is_elsewhere(self, door: Door) -> bool:
        """Check whether a room of a door is gone, or moved so that the door may not be in its wall."""
        return any(half.room in self.changed for half in door.halves) or not all(
            self._is_in_wall(half.room, half.side, half.tiles) for half in door.halves
        )

    def _put_back(self, door: Door) -> bool:
        """Put a door of a room that moved where its rooms meet now, or at the end of its hallway."""
        if door.rooms[1] is None:
            tiles = self._end_of_hallway(door)
            if tiles:
                self._add(replace(door, tiles=tiles))
            return bool(tiles)
        pair = {*door.rooms}
        if any(pair == {*other.rooms} for other in self.doors.values()):
            return True  # the person has put one there
        width = len(door.tiles) // 2
        places = [[*door.tiles], *middles(self.level.grid, self.rooms.values(), width)]
        found = (place for tiles in places if (place := self._place_of(tiles)) and pair == {*place[3]})
        place = next(found, None)
        if place:
            first, second, side, rooms = place
            if self._begins_elsewhere(door, rooms[0], side):
                first, second, side, rooms = second, first, side.opposite, (rooms[1] or 0, rooms[0])
            self._add(replace(door, rooms=rooms, tiles=(*first, *second), side=side.label))
        return place is not None

    def _begins_elsewhere(self, door: Door, room: int, side: Side) -> bool:
        """Check whether a door between rooms must not begin in a room, on this side of it.

        A one-way door leads into its first room, a shortcut opens from it; on a grid any other door begins
        west or north.
        """
        if door.one_way or door.opens_from is not None:
            return room != door.rooms[0]
        return self.level.grid is not None and side in (Side.NORTH, Side.WEST)

    def _end_of_hallway(self, door: Door) -> tuple[Point, ...]:
        """Return the tiles where a hallway meets the wall of its room now. It is dug on if it is near."""
        side, room = Side.named(door.side), door.rooms[0]
        for step in sorted(range(-FAR, FAR + 1), key=abs):
            tiles = [(x + step * side.dx, y + step * side.dy) for x, y in door.tiles]
            inside = [(x - side.dx, y - side.dy) for x, y in tiles]
            if (
                all(self.owner_at(*tile) == room for tile in (*tiles, *inside))
                and all(self.walk[self.terrain[y, x]] for x, y in inside)
                and self._is_in_wall(room, door.side, tuple(tiles))
            ):
                break
        else:
            return ()
        way = [(x + i * side.dx, y + i * side.dy) for x, y in tiles for i in range(1, 2 + max(0, -step))]
        ends = {(x + side.dx, y + side.dy) for x, y in (door.tiles if step < 0 else tiles)}
        is_free = all(self.owner_at(*tile) == -1 for tile in way)
        if not is_free or any(self.value_at(self.terrain, *tile) != self.hallway_tile for tile in ends):
            return ()
        for x, y in way:
            self.terrain[y, x] = self.hallway_tile
        return tuple(tiles)

    def _add(self, door: Door) -> Door:
        for x, y in door.tiles:
            self.terrain[y, x] = self.door_tile
            self.decor[y, x] = 0
        lights = (each for each in self.level.markers if each.kind in self.level.kinds.light_markers)
        self.dropped |= {light.id for light in lights if (light.x, light.y) in door.tiles}
        self.doors[door.id] = door
        self.taken |= {*door.tiles}
        return door

    def _next_door(self) -> int:
        return max([*self.doors, len(self.before.doors) - 1]) + 1

    def drop_door(self, door: Door) -> None:
        """Remove a door, and put walls into what is left of its rooms."""
        self.doors.pop(door.id, None)
        for x, y in door.tiles:
            if self.terrain[y, x] == self.door_tile:
                self.terrain[y, x] = self.wall if self.owner[y, x] >= 0 else 0

    def _is_in_wall(self, room: int, side: str, tiles: tuple[Point, ...]) -> bool:
        """Check whether all tiles are at the edge of a room, on one of its sides."""
        way = Side.named(side)
        return room in self.rooms and all(
            self.owner_at(x, y) == room != self.owner_at(x + way.dx, y + way.dy) for x, y in tiles
        )

    def _new_door(self, rect: Rect, values: Mapping[str, object]) -> Door | str:
        """Return the door of an object that covers some tiles, or say why there can be none."""
        tiles = [(x, y) for y in range(rect.y, rect.bottom) for x in range(rect.x, rect.right)]
        if not self.taken.isdisjoint(tiles):
            return "there is a door already"
        place = self._place_of(tiles)
        if place is None:
            return "it is in no wall; put it over the wall of a room, before its floor and a room or hallway"
        first, second, side, (room, other) = place
        if other is not None and side in (Side.NORTH, Side.WEST):  # doors are told from their first room
            first, second, side, room, other = second, first, side.opposite, other, room
        pair = room, other
        kind, needs = str(values.get("kind", "")) or self._usual_kind(pair), values.get("needs", ())
        assert isinstance(needs, tuple)
        tiles = [*first, *second]
        one_way, joins = values.get("one_way") is True, str(values.get("joins", ""))
        number = self._next_door()
        return self._add(Door(number, pair, tuple(tiles), side.label, kind, needs, one_way, joins=joins))

    def _usual_kind(self, pair: tuple[int, int | None]) -> str:
        """Return the kind of door that the rooms of a door have usually. A boss room decides it."""
        kinds = (self.rooms[number].kind for number in pair if number is not None)
        rooms = sorted(kinds, key=lambda kind: kind != "boss")
        rows = [self.level.kinds.room(kind) for kind in rooms]
        return next((row.door[0] for row in rows if row.door and row.door[0] != "open"), "open")

    def _place_of(
        self, tiles: list[Point]
    ) -> tuple[list[Point], list[Point], Side, tuple[int, int | None]] | None:
        """Find the tiles of a door in the walls of one room, and of the room or hallway behind it."""
        for side in Side:
            first = [
                (x, y)
                for x, y in tiles
                if (room := self.owner_at(x, y)) >= 0
                and self.owner_at(x + side.dx, y + side.dy) != room
                and self.owner_at(x - side.dx, y - side.dy) == room
                and self.walk[self.terrain[y - side.dy, x - side.dx]]
            ]
            rooms = {self.owner_at(x, y) for x, y in first}
            second = [(x + side.dx, y + side.dy) for x, y in first]
            behind = {self.owner_at(x, y) for x, y in second}
            if len(rooms) != 1 or len(behind) != 1:
                continue
            (room,), (other,) = rooms, behind
            if other >= 0 and set(tiles) <= {*first, *second}:
                beyond = [(x + side.dx, y + side.dy) for x, y in second]
                if all(self.owner_at(x, y) == other and self.walk[self.terrain[y, x]] for x, y in beyond):
                    return first, second, side, (room, other)
            is_hallway = all(self.value_at(self.terrain, x, y) == self.hallway_tile for x, y in second)
            if other == -1 and is_hallway and self.level.grid is None:
                return first, [], side, (room, None)
        return None

    def _openings(self) -> Iterator[tuple[tuple[Point, ...], str, int]]:
        """Yield openings that were painted through the wall of a room to a hallway: tiles, side and room."""
        for side in Side:
            behind = np.roll(self.terrain == self.hallway_tile, (-side.dy, -side.dx), (0, 1))
            beyond = np.roll(self.owner, (-side.dy, -side.dx), (0, 1))
            through = (self.owner >= 0) & (beyond == -1) & behind & self.walk[self.terrain]
            through &= self.terrain != self.door_tile
            across = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], bool)
            labels, count = scipy.ndimage.label(through, across if side.is_vertical_way else across.T)
            for number in range(1, count + 1):
                found = tuple((int(x), int(y)) for y, x in np.argwhere(labels == number))
                yield found, side.label, int(self.owner[found[0][1], found[0][0]])
