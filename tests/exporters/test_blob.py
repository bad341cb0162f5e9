"""The 47 neighbourhoods."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from exporters.blob import MASKS, PLACES, E, N, S, W, masks_of, reduce

STEPS = {1: (0, -1), 2: (1, -1), 4: (1, 0), 8: (1, 1), 16: (0, 1), 32: (-1, 1), 64: (-1, 0), 128: (-1, -1)}


def test_47_masks_are_left_of_256() -> None:
    """They are ascending, and begin with a tile alone and end with one that has neighbours all round."""
    assert len(MASKS) == 47
    assert list(MASKS) == sorted(set(MASKS))
    assert (MASKS[0], MASKS[-1]) == (0, 255)


@given(st.integers(0, 255))
def test_reducing_keeps_sides_and_is_done_after_once(mask: int) -> None:
    """Only corners are dropped, and a reduced mask stays as it is."""
    reduced = reduce(mask)
    assert reduced in MASKS
    assert reduce(reduced) == reduced
    assert reduced & (N | E | S | W) == mask & (N | E | S | W)
    assert reduced & ~mask == 0
    assert MASKS[PLACES[mask]] == reduced


@given(arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.booleans()))
def test_masks_of_an_array_are_those_of_its_tiles(like: npt.NDArray[np.bool_]) -> None:
    """Looked at tile by tile, with nothing alike outside, the masks are the same."""
    height, width = like.shape
    for y, x in np.ndindex(height, width):
        around = {
            bit: 0 <= x + dx < width and 0 <= y + dy < height and bool(like[y + dy, x + dx])
            for bit, (dx, dy) in STEPS.items()
        }
        assert masks_of(like)[y, x] == reduce(sum(bit for bit, there in around.items() if there))
