"""A floor while special rooms find their cells: rooms take new shapes, and rooms are added."""

from __future__ import annotations

from array import array

from generator.compiled.primitives import put
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
    CELLS,
    CLOSED,
    CURSED,
    DEPTH,
    DISTANCE,
    DOOR_COUNT,
    DOOR_SLOT,
    DOOR_STEP,
    DOOR_WAY,
    DOORS,
    END,
    ENTRY,
    EVERY_DOOR,
    FORBIDDEN,
    FOUND_ANCHOR,
    FOUND_ENTRY,
    FOUND_SHAPE,
    GRID,
    HIDDEN,
    INSIDE,
    MASK,
    NEAR,
    NO_DISTANCE,
    NOTHING,
    OWNER,
    PARENT,
    PICKED,
    PICKED_DOORS,
    ROOM_KIND,
    SHAPE,
    SHUNNED,
    START,
    STEPS,
    TEMPLATE_COUNT,
    TEMPLATE_SHAPE,
    TEMPLATE_STEP,
    TRAITS,
    UNSEEN,
    WALK,
    WAY,
    WIDE,
)
from generator.styles.rebirth.growth_kernel import candidates, draw, neighbours, shuffle

_EVERY_SHAPE = 0x1FFE
# For a dead end's possible shapes, a single cell and the templates: whether the entry is a second slot. This
# is the game's table, although for some templates it is the other slot.
_SECOND_SLOT = (0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0)


def begin_draft(floor: bytearray, rooms: int, start: int, normal: int) -> None:
    """Make all rooms but the start normal, with nothing picked. `start` and `normal` are kinds."""
    for room in range(rooms):
        floor[ROOM_KIND + room] = normal if room else start
        floor[PICKED + room] = floor[WAY + room] = 0
        if room:
            slot = _slot_to(floor, floor[PARENT + room], floor[ENTRY + room])
            floor[WAY + room] = slot & 3


def _slot_to(floor: bytearray, room: int, position: int) -> int:
    """Find a room's first slot that leads to a position. One must."""
    shape, at = floor[SHAPE + room], floor[ANCHOR + room]
    for door in range(DOORS * shape, DOORS * shape + DOOR_COUNT[shape]):
        if at + DOOR_STEP[door] - BIAS == position:
            return DOOR_SLOT[door]
    return 0


def add_room(floor: bytearray, number: int, kind: int, position: int, way: int, depth: int) -> None:
    """Build a room of a single cell."""
    put_cells(floor, number, position, 1, number + 1)
    floor[ANCHOR + number] = floor[ENTRY + number] = position
    floor[SHAPE + number], floor[DEPTH + number] = 1, depth
    floor[ROOM_KIND + number], floor[WAY + number], floor[PICKED + number] = kind, way, 0


def put_cells(floor: bytearray, number: int, anchor: int, shape: int, owner: int) -> None:
    """Give the cells of a shape an owner, or none (0)."""
    for offset in CELLS[shape]:
        floor[OWNER + anchor + offset] = owner


def pick(floor: bytearray, number: int, doors: int) -> None:
    """Limit a room's doors to the slots of these bits."""
    floor[PICKED_DOORS + number], floor[PICKED + number] = doors, 1


def is_free(floor: bytearray, position: int, own: int) -> bool:
    """Check whether a room can be built on a position. What room `own` covers counts as free."""
    owner = floor[OWNER + position]
    return not floor[BARRED + position] and (owner == 0 or owner == own + 1)


def take(
    floor: bytearray, rules: array[int], ends: int, shape: int, doors: int, boss: int
) -> tuple[int, int]:
    """Reshape and return the first dead end that can take the picked room's shape. -1 if none can.

    `boss` is 1 for a boss room, which must not be beside the start, and 2 for one that also needs three free
    cells behind it. Also returns how many dead ends are left.
    """
    for i in range(ends):
        number = floor[END + i]
        if boss and (floor[DEPTH + number] < 2 or (boss == 2 and not _has_way_behind(floor, number))):
            continue
        if fit(floor, rules, number, shape, doors):
            for later in range(END + i, END + ends - 1):
                floor[later] = floor[later + 1]
            return int(number), ends - 1
    return -1, ends


