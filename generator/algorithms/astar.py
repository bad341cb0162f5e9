"""A* over a flat grid (Hart, Nilsson, Raphael 1968), where a bend costs as much as some tiles.

A state is a place and the direction of travel, so that paths are straight: state = place * 4 + direction,
with north, east, south, west as 0 to 3. A move is a step ahead, or a turn on the spot.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

BEND = 4  # as long as this many steps
NO_PATH = 1 << 40  # more than any path costs

_STATE_BITS, _ESTIMATE_BITS = 25, 21  # of a key: with a cost below 1 << 14 it is a number of two digits
_TURNS = ((1, 3), (2, 0), (3, 1), (0, 2))
_STATE_MASK = (1 << _STATE_BITS) - 1


def find_path(blocked: bytearray, starts: Iterable[int], goals: Goals, limit: int) -> tuple[list[int], int]:
    """Find the states of a cheapest path from one of `starts` to one of `goals`, both included, and its cost.

    `blocked` has every place of the grid, row by row; the rim must be blocked. Between paths of equal cost,
    the order of states decides. If none costs `limit` or less, there are no states, and the cost is a lower
    bound for that of any path.
    """
    stride = goals.stride
    steps = (-stride, 1, stride, -1)
    ends = goals.tiles.union([start >> 2 for start in starts])
    costs = dict.fromkeys(starts, 0)
    before: dict[int, int] = {}
    estimated = [(goals[start >> 2][start & 1], start) for start in starts]
    beyond = min([estimate for estimate, _ in estimated if estimate > limit], default=NO_PATH)
    heap = [
        (estimate << _ESTIMATE_BITS | estimate) << _STATE_BITS | start
        for estimate, start in estimated
        if estimate <= limit
    ]
    heapify(heap)  # each key sorts by the estimate for the whole path, then for the rest of it, then by state
    known = costs.get
    while heap:
        state = heappop(heap) & _STATE_MASK
        if state in goals.states:
            return _walked_back(state, before), costs[state]
        cost = costs[state] + 1
        tile, direction = state >> 2, state & 3
        ahead = tile + steps[direction]
        new = ahead * 4 + direction
        # A closed state has its least cost: the estimate never falls by more than a move costs.
        if not blocked[ahead] and cost < known(new, NO_PATH):
            estimate = goals[ahead][direction & 1]
            if (total := cost + estimate) <= limit:
                costs[new] = cost
                before[new] = state
                heappush(heap, (total << _ESTIMATE_BITS | estimate) << _STATE_BITS | new)
            elif total < beyond:
                beyond = total
        cost += BEND - 1
        estimate = goals[tile][~direction & 1]
        if (total := cost + estimate) > limit:
            beyond = min(beyond, total)
            continue
        for toward in _TURNS[direction]:
            # There must be something to turn to; two turns are allowed only at either end.
            new = tile * 4 + toward
            if cost < known(new, NO_PATH) and (not blocked[tile + steps[toward]] or tile in ends):
                costs[new] = cost
                before[new] = state
                heappush(heap, (total << _ESTIMATE_BITS | estimate) << _STATE_BITS | new)
    return [], beyond


class Goals(dict[int, tuple[int, int]]):
    """The `states` where paths may end on a grid, and the estimates from each tile to the cheapest of them.

    There are two, for travel up or down, and along a row. They are computed when they are first asked for,
    and hold for any search on a grid of this `stride`. An estimate is a lower bound for a path's cost: the
    steps to a goal, plus the unavoidable bends. If a goal is entered along the axis of travel, a path bends
    twice if it lies to the side, otherwise not at all; else once.
    """

    def __init__(self, stride: int, states: Iterable[int]) -> None:
        super().__init__()
        self.stride = stride
        self.states = frozenset(states)
        self.tiles = frozenset([state >> 2 for state in self.states])
        places = [(state & 1, divmod(state >> 2, stride)) for state in self.states]
        self._upright = [place for is_row, place in places if not is_row]
        self._in_rows = [place for is_row, place in places if is_row]

    def __missing__(self, tile: int) -> tuple[int, int]:
        y, x = divmod(tile, self.stride)
        upright = along = NO_PATH
        for goal_y, goal_x in self._upright:
            steps = (y - goal_y if y > goal_y else goal_y - y) + (x - goal_x if x > goal_x else goal_x - x)
            if steps + BEND < along:  # noqa: PLR1730  # calling min() would take longer than this whole line
                along = steps + BEND
            if x != goal_x:
                steps += 2 * BEND
            if steps < upright:  # noqa: PLR1730
                upright = steps
        for goal_y, goal_x in self._in_rows:
            steps = (y - goal_y if y > goal_y else goal_y - y) + (x - goal_x if x > goal_x else goal_x - x)
            if steps + BEND < upright:  # noqa: PLR1730
                upright = steps + BEND
            if y != goal_y:
                steps += 2 * BEND
            if steps < along:  # noqa: PLR1730
                along = steps
        self[tile] = estimates = upright, along
        return estimates


def _walked_back(state: int, before: dict[int, int]) -> list[int]:
    path = [state]
    while path[-1] in before:
        path.append(before[path[-1]])
    return path[::-1]
