"""Finds the doors of many floorplans on a grid, compiled. `columns` finds the same with numpy."""

from __future__ import annotations

from typing import Any

from generator.named_tuple import NamedTuple

STRIDE = 32  # cells: more than any floorplan's width
BOARD = STRIDE * STRIDE
EAST, SOUTH, WEST, NORTH = range(4)  # bits of the sides that a shape may have doors on


class FoundDoors(NamedTuple):
    """Where the doors are written: a row per floorplan, with space for two doors per cell."""

    rooms: Any  # [plan, door, 2]: the two rooms
    cell: Any  # [plan, door]: the index of the first room's cell among the floorplan's cells
    side: Any  # [plan, door]: EAST or SOUTH
    kind: Any  # [plan, door]


def find_doors(
    cells: Any,
    owners: Any,
    shapes: Any,
    kinds: Any,
    sides: bytes,
    pairs: Any,
    board: bytearray,
    out: FoundDoors,
) -> int:
    """Find a door wherever two rooms touch on sides that may have doors. Returns the most per floorplan.

    `cells` [plan, cell, 2] are x and y, `owners` [plan, cell] their rooms, -1 after the last; `shapes` and
    `kinds` [plan, room] index `sides` and `pairs`, which has the kind of a door by the kinds of its rooms.
    `board` is BOARD zeros, before and afterwards.
    """
    most = 0
    for plan in range(len(owners)):
        number = 0
        while number < owners.shape[1] and owners[plan, number] >= 0:
            board[cells[plan, number, 0] + STRIDE * cells[plan, number, 1]] = owners[plan, number] + 1
            number += 1
        doors = 0
        for cell in range(number):
            own, position = owners[plan, cell], cells[plan, cell, 0] + STRIDE * cells[plan, cell, 1]
            for side in range(2):
                neighbour = board[position + (STRIDE if side == SOUTH else 1)] - 1
                if neighbour < 0 or neighbour == own:
                    continue
                back = side + 2  # WEST of the other, or NORTH
                if sides[shapes[plan, own]] >> side & 1 and sides[shapes[plan, neighbour]] >> back & 1:
                    out.rooms[plan, doors, 0] = own
                    out.rooms[plan, doors, 1] = neighbour
                    out.cell[plan, doors] = cell
                    out.side[plan, doors] = side
                    out.kind[plan, doors] = pairs[kinds[plan, own], kinds[plan, neighbour]]
                    doors += 1
        for cell in range(number):
            board[cells[plan, cell, 0] + STRIDE * cells[plan, cell, 1]] = 0
        most = max(most, doors)
    return most
