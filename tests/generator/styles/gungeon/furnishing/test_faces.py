"""Faces of walls, and the banners on them."""

from __future__ import annotations

import numpy as np

from generator.interiors.pools import SHIPPED_KIT
from generator.kinds import DECOR_IDS, FLOOR, WALL
from generator.styles.gungeon.furnishing.boss_seat import axes_of
from generator.styles.gungeon.furnishing.faces import hang_banners
from tests.generator.styles.gungeon.furnishing.sites import site_of


def test_banners_hang_on_faces_evenly_about_their_middle() -> None:
    """The walls at both ends of the northern wall have walls below them."""
    for width in range(10, 40):
        terrain = np.full((8, width), WALL, np.uint8)
        terrain[1:-1, 6:-4] = FLOOR
        decor = np.zeros_like(terrain)
        hang_banners(terrain, decor, SHIPPED_KIT.kinds)
        banners = decor == DECOR_IDS["banner"]
        assert not banners[1:].any()
        assert not (banners[0] & (terrain[1] == WALL)).any()
        face = banners[0, 6:-4]
        assert (face == face[::-1]).all()
        assert face.any() or width - 10 in (0, 1, 2, 4)


def test_the_axis_of_a_hall_is_as_wide_as_the_hall_is_even() -> None:
    odd, even = site_of("boss", 21, 15, 1, 2, 0), site_of("boss", 20, 16, 1, 2, 0)
    assert axes_of(odd, True, False) == odd.board((10, y) for y in range(15))
    assert axes_of(even, False, True) == even.board((x, y) for x in range(20) for y in (7, 8))
