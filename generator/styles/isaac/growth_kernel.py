"""The board of the `isaac` style, and the growth of rooms on it.

After Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).

Cells have numbers: the units are x, the tens are y, so that a step is +-1 or +-10. x runs from 1 to 9 and
y from 0 to 7; column 0 stays empty and is the edge on both sides.

    01 02 03 .. 09
    11 12 ..
    31 .. 35 ..      35 is the start
    71 ..       79

The article's demo grows rooms in rows 0 to 6 only, and looks for a secret room in rows 1 to 8.

A board has 100 cells. Stepping up from the top row gives a negative number, which is read from the board's
end: rows 8 and 9, which are edge too.
"""

from __future__ import annotations

from array import array

from generator.compiled.primitives import below, copy, find, first_in, signed, translate, word
from generator.named_tuple import NamedTuple

START = 35
CELLS = bytes(10 * y + x for y in range(8) for x in range(1, 10))
DEMO_CELLS = bytes(10 * y + x for y in range(1, 9) for x in range(1, 10))
STEPS = (-1, 1, -10, 10)
MAX_ROOMS = 80  # more than the cells of the board
MAX_COINS = 64  # halves of words

# Outcomes of a try.
MADE, FEW_ROOMS, BOSS_AT_START, NO_SECOND_BOSS, NO_FURTHER_ROOM, FEW_ENDS, NO_SECRET_ROOM, OUTCOMES = range(8)


_TAKEN = 64
DEAD_END = _TAKEN + 1  # the crowding of a room with just one neighbour
_EMPTY_BOARD = bytes(0 if number in CELLS else _TAKEN for number in range(100))
_DEMO_BOARD = bytes(0 if number in CELLS[:-9] else _TAKEN for number in range(100))
_LAST_ROW = CELLS[-9:]
_NOTHING = bytes(100)
_COINS_A_VISIT, _VISITS_A_HALF = 4, 8
# By the coins of a visit: the steps whose coin shows heads, in the order of STEPS, relative to the step up.
_UP = -10
_HEADS = tuple(bytes(STEPS[i] - _UP for i in range(4) if not coins >> i & 1) for coins in range(16))
_RESEED_ABOVE = 16  # rooms; larger levels put the start back on the queue
_RESEED_EVERY = 10  # rooms placed between two such times
_SEARCH_TRIES = 300  # tries to find a cell for a secret room before its rule loosens
_SEARCH_BLOCK = 100  # tries whose words are taken at once
# By the number of rooms beside a free cell: whether a secret room may be there at first, later, and at last.
_GOOD = tuple(bytes(least <= number <= 4 for number in range(256)) for least in (3, 2, 1))


class Board(NamedTuple):
    """A floorplan while it is made. Rooms are numbered from 0 in the order in which they were placed."""

    crowding: bytearray  # by cell: how many rooms lie beside it, plus _TAKEN for a room or the edge
    numbers: bytearray  # by cell: its room's number plus 1; 0 without a room
    cells: bytearray  # by room: its cell
    depths: bytearray  # by room: in the tree that grew it
    distances: bytearray  # by room: rooms walked from the start, or NO_DISTANCE
    kinds: bytearray  # by room: the index of its kind in a list
    ends: bytearray  # cells of rooms that added no room
    queue: bytearray  # cells to visit
    marked: bytearray  # by cell: crowding, or a mark for cells that a search may not take
    wanted: bytearray  # by cell: 1 where a search may end
    coins: array[int]  # halves of words


def new_board() -> Board:
    """Make a new board, which can be used for one floorplan after another."""
    return Board(
        crowding=bytearray(100),
        numbers=bytearray(100),
        cells=bytearray(MAX_ROOMS),
        depths=bytearray(MAX_ROOMS),
        distances=bytearray(MAX_ROOMS),
        kinds=bytearray(MAX_ROOMS),
        ends=bytearray(MAX_ROOMS),
        queue=bytearray(MAX_ROOMS),
        marked=bytearray(100),
        wanted=bytearray(100),
        coins=array("q", bytes(8 * MAX_COINS)),
    )


