"""Floorplans of the `gungeon` style for many seeds at once."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from generator.styles.gungeon.plan_kernel import MADE, TRIES, GungeonRules, HeapState, make_plan
from generator.styles.gungeon.route_kernel import HALLWAYS, ROOMS, STRIDE

_EDGE = 2  # tiles of void round a level


class GungeonColumns(NamedTuple):
    """The floorplans as arrays with a row per seed, padded with -1."""

    tries: Any  # [seed]: how many heaps were made
    rooms: Any  # [seed]: how many rooms there are
    kinds: Any  # [seed, room]
    distances: Any  # [seed, room]
    depths: Any  # [seed, room]
    bounds: Any  # [seed, room, 4]: x, y, width and height in tiles
    hallways: Any  # [seed]: how many hallways there are
    connections: Any  # [seed, hallway, 2]: the rooms at both ends
    loops: Any  # [seed]: how many of the hallways are loops
    extent: Any  # [seed, 2]: width and height in tiles


def make_plans(
    seeds: array[int], first: int, rules: GungeonRules, state: HeapState, out: GungeonColumns
) -> int:
    """Write the floorplans of seeds from `first` on to `out`. Returns where it stopped, or the last + 1.

    It stops at a seed that needs more space than the state has, or that kernels cannot handle.
    """
    for row in range(first, len(seeds)):
        outcome = make_plan(seeds[row], rules, state)
        if outcome == MADE:
            _write_down(row, state, out)
        elif outcome != TRIES:
            return row
    return len(seeds)


def make_one(seeds: array[int], rules: GungeonRules, state: HeapState) -> int:
    """Make the floorplan of the first seed in the state and return the outcome."""
    return make_plan(seeds[0], rules, state)


def frame(state: HeapState, box: array[int]) -> None:
    """Set `box` to the left, top, right and bottom of all rooms and hallways, walls included."""
    rects, hallways, numbers = state.rects, state.hallways, state.grid.numbers
    left, top = rects.x[0], rects.y[0]
    right, bottom = left, top
    for room in range(numbers[ROOMS]):
        left, top = min(left, rects.x[room]), min(top, rects.y[room])
        right = max(right, rects.x[room] + rects.width[room])
        bottom = max(bottom, rects.y[room] + rects.height[room])
    wall = state.doors.width + 1
    for i in range(hallways.begins[numbers[HALLWAYS]] if numbers[HALLWAYS] else 0):
        x, y = hallways.paths[i] % numbers[STRIDE], hallways.paths[i] // numbers[STRIDE]
        left, top, right, bottom = (
            min(left, x - 1),
            min(top, y - 1),
            max(right, x + wall),
            max(bottom, y + wall),
        )
    box[0], box[1], box[2], box[3] = left, top, right, bottom


def _write_down(row: int, state: HeapState, out: GungeonColumns) -> None:
    rects, hallways, numbers, box = state.rects, state.hallways, state.grid.numbers, state.graph.queue
    frame(state, box)
    left, top = box[0] - _EDGE, box[1] - _EDGE
    out.extent[row, 0], out.extent[row, 1] = box[2] + _EDGE - left, box[3] + _EDGE - top
    out.tries[row] = state.tries[0]
    out.rooms[row], out.hallways[row] = numbers[ROOMS], numbers[HALLWAYS]
    for room in range(numbers[ROOMS]):
        out.kinds[row, room] = state.rooms.kinds[room]
        out.distances[row, room] = state.distances[room]
        out.depths[row, room] = state.depths[room]
        out.bounds[row, room, 0] = rects.x[room] - left
        out.bounds[row, room, 1] = rects.y[room] - top
        out.bounds[row, room, 2] = rects.width[room]
        out.bounds[row, room, 3] = rects.height[room]
    out.loops[row] = 0
    for hallway in range(numbers[HALLWAYS]):
        out.connections[row, hallway, 0] = hallways.rooms[2 * hallway]
        out.connections[row, hallway, 1] = hallways.rooms[2 * hallway + 1]
        out.loops[row] += hallways.loops[hallway]
