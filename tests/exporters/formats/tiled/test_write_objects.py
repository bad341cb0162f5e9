"""Objects of Tiled: the outlines of hallways."""

from __future__ import annotations

import numpy as np

from exporters.formats.tiled.write_objects import tile_rings
from generator.algorithms.outline import close_pinches, outline
from generator.rng import Stream


def test_tiles_that_touch_at_a_corner_only_have_one_outline() -> None:
    """A niche of a hallway may lie so."""
    ((first, *rest),) = tile_rings([(4, 7), (5, 8)])
    assert first == (4, 7) and {*rest} == {(6, 7), (6, 9), (5, 9), (5, 8), (4, 8)}
    assert tile_rings([]) == ()


def test_rings_of_tiles_are_the_outline_of_their_area() -> None:
    for seed in range(200):
        area = (Stream(seed, "test").below_block(100, 63).reshape(7, 9) < 60).astype(np.uint8)
        area[:, ::8] = area[::6] = 1  # so that the area reaches to its sides
        tiles = [(x + 3, y + 5) for y, x in np.argwhere(area).tolist()]
        close_pinches(area, 0, 1)
        assert tile_rings(tiles) == outline(area > 0, (3, 5))
