"""Special rooms, draw for draw: the game's stage generator in the game's order, with its short circuits.

isaac-facts 4.5 to 4.8; numbers and conditions are in a kit's `special_rooms.toml` and `rebirth.toml`, which
`rule_table.py` turns into tables. For each special room the game

    1. draws which of two kinds it is, and what is in it  (`becomes`, `draws.first`)
    2. draws a seed to pick one of its layouts            (here only its shape and doors: `rule_table.py`)
    3. takes the first dead end that can have this shape, and gives it the shape
    4. draws whether the room occurs                      (`chance`, `again`)

and if it does not come, the dead end goes back to the end of the queue, reshaped. A second chance is drawn
only if the first fails, but then whatever the state is. Before Repentance step 4 happens even without a dead
end. The rooms' actual layouts are drawn later, with our own dice.
"""

from __future__ import annotations

from array import array

from generator.styles.rebirth.board import BARRED, END, MAX_KINDS, PICKED_DOORS, ROOM_KIND, SPECIAL, TRAITS
from generator.styles.rebirth.draft_kernel import (
    add_red_rooms,
    add_secret,
    begin_draft,
    find_distances,
    find_secret_place,
    find_ultra_secret_place,
    fit,
    grow_further,
    has_doors_wherever_rooms_touch,
    pick,
    settle_secret_rooms,
    take,
)
from generator.styles.rebirth.growth_kernel import draw, grow_floor, shifted

# --- rules and luck: offsets in two buffers of 64-bit numbers -----------------------------------------------
#
# `rule_table.py` makes the rules of a kit's rows.

# Columns of a special room's row.
ROW = 26
(
    PLACE, KIND, OTHER_KIND, ALLOWED, OTHER_ALLOWED, CHANCE, CHANCE_WHOLE, SECOND, SECOND_WHOLE,
    OTHER_CHANCE, OTHER_WHOLE, OTHER_SECOND, OTHER_SECOND_WHOLE, FIRST, FIRST_HIT, FIRST_MISS,
    OWN, OWN_RIGHT, OWN_LEFT, OWN_AGAIN, PASSES, FADES, THEN, ASIDE, SHARE, MUST,
) = range(ROW)  # fmt: skip
ANYWHERE, SECRET, ULTRA_SECRET = range(3)  # places of special rooms
# Columns of a boss's row, and of its ends; -1 or 0 if it has none.
BOSS_ROW, END_ROW = 5, 3
PERCENT, BOSS_CHANCE, DRAWS, FIRST_END, ENDS = range(BOSS_ROW)
END_ASIDE, END_ONCE, END_DRAWS = range(END_ROW)
# The level: numbers, truth values, and kinds (-1 if the kit does not have it); how many kinds there are, and
# where the tables begin: of special rooms, of those from the first secret room on, of bosses on the stage and
# on the next one, of their ends, and of rooms to pick.
(
    STAGE, IS_REPENTANCE, BOSSES, IS_LABYRINTH, FORCED_ARE_LARGE, DEAD_ENDS, SHAPE_MASK, IS_LARGE, BLOCKED,
    IS_PATIENT, SUPER_SECRETS, BOSS_DRAWS, NEXT_BOSS_DRAWS, START_KIND, NORMAL_KIND, BOSS_KIND, SECRET_KIND,
    ULTRA_KIND, RED_KIND, KINDS, ROWS_AT, LAST_AT, BOSSES_AT, ENDS_AT, SHAPES_AT, DOORS_AT, WEIGHTS_AT,
) = range(27)  # fmt: skip
# By kind: its traits (bits), its first room to pick, how many there are, and the sum of their
# weights. Then come the tables.
FIRST_ROOM, ROOM_COUNT, ALL_WEIGHTS, TABLES = (TRAITS + number * MAX_KINDS for number in range(1, 5))

# Luck: the state of a level's generators, and what earlier tries changed.

# The states of the stage's generator and of the topology's; how many rooms, dead ends and placed special
# rooms there are; tries; how many rooms to grow; a bit for each boss that comes only once.
STATE, X, ROOMS, ENDS_LEFT, PLACED, TRIES, TARGET, MET = range(8)
# How many floors were rejected, by reason. By kind: the state of its own generator (0: none) and its three
# shifts; the sum of the weights. The weights of rooms to pick, which fall with use, even if the floor was
# rejected.
REASON = 8
OWN_STATE = REASON + 64
SHIFTS = OWN_STATE + MAX_KINDS
TOTAL = SHIFTS + 3 * MAX_KINDS
WEIGHT = TOTAL + MAX_KINDS


# The dice of special rooms: a level's generators, chances, rooms to pick, and the choice of bosses.


_MIN = 10  # a picked room's weight is divided by this
_TWO_BOSSES = (3, 4, 5, 7)  # stages that may ask for two bosses at once


def next_number(luck: array[int]) -> int:
    """Draw the stage generator's next number."""
    x = draw(luck[STATE])
    luck[STATE] = x
    return x


