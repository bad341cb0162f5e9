"""How the remake's rooms grow, draw for draw as the game makes them: see `growth.py`.

The game's generator is xorshift32 with the shifts 5, 9, 7; in hot loops its three lines are inlined.
"""

from __future__ import annotations

from generator.compiled.primitives import put
from generator.styles.rebirth.board import (
    ANCHOR,
    BARRED,
    BIAS,
    CELLS,
    CHANCES,
    CLOSED,
    DEPTH,
    DOOR_COUNT,
    DOOR_STEP,
    DOOR_WAY,
    DOORS,
    END,
    ENTRY,
    FOUND_ANCHOR,
    FOUND_ENTRY,
    FOUND_SHAPE,
    KNOWN,
    LED,
    MASK,
    NOTHING,
    OWNER,
    PARENT,
    QUEUE,
    SHAPE,
    START,
    STEPS,
    TEMPLATE_COUNT,
    TEMPLATE_SHAPE,
    TEMPLATE_STEP,
)

# What follows from a start seed. Each stage has its own seed; from it come, in this order of draws, the
# curse, the number of rooms, and the seed of the topology (isaac-facts 4.9).


_MASK = 0xFFFFFFFF
_LAST_SLOT = 13


def shifted(x: int, right: int, left: int, again: int) -> int:
    """Return the next state of a xorshift32 generator with these shifts."""
    x ^= x >> right
    x ^= x << left & _MASK
    return x ^ x >> again


def stage_seed(start_seed: int, slot: int) -> int:
    """Return the seed of a stage, by number. An alternate path uses the next stage's."""
    x = start_seed
    for _ in range(min(slot, _LAST_SLOT) + 1):
        x = shifted(x, 3, 23, 25)
    return x


def level_draws(seed_of_stage: int, curse_rate: int, void: bool) -> tuple[int, int, int, int, int]:
    """Return the fields of `growth.LevelDraws`. 1 level in `curse_rate` is cursed.

    The Void takes one more draw.
    """
    x = shifted(shifted(seed_of_stage, 5, 9, 7), 5, 9, 7)
    # A copy for curse and hard mode; it is drawn from whether or not they matter.
    aside = shifted(x, 5, 9, 7)
    curse = -1
    if aside % curse_rate == 0:
        aside = shifted(aside, 5, 9, 7)
        curse = aside % 6
    x = shifted(x, 5, 9, 7)
    more_rooms = x & 1
    aside = shifted(aside, 5, 9, 7)
    drawn = 0
    if void:
        x = shifted(x, 5, 9, 7)
        drawn = x
    return curse, more_rooms, aside & 1, drawn, shifted(x, 5, 9, 7)


FORCED = 5  # dead ends that may be added
_MORE_ROOMS_AFTER = 10  # tries, and then every 5
_MAX_TARGET = 64


def grow_floor(
    floor: bytearray,
    x: int,
    target: int,
    dead_ends: int,
    mask: int,
    xl: bool,
    patient: bool,
    tries: int,
    most: int,
) -> tuple[int, int, int, int, int]:
    """Grow until a floor has `target` rooms besides the start, and enough dead ends: see `growth.topology`.

    `x` is the generator's state, `tries` how many were made before, `most` how many may be made in all.
    Returns the state, the numbers of rooms (0 if no try succeeded) and dead ends, the tries, and the target.
    """
    enough = dead_ends if patient else FORCED
    while tries < most:
        tries += 1
        x, rooms = grow(floor, x, target, mask, xl)
        if rooms > target:
            ends = find_dead_ends(floor, rooms, False)
            for _ in range(FORCED):
                if ends >= enough:
                    break
                before = rooms
                x, rooms = force_dead_end(floor, x, rooms, mask)
                if rooms == before:
                    break
                ends = find_dead_ends(floor, rooms, patient)
            if ends >= dead_ends:
                return x, rooms, ends, tries, target
        if patient and tries >= _MORE_ROOMS_AFTER and tries % 5 == 0 and target < _MAX_TARGET:
            target += 1
    return x, 0, 0, tries, target


