"""A* over a flat grid (Hart, Nilsson, Raphael 1968), where a bend costs as much as some tiles.

A state is a place and the direction of travel, so that ways come out straight: state = place * 4 +
direction, with north, east, south, west as 0 to 3. From a state one steps on, or turns where one stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

BEND = 4  # as long as this many steps

_STATE_BITS, _COST_BITS = 40, 24
_FAR = 1 << _COST_BITS
_STATE_MASK = (1 << _STATE_BITS) - 1


def find_way(
    blocked: bytearray, stride: int, starts: Sequence[int], goals: Sequence[int], limit: int
) -> list[int] | None:
    """The states of a cheapest way from one of `starts` to one of `goals`, both included.

    `blocked` tells of every place of the grid, row by row, `stride` places a row, whether it is; its rim
    must be. Of ways that cost the same, the order of states decides. None if there is no way that costs
    at most `limit`.
    """
    steps = (-stride, 1, stride, -1)
    aims = [(*divmod(goal >> 2, stride), goal & 1) for goal in goals]
    wanted = frozenset(goals)
    end_places = frozenset(state >> 2 for state in (*starts, *goals))
    costs = dict.fromkeys(starts, 0)
    before: dict[int, int] = {}
    heap = [_key(0, _estimate(start, stride, aims), start) for start in starts]
    heap.sort()
    done: set[int] = set()
    while heap:
        state = heappop(heap) & _STATE_MASK
        if state in done:
            continue
        done.add(state)
        if state in wanted:
            return _walked_back(state, before)
        cost = costs[state]
        place, direction = state >> 2, state & 3
        for turn in (0, 1, 3):
            toward = direction + turn & 3
            ahead = place + steps[toward]
            if turn == 0:
                if blocked[ahead]:
                    continue
                new, new_cost = ahead * 4 + direction, cost + 1
            elif not blocked[ahead] or place in end_places:
                new, new_cost = place * 4 + toward, cost + BEND
            else:
                continue  # nothing to turn to, unless one turns twice, as one may at either end
            if new not in done and new_cost < costs.get(new, _FAR):
                estimate = _estimate(new, stride, aims)
                if new_cost + estimate <= limit:
                    costs[new] = new_cost
                    before[new] = state
                    heappush(heap, _key(new_cost, estimate, new))
    return None


def _estimate(state: int, stride: int, aims: Sequence[tuple[int, int, int]]) -> int:
    """What a way costs at least: the steps to the nearest aim, and the bends that it cannot do without.

    Travelling on the axis that the aim (y, x, axis) wants, one bends twice if it lies to a side, else not
    at all; on the other axis, once.
    """
    y, x = divmod(state >> 2, stride)
    axis = state & 1
    least = _FAR
    for aim_y, aim_x, aim_axis in aims:
        dy = y - aim_y if y > aim_y else aim_y - y
        dx = x - aim_x if x > aim_x else aim_x - x
        cost = dx + dy
        if axis != aim_axis:
            cost += BEND
        elif dy if axis else dx:
            cost += 2 * BEND
        if cost < least:  # noqa: PLR1730  # calling min() would take longer than all of this line
            least = cost
    return least


def _key(cost: int, estimate: int, state: int) -> int:
    """Sorts by the whole way's estimate, then by what is left of it, then by the state."""
    return ((cost + estimate) << _COST_BITS | estimate) << _STATE_BITS | state


def _walked_back(state: int, before: dict[int, int]) -> list[int]:
    way = [state]
    while way[-1] in before:
        way.append(before[way[-1]])
    return way[::-1]
