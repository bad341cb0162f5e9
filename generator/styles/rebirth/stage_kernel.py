"""Special rooms, draw for draw: the game's stage generator in the game's order, with its short circuits.

isaac-facts 4.5 to 4.8; numbers and conditions are in a kit's `special_rooms.toml` and `rebirth.toml`, which
`rule_table.py` turns into tables. For each special room the game

    1. draws which of two kinds it is, and what is in it  (`becomes`, `draws.first`)
    2. draws a seed to pick one of its layouts            (here only its shape and doors: `catalogue.py`)
    3. takes the first dead end that can have this shape, and gives it the shape
    4. draws whether the room occurs                      (`chance`, `again`)

and if it does not come, the dead end goes back to the end of the queue, reshaped. A second chance is drawn
only if the first fails, but then whatever the state is. Before Repentance step 4 happens even without a dead
end. The rooms' actual layouts are drawn later, with our own dice.
"""

from __future__ import annotations

from array import array

from generator.styles.rebirth.board import BARRED, END, PICKED_DOORS, ROOM_KIND, SPECIAL
from generator.styles.rebirth.dice_kernel import next_number, occurs, own_of, pick_boss, pick_room, roll, skip
from generator.styles.rebirth.draft_kernel import (
    add_red_rooms,
    begin_draft,
    find_distances,
    fit,
    grow_further,
    has_doors_wherever_rooms_touch,
    pick,
    take,
)
from generator.styles.rebirth.growth_kernel import grow_floor
from generator.styles.rebirth.rule_columns import (
    ALLOWED,
    ASIDE,
    BLOCKED,
    BOSS_KIND,
    BOSSES,
    BOSSES_AT,
    CHANCE,
    DEAD_ENDS,
    DOORS_AT,
    ENDS_LEFT,
    FADES,
    FIRST,
    FIRST_HIT,
    FIRST_MISS,
    FORCED_ARE_LARGE,
    IS_LABYRINTH,
    IS_LARGE,
    IS_PATIENT,
    IS_REPENTANCE,
    KIND,
    KINDS,
    LAST_AT,
    MUST,
    NORMAL_KIND,
    OTHER_ALLOWED,
    OTHER_CHANCE,
    OTHER_KIND,
    OWN_STATE,
    PASSES,
    PLACE,
    PLACED,
    REASON,
    RED_KIND,
    ROOMS,
    ROW,
    ROWS_AT,
    SECRET,
    SECRET_KIND,
    SHAPE_MASK,
    SHAPES_AT,
    SHARE,
    STAGE,
    START_KIND,
    STATE,
    SUPER_SECRETS,
    TARGET,
    THEN,
    TRIES,
    ULTRA_KIND,
    ULTRA_SECRET,
    X,
)
from generator.styles.rebirth.secret_kernel import (
    add_secret,
    find_secret_place,
    find_ultra_secret_place,
    settle_secret_rooms,
)

# Why a floor is rejected: `REASONS` times the kind of a room, plus one of these.
TOUCHES, NO_BOSS, NO_SECOND_BOSS, NO_DEAD_END, NO_DOOR, NO_PLACE = range(1, 7)
REASONS = 8
_MAX_TRIES = 1000
_LESS_PATIENT = 100  # tries, before Repentance
_MAX_TARGET = 63


def make_floor(floor: bytearray, rules: array[int], luck: array[int]) -> int:
    """Grow floors until one has all required rooms. Returns 0, or 1 if none grew, or 2 after the last try.

    A floor that lacks space for a room is grown again, at most 1,000 times. Neither of the game's generators
    is reset.
    """
    patient = rules[IS_PATIENT] != 0
    while luck[TRIES] < _MAX_TRIES:
        most = _MAX_TRIES if patient else luck[TRIES] + _LESS_PATIENT
        x, rooms, ends, tries, target = grow_floor(
            floor,
            luck[X],
            luck[TARGET],
            rules[DEAD_ENDS],
            rules[SHAPE_MASK],
            rules[IS_LARGE] != 0,
            patient,
            luck[TRIES],
            most,
        )
        luck[X], luck[ROOMS], luck[ENDS_LEFT], luck[TRIES] = x, rooms, ends, tries
        if rooms == 0:
            return 1
        luck[TARGET] = min(target, _MAX_TARGET)
        begin_draft(floor, rooms, rules[START_KIND], rules[NORMAL_KIND])
        reason = place(floor, rules, luck)
        if reason == 0:
            return 0
        _count(luck, reason)
    return 2


def finish_floor(floor: bytearray, rules: array[int], rooms: int) -> int:
    """Add the red rooms, set all distances, and return the number of rooms."""
    if rules[RED_KIND] >= 0 and rules[ULTRA_KIND] >= 0:
        rooms = add_red_rooms(floor, rooms, rules[ULTRA_KIND], rules[RED_KIND])
    find_distances(floor, rules, rooms)
    return rooms


def _count(luck: array[int], reason: int) -> None:
    """Count a floor that was rejected for a reason. Reasons are listed as they first came up."""
    for i in range(REASON, OWN_STATE, 2):
        if luck[i] in (0, reason):
            luck[i] = reason
            luck[i + 1] += 1
            break


