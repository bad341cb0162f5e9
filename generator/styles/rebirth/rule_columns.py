"""Offsets in the tables of rules and in a level's luck: two buffers of 64-bit numbers.

`rule_table.py` turns a kit's rules into tables, which `stage_kernel.py` and `dice_kernel.py` read.
"""

from __future__ import annotations

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
# By kind: its traits (bits), its first room to pick, how many there are, and the sum of their weights.
MAX_KINDS = 256
TRAITS, FIRST_ROOM, ROOM_COUNT, ALL_WEIGHTS = (64 + number * MAX_KINDS for number in range(4))
HIDDEN, SHUNNED, CURSED, UNSEEN = 1, 2, 4, 8  # traits
TABLES = 64 + 4 * MAX_KINDS  # offset of the first table

# --- luck: the state of a level's generators, and what earlier tries changed ----------------------------

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