def grow(floor: bytearray, x: int, target: int, mask: int, xl: bool) -> tuple[int, int]:
    """Place rooms until there are `target` besides the start, or the queue is empty.

    Returns the generator's state and the number of rooms. The queue has two ends: a room goes to its front
    two times in three.
    """
    put(floor, OWNER, NOTHING)
    put(floor, LED, NOTHING)
    occupy(floor, 0, START, 1)
    floor[ENTRY] = START
    floor[DEPTH] = floor[PARENT] = 0
    rooms = 1
    floor[QUEUE] = 0
    first, after = 0, 1  # positions in the ring
    while first != after and rooms <= target:
        parent = floor[QUEUE + first]
        first = (first + 1) & 255
        x, count = candidates(floor, x, parent, mask, False)
        x = shuffle(floor, x, count)
        x, wanted = _rooms_wanted(x, parent, count, target)
        placed = 0
        for i in range(count):
            entry, anchor, shape = floor[FOUND_ENTRY + i], floor[FOUND_ANCHOR + i], floor[FOUND_SHAPE + i]
            x, stands = _may_stand(floor, x, entry, anchor, shape, xl)
            if not stands:
                continue
            build(floor, rooms, parent, entry, anchor, shape)
            x = draw(x)
            if x % 3:
                first = (first - 1) & 255
                floor[QUEUE + first] = rooms
            else:
                floor[QUEUE + after] = rooms
                after = (after + 1) & 255
            rooms += 1
            placed += 1
            if placed >= wanted or rooms > target:
                break  # also if none was wanted: the game only checks here
    return x, rooms


def _rooms_wanted(x: int, parent: int, count: int, target: int) -> tuple[int, int]:
    """Draw how many rooms are to grow from one. Returns the generator's state, and the number."""
    if parent == 0:
        if target > 15:
            return x, count
        x = draw(x)
        return x, 2 + (x & 1)
    wanted = 0
    for _ in range(4):
        x = draw(x)
        wanted += x & 1
    return x, min(count, wanted)


def draw(x: int) -> int:
    """Return the generator's next state, which is also its output."""
    x ^= x >> 5
    x ^= x << 9 & MASK
    return x ^ x >> 7


def shuffle(floor: bytearray, x: int, count: int) -> int:
    """Shuffle the candidates as the game does (Fisher and Yates). Returns the generator's state."""
    for i in range(count - 1, 0, -1):
        x ^= x >> 5
        x ^= x << 9 & MASK
        x ^= x >> 7
        j = x % (i + 1)
        floor[FOUND_ENTRY + i], floor[FOUND_ENTRY + j] = floor[FOUND_ENTRY + j], floor[FOUND_ENTRY + i]
        floor[FOUND_ANCHOR + i], floor[FOUND_ANCHOR + j] = floor[FOUND_ANCHOR + j], floor[FOUND_ANCHOR + i]
        floor[FOUND_SHAPE + i], floor[FOUND_SHAPE + j] = floor[FOUND_SHAPE + j], floor[FOUND_SHAPE + i]
    return x


def candidates(floor: bytearray, x: int, room: int, mask: int, forced: bool) -> tuple[int, int]:
    """Find all rooms that may be built beside a room's doors. Each large one takes a draw.

    Returns the generator's state and how many there are. If single cells are not allowed, as under the curse
    of the giant, or a dead end is `forced`, every large room is tried.
    """
    at, shape, count = floor[ANCHOR + room], floor[SHAPE + room], 0
    single = mask >> 1 & 1
    try_all = forced or not single
    for door in range(DOORS * shape, DOORS * shape + DOOR_COUNT[shape]):
        entry = at + DOOR_STEP[door] - BIAS
        if floor[OWNER + entry] or floor[BARRED + entry]:
            continue
        if single:
            floor[FOUND_ENTRY + count] = floor[FOUND_ANCHOR + count] = entry
            floor[FOUND_SHAPE + count] = 1
            count += 1
        template = TEMPLATE_COUNT * DOOR_WAY[door]
        for chance in CHANCES:
            x ^= x >> 5
            x ^= x << 9 & MASK
            x ^= x >> 7
            if try_all or x % chance == 0:
                large, anchor = TEMPLATE_SHAPE[template], entry + TEMPLATE_STEP[template] - BIAS
                if mask >> large & 1 and _is_free(floor, anchor, large):
                    floor[FOUND_ENTRY + count] = entry
                    floor[FOUND_ANCHOR + count] = anchor
                    floor[FOUND_SHAPE + count] = large
                    count += 1
            template += 1
    return x, count


