"""Outlines against shapely's unions of tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import ndimage
from shapely import Polygon, box, unary_union
from shapely.geometry.polygon import orient

from generator.algorithms.outline import outline, strips
from generator.rng import Stream


def area_of(rows: str) -> np.ndarray:
    return np.array([[tile == "#" for tile in row] for row in rows.split()])


def is_pinched(area: np.ndarray) -> bool:
    padded = np.pad(area, 1)
    a, b, c, d = padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    return bool(((a & d & ~b & ~c) | (b & c & ~a & ~d)).any())


@given(st.integers(0, 1 << 32), st.integers(2, 16), st.integers(2, 16), st.integers(1, 3))
@settings(max_examples=200)
def test_the_rings_are_those_of_the_tiles_union(seed: int, height: int, width: int, spread: int) -> None:
    noise = Stream(seed, "test").below_block(100, height * width).reshape(height, width) < 20
    labels, _ = ndimage.label(ndimage.binary_dilation(noise, iterations=spread))
    area = labels == 1
    assume(area.any() and not is_pinched(area))
    rings = outline(area, (3, 5))
    union = unary_union([box(x + 3, y + 5, x + 4, y + 6) for y, x in np.argwhere(area).tolist()])
    made = Polygon(rings[0], rings[1:])
    assert made.is_valid
    assert made.equals(union)
    divided = np.zeros(area.shape, int)
    for part in strips(rings):
        divided[part._replace(x=part.x - 3, y=part.y - 5).slices] += 1
    assert np.array_equal(divided, area)
    for ring in rings:
        assert len(set(ring)) == len(ring)
        assert min((y, x) for x, y in ring) == (ring[0][1], ring[0][0])  # uppermost, then leftmost
        # y runs downwards, so that what shapely calls counter-clockwise is clockwise to us
        assert Polygon(ring).exterior.is_ccw
        assert orient(Polygon(ring)).exterior.coords[:-1] == list(Polygon(ring).exterior.coords[:-1])


@pytest.mark.parametrize(
    ("rows", "rings"),
    [
        ("#", (((0, 0), (1, 0), (1, 1), (0, 1)),)),
        ("## #.", (((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)),)),
        ("### #.# ###", (((0, 0), (3, 0), (3, 3), (0, 3)), ((1, 1), (2, 1), (2, 2), (1, 2)))),
    ],
)
def test_outlines_by_hand(rows: str, rings: tuple[tuple[tuple[int, int], ...], ...]) -> None:
    assert outline(area_of(rows), (0, 0)) == rings
