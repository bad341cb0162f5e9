"""The cells and sides of a grid level's doors, for checks."""

from __future__ import annotations

from generator.geometry import Point, Side
from generator.level import Door, Level, Room
from generator.shapes import SHAPES, Slot

CellSide = tuple[Point, Side]


def plus(a: Point, b: Point) -> Point:
    """Add two points."""
    return a[0] + b[0], a[1] + b[1]


def over(cell: Point, side: Side) -> Point:
    """Return the cell beyond a side."""
    return cell[0] + side.dx, cell[1] + side.dy


def anchor(room: Room) -> Point:
    """Return the top left cell of the shape's bounding box, or any point for a room without cells."""
    shape = SHAPES.get(room.shape)
    if not room.cells or shape is None:
        return 0, 0
    (x, y), (dx, dy) = room.cells[0], shape.cells[0]
    return x - dx, y - dy


def openings_of(room: Room) -> list[CellSide]:
    """List the cells and sides where a room may have doors."""
    if room.shape not in SHAPES:
        return []
    return [(plus(anchor(room), cell), side) for cell, side in SHAPES[room.shape].slots.values()]


def opening_of(level: Level, door: Door) -> CellSide | None:
    """Return the cell of a door's first room, by the tile where the door begins, and its side."""
    if level.grid is None or not door.tiles:
        return None
    (x, y), (left, top), (width, height) = door.tiles[0], level.grid.origin, level.grid.cell_size
    return ((x - left) // width, (y - top) // height), Side.named(door.side)


def owners_of(level: Level) -> dict[Point, int]:
    """Map each cell to the room on it."""
    return {cell: room.id for room in level.rooms for cell in room.cells}


def slots_of(level: Level) -> list[frozenset[Slot]]:
    """Return each room's doors: cells, counted from the corner of its bounding box, and their sides."""
    slots: list[set[Slot]] = [set() for _ in level.rooms]
    for door in level.doors:
        opening = opening_of(level, door)
        if opening is not None and door.rooms[1] is not None:
            cell, side = opening
            for room, (x, y), out in (
                (door.rooms[0], cell, side),
                (door.rooms[1], over(cell, side), side.opposite),
            ):
                left, top = anchor(level.rooms[room])
                slots[room].add(((x - left, y - top), out))
    return [frozenset(room_slots) for room_slots in slots]
