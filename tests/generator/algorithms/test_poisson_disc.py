"""Poisson-disc sampling: never too close, never a hole, and starting from the middle."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from generator.algorithms.bitboard import board_of
from generator.algorithms.board_drawing import poisson_disc
from generator.rng import Stream


@given(
    st.integers(1, 30), st.integers(1, 30), st.integers(1, 12), st.integers(0, 100), st.integers(0, 1 << 32)
)
def test_a_sample_is_apart_and_full(width: int, height: int, radius: int, percent: int, seed: int) -> None:
    """No two points nearer than the radius, and no allowed tile left that has none within it."""
    stream = Stream(seed, "test.poisson")
    allowed = stream.below_block(100, width * height).reshape(height, width) < percent
    start = height // 2 * (width + 1) + width // 2
    tiles = poisson_disc(board_of(allowed), start, width, radius, stream)
    points = [(tile % (width + 1), tile // (width + 1)) for tile in tiles]
    assert all(allowed[y, x] for x, y in points)
    for (ax, ay), (bx, by) in itertools.combinations(points, 2):
        assert (ax - bx) ** 2 + (ay - by) ** 2 >= radius**2
    for y, x in np.argwhere(allowed).tolist():
        assert any((x - px) ** 2 + (y - py) ** 2 < radius**2 for px, py in points)


def test_the_first_point_lies_in_the_middle_and_the_next_within_two_radii() -> None:
    allowed = board_of(np.ones((21, 31), bool))
    for seed in range(30):
        first, second, *_ = poisson_disc(allowed, 10 * 32 + 15, 31, 4, Stream(seed, "x"))
        assert first == 10 * 32 + 15
        assert 16 <= (second % 32 - 15) ** 2 + (second // 32 - 10) ** 2 <= 64


def test_directions_are_as_likely() -> None:
    """The second point lies on each side of the first one as often."""
    allowed = board_of(np.ones((31, 31), bool))
    seconds = [poisson_disc(allowed, 15 * 32 + 15, 31, 4, Stream(seed, "x"))[1] for seed in range(400)]
    assert abs(np.mean([second % 32 - 15 for second in seconds])) < 0.8
    assert abs(np.mean([second // 32 - 15 for second in seconds])) < 0.8
