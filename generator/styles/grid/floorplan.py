"""A floorplan: rooms on cells and the doors between them, before any tile exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING

from generator.geometry import Point, Side
from generator.kinds import SHIPPED, Kinds
from generator.named_tuple import NamedTuple
from generator.shapes import SHAPES
from generator.styles.gates import gate_kind

if TYPE_CHECKING:
    from generator.level import Property


class PlannedRoom(NamedTuple):
    """A room of a floorplan, with the same fields as `Room`."""

    kind: str
    shape: str
    cells: tuple[Point, ...]
    distance: int | None
    depth: int

    @property
    def corner(self) -> Point:
        """The top left cell of its bounding box, which need not belong to the room."""
        cells = self.cells
        return cells[0] if len(cells) == 1 else (min(x for x, _ in cells), min(y for _, y in cells))


class PlannedDoor(NamedTuple):
    """A door from cell `cell` of room `a` over `side` to room `b`."""

    a: int
    b: int
    cell: Point
    side: Side
    kind: str


class DoorGate(NamedTuple):
    """What the only door between two rooms asks: keys, or which room alone it leads into or opens from."""

    needs: tuple[str, ...] = ()
    into: int | None = None
    opens_from: int | None = None
    is_price: bool = False

    @property
    def kind(self) -> str:
        """The kind of the door. Empty if it keeps its own one, of which all doors cost the same."""
        if self.is_price:
            return ""
        return gate_kind(
            needs=bool(self.needs), one_way=self.into is not None, opens=self.opens_from is not None
        )


class KeyPlace(NamedTuple):
    """A key, the room that it lies in, and whether a lock uses it up."""

    name: str
    room: int
    consumed: bool


Pair = tuple[int, int]  # of rooms, the lower number first


@dataclass(frozen=True)
class Floorplan:
    """The rooms in the order they were placed, the start first.

    `facts` are what chance decided. `door_kinds` gives the kind of the door to a special room by that room's
    kind; any other door is `open`. `tries` is how many were made, this one included; it is not part of the
    level, so that a quicker search may find the same one. `kinds` are the rows of its rooms. `gates` are
    what doors ask, by the rooms that they join, and `keys` open those that are locked.
    """

    rooms: tuple[PlannedRoom, ...]
    door_kinds: Mapping[str, str]
    facts: Mapping[str, Property]
    tries: int = 1
    kinds: Kinds = SHIPPED
    gates: Mapping[Pair, DoorGate] = field(default_factory=dict)
    keys: tuple[KeyPlace, ...] = ()

    @cached_property
    def doors(self) -> tuple[PlannedDoor, ...]:
        """A door wherever two rooms touch, in the order of the first rooms. `side` is east or south.

        A narrow room's long side has no doors. Large rooms may share several. A door that leads one way only
        begins at the room that it leads into, a shortcut at the one that it opens from: on any side of it.
        """
        kinds, shapes, cells, _, _ = zip(*self.rooms, strict=True)
        owners = {cell: number for number, own in enumerate(cells) for cell in own}
        sides = [_DOOR_SIDES[shape] for shape in shapes]
        by_room = self.door_kinds
        pairs = by_room.pairs if isinstance(by_room, DoorKinds) else _PairKinds(by_room, self.kinds)
        other_at, doors, east, south = owners.get, [], Side.EAST, Side.SOUTH
        for cell, a in owners.items():
            x, y = cell
            b = other_at((x + 1, y), a)
            if b != a and sides[a].east and sides[b].west:
                doors.append((a, b, cell, east, pairs[kinds[a], kinds[b]]))
            b = other_at((x, y + 1), a)
            if b != a and sides[a].south and sides[b].north:
                doors.append((a, b, cell, south, pairs[kinds[a], kinds[b]]))
        planned = map(tuple.__new__, repeat(PlannedDoor), doors)  # five times as fast
        return tuple(map(self._asking, planned) if self.gates else planned)

    def gate(self, door: PlannedDoor) -> DoorGate | None:
        """Return what a door asks of the player, if anything."""
        return self.gates.get((min(door.a, door.b), max(door.a, door.b))) if self.gates else None

    def _asking(self, door: PlannedDoor) -> PlannedDoor:
        """Give a door the kind of its gate, and turn it round if the gate begins at its other room."""
        gate = self.gate(door)
        if gate is None:
            return door
        a, b, (x, y), side, own = door
        kind = gate.kind or own
        if b in (gate.into, gate.opens_from):
            return PlannedDoor(b, a, (x + side.dx, y + side.dy), side.opposite, kind)
        return door._replace(kind=kind)

    @cached_property
    def connections(self) -> tuple[tuple[int, int], ...]:
        """Pairs of rooms with a door that is neither secret nor red."""
        return tuple((door.a, door.b) for door in self.doors if door.kind not in self.kinds.secret_doors)

    @property
    def extent(self) -> Point:
        """Width and height in cells."""
        xs, ys = zip(*(cell for room in self.rooms for cell in room.cells), strict=True)
        return max(xs) - min(xs) + 1, max(ys) - min(ys) + 1

    def picture(self) -> Mapping[Point, str]:
        """Return the kind of the room on each cell."""
        return {cell: room.kind for room in self.rooms for cell in room.cells}


class _DoorSides(NamedTuple):
    """The sides of a shape that may have doors."""

    north: bool
    east: bool
    south: bool
    west: bool


_DOOR_SIDES = {name: _DoorSides(*(side in shape.sides for side in Side)) for name, shape in SHAPES.items()}


class DoorKinds(dict[str, str]):
    """The kind of the door to a special room, by that room's kind, among rooms of some kinds."""

    def __init__(self, by_room: Mapping[str, str], kinds: Kinds) -> None:
        super().__init__(by_room)
        self.pairs = _PairKinds(by_room, kinds)


class _PairKinds(dict[tuple[str, str], str]):
    """The kinds of doors by the kinds of the two rooms, each computed once."""

    def __init__(self, by_room: Mapping[str, str], kinds: Kinds) -> None:
        super().__init__()
        self._by_room, self._kinds = by_room, kinds

    def __missing__(self, pair: tuple[str, str]) -> str:
        kind = self[pair] = door_kind(*pair, self._by_room, self._kinds)
        return kind


def door_kind(a: str, b: str, door_kinds: Mapping[str, str], kinds: Kinds) -> str:
    """Return the kind of a door between rooms of two kinds. `door_kinds` has it by the special room's kind.

    A red room makes any door red; otherwise a secret room decides (`secret` if its row names no door), or
    else the first special room of the two.
    """
    if "red" in (a, b):
        return "red"
    if a in kinds.secret_rooms or b in kinds.secret_rooms:
        return door_kinds.get(a if a in kinds.secret_rooms else b, "secret")
    return door_kinds.get(a) or door_kinds.get(b) or "open"