def fit(floor: bytearray, rules: array[int], number: int, shape: int, doors: int) -> bool:
    """Give a dead end the picked room's shape if it then stays a dead end. False if it does not fit.

    A single cell is tried, then the templates of its direction of entry, in the game's order. `doors` are the
    bits of the picked room's slots: it needs one for the entry, and one wherever it touches another room.
    There may be one such room, not counting kinds that are not visible.
    """
    way, entry = floor[WAY + number], floor[ENTRY + number]
    for attempt in range(TEMPLATE_COUNT + 1):
        template = TEMPLATE_COUNT * way + attempt - 1
        tried = TEMPLATE_SHAPE[template] if attempt else 1
        if tried != shape or not doors >> ((way + 2) & 3) + 4 * _SECOND_SLOT[attempt] & 1:
            continue
        anchor = entry + TEMPLATE_STEP[template] - BIAS if attempt else entry + 0
        if _stays_dead_end(floor, rules, number, anchor, shape, doors):
            put_cells(floor, number, floor[ANCHOR + number], floor[SHAPE + number], 0)
            put_cells(floor, number, anchor, shape, number + 1)
            floor[ANCHOR + number], floor[SHAPE + number] = anchor, shape
            return True
    return False


def _stays_dead_end(
    floor: bytearray, rules: array[int], number: int, anchor: int, shape: int, doors: int
) -> bool:
    for offset in CELLS[shape]:
        if not is_free(floor, anchor + offset, number):
            return False
    ways = 0
    for door in range(DOORS * shape, DOORS * shape + DOOR_COUNT[shape]):
        owner = floor[OWNER + anchor + DOOR_STEP[door] - BIAS]
        if owner and owner != number + 1:
            if not doors >> DOOR_SLOT[door] & 1:
                return False
            if not rules[TRAITS + floor[ROOM_KIND + owner - 1]] & UNSEEN:
                ways += 1
    return ways < 2


def _has_way_behind(floor: bytearray, number: int) -> bool:
    """Check that the next three cells straight on from a room's entry are free and not beside others."""
    position = floor[ENTRY + number] + 0
    for _ in range(3):
        position += STEPS[floor[WAY + number]]
        if not is_free(floor, position, number) or neighbours(floor, position, number + 1):
            return False
    return True


def has_doors_wherever_rooms_touch(floor: bytearray, rooms: int) -> bool:
    """Check that all rooms that touch have doors there. A large forced dead end may have none."""
    for room in range(rooms):
        shape = floor[SHAPE + room]
        for offset in CELLS[shape]:
            cell = floor[ANCHOR + room] + offset
            for way in range(4):
                owner = floor[OWNER + cell + STEPS[way]]
                if owner and owner != room + 1:
                    closed = CLOSED[shape] >> way | CLOSED[floor[SHAPE + owner - 1]] >> (way + 2 & 3)
                    if closed & 1:
                        return False
    return True


def grow_further(
    floor: bytearray, x: int, rooms: int, parent: int, doors: int, second_slots: bool
) -> tuple[int, bool]:
    """Grow another dead end beside a room. Returns the generator's state, and whether it was built.

    `doors` are the bits of the slots that the parent may use; without `second_slots` only its first four are
    looked at, for both slots of a side. The room gets its parent's kind.
    """
    x, count = candidates(floor, x, parent, _EVERY_SHAPE, False)
    x = shuffle(floor, x, count)
    for i in range(count):
        entry = floor[FOUND_ENTRY + i]
        if neighbours(floor, entry, 0) >= 2:
            continue
        slot = _slot_to(floor, parent, entry)
        if doors >> (slot if second_slots else slot & 3) & 1:
            anchor, shape = floor[FOUND_ANCHOR + i], floor[FOUND_SHAPE + i]
            put_cells(floor, rooms, anchor, shape, rooms + 1)
            floor[ANCHOR + rooms], floor[SHAPE + rooms], floor[ENTRY + rooms] = anchor, shape, entry
            floor[DEPTH + rooms] = floor[DEPTH + parent] + 1
            floor[ROOM_KIND + rooms], floor[WAY + rooms] = floor[ROOM_KIND + parent], slot & 3
            floor[PICKED + rooms] = 0
            return x, True
    return x, False


