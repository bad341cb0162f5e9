from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import ndimage

from generator.algorithms.pieces import numbered_pieces


@given(
    arrays.arrays(
        bool, arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=12), elements=st.booleans()
    )
)
@settings(max_examples=200)
def test_they_are_numbered_as_scipy_numbers_them(mask: np.ndarray) -> None:
    assert np.array_equal(numbered_pieces(mask), ndimage.label(mask)[0])


@pytest.mark.parametrize("share", [0.3, 0.55, 0.62, 0.8])
def test_large_and_winding_ones_are_too(share: float) -> None:
    mask = np.random.default_rng(7).random((300, 200)) < share
    assert np.array_equal(numbered_pieces(mask), ndimage.label(mask)[0])


def test_a_spiral_is_one() -> None:
    turned = np.ones((1, 1), bool)
    for _ in range(40):
        grown = np.zeros((turned.shape[0] + 2, turned.shape[1] + 1), bool)
        grown[1:-1, :-1], grown[:, -1] = turned, True
        grown[1, -2], grown[0, -1] = True, False
        turned = np.rot90(grown)
    assert np.array_equal(numbered_pieces(turned), ndimage.label(turned)[0])
