"""How many rooms there are, how large they are, and where they are dropped."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.rng import Stream
from generator.styles.gungeon.floorplan import count_kinds, scatter
from generator.styles.gungeon.furnishing.kit_tables import GUNGEON_KINDS
from generator.styles.gungeon.spec import GungeonSpec

SPEC = GungeonSpec()
RANGES = {
    "start": (SPEC.start_width, SPEC.start_height),
    "normal": (SPEC.enemy_width, SPEC.enemy_height),
    "chest": (SPEC.chest_width, SPEC.chest_height),
    "shop": (SPEC.shop_width, SPEC.shop_height),
    "boss": (SPEC.boss_width, SPEC.boss_height),
    **{name: (kind.width, kind.height) for name, kind in GUNGEON_KINDS.items() if not kind.spec},
}


def kinds(seed: int, **values: object) -> Counter[str]:
    return Counter(count_kinds(SPEC.replace(values), Stream(seed, "test")))


@given(st.integers(0, 1 << 32))
def test_numbers_lie_in_their_ranges(seed: int) -> None:
    found = kinds(seed)
    assert found["start"] == found["boss"] == found["shop"] == 1
    assert 11 <= found["normal"] <= 15
    assert 1 <= found["chest"] <= 3


def test_every_number_of_a_range_comes() -> None:
    found = [kinds(seed) for seed in range(200)]
    assert {one["normal"] for one in found} == set(range(11, 16))
    assert {one["chest"] for one in found} == {1, 2, 3}


@given(st.integers(0, 1 << 32), st.integers(1, 300))
def test_the_total_can_be_given(seed: int, rooms: int) -> None:
    found = kinds(seed, rooms=rooms)
    assert found.total() == rooms
    assert found["start"] == 1
    assert found["boss"] == (rooms > 1)
    if rooms > 2:
        assert found["normal"] > found["chest"] + found["shop"] - 1


def test_one_room_is_the_start_and_two_are_start_and_boss() -> None:
    assert kinds(3, rooms=1) == {"start": 1}
    assert kinds(3, rooms=2) == {"start": 1, "boss": 1}


def test_the_ranges_tell_how_a_total_is_shared() -> None:
    shares = {"enemy_rooms": [6, 6], "chest_rooms": [3, 3], "shop_rooms": [1, 1]}
    assert kinds(1, rooms=102, **shares) == {"start": 1, "boss": 1, "normal": 60, "chest": 30, "shop": 10}
    assert kinds(1, rooms=7, **shares) == {"start": 1, "boss": 1, "normal": 3, "chest": 2}
    assert kinds(1, rooms=30, enemy_rooms=[0, 0], shop_rooms=[0, 0])["chest"] == 28
    nobody = {"enemy_rooms": [0, 0], "chest_rooms": [0, 0], "shop_rooms": [0, 0]}
    assert kinds(1, rooms=5, **nobody) == {"start": 1, "boss": 1, "normal": 3}
    assert kinds(1, **nobody, boss_rooms=[0, 0]) == {"start": 1}


def test_a_seed_asks_for_the_same_shares_whatever_the_total() -> None:
    assert kinds(1, rooms=18, boss_rooms=[3, 3])["boss"] == 3
    assert kinds(1, rooms=3, boss_rooms=[3, 3]) == {"start": 1, "boss": 2}


@pytest.mark.parametrize("seed", range(10))
def test_sizes_lie_in_their_ranges(seed: int) -> None:
    """Connectors may be smaller; no layout is larger."""
    heap = scatter(SPEC, 4, seed, 0)
    for room, (kind, width, height) in enumerate(zip(heap.kinds, heap.width, heap.height, strict=True)):
        (least_w, most_w), (least_h, most_h) = RANGES[kind]
        layout = heap.layouts[room]
        if layout is not None:
            assert (width, height) == layout.size
        if layout is None or "connector" not in layout.layout.tags:
            assert least_w <= width and least_h <= height
        assert width <= most_w and height <= most_h


def test_every_size_of_a_range_comes() -> None:
    heap = scatter(replace(SPEC, rooms=600, procedural_share=100), 4, 1, 0)
    enemies = [place for place, kind in enumerate(heap.kinds) if kind == "normal"]
    assert set(heap.width[enemies].tolist()) == set(range(14, 27))
    assert set(heap.height[enemies].tolist()) == set(range(12, 21))


@pytest.mark.parametrize(("drop", "aspect"), [("strip", 2), ("square", 1), ("disc", 1)])
def test_the_shape_of_the_drop(drop: str, aspect: int) -> None:
    heap = scatter(replace(SPEC, rooms=3000, drop=drop), 4, 2, 0)
    x, y = heap.x + heap.width // 2, heap.y + heap.height // 2
    assert np.ptp(x) / np.ptp(y) == pytest.approx(aspect, rel=0.05)
    area = int(((heap.width + 4) * (heap.height + 4)).sum())
    covered = np.ptp(x) * np.ptp(y) * (np.pi / 4 if drop == "disc" else 1)
    assert covered == pytest.approx(1.8 * area, rel=0.1)
    corner = (np.abs(x - x.mean()) > np.ptp(x) * 0.45) & (np.abs(y - y.mean()) > np.ptp(y) * 0.45)
    assert corner.any() == (drop != "disc")


@pytest.mark.parametrize("drop", ["strip", "square", "disc"])
def test_start_and_boss_lie_at_opposite_ends(drop: str) -> None:
    sides = Counter()
    for seed in range(60):
        heap = scatter(replace(SPEC, drop=drop), 4, seed, 0)
        x = heap.x + heap.width // 2
        start, boss = x[0], x[heap.kinds.index("boss")]
        assert {start, boss} == {x.min(), x.max()}
        sides[bool(start < boss)] += 1
    assert min(sides.values()) > 15


@given(
    st.integers(0, 1 << 32),
    st.integers(2, 25),
    st.integers(1, 5),
    st.sampled_from(["strip", "square", "disc"]),
)
def test_the_places_at_one_end_are_the_bosses(seed: int, rooms: int, bosses: int, drop: str) -> None:
    """However few rooms there are."""
    heap = scatter(replace(SPEC, rooms=rooms, boss_rooms=(bosses, bosses), drop=drop), 4, seed, 0)
    x = heap.x + heap.width // 2
    is_boss = np.array(heap.kinds) == "boss"
    if x[is_boss].min() < x[0]:
        x = -x
    assert x[0] == x.min()
    assert x[is_boss].min() >= x[~is_boss].max()


@given(st.integers(2, 2000), st.integers(0, 9), st.integers(0, 90), st.integers(1, 900))
def test_a_total_is_shared_out_by_the_largest_remainder(
    rooms: int, shops: int, chests: int, enemies: int
) -> None:
    """Everyone gets the whole part of what is due, and the seats left go to the largest fractions."""
    counts = {"shop": shops, "chest": chests, "normal": enemies}
    names = {"shop": "shop_rooms", "chest": "chest_rooms", "normal": "enemy_rooms"}
    found = kinds(0, rooms=rooms, **{names[kind]: [count, count] for kind, count in counts.items()})
    due = {kind: Fraction((rooms - 2) * count, sum(counts.values())) for kind, count in counts.items()}
    extra = {kind: found[kind] - floor(share) for kind, share in due.items()}
    assert set(extra.values()) <= {0, 1}
    with_seat = [due[kind] % 1 for kind in due if extra[kind]]
    without = [due[kind] % 1 for kind in due if not extra[kind]]
    assert min(with_seat, default=1) >= max(without, default=0)
