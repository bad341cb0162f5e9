"""Slips that ports of the 2011 game's generator are known to make, each shown not to be here."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import generate
from generator.rng import Stream
from generator.seeds import seed_from_text
from generator.styles.isaac.growth_kernel import CELLS, START, STEPS, new_board

from . import oracle
from .growing import Grown, coins_needed, grown, secret_cell

SEEDS = st.integers(0, 2**64 - 1)


def test_a_room_added_on_one_side_does_not_end_the_visit() -> None:
    """`created = created or visit(...)` never tries a second side; then no room has two children."""
    tree = grown(30, 0)
    children = Counter(parent for cell, parent in tree.parents.items() if cell != START)
    assert children[START] == 4 and max(children.values()) > 1


@pytest.mark.parametrize("side", range(4))
def test_the_start_tosses_a_coin_for_each_of_its_sides(side: int) -> None:
    """A demo spares the start the coin. Here one head among four coins grows just that side."""
    coins = (1 << coins_needed(12)) - 1 - (1 << side)
    tree = grown(12, coins)
    assert list(tree.parents) == [START, START + STEPS[side]]


def test_the_start_is_as_often_a_dead_end_as_four_coins_say() -> None:
    """With the coin spared it would always have four doors."""
    doors: Counter[int] = Counter()
    for seed in range(600):
        plan = generate("isaac", seed, stage=3, until="floorplan")
        doors[len(oracle.beside((5, 3), oracle.walked(plan)))] += 1
    assert set(doors) == {1, 2, 3, 4}
    assert doors[4] < 0.25 * 600


def test_the_secret_room_counts_its_neighbours() -> None:
    """`ncount()` of nothing is never 3 or more: then the cell comes from the last fallback, beside one."""
    beside = Counter(
        len(oracle.beside(cell, oracle.walked(plan)))
        for seed in range(200)
        for plan in [generate("isaac", seed, stage=8, until="floorplan")]
        for cell in oracle.secret_cells(plan)
    )
    assert beside[3] + beside[4] > 2 * (beside[1] + beside[2])


@given(SEEDS, st.integers(1, 30))
@settings(max_examples=60)
def test_the_search_never_leaves_the_board(seed: int, rooms: int) -> None:
    """Rows 8 and 9, or column 0, of a board that is kept in a flat array: some ports look there."""
    tree = grown(rooms, Stream(seed, "coins").bits(coins_needed(rooms)))
    assert set(tree.parents) <= set(CELLS)
    found = secret_cell(tree, (), Stream(seed, "secret"))
    assert found in CELLS and found not in tree.parents


@pytest.mark.parametrize("row", range(8))
@pytest.mark.parametrize("column", [1, 9])
def test_the_ends_of_two_rows_do_not_touch(row: int, column: int) -> None:
    """index + 1 of the last column is not the first column of the next row."""
    cell = 10 * row + column
    lonely = Grown({cell: cell}, [], new_board())
    lonely.crowding[:] = bytes(0 if one in CELLS else 64 for one in range(100))
    lonely.crowding[cell] = 64
    for step in STEPS:
        lonely.crowding[cell + step] += 1
    found = {secret_cell(lonely, (), Stream(seed, "secret")) for seed in range(40)}
    x, y = column, row
    assert {(one % 10, one // 10) for one in found if one} == {
        (a, b) for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 1 <= a <= 9 and 0 <= b <= 7
    }


@pytest.mark.parametrize("seed", range(6))
def test_no_door_wraps_around(seed: int) -> None:
    plan = generate("isaac", seed, stage=10, until="floorplan")
    for door in plan.doors:
        (ax, ay), (bx, by) = plan.rooms[door.a].cells[0], plan.rooms[door.b].cells[0]
        assert abs(ax - bx) + abs(ay - by) == 1


def test_a_text_is_the_same_seed_everywhere() -> None:
    """(A string's hash differs from run to run.) The number is blake2b's, 8 bytes, little-endian."""
    code = "from generator.seeds import seed_from_text; print(seed_from_text('basement'))"
    numbers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }  # fmt: skip
    assert numbers == {f"{seed_from_text('basement')}\n"} == {"17344914815768845145\n"}


def test_the_boss_is_never_the_only_end_room() -> None:
    """Taking shop and treasure from an empty list is an error in one port, a missing room in another."""
    for seed in range(300):
        kinds = Counter(room.kind for room in generate("isaac", seed, rooms=5, until="floorplan").rooms)
        assert kinds["boss"] == kinds["shop"] == kinds["treasure"] == kinds["secret"] == 1