def _is_free(floor: bytearray, anchor: int, shape: int) -> bool:
    """Check whether a shape's cells are all free."""
    for offset in CELLS[shape]:
        cell = anchor + offset
        if floor[OWNER + cell] or floor[BARRED + cell]:
            return False
    return True


def _may_stand(floor: bytearray, x: int, entry: int, anchor: int, shape: int, xl: bool) -> tuple[int, bool]:
    """Check whether a room may still be built: free, beside one room only, with doors to all it touches.

    Both rooms must have a door there: the long sides of narrow rooms touch nothing. Returns the generator's
    state first.
    """
    for offset in CELLS[shape]:
        if floor[OWNER + anchor + offset]:
            return x, False
    if neighbours(floor, entry, 0) >= 2:
        if not xl:
            return x, False
        x = draw(x)
        if x % 10:
            return x, False
    closed = CLOSED[shape]
    for offset in CELLS[shape]:
        cell = anchor + offset
        doors = floor[LED + cell] & ~closed
        for way in range(4):
            if floor[OWNER + cell - STEPS[way]] and not doors >> way & 1:
                return x, False
    return x, True


def neighbours(floor: bytearray, cell: int, own: int) -> int:
    """Count a cell's four neighbours that belong to rooms. `own` is an owner to ignore, or 0."""
    count = 0
    for step in STEPS:
        owner = floor[OWNER + cell + step]
        if owner and owner != own:
            count += 1
    return count


def build(floor: bytearray, number: int, parent: int, entry: int, anchor: int, shape: int) -> None:
    """Put a room on the board."""
    floor[DEPTH + number] = floor[DEPTH + parent] + 1
    floor[ENTRY + number] = entry
    floor[PARENT + number] = parent
    occupy(floor, number, anchor, shape)


def occupy(floor: bytearray, number: int, anchor: int, shape: int) -> None:
    """Give a room its cells, and doors wherever its shape may have them."""
    floor[ANCHOR + number], floor[SHAPE + number] = anchor, shape
    for offset in CELLS[shape]:
        floor[OWNER + anchor + offset] = number + 1
    for door in range(DOORS * shape, DOORS * shape + DOOR_COUNT[shape]):
        floor[LED + anchor + DOOR_STEP[door] - BIAS] |= 1 << DOOR_WAY[door]


# --- dead ends -----------------------------------------------------------------------------------------


def find_dead_ends(floor: bytearray, rooms: int, again: bool) -> int:
    """List rooms beside at most one other that nothing grew from, furthest first. Returns how many.

    `again` is for after one was forced: earlier ones are only checked for rooms that grew from them. The
    game's selection sort is not stable, and its order of equally distant rooms matters.
    """
    count = 0
    for room in range(rooms):
        floor[KNOWN + room] = floor[KNOWN + room] & 1 if again else 0
    for room in range(1, rooms):
        floor[KNOWN + floor[PARENT + room]] |= 2
    for room in range(1, rooms):
        if floor[KNOWN + room] < 2 and (
            floor[KNOWN + room] or neighbours(floor, floor[ENTRY + room], room + 1) < 2
        ):
            floor[END + count] = room
            count += 1
        floor[KNOWN + room] = 0
    floor[KNOWN] = 0
    for i in range(count):
        furthest = i
        for j in range(i + 1, count):
            if floor[DEPTH + floor[END + j]] > floor[DEPTH + floor[END + furthest]]:
                furthest = j
        floor[END + i], floor[END + furthest] = floor[END + furthest], floor[END + i]
        floor[KNOWN + floor[END + i]] = 1
    return count


def force_dead_end(floor: bytearray, x: int, rooms: int, mask: int) -> tuple[int, int]:
    """Add a dead end beside the first room that has space for one, regardless of doors.

    Returns the generator's state and the number of rooms.
    """
    for room in range(rooms):
        x, count = candidates(floor, x, room, mask, True)
        for i in range(count):
            if neighbours(floor, floor[FOUND_ENTRY + i], 0) < 2:
                entry, anchor = floor[FOUND_ENTRY + i], floor[FOUND_ANCHOR + i]
                build(floor, rooms, room, entry, anchor, floor[FOUND_SHAPE + i])
                floor[KNOWN + rooms] = 0
                return x, rooms + 1
    return x, rooms