# --- the last steps, once a floor has all its rooms -----------------------------------------------------


def add_red_rooms(floor: bytearray, rooms: int, ultra_secret: int, red: int) -> int:
    """Build a red room on every free cell beside an ultra secret room that touches another room.

    Each room that it touches must have doors on that side. A red room is one deeper than the least deep of
    them. Returns how many rooms there are; `ultra_secret` and `red` are kinds. (isaac-facts 4.7)

    . . N .      An ultra secret room u touches no room. Red doors lead to it through the cells between
    . N r .      it and the normal rooms N: the cells r beside u that touch a room.
    . . u .
    """
    for ultra in range(rooms):
        if floor[ROOM_KIND + ultra] != ultra_secret:
            continue
        for way in range(4):
            position = floor[ANCHOR + ultra] + STEPS[way]
            if floor[OWNER + position] or floor[BARRED + position]:
                continue
            least = _depth_behind_doors(floor, position, ultra)
            if least >= 0:
                add_room(floor, rooms, red, position, way, least + 1)
                rooms += 1
    return rooms


def _depth_behind_doors(floor: bytearray, position: int, own: int) -> int:
    """Return the least depth of rooms beside a position except `own`. -1 if none, or one without a door."""
    least = -1
    for way in range(4):
        owner = floor[OWNER + position + STEPS[way]]
        if owner == 0 or owner == own + 1:
            continue
        if CLOSED[floor[SHAPE + owner - 1]] >> (way + 2 & 3) & 1:
            return -1
        depth = floor[DEPTH + owner - 1]
        if least < 0 or depth < least:
            least = depth + 0
    return least


def find_distances(floor: bytearray, rules: array[int], rooms: int) -> None:
    """Set the rooms' distances from the start, breadth first, without walking through secret rooms."""
    for room in range(rooms):
        floor[DISTANCE + room] = NO_DISTANCE
    floor[DISTANCE] = floor[WALK] = 0
    first, after = 0, 1
    while first < after:
        number = floor[WALK + first]
        first += 1
        shape, at = floor[SHAPE + number], floor[ANCHOR + number]
        for door in range(DOORS * shape, DOORS * shape + DOOR_COUNT[shape]):
            owner = floor[OWNER + at + DOOR_STEP[door] - BIAS]
            if owner == 0 or floor[DISTANCE + owner - 1] != NO_DISTANCE:
                continue
            neighbour = owner - 1
            closed = CLOSED[floor[SHAPE + neighbour]] >> (DOOR_WAY[door] + 2 & 3) & 1
            if not closed and not rules[TRAITS + floor[ROOM_KIND + neighbour]] & HIDDEN:
                floor[DISTANCE + neighbour] = floor[DISTANCE + number] + 1
                floor[WALK + after] = neighbour
                after += 1


# Where secret rooms go: cells with many doors round them, weighted with noise (isaac-facts 4.6, 4.7).
#
# The noise comes from the topology's generator: one draw for every free cell that may be a secret room, row
# by row, and one to choose among the best.


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
        for offset in CELLS[shape]:
            cell = at + offset
            for step in ACROSS:
                floor[NEAR + cell + step] |= 1
            for step in STEPS:
                floor[NEAR + cell + step] |= 2
    return _best(floor, x, True)


def _mark_near(floor: bytearray, room: int) -> None:
    shape, at = floor[SHAPE + room], floor[ANCHOR + room]
    for offset in CELLS[shape]:
        cell = at + offset
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
