"""Floorplans of the `isaac` style on a board: the labyrinth's rooms, special rooms, and repeated tries.

After Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).
"""

from __future__ import annotations

from array import array

from generator.compiled.primitives import below, copy, lower, pop, stream_key, upper, with_id
from generator.named_tuple import NamedTuple
from generator.styles.isaac.growth_kernel import (
    BOSS_AT_START,
    DEAD_END,
    FEW_ENDS,
    FEW_ROOMS,
    MADE,
    MAX_ROOMS,
    NO_SECRET_ROOM,
    OUTCOMES,
    START,
    STEPS,
    Board,
    add_room,
    enlarge,
    find_secret_cell,
    forbid,
    grow,
    open_last_row,
    toss,
    words_of_coins,
)

NORMAL, START_KIND, BOSS = 0, 1, 2  # the first kinds of each list
NO_DISTANCE = 255

# Indices: of the names of streams, of the facts of a level, and of a special room's row.
ROOMS_NAME, GROW_NAME, ENLARGE_NAME, SPECIAL_NAME = range(4)
STAGE, IS_LABYRINTH, ROOMS_ASKED, ROLLS, AS_DEMO, LEVEL = range(6)
(
    KIND, ALLOWED, FIRST, FIRST_OF, SECOND, SECOND_OF, OTHER_KIND, OTHER_ALLOWED,
    OTHER_FIRST, OTHER_FIRST_OF, OTHER_SECOND, OTHER_SECOND_OF, DICE, TURN, ROW,
) = range(15)  # fmt: skip
STYLE_DICE = -1
# The state of a search for a floorplan.
TRIES, COINS_TAKEN, TOO_FEW_ENDS, GROWN_ROOMS, ALL_ROOMS, PLACED, COUNTS = range(7)
SEARCH = COUNTS + OUTCOMES  # numbers

_LABYRINTH_MAX = 45  # rooms
_ALL_NORMAL = bytes(MAX_ROOMS)
_LOOSEN_AFTER = 25  # labyrinths with too few end rooms; after these, growth places one more room


class PlanTables(NamedTuple):
    """A spec's rules for floorplans, with or without the curse of the labyrinth."""

    names: array[int]  # keys of the streams' names, followed by those of rules with their own dice
    level: array[int]  # STAGE, IS_LABYRINTH, ROOMS_ASKED, ROLLS (rows with the style's dice), AS_DEMO
    always: bytes  # the kinds that every floorplan has at dead ends
    by_chance: array[int]  # rows of the kinds that come by chance, ROW numbers each
    hidden: bytes  # the kinds that only secret doors lead to
    secret: bytes  # by kind: 1 if distances do not lead through it


def begin_search(seed: int, tables: PlanTables, search: array[int]) -> None:
    """Set how many rooms grow as a tree, and how many there are in all (secret rooms not counted).

    `random(2) + 5 + level * 2.6`; the labyrinth has 80 % more, at most 45.
    """
    stage, labyrinth, fixed = tables.level[STAGE], tables.level[IS_LABYRINTH], tables.level[ROOMS_ASKED]
    key = with_id(stream_key(seed, tables.names[ROOMS_NAME]), stage)
    number = below(key, 0, 2) + _least_wanted(stage)
    wanted = fixed
    if not fixed:
        wanted = _enlarged(number) if labyrinth else number
    for index in range(SEARCH):
        search[index] = 0
    search[GROWN_ROOMS] = min(number, wanted - 1) if labyrinth else wanted
    search[ALL_ROOMS] = wanted


def _least_wanted(stage: int) -> int:
    return 5 + stage * 26 // 10


