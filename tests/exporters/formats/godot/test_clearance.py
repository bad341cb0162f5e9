"""Shrunk areas: against brute force over every px."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import binary_dilation, binary_erosion, label

from exporters.formats.godot.regions import FineGrid, fine_grid
from generator.geometry import Rect

Bools = npt.NDArray[np.bool_]
MASKS = arrays(np.bool_, st.tuples(st.integers(1, 7), st.integers(1, 7)))
TILE_SIZES = st.integers(1, 9)
RADII = st.integers(0, 14)


def gridded(mask: Bools, tile_size: int, radius: int) -> FineGrid:
    return fine_grid(mask.shape[1], mask.shape[0], tile_size, radius)


def in_px(grid: FineGrid, mask: Bools) -> Bools:
    """A mask of a fine grid as one of px."""
    return np.repeat(np.repeat(mask, np.diff(grid.ys), 0), np.diff(grid.xs), 1)


def tiles_in_px(mask: Bools, tile_size: int) -> Bools:
    return np.repeat(np.repeat(mask, tile_size, 0), tile_size, 1)


def square(radius: int) -> Bools:
    return np.ones((2 * radius + 1, 2 * radius + 1), bool)


@given(MASKS, TILE_SIZES, RADII)
def test_the_lines_enclose_the_tiles_and_leave_no_empty_columns(mask: Bools, size: int, radius: int) -> None:
    grid = gridded(mask, size, radius)
    assert np.array_equal(in_px(grid, grid.refined(mask)), tiles_in_px(mask, size))
    assert (np.diff(grid.xs) > 0).all() and (np.diff(grid.ys) > 0).all()


@given(MASKS, TILE_SIZES, RADII)
def test_every_px_of_an_eroded_mask_is_a_radius_away_from_what_is_not_in_it(
    mask: Bools, size: int, radius: int
) -> None:
    """Brute force: erosion by a square, px by px, where outside of the mask nothing is free."""
    grid = gridded(mask, size, radius)
    eroded = in_px(grid, grid.eroded(mask))
    assert np.array_equal(eroded, binary_erosion(tiles_in_px(mask, size), square(radius)))


@given(MASKS, TILE_SIZES, RADII)
def test_an_eroded_mask_dilated_again_is_what_a_square_covers(mask: Bools, size: int, radius: int) -> None:
    grid = gridded(mask, size, radius)
    eroded = grid.eroded(mask)
    covered = in_px(grid, grid.dilated(eroded))
    assert np.array_equal(covered, binary_dilation(in_px(grid, eroded), square(radius)))
    if 2 * radius < size:  # such a square fits into every tile
        assert np.array_equal(covered, tiles_in_px(mask, size))


@given(MASKS, TILE_SIZES, RADII)
def test_a_body_that_fits_a_tile_gets_wherever_tiles_lead(mask: Bools, size: int, radius: int) -> None:
    grid = gridded(mask, size, radius)
    if 2 * radius < size:
        assert label(grid.eroded(mask))[1] == label(mask)[1]


@given(MASKS, TILE_SIZES, RADII, st.data())
def test_near_is_what_the_square_round_a_rectangle_has(
    mask: Bools, size: int, radius: int, data: st.DataObject
) -> None:
    x, y = (data.draw(st.integers(0, length - 1)) for length in mask.shape[::-1])
    rect = Rect(x, y, *(data.draw(st.integers(1, 3)) for _ in "xy"))
    alone = np.zeros(np.add(mask.shape, 3), bool)
    alone[rect.slices] = True
    grid = gridded(alone, size, radius)
    expected = binary_dilation(tiles_in_px(alone, size), square(radius))
    assert np.array_equal(in_px(grid, grid.near(rect)), expected)


@given(MASKS, TILE_SIZES, RADII)
def test_a_part_of_a_grid_has_its_lines(mask: Bools, size: int, radius: int) -> None:
    grid = gridded(mask, size, radius)
    rect = Rect(0, 0, 1, mask.shape[0])
    part = grid.within(rect)
    fine = grid.refined(mask)
    assert np.array_equal(in_px(part, fine[grid.slices(rect)]), tiles_in_px(mask[:, :1], size))
