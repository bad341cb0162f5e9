"""Apply edits of a level's structure: rooms added, removed, moved and resized; doors added; hallways dug.

A person says what a room or door is; everything else follows from the tiles, as it does for a level that was
generated: outlines, cells, the rooms of doors and markers, hallways, depths, distances and facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy  # its modules are loaded when they are used

from exporters.reading.follows import middles, tree_first, with_facts, with_markers
from exporters.reading.seen import EditKey, Edits
from generator.algorithms.outline import close_pinches, outline, ring
from generator.arrays import Mask
from generator.checks.base import area_of, owners, terrain_number
from generator.geometry import Point, Rect, Side
from generator.level import MARGIN, Door, Hallway, Level, Marker, Room
from generator.shapes import SHAPES

_ALL_ROUND = np.ones((3, 3), bool)
_ROOMS_OWN = ("difficulty", "layout", "zone", "name")
_SOLID = ("void", "wall")  # what closes a hallway
_FAR = 12  # tiles that a room may move along its hallway, which follows


@dataclass(frozen=True)
class Restructured:
    """A level with another structure.

    `refused` are the edits that do not fit it, each with the reason. `notes` say what else was changed.
    """

    level: Level
    refused: Mapping[EditKey, str]
    notes: tuple[str, ...] = ()


def is_structural(key: EditKey) -> bool:
    """Check whether an edit changes which rooms and doors there are, and where rooms are."""
    return key[0] in ("new room", "new door") or (key[0] == "room" and key[2] in ("gone", "bounds"))


def changes_structure(level: Level, edits: Edits) -> bool:
    """Check whether edits change the rooms or connections of a level."""
    names = [kind.name for kind in level.terrain_kinds]
    if any(map(is_structural, edits)):
        return True
    if "hallway" not in names or level.grid is not None:
        return False
    in_hallways = {door for way in level.hallways for door in way.doors}
    for key, value in edits.items():
        if key[0] == "door" and key[2] == "gone" and key[1] in in_hallways:
            return True
        if key[0] == "terrain":
            old = names[level.terrain[key[2], key[1]]]
            if (old in _SOLID and value == "hallway") or (old == "hallway" and value in _SOLID):
                return True
    return False


def restructured(before: Level, level: Level, edits: Edits) -> Restructured:
    """Apply the structural edits to `level`, which has all other edits of `before` already.

    Its rooms still have the numbers of `before`, and its doors their own ids, which may have gaps.
    """
    work = _Work(before, level)
    work.change_rooms(edits)
    work.change_doors(edits)
    work.follow_hallways()
    return Restructured(work.numbered(), work.refused, tuple(dict.fromkeys(work.notes)))


class _Work:
    """The level while it changes."""

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
        self._wall, self._door = (terrain_number(level, name) for name in ("wall", "door"))
        self._hallway = terrain_number(level, "hallway")
        self._walk = np.array([kind.walk for kind in level.terrain_kinds])

    @property
    def _unmoved(self) -> Iterator[Marker]:
        """Yield the markers that stand where they stood before all edits."""
        places = {(marker.id, marker.x, marker.y) for marker in self.before.markers}
        return (each for each in self.level.markers if (each.id, each.x, each.y) in places)

    # --- rooms ---------------------------------------------------------------------------------------

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
            self._clear((old == number) & (self.owner == -1))
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
        if not self._walk[self.terrain[bounds.shrunk(1).slices]].any():
            return "there is no floor in it; paint its floor and walls, too"
        others = np.isin(self.owner[bounds.slices], [other for other in self.rooms if other != number])
        if others.any() and self.level.grid is None:
            return f"it overlaps room {int(self.owner[bounds.slices][others].max())}"
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
        cells = [cell for cell in cells if self._walk[self.terrain[grid.cell_rect(cell).slices]].any()]
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

    def _clear(self, area: Mask) -> None:
        """Leave nothing in an area."""
        self.terrain[area] = 0
        self.decor[area] = 0
        self.dropped |= {marker.id for marker in self.level.markers if area[marker.y, marker.x]}

    def _so_far(self) -> Level:
        return replace(self.level, rooms=tuple(self.rooms.values()))

    # --- doors ---------------------------------------------------------------------------------------

    def change_doors(self, edits: Edits) -> None:
        """Remove doors whose rooms are gone or elsewhere, and add new ones."""
        lost = [door for door in self.doors.values() if self._is_elsewhere(door)]
        for door in lost:
            self.drop_door(door)
        stray = np.isin(self.owner, list(self.changed)) & (self.terrain == self._door)
        for door in self.doors.values():
            for x, y in door.tiles:
                stray[y, x] = False
        self.terrain[stray] = self._wall
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
                self.notes.append(f"door {door.id}: {gone}")
        if self._hallway >= 0 and self.level.grid is None:
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
            self._add(replace(door, rooms=rooms, tiles=(*first, *second), side=side.label))
        return place is not None

    def _end_of_hallway(self, door: Door) -> tuple[Point, ...]:
        """Return the tiles where a hallway meets the wall of its room now. It is dug on if it is near."""
        side, room = Side.named(door.side), door.rooms[0]
        for step in sorted(range(-_FAR, _FAR + 1), key=abs):
            tiles = [(x + step * side.dx, y + step * side.dy) for x, y in door.tiles]
            inside = [(x - side.dx, y - side.dy) for x, y in tiles]
            if (
                all(self._owner_at(*tile) == room for tile in (*tiles, *inside))
                and all(self._walk[self.terrain[y, x]] for x, y in inside)
                and self._is_in_wall(room, door.side, tuple(tiles))
            ):
                break
        else:
            return ()
        way = [(x + i * side.dx, y + i * side.dy) for x, y in tiles for i in range(1, 2 + max(0, -step))]
        ends = {(x + side.dx, y + side.dy) for x, y in (door.tiles if step < 0 else tiles)}
        is_free = all(self._owner_at(*tile) == -1 for tile in way)
        if not is_free or any(self._value_at(self.terrain, *tile) != self._hallway for tile in ends):
            return ()
        for x, y in way:
            self.terrain[y, x] = self._hallway
        return tuple(tiles)

    def _add(self, door: Door) -> Door:
        for x, y in door.tiles:
            self.terrain[y, x] = self._door
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
            if self.terrain[y, x] == self._door:
                self.terrain[y, x] = self._wall if self.owner[y, x] >= 0 else 0

    def _is_in_wall(self, room: int, side: str, tiles: tuple[Point, ...]) -> bool:
        """Check whether all tiles are at the edge of a room, on one of its sides."""
        way = Side.named(side)
        return room in self.rooms and all(
            self._owner_at(x, y) == room != self._owner_at(x + way.dx, y + way.dy) for x, y in tiles
        )

    def _owner_at(self, x: int, y: int) -> int:
        return self._value_at(self.owner, x, y, -1)

    def _value_at(self, array: npt.NDArray[Any], x: int, y: int, outside: int = 0) -> int:
        inside = 0 <= x < self.level.width and 0 <= y < self.level.height
        return int(array[y, x]) if inside else outside

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
                if (room := self._owner_at(x, y)) >= 0
                and self._owner_at(x + side.dx, y + side.dy) != room
                and self._owner_at(x - side.dx, y - side.dy) == room
                and self._walk[self.terrain[y - side.dy, x - side.dx]]
            ]
            rooms = {self._owner_at(x, y) for x, y in first}
            second = [(x + side.dx, y + side.dy) for x, y in first]
            behind = {self._owner_at(x, y) for x, y in second}
            if len(rooms) != 1 or len(behind) != 1:
                continue
            (room,), (other,) = rooms, behind
            if other >= 0 and set(tiles) <= {*first, *second}:
                beyond = [(x + side.dx, y + side.dy) for x, y in second]
                if all(self._owner_at(x, y) == other and self._walk[self.terrain[y, x]] for x, y in beyond):
                    return first, second, side, (room, other)
            is_hallway = all(self._value_at(self.terrain, x, y) == self._hallway for x, y in second)
            if other == -1 and is_hallway and self.level.grid is None:
                return first, [], side, (room, None)
        return None

    def _openings(self) -> Iterator[tuple[tuple[Point, ...], str, int]]:
        """Yield openings that were painted through the wall of a room to a hallway: tiles, side and room."""
        for side in Side:
            behind = np.roll(self.terrain == self._hallway, (-side.dy, -side.dx), (0, 1))
            beyond = np.roll(self.owner, (-side.dy, -side.dx), (0, 1))
            through = (self.owner >= 0) & (beyond == -1) & behind & self._walk[self.terrain]
            through &= self.terrain != self._door
            across = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], bool)
            labels, count = scipy.ndimage.label(through, across if side.is_vertical_way else across.T)
            for number in range(1, count + 1):
                found = tuple((int(x), int(y)) for y, x in np.argwhere(labels == number))
                yield found, side.label, int(self.owner[found[0][1], found[0][0]])

    # --- hallways ------------------------------------------------------------------------------------

    def follow_hallways(self) -> None:
        """Make the hallways anew from the tiles: each joins the two doors that lead into it.

        What is left of one that does not join two rooms any more is filled in, with its doors.
        """
        if self._hallway < 0 or self.level.grid is not None:
            return
        solid = [number for number, kind in enumerate(self.level.terrain_kinds) if kind.name in _SOLID]
        labels, count = scipy.ndimage.label(~np.isin(self.terrain, [*solid, self._door]) & (self.owner == -1))
        ends: dict[int, list[Door]] = {number: [] for number in range(1, count + 1)}
        for door in list(self.doors.values()):
            side = Side.named(door.side)
            behind = {self._value_at(labels, x + side.dx, y + side.dy) for x, y in door.tiles}
            if door.rooms[1] is None and len(behind) == 1 and 0 not in behind:
                ends[behind.pop()].append(door)
            elif door.rooms[1] is None:
                self.drop_door(door)
        before = self.hallways
        made = [way for number, doors in ends.items() for way in self._ways_in(labels == number, doors)]
        self.hallways = sorted(made, key=lambda way: way.id)
        kept = {way.id for way in self.hallways}
        self._clear_beside([way for way in before if way.id not in kept])
        floor = self._tiles_of(self.hallways)
        beside = scipy.ndimage.binary_dilation(floor, _ALL_ROUND) & (self.owner == -1) & (self.terrain == 0)
        self.terrain[beside] = self._wall

    def _tiles_of(self, hallways: Iterable[Hallway]) -> Mask:
        mask = np.zeros(self.terrain.shape, bool)
        for way in hallways:
            for x, y in way.tiles:
                mask[y, x] = True
        return mask

    def _clear_beside(self, closed: Iterable[Hallway]) -> None:
        """Clear the walls in and beside hallways that were closed, where they stand beside nothing else."""
        near = scipy.ndimage.binary_dilation(self._tiles_of(closed), _ALL_ROUND) & (self.owner == -1)
        used = scipy.ndimage.binary_dilation(self._walk[self.terrain] & (self.owner == -1), _ALL_ROUND)
        self._clear(near & ~used & (self.terrain == self._wall))

    def _ways_in(self, mask: Mask, doors: list[Door]) -> list[Hallway]:
        """Return the hallways of connected tiles, which these doors lead to."""
        tiles = {(int(x), int(y)) for y, x in np.argwhere(mask)}
        here = [way for way in self.hallways if not tiles.isdisjoint(way.tiles)]
        if len(doors) == 2 and doors[0].rooms[0] != doors[1].rooms[0]:
            ids = {door.id for door in doors}
            old = next((way for way in here if set(way.doors) == ids), None)
            if old is None:
                return [Hallway(1 << 30, (min(ids), max(ids)), tuple(sorted(tiles, key=_row_major)))]
            kept = [tile for tile in old.tiles if tile in tiles]
            return [replace(old, tiles=(*kept, *sorted(tiles - {*kept}, key=_row_major)))]
        if len(doors) > 2:  # it branches; a rule says so
            whole = {door.id for door in doors}
            return [way for way in here if whole.issuperset(way.doors) and tiles.issuperset(way.tiles)]
        if here:
            for way in here:
                ends = " and ".join(map(str, way.doors))
                told = f"hallway {way.id}: no longer joins two rooms, so it is closed, with doors {ends}"
                self.notes.append(told)
            self._close(mask, doors)
        else:
            for door in doors:
                self.drop_door(door)
        return []

    def _close(self, mask: Mask, doors: list[Door]) -> None:
        """Fill in what is left of a hallway."""
        for door in doors:
            self.drop_door(door)
        self._clear(mask)

    # --- the level -----------------------------------------------------------------------------------

    def numbered(self) -> Level:
        """Return the level, with all numbers counted again, and with everything that follows from it."""
        rooms = {old: new for new, old in enumerate(sorted(self.rooms))}
        ways = tree_first(self.hallways, self.doors)
        doors = {old: new for new, old in enumerate(sorted(self.doors))}
        level = replace(
            self.level,
            terrain=self.terrain,
            decor=self.decor,
            rooms=tuple(replace(self.rooms[old], id=new) for old, new in rooms.items()),
            doors=tuple(
                replace(
                    door,
                    id=doors[door.id],
                    rooms=(rooms[door.rooms[0]], None if door.rooms[1] is None else rooms[door.rooms[1]]),
                    opens_from=None if door.opens_from is None else rooms[door.opens_from],
                )
                for _, door in sorted(self.doors.items())
            ),
            hallways=tuple(
                replace(way, id=number, doors=(doors[way.doors[0]], doors[way.doors[1]]))
                for number, way in enumerate(ways)
            ),
            rerolls=tuple(
                {**row, "room": rooms[row["room"]]} if "room" in row else row  # type: ignore[index]
                for row in self.level.rerolls
                if row.get("room", min(self.rooms, default=0)) in self.rooms
            ),
        )
        numbers = {way.id: number for number, way in enumerate(ways)}
        return with_facts(with_markers(level, self.dropped, numbers), self.before)


def _row_major(tile: Point) -> Point:
    return tile[1], tile[0]