def place(floor: bytearray, rules: array[int], luck: array[int]) -> int:
    """Give rooms their kinds, add the second boss room and secret rooms. Returns 0, or why it failed."""
    luck[PLACED] = 0
    for kind in range(rules[KINDS]):
        luck[OWN_STATE + kind] = 0
    if rules[FORCED_ARE_LARGE] and not has_doors_wherever_rooms_touch(floor, luck[ROOMS]):
        return TOUCHES
    reason = _bosses(floor, rules, luck)
    if reason:
        return reason
    first, after = rules[ROWS_AT], rules[LAST_AT]
    for at in range(first, after, ROW):
        if at == first + rules[SUPER_SECRETS] * ROW:
            next_number(luck)  # the seed of secret rooms' layouts
        reason = _row(floor, rules, luck, at)
        if reason:
            return reason
    if after == first + rules[SUPER_SECRETS] * ROW:
        next_number(luck)
    return _last(floor, rules, luck)


# --- bosses ----------------------------------------------------------------------------------------------


def _bosses(floor: bytearray, rules: array[int], luck: array[int]) -> int:
    """Place the boss rooms, with the Void's and a labyrinth's second. Returns 0, or why it failed."""
    is_repentance = rules[IS_REPENTANCE] != 0
    boss_rule = 2 if rules[IS_LABYRINTH] and not is_repentance else 1
    for _ in range(rules[BOSSES]):
        room = pick_boss(rules, luck, 0, True)
        doors = rules[rules[DOORS_AT] + room]
        number, ends = take(floor, rules, luck[ENDS_LEFT], rules[rules[SHAPES_AT] + room], doors, boss_rule)
        luck[ENDS_LEFT] = ends
        if number < 0:
            return NO_BOSS
        _assign(floor, luck, rules[BOSS_KIND], number, doors)
    if not rules[IS_LABYRINTH]:
        return 0
    first, before = floor[SPECIAL], luck[STATE]
    room = pick_boss(rules, luck, 1, is_repentance)
    blocked, second = rules[BLOCKED], luck[ROOMS]
    if blocked:
        floor[BARRED + blocked] = 0
    x, grown = grow_further(floor, luck[X], second, first, floor[PICKED_DOORS + first], is_repentance)
    if blocked:
        floor[BARRED + blocked] = 1
    luck[X] = x
    if not grown:
        return NO_SECOND_BOSS
    luck[ROOMS] += 1
    if not fit(floor, rules, second, rules[rules[SHAPES_AT] + room], rules[rules[DOORS_AT] + room]):
        return NO_SECOND_BOSS
    _assign(floor, luck, rules[BOSS_KIND], second, rules[rules[DOORS_AT] + room])
    luck[STATE] = before
    return 0


# --- the table's rows --------------------------------------------------------------------------------------


def _row(floor: bytearray, rules: array[int], luck: array[int], at: int) -> int:
    """Place the room of a row if it occurs. Returns 0, or why that failed."""
    is_repentance = rules[IS_REPENTANCE] != 0
    before = luck[STATE]
    turned = occurs(luck, -1, rules, at + OTHER_CHANCE, False)
    kind = rules[at + OTHER_KIND] if turned else rules[at + KIND]
    allowed = rules[at + OTHER_ALLOWED] if turned else rules[at + ALLOWED]
    if rules[at + FIRST] and next_number(luck) % rules[at + FIRST] == 0:
        skip(luck, rules[at + FIRST_HIT])
    else:
        skip(luck, rules[at + FIRST_MISS])
    own = own_of(luck, rules, at, kind)
    seed = roll(luck, own)
    if rules[at + PASSES]:
        return 0
    room = pick_room(rules, luck, kind, seed, rules[at + FADES] != 0)
    skip(luck, rules[at + THEN])
    doors = rules[rules[DOORS_AT] + room]
    number, ends = take(floor, rules, luck[ENDS_LEFT], rules[rules[SHAPES_AT] + room], doors, 0)
    luck[ENDS_LEFT] = ends
    if rules[at + ASIDE] and (number >= 0 or not is_repentance):
        luck[STATE] = before
    if number < 0 and rules[at + MUST]:
        return NO_DEAD_END + REASONS * rules[at + KIND]
    if number < 0 and is_repentance:
        return 0
    hit = occurs(luck, own, rules, at + CHANCE, rules[at + SHARE] != 0)
    if number < 0:
        return 0
    if hit and allowed:
        _assign(floor, luck, kind, number, doors)
    else:
        floor[END + luck[ENDS_LEFT]] = number
        luck[ENDS_LEFT] += 1
    return 0


def _assign(floor: bytearray, luck: array[int], kind: int, number: int, doors: int) -> None:
    floor[ROOM_KIND + number] = kind
    pick(floor, number, doors)
    floor[SPECIAL + luck[PLACED]] = number
    luck[PLACED] += 1


# --- what occurs last ---------------------------------------------------------------------------------------


def _last(floor: bytearray, rules: array[int], luck: array[int]) -> int:
    """Place the secret rooms, the grave and the ultra secret room. Returns 0, or why it failed."""
    stage = rules[STAGE]
    for at in range(rules[LAST_AT], rules[BOSSES_AT], ROW):
        rooms, kind = luck[ROOMS], rules[at + KIND]
        if rules[at + PLACE] == SECRET:
            x, position = find_secret_place(floor, rules, luck[X], rooms, stage)
        elif rules[at + PLACE] == ULTRA_SECRET:
            x, position = find_ultra_secret_place(floor, rules, luck[X], rooms, stage)
        else:
            reason = _row(floor, rules, luck, at)
            if reason:
                return reason
            if not settle_secret_rooms(floor, rooms, rules[SECRET_KIND]):
                return NO_DOOR + REASONS * kind
            continue
        luck[X] = x
        if position:
            add_secret(floor, rooms, kind, position)
            floor[SPECIAL + luck[PLACED]] = rooms
            luck[PLACED] += 1
            luck[ROOMS] += 1
        elif rules[at + MUST]:
            return NO_PLACE + REASONS * kind
    return 0
