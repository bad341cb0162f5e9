"""A* over a flat grid (Hart, Nilsson, Raphael 1968), where a bend costs as much as some tiles.

A state is a place and the direction of travel, so that paths are straight: state = place * 4 + direction,
with north, east, south, west as 0 to 3. A move is a step ahead, or a turn on the spot.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

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
    if not starts or not goals:
        return None
    steps = (-stride, 1, stride, -1)
    aims = _aims(goals, stride)
    estimates = [_Estimates(stride, aim) for aim in aims]
    wanted = frozenset(goals)
    end_tiles = frozenset(state >> 2 for state in (*starts, *goals))
    costs = dict.fromkeys(starts, 0)
    before: dict[int, int] = {}
    heap = [_key(0, estimates[start & 1][start >> 2], start) for start in starts]
    heap.sort()
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


class _Aims(NamedTuple):
    """The goals (y, x) for travel along an axis: those to be reached on the same axis, and the others.

    Travelling along a row, a goal on the same axis lies to the side if its row is different; travelling along
    a column, if its column is.
    """

    is_row: int
    same: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int], ...]


def _aims(goals: Sequence[int], stride: int) -> tuple[_Aims, _Aims]:
    """Return the aims by axis: 0 for up and down, 1 for along a row."""
    places = tuple(tuple(divmod(goal >> 2, stride) for goal in goals if goal & 1 == axis) for axis in (0, 1))
    return _Aims(0, *places), _Aims(1, *places[::-1])


class _Estimates(dict[int, int]):
    """The estimate from each tile for travel along an axis, computed when it is first asked for."""

    def __init__(self, stride: int, aims: _Aims) -> None:
        super().__init__()
        self._stride, self._aims = stride, aims

    def __missing__(self, tile: int) -> int:
        estimate = self[tile] = _estimate(tile, self._stride, self._aims)
        return estimate


def _estimate(tile: int, stride: int, aims: _Aims) -> int:
    """Compute a lower bound for a path's cost: the steps to the nearest aim, plus the unavoidable bends.

    On the axis that the aim wants, a path bends twice if the aim lies to the side, otherwise not at all; on
    the other axis, once.
    """
    y, x = divmod(tile, stride)
    is_row, same_axis, other_axis = aims
    least = _FAR
    for aim_y, aim_x in other_axis:
        cost = (y - aim_y if y > aim_y else aim_y - y) + (x - aim_x if x > aim_x else aim_x - x) + BEND
        if cost < least:  # noqa: PLR1730  # calling min() would take longer than this whole line
            least = cost
    for aim_y, aim_x in same_axis:
        cost = (y - aim_y if y > aim_y else aim_y - y) + (x - aim_x if x > aim_x else aim_x - x)
        if cost < least:
            if y != aim_y if is_row else x != aim_x:
                cost += 2 * BEND
            if cost < least:  # noqa: PLR1730
                least = cost
    return least


def _key(cost: int, estimate: int, state: int) -> int:
    """Return a key that sorts by the estimate for the whole path, then for the rest of it, then by state."""
    return ((cost + estimate) << _COST_BITS | estimate) << _STATE_BITS | state


def _walked_back(state: int, before: dict[int, int]) -> list[int]:
    path = [state]
    while path[-1] in before:
        path.append(before[path[-1]])
    return path[::-1]
