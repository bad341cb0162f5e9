"""The additional rooms of a labyrinth, on a board of the `isaac` style.

After Boris the Brave: "Dungeon Generation in Binding of Isaac" (2020).
"""

from __future__ import annotations

from generator.compiled.buffers import copy
from generator.compiled.words import below
from generator.styles.isaac.growth_kernel import (
    MADE,
    NO_FURTHER_ROOM,
    NO_SECOND_BOSS,
    STEPS,
    Board,
    add_room,
    find_secret_cell,
    forbid,
)

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
