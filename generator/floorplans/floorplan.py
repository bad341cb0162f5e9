"""What a floorplan is: rooms on cells and the doors between them, before any tile exists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from generator.geometry import Point, Side
from generator.level import Property


class PlannedRoom(NamedTuple):
    """A room of a floorplan; the fields are those of `Room`."""

    kind: str
    shape: str
    cells: tuple[Point, ...]
    distance: int | None
    depth: int


class PlannedDoor(NamedTuple):
    """A door from cell `cell` of room `a` over `side` to room `b`."""

    a: int
    b: int
    cell: Point
    side: Side
    kind: str


class Floorplan(NamedTuple):
    """The rooms in the order they were placed, the start first; `facts` are what chance decided."""

    rooms: tuple[PlannedRoom, ...]
    doors: tuple[PlannedDoor, ...]
    facts: Mapping[str, Property]
