"""Where secret rooms go: cells with many doors round them, weighted with noise (isaac-facts 4.6, 4.7).

The noise comes from the topology's generator: one draw for every free cell that may be a secret room, row by
row, and one to choose among the best.
"""

from __future__ import annotations

from array import array

from generator.compiled.buffers import put
from generator.styles.rebirth.board import (
    ACROSS,
    ACROSS_FIRST,
    ACROSS_LAST,
    ANCHOR,
    BARRED,
    BEST,
    BIAS,
    BOX_SLOTS,
    BOX_STEP,
    CELL_COUNT,
    CELLS,
    CLOSED,
    DEPTH,
    DOOR_COUNT,
    DOOR_SLOT,
    DOOR_STEP,
    DOORS,
    ENTRY,
    EVERY_DOOR,
    FORBIDDEN,
    GRID,
    INSIDE,
    LARGEST,
    MASK,
    NEAR,
    NOTHING,
    OWNER,
    PICKED,
    PICKED_DOORS,
    ROOM_KIND,
    SHAPE,
    START,
    STEPS,
    WIDE,
)
from generator.styles.rebirth.draft_kernel import add_room, pick
from generator.styles.rebirth.growth_kernel import draw
from generator.styles.rebirth.rule_columns import CURSED, SHUNNED, TRAITS

_WEIGHT, _NOISE = 10, 5
_LESS = (0, 6, 3, 0)  # by the number of neighbours; the last is three or more
_NO_START_STAGE = 11  # here the start may not be beside a secret room either


def find_secret_place(floor: bytearray, rules: array[int], x: int, rooms: int, stage: int) -> tuple[int, int]:
    """Return the generator's state, and one of the best positions for a secret room, or 0 if there is none.

    A cell weighs 10 and 0 to 4 more, 3 less with two neighbours, 6 less with one. Each neighbour must have
    doors on that side.
    """
    _forbid_boxes(floor, rules, rooms, stage)
    put(floor, NEAR, NOTHING)
    for room in range(rooms):
        _mark_near(floor, room)
    return _best(floor, x, False)


def find_ultra_secret_place(
    floor: bytearray, rules: array[int], x: int, rooms: int, stage: int
) -> tuple[int, int]:
    """See `find_secret_place`. An ultra secret room touches no room but has some two steps away.

    All of those must have doors to the cells between, and no special room may forbid the cells that those
    doors lead to: as for a secret room, plus all sides of a curse room. Weighted like secret rooms, by these
    rooms.
    """
    _forbid_closed(floor, rules, rooms, stage)
    put(floor, NEAR, NOTHING)
    for room in range(rooms):
        shape, at = floor[SHAPE + room], floor[ANCHOR + room]
        for i in range(LARGEST * shape, LARGEST * shape + CELL_COUNT[shape]):
            cell = at + CELLS[i]
            for step in ACROSS:
                floor[NEAR + cell + step] |= 1
            for step in STEPS:
                floor[NEAR + cell + step] |= 2
    return _best(floor, x, True)


def _mark_near(floor: bytearray, room: int) -> None:
    shape, at = floor[SHAPE + room], floor[ANCHOR + room]
    for i in range(LARGEST * shape, LARGEST * shape + CELL_COUNT[shape]):
        cell = at + CELLS[i]
        for step in STEPS:
            floor[NEAR + cell + step] = 1


def _forbid_boxes(floor: bytearray, rules: array[int], rooms: int, stage: int) -> None:
    """Forbid the cells beside special rooms on sides without a door.

    Boss, secret and super secret rooms count as having no doors, and so does the start late in the game. The
    game treats a narrow room as one with eight doors, so two cells diagonal to it are forbidden too.
    """
    _forbid_start(floor, stage)
    for room in range(rooms):
        if not floor[PICKED + room]:
            continue
        shape, doors = floor[SHAPE + room], floor[PICKED_DOORS + room]
        if rules[TRAITS + floor[ROOM_KIND + room]] & SHUNNED:
            doors = 0
        closed = BOX_SLOTS[shape] & ~doors
        for slot in range(DOORS):
            if closed >> slot & 1:
                floor[FORBIDDEN + floor[ANCHOR + room] + BOX_STEP[DOORS * shape + slot] - BIAS] = 1


