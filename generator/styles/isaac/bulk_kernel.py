"""Floorplans of the `isaac` style for many seeds at once."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from generator.compiled.primitives import below, stream_key, with_id
from generator.styles.isaac.growth_kernel import MADE, START, Board
from generator.styles.isaac.plan_kernel import NO_DISTANCE, PLACED, TRIES, PlanTables, begin_search, search_on

if TYPE_CHECKING:
    from generator.styles.grid.columns import PlanArrays

NO_CURSE = 0
LABYRINTH = 1  # the other curses follow, in the order in which they are drawn
_CURSES = 6


def draw_curse(seed: int, name: int, stage: int, hard: int) -> int:
    """Draw a curse's number. There is one 1 time in 5, in hard mode 1 in 3 (isaac-facts 4.3).

    The labyrinth falls only on the first stage of a chapter, before stage 8; drawn elsewhere, it counts as no
    curse.
    """
    key = with_id(stream_key(seed, name), stage)
    comes = below(key, 0, 3 if hard else 5) < 1
    kind = 1 + below(key, 1, _CURSES)
    if not comes or (kind == LABYRINTH and (stage % 2 == 0 or stage >= 8)):
        return NO_CURSE
    return kind


def draw_curses(seeds: array[int], name: int, stage: int, hard: int, curses: Any) -> None:
    """Draw the curse of each seed."""
    for i in range(len(seeds)):
        curses[i] = draw_curse(seeds[i], name, stage, hard)


def make_plans(
    seeds: array[int],
    rows: array[int],
    tables: PlanTables,
    most: int,
    search: array[int],
    board: Board,
    out: PlanArrays,
) -> None:
    """Write the floorplan of each seed to the row of `out` that `rows` gives for it."""
    for i in range(len(seeds)):
        begin_search(seeds[i], tables, search)
        outcome = search_on(seeds[i], tables, search, board, most)
        out.tries[rows[i]] = search[TRIES]
        if outcome == MADE:
            _write_down(board, search[PLACED], rows[i], out)


def _write_down(board: Board, placed: int, row: int, out: PlanArrays) -> None:
    left = right = START % 10
    top = bottom = START // 10
    out.rooms[row] = out.cells[row] = placed
    for number in range(placed):
        cell, distance = board.cells[number], board.distances[number]
        x, y = cell % 10, cell // 10
        left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        out.kind[row, number] = board.kinds[number]
        out.shape[row, number] = 0
        out.distance[row, number] = -1 if distance == NO_DISTANCE else distance
        out.depth[row, number] = board.depths[number]
        out.cell[row, number, 0] = x
        out.cell[row, number, 1] = y
        out.owner[row, number] = number
    out.extent[row, 0] = right - left + 1
    out.extent[row, 1] = bottom - top + 1
