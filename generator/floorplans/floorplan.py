"""What a floorplan is: rooms on cells and the doors between them, before any tile exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from generator.geometry import Point, Side
from generator.kinds import SECRET_ROOM_KINDS
from generator.level import Property
from generator.shapes import SHAPES


class PlannedRoom(NamedTuple):
    """A room of a floorplan; the fields are those of `Room`."""

    kind: str
    shape: str
    cells: tuple[Point, ...]
    distance: int | None
    depth: int

    @property
    def corner(self) -> Point:
        """The top left cell of its bounding box, which may be none of its own."""
        xs, ys = zip(*self.cells, strict=True)
        return min(xs), min(ys)


class PlannedDoor(NamedTuple):
    """A door from cell `cell` of room `a` over `side` to room `b`."""

    a: int
    b: int
    cell: Point
    side: Side
    kind: str


@dataclass(frozen=True)
class Floorplan:
    """The rooms in the order they were placed, the start first.

    `facts` are what chance decided. `door_kinds` tells the kind of the door to a special room by that
    room's kind; any other door is `open`. `tries` is how many were made for it, itself included; that is
    no part of the level, so that a quicker search may find the same one.
    """

    rooms: tuple[PlannedRoom, ...]
    door_kinds: Mapping[str, str]
    facts: Mapping[str, Property]
    tries: int = 1

    @cached_property
    def doors(self) -> tuple[PlannedDoor, ...]:
        """A door wherever two rooms touch, by the first room's place; `side` is east or south.

        Not at a narrow room's long side. Large rooms may share several.
        """
        owners = {cell: place for place, room in enumerate(self.rooms) for cell in room.cells}
        sides = [SHAPES[room.shape].sides for room in self.rooms]
        doors = []
        for cell, place in owners.items():
            for side in (Side.EAST, Side.SOUTH):
                other = owners.get((cell[0] + side.dx, cell[1] + side.dy), place)
                if other != place and side in sides[place] and side.opposite in sides[other]:
                    kind = door_kind(self.rooms[place].kind, self.rooms[other].kind, self.door_kinds)
                    doors.append(PlannedDoor(place, other, cell, side, kind))
        return tuple(doors)


def door_kind(a: str, b: str, door_kinds: Mapping[str, str]) -> str:
    """The kind of a door between rooms of two kinds, of a table by the kind of the special room.

    A secret room makes any door secret; else the first special room of the two decides.
    """
    if a in SECRET_ROOM_KINDS or b in SECRET_ROOM_KINDS:
        return "secret"
    return door_kinds.get(a) or door_kinds.get(b) or "open"