def _forbid_closed(floor: bytearray, rules: array[int], rooms: int, stage: int) -> None:
    """Forbid cells beside special rooms without a door, or beside any boss, curse or secret room."""
    _forbid_start(floor, stage)
    for position in GRID:
        if floor[BARRED + position]:
            floor[FORBIDDEN + position] = 1
    for room in range(rooms):
        if not floor[PICKED + room]:
            continue
        shape, doors = WIDE[floor[SHAPE + room]], floor[PICKED_DOORS + room]
        if rules[TRAITS + floor[ROOM_KIND + room]] & (SHUNNED | CURSED):
            doors = 0
        for door in range(DOORS * shape, DOORS * shape + DOOR_COUNT[shape]):
            if not doors >> DOOR_SLOT[door] & 1:
                floor[FORBIDDEN + floor[ANCHOR + room] + DOOR_STEP[door] - BIAS] = 1


def _forbid_start(floor: bytearray, stage: int) -> None:
    put(floor, FORBIDDEN, NOTHING)
    if stage == _NO_START_STAGE:
        for step in STEPS:
            floor[FORBIDDEN + START + step] = 1


def _best(floor: bytearray, x: int, ultra: bool) -> tuple[int, int]:
    """Return the generator's state, and a cell with the most weight, or 0 if no cell has neighbours.

    Only cells marked in `NEAR` can have some.
    """
    most, count = 0, 0
    for position in GRID:
        if floor[OWNER + position] or floor[FORBIDDEN + position]:
            continue
        x ^= x >> 5
        x ^= x << 9 & MASK
        x ^= x >> 7
        if floor[NEAR + position] != 1:
            continue
        beside = _rooms_across(floor, position) if ultra else _rooms_beside(floor, position)
        if beside:
            weight = _WEIGHT + x % _NOISE - _LESS[min(beside, 3)]
            if weight > most:
                most, count = weight, 0
            if weight == most:
                floor[BEST + count] = position
                count += 1
    if count == 0:
        return x, 0
    x = draw(x)
    return x, int(floor[BEST + x % count])


def _rooms_beside(floor: bytearray, position: int) -> int:
    """Count the rooms beside a position. 0 if one of them has no door on that side."""
    count = 0
    for way in range(4):
        owner = floor[OWNER + position + STEPS[way]]
        if owner:
            if CLOSED[floor[SHAPE + owner - 1]] >> (way + 2 & 3) & 1:
                return 0
            count += 1
    return count


def _rooms_across(floor: bytearray, position: int) -> int:
    """Count the rooms two steps from a position. 0 if one has no usable door to a cell between."""
    count = 0
    for i in range(8):
        owner = floor[OWNER + position + ACROSS[i]]
        if owner:
            if not _leads_out(floor, owner - 1, ACROSS_FIRST[i]):
                return 0
            if not _leads_out(floor, owner - 1, ACROSS_LAST[i]):
                return 0
            count += 1
    return count


def _leads_out(floor: bytearray, room: int, way: int) -> bool:
    """Check whether a room's first door on a side leads to a cell of the grid that is not forbidden."""
    shape = floor[SHAPE + room]
    for door in range(DOORS * shape, DOORS * shape + DOOR_COUNT[shape]):
        if DOOR_SLOT[door] == way:
            position = floor[ANCHOR + room] + DOOR_STEP[door] - BIAS
            return INSIDE[position] == 1 and floor[FORBIDDEN + position] == 0
    return False


# --- secret rooms that are built ------------------------------------------------------------------------


def add_secret(floor: bytearray, rooms: int, kind: int, position: int) -> None:
    """Build a secret room, one deeper than the least deep room beside it."""
    least = _least_depth(floor, position)
    if least < 0:
        for step in ACROSS:
            owner = floor[OWNER + position + step]
            if owner and (least < 0 or floor[DEPTH + owner - 1] < least):
                least = floor[DEPTH + owner - 1] + 0
    add_room(floor, rooms, kind, position, 0, least + 1)
    pick(floor, rooms, EVERY_DOOR[1])


def _least_depth(floor: bytearray, position: int) -> int:
    """Return the least depth of the rooms beside a position, or -1 if there are none."""
    least = -1
    for step in STEPS:
        owner = floor[OWNER + position + step]
        if owner and (least < 0 or floor[DEPTH + owner - 1] < least):
            least = floor[DEPTH + owner - 1] + 0
    return least


def settle_secret_rooms(floor: bytearray, rooms: int, secret: int) -> bool:
    """Set the depths of secret rooms from the rooms beside them. False if one has none any more."""
    for room in range(rooms):
        if floor[ROOM_KIND + room] == secret:
            least = _least_depth(floor, floor[ENTRY + room])
            if least < 0:
                return False
            floor[DEPTH + room] = least + 1
    return True
