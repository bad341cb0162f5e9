"""Boards, lazy flood fill and the cellular rules, against plain versions of the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from generator.algorithms.bitboard import (
    below,
    board_of,
    component4,
    dice,
    dilate4,
    dilate8,
    erode8,
    mask_of,
    rectangle,
    tiles_in,
    without,
)
from generator.algorithms.board_drawing import fading, fill_lone, lazy_flood, smooth, without_slivers
from generator.rng import Stream

EIGHT = np.ones((3, 3), int)
OTHERS = EIGHT - np.pad([[1]], 1)


@st.composite
def masks(draw: st.DrawFn) -> np.ndarray:
    """Tiles of a room, its outermost ring empty."""
    height, width = draw(st.integers(3, 20)), draw(st.integers(3, 24))
    percent, seed = draw(st.integers(0, 100)), draw(st.integers(0, 1 << 32))
    mask = Stream(seed, "test.mask").below_block(100, height * width).reshape(height, width) < percent
    return np.pad(mask[1:-1, 1:-1], 1)


@given(masks())
def test_boards_do_what_masks_do(mask: np.ndarray) -> None:
    board, stride = board_of(mask), mask.shape[1] + 1

    def same(found: int, expected: np.ndarray) -> bool:
        return np.array_equal(mask_of(found, mask.shape), expected)

    assert same(board, mask)
    assert same(dilate4(board, stride), ndimage.binary_dilation(mask))
    assert same(dilate8(board, stride), ndimage.binary_dilation(mask, EIGHT))
    assert same(erode8(board, stride), ndimage.binary_erosion(mask, EIGHT))
    tiles = list(tiles_in(board))
    assert tiles == [y * stride + x for y, x in np.argwhere(mask).tolist()]
    if tiles:
        labels, _ = ndimage.label(mask)
        y, x = divmod(tiles[len(tiles) // 2], stride)
        assert same(component4(1 << tiles[len(tiles) // 2], board, stride), labels == labels[y, x])


def test_a_rectangle_is_one() -> None:
    expected = np.zeros((7, 9), bool)
    expected[2:6, 3:8] = True
    assert np.array_equal(mask_of(rectangle(3, 2, 5, 4, 10), (7, 9)), expected)


def test_dice_fall_below_a_bound_as_often_as_it_says() -> None:
    thrown = dice(20_000, Stream(1, "x"))
    never, seldom, often, always = below(thrown, (0, 64, 192, 256))
    assert (never, always) == (0, (1 << 20_000) - 1)
    assert 0.23 < seldom.bit_count() / 20_000 < 0.27
    assert 0.73 < often.bit_count() / 20_000 < 0.77
    assert not seldom & ~often


@given(masks())
def test_smoothing_and_lone_tiles(mask: np.ndarray) -> None:
    board, stride = board_of(mask), mask.shape[1] + 1
    empty_neighbours = ndimage.convolve((~mask).astype(int), OTHERS, mode="constant", cval=1)
    assert np.array_equal(mask_of(smooth(board, stride), mask.shape), mask & (empty_neighbours <= 4))
    inside = np.pad(np.ones((mask.shape[0] - 2, mask.shape[1] - 2), bool), 1)
    filled = mask_of(fill_lone(board, board_of(inside), stride), mask.shape)
    assert np.array_equal(filled, mask | inside & (empty_neighbours == 0))


@given(masks())
def test_nothing_is_a_sliver(mask: np.ndarray) -> None:
    """A morphological closing and opening by 2×2 tiles, as scipy does them."""
    inside = np.pad(np.ones((mask.shape[0] - 2, mask.shape[1] - 2), bool), 1)
    square = np.ones((2, 2))
    walls = ndimage.binary_opening(np.pad(~mask, 2, constant_values=False), square)[2:-2, 2:-2]
    expected = ndimage.binary_opening(inside & ~walls, square)
    found = without_slivers(board_of(mask), board_of(inside), mask.shape[1] + 1)
    assert np.array_equal(mask_of(found, mask.shape), expected)


def plain_lazy_flood(
    within: np.ndarray, source: tuple[int, int], chances: list[int], seed: int
) -> np.ndarray:
    """The same with a queue, tile by tile; each tile's die is the byte at its place."""
    width = within.shape[1]
    thrown = dice(board_of(within).bit_length(), Stream(seed, "x"))
    filled = np.zeros(within.shape, bool)
    filled[source[1], source[0]] = True
    queue = [(*source, 0)]
    for x, y, step in queue:
        if step >= len(chances) or thrown[y * (width + 1) + x] >= chances[step]:
            continue
        for tx, ty in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if within[ty, tx] and not filled[ty, tx]:
                filled[ty, tx] = True
                queue.append((tx, ty, step + 1))
    return filled


@given(st.integers(5, 24), st.integers(5, 20), st.integers(-300, 256), st.integers(0, 1 << 32))
def test_a_lazy_flood_is_the_one_with_a_queue(width: int, height: int, last: int, seed: int) -> None:
    within = np.pad(np.ones((height - 2, width - 2), bool), 1)
    x, y = width // 2, height // 2
    chances = fading(width // 2 + height // 2, last)
    assert chances[0] == 256
    assert chances == sorted(chances, reverse=True)
    source = 1 << y * (width + 1) + x
    found = lazy_flood(board_of(within), source, width + 1, chances, Stream(seed, "x"))
    assert np.array_equal(mask_of(found, within.shape), plain_lazy_flood(within, (x, y), chances, seed))


def test_a_tile_can_go_if_its_neighbours_stay_connected_within_the_eight_round_it() -> None:
    middle, sides = 1 << 5, 1 << 1 | 1 << 4 | 1 << 6 | 1 << 9
    for number in range(256):  # of eight tiles, which are there
        ring = sum(1 << tile for i, tile in enumerate((0, 1, 2, 4, 6, 8, 9, 10)) if number >> i & 1)
        beside = ring & sides
        stay_connected = not beside & ~component4(beside & -beside, ring, 4)
        assert without(ring | middle, middle, 4) == (ring if stay_connected else None)