def begin(luck: array[int], rules: array[int], generator_seed: int, rooms: int) -> None:
    """Set the state of a level before its first floor."""
    for i in range(OWN_STATE):
        luck[i] = 0
    for kind in range(rules[KINDS]):
        luck[TOTAL + kind] = rules[ALL_WEIGHTS + kind]
    first = rules[WEIGHTS_AT]
    for i in range(len(rules) - first):
        luck[WEIGHT + i] = rules[first + i]
    luck[STATE] = luck[X] = generator_seed
    luck[TARGET] = rooms


def skip(luck: array[int], draws: int) -> None:
    """Skip numbers of the stage generator."""
    for _ in range(draws):
        next_number(luck)


def roll(luck: array[int], own: int) -> int:
    """Draw the next number of a kind's own generator, or for -1 of the stage's."""
    if own < 0:
        return next_number(luck)
    shifts = SHIFTS + 3 * own
    x = shifted(luck[OWN_STATE + own], luck[shifts], luck[shifts + 1], luck[shifts + 2])
    luck[OWN_STATE + own] = x
    return x


def own_of(luck: array[int], rules: array[int], at: int, kind: int) -> int:
    """Return the kind whose generator makes a row's draws, started if it is new, or -1 for the stage's."""
    if not rules[at + OWN]:
        return -1
    if luck[OWN_STATE + kind] == 0:
        luck[OWN_STATE + kind] = next_number(luck)
        luck[SHIFTS + 3 * kind] = rules[at + OWN_RIGHT]
        luck[SHIFTS + 3 * kind + 1] = rules[at + OWN_LEFT]
        luck[SHIFTS + 3 * kind + 2] = rules[at + OWN_AGAIN]
    return kind


def occurs(luck: array[int], own: int, rules: array[int], at: int, is_share: bool) -> bool:
    """Roll for a room, twice if need be. Certain and impossible chances take no draw."""
    for index in range(at, at + 4, 2):
        part, total = rules[index], rules[index + 1]
        if total == 1:
            hit = part != 0
        elif is_share:
            hit = roll(luck, own) * total < part << 32
        else:
            hit = roll(luck, own) % total < part
        if hit:
            return True
    return False


def pick_room(rules: array[int], luck: array[int], kind: int, seed: int, fades: bool) -> int:
    """Pick a room of a kind by weight, which then falls to a tenth. Takes one draw from the seed."""
    room = rules[FIRST_ROOM + kind]
    if rules[ROOM_COUNT + kind] == 1:
        return room
    mark = _share(shifted(seed, 1, 21, 20), luck[TOTAL + kind])
    while mark >= luck[WEIGHT + room]:
        mark -= luck[WEIGHT + room]
        room += 1
    if fades:
        weight = luck[WEIGHT + room]
        luck[WEIGHT + room] = max(1, weight // _MIN)
        luck[TOTAL + kind] += luck[WEIGHT + room] - weight
    return room


def _share(number: int, total: int) -> int:
    """Compute `number` * `total` / 2**32 for `total` < 2**47. The product itself may have 79 bits."""
    upper, lower = number * (total >> 16), number * (total & 0xFFFF)
    return (upper >> 16) + (((upper & 0xFFFF) << 16) + lower >> 32)


# --- bosses ---------------------------------------------------------------------------------------------


def pick_boss(rules: array[int], luck: array[int], later: int, own: bool) -> int:
    """Pick a boss room. Repentance has separate dice for bosses, others choose the boss with the stage's.

    It is picked with its own generator, except a labyrinth's second one before Repentance. `later` is 1 for a
    boss of the next stage.
    """
    if not rules[IS_REPENTANCE]:
        _choose_boss(rules, luck, later)
    seed = next_number(luck)
    if own:
        seed = shifted(seed, 5, 15, 17)
    return pick_room(rules, luck, rules[BOSS_KIND], seed, True)


def _choose_boss(rules: array[int], luck: array[int], later: int) -> None:
    """Make the draws that the game makes while it goes through its bosses, rarest first."""
    aside = next_number(luck)
    first = rules[BOSS_DRAWS] if later else 0
    after = first + rules[NEXT_BOSS_DRAWS] if later else rules[BOSS_DRAWS]
    table = rules[BOSSES_AT]
    for at in range(table + first * BOSS_ROW, table + after * BOSS_ROW, BOSS_ROW):
        if not _hits(luck, rules[at + PERCENT], rules[at + BOSS_CHANCE]):
            continue
        skip(luck, rules[at + DRAWS])
        ended = False
        first_end = rules[ENDS_AT] + rules[at + FIRST_END] * END_ROW
        for end in range(first_end, first_end + rules[at + ENDS] * END_ROW, END_ROW):
            if rules[end + END_ASIDE]:
                aside = shifted(aside, 1, 5, 16)
                if aside % rules[end + END_ASIDE]:
                    continue
            once = rules[end + END_ONCE]
            if once >= 0:
                if luck[MET] >> once & 1:
                    continue
                luck[MET] |= 1 << once
            skip(luck, rules[end + END_DRAWS])
            ended = True
            break
        if ended:
            break
    if rules[STAGE] + later in _TWO_BOSSES:
        next_number(luck)


def _hits(luck: array[int], percent: int, chance: int) -> bool:
    if percent >= 0:
        return next_number(luck) * 100 < percent << 32
    return chance == 0 or next_number(luck) % chance == 0


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
