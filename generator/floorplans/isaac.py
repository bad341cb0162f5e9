"""The 2011 game's floorplans, after Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).

Cells have numbers: the units are x, the tens are y, so that a step is +-1 or +-10. x runs from 1 to 9 and
y from 0 to 7; column 0 stays empty and is the edge on both sides.

    01 02 03 .. 09
    11 12 ..
    31 .. 35 ..      35 is the start
    71 ..       79

The board is a flat bytearray of 100. Stepping up from the top row gives a negative number, which Python
reads from the array's end: rows 8 and 9, which are edge too.

How often a try fails, for one in so many seeds (`tests/benchmarks/isaac_tries.py` measures it):
TRIES_TABLE
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from generator.errors import GenerationFailed
from generator.floorplans.floorplan import Floorplan, PlannedDoor, PlannedRoom
from generator.floorplans.special_rooms import SpecialRooms, special_rooms
from generator.geometry import Side
from generator.level import Property
from generator.rng import Stream
from generator.spec import IsaacSpec

START = 35
CELLS = tuple(10 * y + x for y in range(8) for x in range(1, 10))
STEPS = (-1, 1, -10, 10)

_EDGE = bytearray(number not in CELLS for number in range(100))
_RESEED_ABOVE = 16  # rooms; larger levels put the start back on the queue
_RESEED_EVERY = 10  # rooms placed between two times
_COIN_WORDS = 4  # 256 coins a try, four a visit: the queue never holds more than 64 cells
_TRIES_A_BLOCK = 8
_MOST_TRIES = 20_000
_SEARCH_TRIES = 300  # tries to find a cell for a secret room before its rule loosens
_FURTHEST_ENDS = 6  # under the labyrinth only so many end rooms become special
_LABYRINTH_MOST = 45
_LOOSEN_EVERY = 500  # failed tries under the labyrinth until growth places one room more

Board = bytearray  # 100 cells, true where a room or the edge is


class Growth(NamedTuple):
    """A tree of rooms: cells in placing order, the place of each one's parent in it, and end rooms."""

    cells: list[int]
    parents: list[int]
    ends: list[int]
    filled: Board
    touching: Board  # how many rooms lie beside each cell


class Rejected(Exception):  # noqa: N818 - control flow inside this module
    """This try led to nothing; the text is the reason."""


# --- growing -----------------------------------------------------------------------------------------


def grow(rooms: int, coins: int) -> Growth:
    """Grow a tree of at most `rooms` rooms from the start, breadth first.

    `coins` are random bits, four for each visit of a cell, the lowest first. A cell that adds no room to
    any neighbour is an end room; the start never is one, also when it comes back on the queue.
    """
    filled = _EDGE[:]
    touching = bytearray(100)
    filled[START] = 1
    for step in STEPS:
        touching[START + step] = 1
    queue = [START]
    cells = [START]
    parents = [0]
    places = {START: 0}
    ends = []
    reseed = rooms > _RESEED_ABOVE
    for cell in queue:  # grows while it is read
        placed = False
        for coin, step in enumerate(STEPS):
            neighbour = cell + step
            if filled[neighbour]:  # off the grid, or occupied
                continue
            if touching[neighbour] > 1:
                continue
            if len(cells) == rooms:
                continue
            if coins >> coin & 1:
                continue
            placed = True
            filled[neighbour] = 1
            touching[neighbour - 1] += 1
            touching[neighbour + 1] += 1
            touching[neighbour - 10] += 1
            touching[neighbour + 10] += 1
            places[neighbour] = len(cells)
            cells.append(neighbour)
            parents.append(places[cell])
            queue.append(neighbour)
            if reseed and len(cells) % _RESEED_EVERY == 0:
                queue.append(START)
        coins >>= 4
        if not placed and cell != START:
            ends.append(cell)
    return Growth(cells, parents, ends, filled, touching)


# --- rooms outside the tree --------------------------------------------------------------------------


def find_secret_cell(plan: Growth, forbidden: Iterable[int], stream: Stream) -> int:
    """A random empty cell beside at least three rooms, and beside none of `forbidden`.

    After 300 tries two rooms will do, after 600 one; Rejected after 900. One word a try, always 900, so
    that tries which cannot succeed need not be made.
    """
    shunned = {room + step for room in forbidden for step in STEPS}
    for least in (3, 2, 1):
        good = {
            cell
            for cell in CELLS
            if plan.touching[cell] >= least and not plan.filled[cell] and cell not in shunned
        }
        if not good:
            stream.skip(_SEARCH_TRIES)
            continue
        for place in stream.below_block(len(CELLS), _SEARCH_TRIES).tolist():
            if CELLS[place] in good:
                return CELLS[place]
    raise Rejected("no place for a secret room")


def _add(plan: Growth, cell: int) -> None:
    """Put one more room on the board; its parent is the first room placed beside it."""
    beside = {cell + step for step in STEPS}
    plan.parents.append(next(place for place, other in enumerate(plan.cells) if other in beside))
    plan.cells.append(cell)
    plan.filled[cell] = 1
    for neighbour in beside:
        plan.touching[neighbour] += 1