def words_of_coins(rooms: int) -> int:
    """Count the random words that `grow` takes: four bits for each room that the queue may hold."""
    reseeds = rooms // _RESEED_EVERY if rooms > _RESEED_ABOVE else 0
    return (_COINS_A_VISIT * (rooms + reseeds) + 63) // 64


def toss(key: int, position: int, words: int, coins: array[int]) -> None:
    """Fill `coins` from `words` random words, each as two halves, the lower one first."""
    for number in range(words):
        both = word(key, position + number)
        coins[2 * number] = signed(both & 0xFFFFFFFF)
        coins[2 * number + 1] = signed(both >> 32)


def grow(rooms: int, board: Board, as_demo: bool = False) -> tuple[int, int]:
    """Grow a tree of at most `rooms` rooms from the start, breadth first. Returns how many rooms and ends.

    `board.coins` are random bits, four for each visit of a cell, the lowest first. A cell that adds no room
    to any neighbour is an end room; the start never is, not even when it comes back on the queue. In the
    article's demo it does not come back.
    """
    crowding, numbers, cells, depths = board.crowding, board.numbers, board.cells, board.depths
    queue, ends, coins = board.queue, board.ends, board.coins
    _begin(board, as_demo)
    reseeds = rooms > _RESEED_ABOVE and not as_demo
    placed, queued, visit, end_rooms, tosses = 1, 1, 0, 0, 0
    while visit < queued and placed < rooms:
        cell = queue[visit]
        if visit % _VISITS_A_HALF == 0:
            tosses = coins[visit // _VISITS_A_HALF]
        before = placed
        above = cell + _UP
        depth = depths[numbers[cell] - 1] + 1
        for step in _HEADS[tosses & 15]:
            neighbour = above + step
            if crowding[neighbour] > 1:  # occupied, or more than one filled neighbour
                continue
            cells[placed] = queue[queued] = neighbour
            depths[placed] = depth
            placed += 1
            queued += 1
            numbers[neighbour] = placed
            crowding[neighbour] += _TAKEN
            crowding[neighbour - 1] += 1
            crowding[neighbour + 1] += 1
            crowding[neighbour - 10] += 1
            crowding[neighbour + 10] += 1
            if reseeds and placed % _RESEED_EVERY == 0:
                queue[queued] = START
                queued += 1
            if placed == rooms:
                break
        tosses >>= _COINS_A_VISIT
        visit += 1
        if placed == before and cell != START:
            ends[end_rooms] = cell
            end_rooms += 1
    for late in range(visit, queued):  # no cell adds a room any more
        if queue[late] != START:
            ends[end_rooms] = queue[late]
            end_rooms += 1
    return placed, end_rooms


def _begin(board: Board, as_demo: bool) -> None:
    """Put only the start on the board and on the queue."""
    if as_demo:
        copy(board.crowding, _DEMO_BOARD)
    else:
        copy(board.crowding, _EMPTY_BOARD)
    copy(board.numbers, _NOTHING)
    _crowd(board.crowding, START)
    board.numbers[START] = 1
    board.cells[0] = board.queue[0] = START
    board.depths[0] = 0


def _crowd(crowding: bytearray, cell: int) -> None:
    """Take a cell, and count its room for its neighbours."""
    crowding[cell] += _TAKEN
    crowding[cell - 1] += 1
    crowding[cell + 1] += 1
    crowding[cell - 10] += 1
    crowding[cell + 10] += 1


def add_room(board: Board, placed: int, cell: int) -> int:
    """Add a room, one deeper than the first room placed beside it. Returns the number of rooms."""
    first = MAX_ROOMS
    for step in STEPS:
        number = board.numbers[cell + step]
        if 0 < number < first:
            first = number
    board.cells[placed] = cell
    board.depths[placed] = board.depths[first - 1] + 1
    board.numbers[cell] = placed + 1
    _crowd(board.crowding, cell)
    return placed + 1


def forbid(board: Board, cell: int) -> None:
    """Keep `find_secret_cell` from taking cells beside this one. `board.marked` starts as the crowding."""
    marked = board.marked
    marked[cell - 1] |= _TAKEN
    marked[cell + 1] |= _TAKEN
    marked[cell - 10] |= _TAKEN
    marked[cell + 10] |= _TAKEN


def open_last_row(board: Board) -> None:
    """Let rooms stand on the row of the board on which the article's demo grows none."""
    for cell in _LAST_ROW:
        board.crowding[cell] -= _TAKEN


def find_secret_cell(board: Board, key: int, position: int, as_demo: bool = False) -> tuple[int, int]:
    """Draw an empty cell beside at least three rooms from those in `board.marked`. 0 if there is none.

    After 300 tries two rooms are enough, after 600 one; there are 900 tries. Each takes one word, and a
    hundred words are drawn at once. Also returns how many words were taken.
    """
    for good in _GOOD:
        translate(board.wanted, board.marked, good)
        if find(board.wanted, 1) >= 0:
            cells = DEMO_CELLS if as_demo else CELLS
            tries = first_in(key, position, _SEARCH_TRIES, cells, board.wanted)
            if tries >= 0:
                return cells[below(key, position + tries, len(cells))], position + _words_taken(tries)
        position += _SEARCH_TRIES
    return 0, position


def _words_taken(tries: int) -> int:
    return (tries // _SEARCH_BLOCK + 1) * _SEARCH_BLOCK


# The additional rooms of a labyrinth, on a board of the `isaac` style.
#
# After Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).


_FURTHEST_ENDS = 6  # only this many end rooms of a labyrinth become special


def enlarge(board: Board, placed: int, ends: int, rooms: int, key: int) -> tuple[int, int, int, int]:
    """Make a labyrinth: a second boss room behind the first, then normal rooms up to `rooms`.

    Normal rooms are placed like secret rooms, away from all end rooms; if that fails, only away from the
    furthest ones, which become special. Returns the rooms, the ends, cut to the furthest six, the cell of the
    second boss room, which touches only the first, and the outcome.
    """
    boss = board.ends[ends - 1]
    second_boss = _cell_behind(board, boss, key)
    if not second_boss:
        return placed, ends, 0, NO_SECOND_BOSS
    placed, position = add_room(board, placed, second_boss), 1
    forbidden, count = board.queue, ends
    copy(forbidden, board.ends)
    ends = _keep_furthest(board, ends)
    while placed < rooms:
        cell, position = _further_cell(board, forbidden, count, second_boss, key, position)
        if not cell:
            forbidden, count = board.ends, ends  # an end room that stays normal need not stay an end
            cell, position = _further_cell(board, forbidden, count, second_boss, key, position)
        if not cell:
            return placed, ends, second_boss, NO_FURTHER_ROOM
        placed = add_room(board, placed, cell)
    return placed, ends, second_boss, MADE


def _cell_behind(board: Board, boss: int, key: int) -> int:
    """Draw a free cell that touches only the boss room, for one word. 0 and no word if there is none."""
    free = 0
    for step in STEPS:
        free += board.crowding[boss + step] == 1
    if not free:
        return 0
    left = below(key, 0, free)
    for step in STEPS:
        if board.crowding[boss + step] == 1:
            if not left:
                return boss + step
            left -= 1
    return 0


def _keep_furthest(board: Board, count: int) -> int:
    """Sort all ends but the last by depth and keep the furthest and the last. Returns how many are kept."""
    ends, numbers, depths = board.ends, board.numbers, board.depths
    boss = ends[count - 1]
    for i in range(1, count - 1):  # a stable sort
        cell, position = ends[i], i
        while position > 0 and depths[numbers[ends[position - 1]] - 1] > depths[numbers[cell] - 1]:
            ends[position] = ends[position - 1]
            position -= 1
        ends[position] = cell
    kept = min(count, _FURTHEST_ENDS)
    for i in range(kept - 1):
        ends[i] = ends[count - kept + i]
    ends[kept - 1] = boss
    return kept


def _further_cell(
    board: Board, forbidden: bytearray, count: int, second_boss: int, key: int, position: int
) -> tuple[int, int]:
    """Find a cell for a normal room, not beside a forbidden one. 0 if there is none."""
    copy(board.marked, board.crowding)
    for i in range(count):
        forbid(board, forbidden[i])
    forbid(board, second_boss)
    return find_secret_cell(board, key, position)
