"""The dice of special rooms: a level's generators, chances, rooms to pick, and the choice of bosses."""

from __future__ import annotations

from array import array

from generator.styles.rebirth.growth_kernel import draw
from generator.styles.rebirth.rule_columns import (
    ALL_WEIGHTS,
    BOSS_CHANCE,
    BOSS_DRAWS,
    BOSS_KIND,
    BOSS_ROW,
    BOSSES_AT,
    DRAWS,
    END_ASIDE,
    END_DRAWS,
    END_ONCE,
    END_ROW,
    ENDS,
    ENDS_AT,
    FIRST_END,
    FIRST_ROOM,
    IS_REPENTANCE,
    KINDS,
    MET,
    NEXT_BOSS_DRAWS,
    OWN,
    OWN_AGAIN,
    OWN_LEFT,
    OWN_RIGHT,
    OWN_STATE,
    PERCENT,
    ROOM_COUNT,
    SHIFTS,
    STAGE,
    STATE,
    TARGET,
    TOTAL,
    WEIGHT,
    WEIGHTS_AT,
    X,
)
from generator.styles.rebirth.seeds_kernel import shifted

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
