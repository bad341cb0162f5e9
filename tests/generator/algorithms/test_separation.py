"""Rooms that are pushed apart: nothing overlaps, whatever the heap was, and little room is lost."""

from __future__ import annotations

import statistics
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms import separation
from generator.styles.gungeon.floorplan import scatter
from generator.styles.gungeon.floorplan import separate_rooms as separate
from generator.styles.gungeon.plan import Heap
from generator.styles.gungeon.spec import GungeonSpec


def heap(x: list[int], y: list[int], width: list[int], height: list[int]) -> Heap:
    return Heap(("normal",) * len(x), *(np.array(values, np.int64) for values in (x, y, width, height)))


def overlaps(heap: Heap, margin: int) -> int:
    """How many pairs of rooms are less than `margin` apart."""
    left, top = heap.x, heap.y
    right, bottom = heap.x + heap.width + margin, heap.y + heap.height + margin
    meet = (
        (left[:, None] < right) & (left < right[:, None]) & (top[:, None] < bottom) & (top < bottom[:, None])
    )
    return (int(meet.sum()) - len(left)) // 2


def box(heap: Heap) -> tuple[int, int]:
    return (
        int((heap.x + heap.width).max() - heap.x.min()),
        int((heap.y + heap.height).max() - heap.y.min()),
    )


def compactness(heap: Heap) -> float:
    """The bounding box's area over the rooms' area."""
    width, height = box(heap)
    return width * height / int((heap.width * heap.height).sum())


ROOM = st.tuples(st.integers(-60, 60), st.integers(-60, 60), st.integers(7, 40), st.integers(7, 40))


@given(st.lists(ROOM, min_size=1, max_size=80), st.integers(0, 9))
@settings(max_examples=150)
def test_any_heap_comes_apart(rooms: list[tuple[int, int, int, int]], margin: int) -> None:
    before = heap(*map(list, zip(*rooms, strict=True)))
    after = separate(before, margin)
    assert overlaps(after, margin) == 0
    assert np.array_equal(after.width, before.width) and np.array_equal(after.height, before.height)


@given(st.lists(ROOM, min_size=1, max_size=80))
@settings(max_examples=50)
def test_rooms_that_are_apart_only_come_nearer(rooms: list[tuple[int, int, int, int]]) -> None:
    """And what was handed over stays as it is."""
    apart = separate(heap(*map(list, zip(*rooms, strict=True))), 9)
    kept = [np.array(values) for values in apart[1:]]
    again = separate(apart, 4)
    assert all(np.array_equal(one, other) for one, other in zip(apart[1:], kept, strict=True))
    assert box(again)[0] <= box(apart)[0]
    assert box(again)[1] <= box(apart)[1]


@pytest.mark.parametrize("count", [1, 2, 3, 50, 65, 1000])
def test_rooms_of_one_size_in_one_place(count: int) -> None:
    after = separate(heap([5] * count, [5] * count, [12] * count, [12] * count), 4)
    assert overlaps(after, 4) == 0
    assert compactness(after) < 5
    width, height = box(after)
    assert count < 3 or 1 / 6 < width / height < 6  # not one long row


def test_one_room_stays_and_rooms_apart_stay_apart() -> None:
    alone = separate(heap([5], [9], [8], [8]), 4)
    assert (alone.width[0], alone.height[0]) == (8, 8)
    far = separate(heap([0, 500], [0, 0], [8, 8], [8, 8]), 4)
    assert overlaps(far, 4) == 0
    assert far.x[1] - far.x[0] == 12  # they close the gap


def test_it_is_the_same_each_time_and_wherever_the_heap_lies() -> None:
    dropped = scatter(GungeonSpec(rooms=60), 4, 3, 0)
    once, again = separate(dropped, 4), separate(dropped, 4)
    moved = separate(dropped._replace(x=dropped.x + 1000, y=dropped.y - 777), 4)
    assert np.array_equal(once.x, again.x) and np.array_equal(once.y, again.y)
    assert np.array_equal(once.x - once.x.min(), moved.x - moved.x.min())
    assert np.array_equal(once.y - once.y.min(), moved.y - moved.y.min())


@pytest.mark.parametrize("rooms", [18, 64, 65, 1000])
def test_the_rounds_of_pushing_are_counted(rooms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one round is enough for no overlap to be left: a sweep ends what the pushes leave."""
    monkeypatch.setattr(separation, "_MAX_PUSHES", 1)
    assert overlaps(separate(scatter(GungeonSpec(rooms=rooms), 4, 1, 0), 4), 4) == 0


@pytest.mark.parametrize(("rooms", "seeds"), [(18, 40), (50, 20), (200, 6), (1000, 2)])
def test_heaps_are_compact_and_as_wide_as_a_screen(rooms: int, seeds: int) -> None:
    """A margin of 4 alone takes 1.5 times the rooms' area; nothing is packed tighter than that."""
    heaps = [separate(scatter(GungeonSpec(rooms=rooms), 4, seed, 0), 4) for seed in range(seeds)]
    assert all(overlaps(one, 4) == 0 for one in heaps)
    assert statistics.median(map(compactness, heaps)) < 3.0
    assert 1.2 < statistics.median(box(one)[0] / box(one)[1] for one in heaps) < 2.5


def test_a_square_drop_spreads_further_up_and_down_than_a_strip() -> None:
    """What the rule's author complains of, and why he drops into a strip."""

    def aspect(drop: str) -> float:
        spec = replace(GungeonSpec(), drop=drop)
        boxes = [box(separate(scatter(spec, 4, seed, 0), 4)) for seed in range(60)]
        return statistics.mean(width / height for width, height in boxes)

    assert aspect("strip") > aspect("square") + 0.3