def _enlarged(number: int) -> int:
    return min(_LABYRINTH_MAX, number * 18 // 10)


def most_wanted(stage: int) -> int:
    """Return the most rooms that a stage asks for, secret rooms not counted, with any curse."""
    return max(_least_wanted(stage) + 1, _enlarged(_least_wanted(stage) + 1))


def search_on(seed: int, tables: PlanTables, search: array[int], board: Board, most: int) -> int:
    """Try until a floorplan is made, or until there were `most` tries. Returns the last outcome.

    A finished floorplan is on the board: `search[PLACED]` rooms. The outcomes of tries are counted from
    `search[COUNTS]` on.
    """
    key = with_id(stream_key(seed, tables.names[GROW_NAME]), tables.level[STAGE])
    outcome, as_demo = FEW_ROOMS, tables.level[AS_DEMO] == 1
    while outcome != MADE and search[TRIES] < most:
        rooms = search[GROWN_ROOMS]
        words = words_of_coins(rooms)
        toss(key, search[COINS_TAKEN], words, board.coins)
        search[COINS_TAKEN] += words
        placed, ends = grow(rooms, board, as_demo)
        if placed < rooms:
            outcome = FEW_ROOMS
        elif not ends or board.ends[ends - 1] - START in STEPS:
            outcome = BOSS_AT_START
        else:
            outcome = _finish(seed, search[TRIES], placed, ends, tables, search, board)
            if outcome == FEW_ENDS:
                _loosen(tables, search)
        search[TRIES] += 1
        search[COUNTS + outcome] += 1
    return outcome


def _loosen(tables: PlanTables, search: array[int]) -> None:
    """After many labyrinths with too few end rooms, let growth place one more room."""
    search[TOO_FEW_ENDS] += 1
    if tables.level[IS_LABYRINTH] and search[TOO_FEW_ENDS] == _LOOSEN_AFTER:
        search[GROWN_ROOMS] = min(search[GROWN_ROOMS] + 1, search[ALL_ROOMS] - 1)
        search[TOO_FEW_ENDS] = 0


def _finish(
    seed: int, number: int, placed: int, ends: int, tables: PlanTables, search: array[int], board: Board
) -> int:
    """Turn a tree that has grown into a floorplan."""
    stage, second_boss, outcome = tables.level[STAGE], 0, MADE
    if tables.level[AS_DEMO]:
        open_last_row(board)
    if tables.level[IS_LABYRINTH]:
        key = with_id(with_id(stream_key(seed, tables.names[ENLARGE_NAME]), stage), number)
        placed, ends, second_boss, outcome = enlarge(board, placed, ends, search[ALL_ROOMS], key)
    if outcome == MADE:
        key = with_id(with_id(stream_key(seed, tables.names[SPECIAL_NAME]), stage), number)
        position, outcome = _assign_kinds(seed, number, placed, ends, second_boss, tables, board, key)
        for i in range(len(tables.hidden)):
            if outcome == MADE:
                placed, position = _add_secret_room(board, placed, tables, i, key, position)
                outcome = MADE if placed else NO_SECRET_ROOM
    if outcome == MADE:
        search[PLACED] = placed
        _measure(board, placed, tables)
    return outcome


# --- special rooms -----------------------------------------------------------------------------------


def _assign_kinds(
    seed: int,
    number: int,
    placed: int,
    ends: int,
    second_boss: int,
    tables: PlanTables,
    board: Board,
    key: int,
) -> tuple[int, int]:
    """Give the end rooms their kinds. Returns how many words of `key` that took, and the outcome.

    The boss takes the last end room, which need not be the furthest if the start came back on the queue. Next
    come the rooms that every floorplan has, then those that come by chance, each at a random end room, while
    end rooms are left. In a labyrinth (`second_boss` > 0) shop, treasure and secret room come twice. That
    leaves one of the six end rooms: the first chance room takes it, and the optional second copies of such
    rooms are dropped first.
    """
    kinds, numbers, always, rows = board.kinds, board.numbers, tables.always, tables.by_chance
    copy(kinds, _ALL_NORMAL)
    kinds[0] = START_KIND
    left = ends - 1
    kinds[numbers[board.ends[left]] - 1] = BOSS
    if second_boss:
        kinds[numbers[second_boss] - 1] = BOSS
    if left < len(always):
        return 0, FEW_ENDS
    for i in range(len(always)):
        _take_end(board, left, always[i], key, i)
        left -= 1
    rolls = len(always)
    position = rolls + 2 * tables.level[ROLLS]
    for row in range(0, len(rows), ROW):
        if not left:
            break
        if rows[row + DICE] == STYLE_DICE:
            kind = _roll(key, rolls, rows, row)
            rolls += 2
            if kind:
                _take_end(board, left, kind, key, position)
                position += 1
                left -= 1
        else:
            own = stream_key(seed, tables.names[rows[row + DICE]])
            own = with_id(with_id(with_id(own, tables.level[STAGE]), rows[row + TURN]), number)
            kind = _roll(own, 0, rows, row)
            if kind:
                _take_end(board, left, kind, own, 2)
                left -= 1
    return position, MADE


def _take_end(board: Board, left: int, kind: int, key: int, position: int) -> None:
    """Turn a random one of the remaining ends into a room of a kind."""
    cell = pop(board.ends, left, below(key, position, left))
    board.kinds[board.numbers[cell] - 1] = kind


def _roll(key: int, position: int, rows: array[int], row: int) -> int:
    """Roll the kind that a row gives this time, or NORMAL for none. Its two words are at `position`."""
    turned = _rolled(key, position + 1, rows, row + OTHER_FIRST)
    if not rows[row + (OTHER_ALLOWED if turned else ALLOWED)] or not _rolled(
        key, position, rows, row + FIRST
    ):
        return NORMAL
    return rows[row + (OTHER_KIND if turned else KIND)]


def _rolled(key: int, position: int, rows: array[int], at: int) -> bool:
    """Check whether either chance succeeds: the first by a word's upper half, the second by its lower."""
    first, second = rows[at], rows[at + 2]
    if first > 0 and upper(key, position) * rows[at + 1] >> 32 < first:
        return True
    return second > 0 and lower(key, position) * rows[at + 3] >> 32 < second


def _add_secret_room(
    board: Board, placed: int, tables: PlanTables, which: int, key: int, position: int
) -> tuple[int, int]:
    """Place a secret room beside no room with a single door, the start included, and no special room.

    "Not next to any end rooms": a start with a single door is not an end room, but is a dead end all the
    same. The article's demo only keeps it away from boss rooms, and there is but one. Returns how many rooms
    there are then, 0 if it has no place, and how many words were taken.
    """
    cells, kinds, crowding = board.cells, board.kinds, board.crowding
    as_demo = tables.level[AS_DEMO] == 1
    copy(board.marked, crowding)
    for number in range(placed):
        if as_demo:
            shuns = kinds[number] == BOSS or tables.secret[kinds[number]] == 1
        else:
            shuns = (number > 0 and kinds[number] != NORMAL) or crowding[cells[number]] == DEAD_END
        if shuns:
            forbid(board, cells[number])
    cell, position = find_secret_cell(board, key, position, as_demo)
    if not cell:
        return 0, position
    board.kinds[placed] = tables.hidden[which]
    return add_room(board, placed, cell), position


# --- distances ---------------------------------------------------------------------------------------


def _measure(board: Board, placed: int, tables: PlanTables) -> None:
    """Set the rooms' distances from the start, without walking through secret rooms."""
    distances, kinds, secret = board.distances, board.kinds, tables.secret
    if tables.level[IS_LABYRINTH]:
        _walk(board, placed, secret)
        return
    copy(distances, board.depths)  # in a tree there is only one path
    for number in range(placed):
        if secret[kinds[number]]:
            distances[number] = NO_DISTANCE


def _walk(board: Board, placed: int, secret: bytes) -> None:
    """Set the distances, breadth first."""
    distances, kinds, queue, numbers = board.distances, board.kinds, board.queue, board.numbers
    for number in range(placed):
        distances[number] = NO_DISTANCE
    queue[0] = START
    distances[0], visit, queued = 0, 0, 1
    while visit < queued:
        cell = queue[visit]
        steps = distances[numbers[cell] - 1] + 1
        visit += 1
        for step in STEPS:
            number = numbers[cell + step] - 1
            if number >= 0 and distances[number] == NO_DISTANCE and not secret[kinds[number]]:
                distances[number] = steps
                queue[queued] = cell + step
                queued += 1
