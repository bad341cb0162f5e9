"""A floorplan while special rooms find their places: rooms take new shapes, and new rooms join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.floorplans.rebirth.growth import SIZE, Topology
from generator.floorplans.rebirth.templates import TEMPLATES, WAYS
from generator.geometry import Point, Side
from generator.shapes import SHAPES, SHAPES_BY_ID, Shape, Slot

ACROSS: tuple[Point, ...] = ((-2, 0), (-1, -1), (0, -2), (1, -1), (2, 0), (1, 1), (0, 2), (-1, 1))


@dataclass
class DraftRoom:
    """A room: `entry` is the cell by which it is entered, `way` the number of the side one comes over."""

    kind: str
    shape: Shape
    anchor: Point
    entry: Point
    way: int
    depth: int

    def cells(self) -> list[Point]:
        """On the grid, in the shape's order."""
        return cells_at(self.shape, self.anchor)


def cells_at(shape: Shape, anchor: Point) -> list[Point]:
    """The cells of a shape on the grid."""
    x, y = anchor
    return [(x + dx, y + dy) for dx, dy in shape.cells]


def leads_to(slot: Slot, anchor: Point) -> Point:
    """The cell behind a door slot."""
    (x, y), side = slot
    return anchor[0] + x + side.dx, anchor[1] + y + side.dy


class Draft:
    """The rooms, whose cells are whose, and the dead ends that are left, the furthest first."""

    def __init__(self, grown: Topology, blocked: Sequence[Point]) -> None:
        self.rooms: list[DraftRoom] = []
        self.owners: dict[Point, int] = {}
        self.blocked = frozenset(blocked)
        self.dead_ends = list(grown.dead_ends)
        for number, ((x, y, shape), parent) in enumerate(zip(grown.rooms, grown.parents, strict=True)):
            entry = grown.entries[number]
            way = self._way(parent, entry) if number else 0
            kind = "normal" if number else "start"
            self._add(DraftRoom(kind, SHAPES_BY_ID[shape], (x, y), entry, way, grown.distances[number]))

    def _way(self, parent: int, entry: Point) -> int:
        room = self.rooms[parent]
        sides = (slot[1] for slot in room.shape.slots.values() if leads_to(slot, room.anchor) == entry)
        return WAYS.index(next(sides))

    def _add(self, room: DraftRoom) -> int:
        self.rooms.append(room)
        for cell in room.cells():
            self.owners[cell] = len(self.rooms) - 1
        return len(self.rooms) - 1

    def is_free(self, cell: Point, own: int | None = None) -> bool:
        """Whether a room can stand on a cell; the cells of room `own` count as free."""
        x, y = cell
        inside = 0 <= x < SIZE and 0 <= y < SIZE and cell not in self.blocked
        return inside and self.owners.get(cell, own) == own

    def beside(self, cell: Point) -> Iterator[tuple[Side, int]]:
        """The rooms on a cell's four sides, in the order west, north, east, south."""
        for side in WAYS:
            owner = self.owners.get((cell[0] + side.dx, cell[1] + side.dy))
            if owner is not None:
                yield side, owner

    def across(self, cell: Point) -> Iterator[int]:
        """The rooms two steps from a cell."""
        x, y = cell
        for dx, dy in ACROSS:
            owner = self.owners.get((x + dx, y + dy))
            if owner is not None:
                yield owner

    def offers_door(self, room: int, side: Side) -> bool:
        """Whether a room has doors on a side, wherever it touches somebody there."""
        return side in self.rooms[room].shape.sides

    # --- new shapes and new rooms ------------------------------------------------------------------

    def reshape(self, number: int, shape: Shape, anchor: Point) -> None:
        """Give a room another shape; its entry must be one of its cells still."""
        room = self.rooms[number]
        for cell in room.cells():
            del self.owners[cell]
        room.shape, room.anchor = shape, anchor
        for cell in room.cells():
            self.owners[cell] = number

    def shrink(self, number: int) -> None:
        """Make a dead end a single cell, the one by which it is entered."""
        self.reshape(number, SHAPES["1x1"], self.rooms[number].entry)

    def enlarge(self, number: int, shape: Shape) -> bool:
        """Make a dead end a large room, which stays one: no door but one leads to another room.

        The templates of its way in are tried in the game's order. False if none fits.
        """
        room = self.rooms[number]
        for template in TEMPLATES[room.way]:
            anchor = room.entry[0] + template.anchor[0], room.entry[1] + template.anchor[1]
            if template.shape != shape.id or not all(
                self.is_free(cell, number) for cell in cells_at(shape, anchor)
            ):
                continue
            doors = [self.owners.get(leads_to(slot, anchor), number) for slot in shape.slots.values()]
            if sum(owner != number for owner in doors) == 1:
                self.reshape(number, shape, anchor)
                return True
        return False

    def has_way_behind(self, number: int) -> bool:
        """Whether the next three cells straight on from a room's entry are free, and beside no other room."""
        room, side = self.rooms[number], WAYS[self.rooms[number].way]
        for step in (1, 2, 3):
            cell = room.entry[0] + step * side.dx, room.entry[1] + step * side.dy
            if not self.is_free(cell, number) or any(owner != number for _, owner in self.beside(cell)):
                return False
        return True

    def places_beside(self, number: int) -> Iterator[tuple[Point, int]]:
        """The free cells behind a room's doors that touch no other room, and the ways there."""
        room = self.rooms[number]
        for slot in room.shape.slots.values():
            cell = leads_to(slot, room.anchor)
            if self.is_free(cell) and [owner for _, owner in self.beside(cell)] == [number]:
                yield cell, WAYS.index(slot[1])

    def add(self, kind: str, cell: Point, way: int, depth: int) -> int:
        """Build a room of a single cell; its number."""
        return self._add(DraftRoom(kind, SHAPES["1x1"], cell, cell, way, depth))
