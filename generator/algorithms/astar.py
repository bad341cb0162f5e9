"""A* over a flat grid (Hart, Nilsson, Raphael 1968), where a bend costs as much as some tiles.

A state is a place and the direction of travel, so that paths are straight: state = place * 4 + direction,
with north, east, south, west as 0 to 3. A move is a step ahead, or a turn on the spot.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

BEND = 4  # as long as this many steps

_STATE_BITS, _COST_BITS = 40, 24
_FAR = 1 << _COST_BITS
_STATE_MASK = (1 << _STATE_BITS) - 1


def find_path(
    blocked: bytearray, stride: int, starts: Sequence[int], goals: Sequence[int], limit: int
) -> list[int] | None:
    """Find the states of a cheapest path from one of `starts` to one of `goals`, both included.

    `blocked` has every place of the grid, row by row, `stride` places per row; the rim must be blocked.
    Between paths of equal cost, the order of states decides. None if no path costs `limit` or less.
    """
    steps = (-stride, 1, stride, -1)
    estimates = _estimates(goals, stride)
    heap = []
    for start in starts:
        estimate = estimates[start & 1][start >> 2]
        if estimate <= limit:
            heap.append((estimate << _COST_BITS | estimate) << _STATE_BITS | start)
    if not heap:
        return None
    wanted = frozenset(goals)
    end_tiles = frozenset([state >> 2 for state in (*starts, *goals)])
    costs = dict.fromkeys(starts, 0)
    before: dict[int, int] = {}
    heap.sort()  # each key sorts by the estimate for the whole path, then for the rest of it, then by state
    done: set[int] = set()
    while heap:
        state = heappop(heap) & _STATE_MASK
        if state in done:
            continue
        done.add(state)
        if state in wanted:
            return _walked_back(state, before)
        cost = costs[state] + 1
        tile, direction = state >> 2, state & 3
        ahead = tile + steps[direction]
        new = ahead * 4 + direction
        # A closed state has its least cost: the estimate never falls by more than a move costs.
        if not blocked[ahead] and cost < costs.get(new, _FAR):
            estimate = estimates[direction & 1][ahead]
            if cost + estimate <= limit:
                costs[new] = cost
                before[new] = state
                heappush(heap, ((cost + estimate) << _COST_BITS | estimate) << _STATE_BITS | new)
        cost += BEND - 1
        for toward in (direction + 1 & 3, direction + 3 & 3):
            if blocked[tile + steps[toward]] and tile not in end_tiles:
                continue  # nothing to turn to; two turns are allowed only at either end
            new = tile * 4 + toward
            if cost < costs.get(new, _FAR):
                estimate = estimates[toward & 1][tile]
                if cost + estimate <= limit:
                    costs[new] = cost
                    before[new] = state
                    heappush(heap, ((cost + estimate) << _COST_BITS | estimate) << _STATE_BITS | new)
    return None


Runs = tuple[tuple[int, int, int], ...]
"""Goals in lines: the row or column of each, and the first and last of its places there."""


def _estimates(goals: Sequence[int], stride: int) -> tuple[_Estimates, _Estimates]:
    """Return the estimates by axis of travel: 0 for up and down, 1 for along a row."""
    places = [divmod(goal >> 2, stride) for goal in goals if not goal & 1]
    in_rows = _runs(places)
    places = [divmod(goal >> 2, stride) for goal in goals if goal & 1]
    in_columns = _runs([(x, y) for y, x in places])
    return _Estimates(stride, 0, in_rows, in_columns), _Estimates(stride, 1, in_columns, in_rows)


def _runs(places: list[tuple[int, int]]) -> Runs:
    """Join places (line, place) that are next to each other."""
    runs: list[tuple[int, int, int]] = []
    for line, place in sorted(places):
        if runs and runs[-1][0] == line and runs[-1][2] == place - 1:
            runs[-1] = line, runs[-1][1], place
        else:
            runs.append((line, place, place))
    return tuple(runs)


class _Estimates(dict[int, int]):
    """The estimate from each tile for travel along an axis, computed when it is first asked for.

    It is a lower bound for a path's cost: the steps to the nearest goal, plus the unavoidable bends. On the
    axis on which a goal is entered, those of `same`, a path bends twice if the goal lies to the side,
    otherwise not at all; on the other axis, once.
    """

    def __init__(self, stride: int, is_row: int, same: Runs, others: Runs) -> None:
        super().__init__()
        self._stride, self._is_row, self._same, self._others = stride, is_row, same, others

    def __missing__(self, tile: int) -> int:
        ahead, aside = divmod(tile, self._stride)
        if self._is_row:
            ahead, aside = aside, ahead
        least = _FAR
        for line, first, last in self._others:
            cost = (aside - line if aside > line else line - aside) + BEND
            if ahead < first:
                cost += first - ahead
            elif ahead > last:
                cost += ahead - last
            if cost < least:  # noqa: PLR1730  # calling min() would take longer than this whole line
                least = cost
        for line, first, last in self._same:
            cost = ahead - line if ahead > line else line - ahead
            if aside < first:
                cost += first - aside + 2 * BEND
            elif aside > last:
                cost += aside - last + 2 * BEND
            if cost < least:  # noqa: PLR1730
                least = cost
        self[tile] = least
        return least


def _walked_back(state: int, before: dict[int, int]) -> list[int]:
    path = [state]
    while path[-1] in before:
        path.append(before[path[-1]])
    return path[::-1]
