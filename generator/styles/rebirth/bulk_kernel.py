"""Floorplans of the `rebirth` style for many seeds at once."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from generator.styles.rebirth.board import (
    ANCHOR,
    BARRED,
    CELLS,
    DEPTH,
    DISTANCE,
    NO_DISTANCE,
    RIM,
    ROOM_KIND,
    SHAPE,
    STRIDE,
)
from generator.styles.rebirth.growth_kernel import level_draws, stage_seed
from generator.styles.rebirth.stage_kernel import BLOCKED, ROOMS, TRIES, begin, finish_floor, make_floor

if TYPE_CHECKING:
    from generator.styles.grid.columns import PlanArrays


def draw_levels(starts: Any, slot: int, curse_rate: int, void: bool, out: Any) -> None:
    """Write each start seed's stage seed and level draws to six columns of `out`."""
    for i in range(len(starts)):
        seed = stage_seed(int(starts[i]), slot)
        curse, extra, extra_hard, drawn, generator_seed = level_draws(seed, curse_rate, void)
        out[i, 0], out[i, 1], out[i, 2] = seed, curse, extra
        out[i, 3], out[i, 4], out[i, 5] = extra_hard, drawn, generator_seed


def make_plans(
    seeds: Any,
    wanted: Any,
    rows: Any,
    rules: array[int],
    floor: bytearray,
    luck: array[int],
    out: PlanArrays,
) -> None:
    """Write the floorplan of each generator seed and number of rooms to the row of `out` given in `rows`."""
    floor[BARRED + rules[BLOCKED]] = 1  # position 0 is on the rim
    for i in range(len(seeds)):
        begin(luck, rules, int(seeds[i]), int(wanted[i]))
        row = rows[i]
        if make_floor(floor, rules, luck) == 0:
            _write_down(floor, finish_floor(floor, rules, luck[ROOMS]), row, out)
        out.tries[row] = luck[TRIES]


def _write_down(floor: bytearray, rooms: int, row: int, out: PlanArrays) -> None:
    left = top = STRIDE
    right = bottom = cells = 0
    out.rooms[row] = rooms
    for room in range(rooms):
        shape, distance = floor[SHAPE + room], floor[DISTANCE + room]
        out.kind[row, room] = floor[ROOM_KIND + room]
        out.shape[row, room] = shape - 1
        out.depth[row, room] = floor[DEPTH + room]
        out.distance[row, room] = -1 if distance == NO_DISTANCE else distance
        for offset in CELLS[shape]:
            position = floor[ANCHOR + room] + offset
            x, y = position % STRIDE - RIM, position // STRIDE - RIM
            left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
            out.cell[row, cells, 0] = x
            out.cell[row, cells, 1] = y
            out.owner[row, cells] = room
            cells += 1
    out.cells[row] = cells
    out.extent[row, 0] = right - left + 1
    out.extent[row, 1] = bottom - top + 1
