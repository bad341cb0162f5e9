"""The board of the `isaac` style, and how rooms grow on it.

After Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).

Cells have numbers: the units are x, the tens are y, so that a step is +-1 or +-10. x runs from 1 to 9 and
y from 0 to 7; column 0 stays empty and is the edge on both sides.

    01 02 03 .. 09
    11 12 ..
    31 .. 35 ..      35 is the start
    71 ..       79

The board is a flat bytearray of 100. Stepping up from the top row gives a negative number, which Python
reads from the array's end: rows 8 and 9, which are edge too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from generator.rng import Stream

START = 35
CELLS = tuple(10 * y + x for y in range(8) for x in range(1, 10))
STEPS = (-1, 1, -10, 10)
# By cell: the neighbours on the grid, each with the bit of the coin that is tossed for it.
_TOSSES = tuple(
    tuple((1 << coin, number + step) for coin, step in enumerate(STEPS) if number + step in CELLS)
    for number in range(100)
)

_RESEED_ABOVE = 16  # rooms; larger levels put the start back on the queue
_RESEED_EVERY = 10  # rooms placed between two times
_SEARCH_TRIES = 300  # tries to find a cell for a secret room before its rule loosens
_SEARCH_BLOCK = 100  # tries drawn at once


# 100 cells: how many rooms lie beside each, and _TAKEN more where a room or the edge is.
Board = bytearray
_TAKEN = 64
_EMPTY_BOARD = bytearray(0 if number in CELLS else _TAKEN for number in range(100))


class Growth(NamedTuple):
    """A tree of rooms, as far as it is grown."""

    parents: dict[int, int]  # cell -> the cell that it grew from, in placing order; the start's is itself
    ends: list[int]  # cells that added none
    crowding: Board


class Rejected(Exception):  # noqa: N818 - control flow between the modules of this style
    """This try led to nothing; the text is the reason."""


def coins_needed(rooms: int) -> int:
    """How many random bits `grow` may take for so many rooms: four for each that the queue holds."""
    reseeds = rooms // _RESEED_EVERY if rooms > _RESEED_ABOVE else 0
    return 4 * (rooms + reseeds)


def grow(rooms: int, coins: int) -> Growth:
    """Grow a tree of at most `rooms` rooms from the start, breadth first.

    `coins` are random bits, four for each visit of a cell, the lowest first. A cell that adds no room to
    any neighbour is an end room; the start never is one, also when it comes back on the queue.
    """
    crowding = _EMPTY_BOARD[:]
    crowding[START] = _TAKEN
    for step in STEPS:
        crowding[START + step] = 1
    parents = {START: START}
    queue = [START]
    ends = []
    missing = rooms - 1
    for visit, cell in enumerate(queue):  # the queue grows while it is read
        if not missing:  # nobody adds a room any more
            ends += [cell for cell in queue[visit:] if cell != START]
            break
        placed = False
        for coin, neighbour in _TOSSES[cell]:
            if crowding[neighbour] > 1:  # occupied, or more than one filled neighbour
                continue
            if not missing:
                continue
            if coins & coin:
                continue
            placed = True
            missing -= 1
            parents[neighbour] = cell
            queue.append(neighbour)
            crowding[neighbour] += _TAKEN
            crowding[neighbour - 1] += 1
            crowding[neighbour + 1] += 1
            crowding[neighbour - 10] += 1
            crowding[neighbour + 10] += 1
            if rooms > _RESEED_ABOVE and len(parents) % _RESEED_EVERY == 0:
                queue.append(START)
        coins >>= 4
        if not placed and cell != START:
            ends.append(cell)
    return Growth(parents, ends, crowding)


def find_secret_cell(plan: Growth, forbidden: Iterable[int], stream: Stream) -> int:
    """A random empty cell beside at least three rooms, and beside none of `forbidden`.

    After 300 tries two rooms will do, after 600 one; Rejected after 900. One word a try, drawn a hundred
    at once; where no cell would do the 300 tries are not made, and their words are skipped.
    """
    board = plan.crowding[:]
    for room in forbidden:
        for step in STEPS:
            board[room + step] |= _TAKEN
    good: set[int] = set()
    for beside in ((3, 4), (2,), (1,)):
        for number in beside:
            good |= _cells_holding(board, number)
        if not good:
            stream.skip(_SEARCH_TRIES)
            continue
        for _ in range(_SEARCH_TRIES // _SEARCH_BLOCK):
            places: list[int] = stream.below_block(len(CELLS), _SEARCH_BLOCK).tolist()
            for place in places:
                if CELLS[place] in good:
                    return CELLS[place]
    raise Rejected("no place for a secret room")


def _cells_holding(board: Board, number: int) -> set[int]:
    cells = set()
    cell = board.find(number)
    while cell >= 0:
        cells.add(cell)
        cell = board.find(number, cell + 1)
    return cells


def add_room(plan: Growth, cell: int) -> None:
    """Put one more room on the board; its parent is the first room placed beside it."""
    beside = [cell + step for step in STEPS]
    plan.parents[cell] = next(other for other in plan.parents if other in beside)
    plan.crowding[cell] += _TAKEN
    for neighbour in beside:
        plan.crowding[neighbour] += 1


def is_dead_end(plan: Growth, cell: int) -> bool:
    """Whether a room has just one other beside it."""
    return plan.crowding[cell] == _TAKEN + 1
