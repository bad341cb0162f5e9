"""A* against Dijkstra on small grids."""

from __future__ import annotations

import heapq
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms.astar import BEND, NO_PATH, Goals, find_path

WIDTH, HEIGHT = 12, 10
PLACES = st.integers(0, WIDTH * HEIGHT - 1)
STATES = st.lists(st.integers(0, WIDTH * HEIGHT * 4 - 1), min_size=1, max_size=4, unique=True)


def grid(rocks: set[int]) -> bytearray:
    """A board with a rim."""
    blocked = bytearray(WIDTH * HEIGHT)
    for place in range(WIDTH * HEIGHT):
        y, x = divmod(place, WIDTH)
        blocked[place] = place in rocks or x in (0, WIDTH - 1) or y in (0, HEIGHT - 1)
    return blocked


def dijkstra(blocked: bytearray, starts: list[int], goals: list[int]) -> int | None:
    """The least cost of a way."""
    steps = (-WIDTH, 1, WIDTH, -1)
    heap = [(0, start) for start in starts]
    seen = set()
    while heap:
        cost, state = heapq.heappop(heap)
        if state in goals:
            return cost
        if state in seen:
            continue
        seen.add(state)
        place, direction = divmod(state, 4)
        if not blocked[place + steps[direction]]:
            heapq.heappush(heap, (cost + 1, (place + steps[direction]) * 4 + direction))
        for turned in ((direction + 1) % 4, (direction + 3) % 4):
            heapq.heappush(heap, (cost + BEND, place * 4 + turned))
    return None


def cost_of(way: list[int], blocked: bytearray) -> int:
    """What a way costs; every step of it must be one."""
    cost = 0
    for one, other in pairwise(way):
        (place, direction), (next_place, next_direction) = divmod(one, 4), divmod(other, 4)
        if place == next_place:
            assert (direction - next_direction) % 2 == 1
            cost += BEND
        else:
            assert direction == next_direction
            assert next_place == place + (-WIDTH, 1, WIDTH, -1)[direction]
            assert not blocked[next_place]
            cost += 1
    return cost


@given(st.sets(PLACES, max_size=40), STATES, STATES)
@settings(max_examples=400)
def test_the_way_is_as_cheap_as_any(rocks: set[int], starts: list[int], goals: list[int]) -> None:
    blocked = grid(rocks)
    starts = [start for start in starts if not blocked[start >> 2]]
    goals = [goal for goal in goals if not blocked[goal >> 2]]
    least = dijkstra(blocked, starts, goals)
    to = Goals(WIDTH, goals)
    way, cost = find_path(blocked, starts, to, 1000)
    if least is None:
        assert (way, cost) == ([], NO_PATH)
        return
    assert way[0] in starts and way[-1] in goals
    assert cost_of(way, blocked) == cost == least
    assert find_path(blocked, starts, to, least) == (way, least)
    for limit in range(least):
        way, bound = find_path(blocked, starts, to, limit)
        assert not way and limit < bound <= least


@given(st.sets(PLACES, max_size=30), STATES, STATES)
@settings(max_examples=100)
def test_the_order_of_starts_and_goals_decides_nothing(
    rocks: set[int], starts: list[int], goals: list[int]
) -> None:
    blocked = grid(rocks)
    starts = [start for start in starts if not blocked[start >> 2]]
    goals = [goal for goal in goals if not blocked[goal >> 2]]
    one = find_path(blocked, starts, Goals(WIDTH, goals), 100)
    assert find_path(blocked, starts[::-1], Goals(WIDTH, goals[::-1]), 100) == one


def test_ways_come_out_straight() -> None:
    """From the left edge eastwards to the right edge, three rows further down: two bends, no stairs."""
    blocked = grid(set())
    start, goal = (2 * WIDTH + 1) * 4 + 1, (5 * WIDTH + 10) * 4 + 1
    way, cost = find_path(blocked, [start], Goals(WIDTH, [goal]), 100)
    assert cost_of(way, blocked) == cost == 12 + 2 * BEND


def test_from_the_end_of_an_alley_one_turns_round() -> None:
    """Turning east or west first, though nothing leads on there."""
    blocked = bytearray(b"\1\1\1\1\0\1\1\0\1\1\1\1")
    way, _ = find_path(blocked, [4 * 4], Goals(3, [7 * 4 + 2]), 100)
    assert way == [4 * 4, 4 * 4 + 1, 4 * 4 + 2, 7 * 4 + 2]


def test_who_is_there_already_need_not_walk() -> None:
    state = (3 * WIDTH + 3) * 4
    assert find_path(grid(set()), [state], Goals(WIDTH, [state]), 0) == ([state], 0)
    assert find_path(grid(set()), [state], Goals(WIDTH, [state + 1]), 10) == ([state, state + 1], BEND)
    assert find_path(grid(set()), [], Goals(WIDTH, [state]), 10) == ([], NO_PATH)
    assert find_path(grid(set()), [state], Goals(WIDTH, []), 10) == ([], NO_PATH)
