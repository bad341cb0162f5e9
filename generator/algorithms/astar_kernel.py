"""`astar.find_path` as a kernel (Hart, Nilsson, Raphael 1968): the same path, over flat arrays."""

from __future__ import annotations

from array import array
from heapq import heapify, heappop, heappush
from typing import NamedTuple

_BEND = 4
_STATE_BITS, _COST_BITS = 25, 19
MAX_COST = (1 << _COST_BITS) - 1
_FAR = 1 << 40
_FREE, _BLOCKED, _END = range(3)


class PathSearch(NamedTuple):
    """A grid, and what the present search knows of its states.

    Each place has four states. `opened` and `closed` hold the number of the last search that reached a state,
    and that finished with it.
    """

    blocked: bytearray  # [place]
    costs: array[int]  # [state]
    before: array[int]  # [state]
    opened: array[int]  # [state]
    closed: array[int]  # [state]


def find_path(
    search: PathSearch,
    number: int,
    stride: int,
    starts: list[int],
    goals: list[int],
    limit: int,
    path: list[int],
) -> int:
    """Append the states of a cheapest path to `path`, last one first. Returns 0 if none is within the limit.

    `number` must be larger than in any earlier search on these arrays; `limit` is at most `MAX_COST`.
    """
    if not starts or not goals:
        return 0
    blocked = search.blocked
    for state in starts:
        blocked[state >> 2] = _END
    for state in goals:
        blocked[state >> 2] = _END
    last = _search(search, number, stride, starts, goals, limit)
    for state in starts:
        blocked[state >> 2] = _FREE
    for state in goals:
        blocked[state >> 2] = _FREE
    if last < 0:
        return 0
    while last >= 0:
        path.append(last)
        last = search.before[last]
    return 1


def _search(
    search: PathSearch, number: int, stride: int, starts: list[int], goals: list[int], limit: int
) -> int:
    """Search for a goal and return the one that is reached, or -1 if none is."""
    blocked, costs, opened, closed = search.blocked, search.costs, search.opened, search.closed
    heap = [_key(0, _estimate(state >> 2, state & 1, stride, goals), state) for state in starts]
    heapify(heap)
    for state in starts:
        _open(search, number, state, 0, -1)
    while heap:
        state = heappop(heap) & ((1 << _STATE_BITS) - 1)
        if closed[state] == number:
            continue
        closed[state] = number
        tile, direction = state >> 2, state & 3
        if blocked[tile] == _END and _has(goals, state):
            return state
        cost = costs[state] + 1
        ahead = tile + _step(direction, stride)
        new = ahead * 4 + direction
        if blocked[ahead] != _BLOCKED and (opened[new] != number or cost < costs[new]):
            estimate = _estimate(ahead, direction & 1, stride, goals)
            if cost + estimate <= limit:
                _open(search, number, new, cost, state)
                heappush(heap, _key(cost, estimate, new))
        cost += _BEND - 1
        for turn in (1, 3):
            toward = (direction + turn) & 3
            if blocked[tile + _step(toward, stride)] == _BLOCKED and blocked[tile] != _END:
                continue
            new = tile * 4 + toward
            if opened[new] != number or cost < costs[new]:
                estimate = _estimate(tile, toward & 1, stride, goals)
                if cost + estimate <= limit:
                    _open(search, number, new, cost, state)
                    heappush(heap, _key(cost, estimate, new))
    return -1


def _key(cost: int, estimate: int, state: int) -> int:
    return (((cost + estimate) << _COST_BITS | estimate) << _STATE_BITS) | state


def _open(search: PathSearch, number: int, state: int, cost: int, before: int) -> None:
    search.opened[state], search.costs[state], search.before[state] = number, cost, before


def _has(states: list[int], wanted: int) -> bool:
    for state in states:  # noqa: SIM110 - a generator could not be compiled
        if state == wanted:
            return True
    return False


def _step(direction: int, stride: int) -> int:
    """Return the offset of a step north, east, south or west."""
    if direction & 1:
        return 2 - direction
    return (direction - 1) * stride


def _estimate(tile: int, axis: int, stride: int, goals: list[int]) -> int:
    """Compute a lower bound for a path's cost from a tile entered along an axis (0 up and down, 1 a row)."""
    y, x = tile // stride, tile % stride
    least = _FAR
    for goal in goals:
        goal_y, goal_x = (goal >> 2) // stride, (goal >> 2) % stride
        cost = abs(y - goal_y) + abs(x - goal_x)
        if goal & 1 != axis:
            cost += _BEND
        elif (y != goal_y) if axis else (x != goal_x):
            cost += 2 * _BEND
        least = min(least, cost)
    return least
