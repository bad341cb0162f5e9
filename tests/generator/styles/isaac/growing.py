"""The growth of the `isaac` style as tests look at it: with coins of their own, and cells by their rooms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from generator.rng import Stream
from generator.styles.isaac.floorplan import new_state
from generator.styles.isaac.growth_kernel import (
    STEPS,
    Board,
    find_secret_cell,
    forbid,
    grow,
    new_board,
    words_of_coins,
)
from generator.styles.isaac.plan_kernel import ALL_ROOMS, GROWN_ROOMS, begin_search
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.isaac.special_rooms import tables_of


class Grown(NamedTuple):
    parents: dict[int, int]  # cell -> the cell that it grew from, in placing order; the start's is itself
    ends: list[int]
    board: Board

    @property
    def crowding(self) -> bytearray:
        return self.board.crowding


def rooms_wanted(spec: IsaacSpec, labyrinth: bool, seed: int) -> tuple[int, int]:
    """How many rooms grow as a tree, and how many there are in all (secret rooms not counted)."""
    search = new_state()
    begin_search(seed, tables_of(spec, labyrinth).tables, search)
    return search[GROWN_ROOMS], search[ALL_ROOMS]


def coins_needed(rooms: int) -> int:
    return 64 * words_of_coins(rooms)


def grown(rooms: int, coins: int) -> Grown:
    """A tree grown with these coins, the lowest bits first."""
    board = new_board()
    for half in range(2 * words_of_coins(rooms)):
        board.coins[half] = coins >> 32 * half & 0xFFFFFFFF
    placed, ends = grow(rooms, board)
    cells = list(board.cells[:placed])
    parents = {
        cell: next((each for each in cells[:i] if each - cell in STEPS), cell) for i, cell in enumerate(cells)
    }
    return Grown(parents, list(board.ends[:ends]), board)


def secret_cell(tree: Grown, forbidden: Iterable[int], stream: Stream) -> int | None:
    """Where a secret room goes, beside none of the forbidden cells."""
    tree.board.marked[:] = tree.board.crowding
    for cell in forbidden:
        forbid(tree.board, cell)
    cell, stream.position = find_secret_cell(tree.board, stream.key, stream.position)
    return cell or None
