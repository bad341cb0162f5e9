"""Faces of walls, and the banners on them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np

import exporters
from generator import generate
from generator.interiors.pools import SHIPPED_KIT
from generator.kinds import DECOR_IDS, FLOOR, WALL
from generator.styles.gungeon.furnishing.boss_seat import axes_of
from generator.styles.gungeon.furnishing.faces import behind_tall, hang_banners
from generator.styles.gungeon.furnishing.kit_tables import tall_decor
from tests.generator.styles.gungeon.furnishing.sites import site_of


def test_banners_hang_on_faces_evenly_about_their_middle() -> None:
    """The walls at both ends of the northern wall have walls below them."""
    for width in range(10, 40):
        terrain = np.full((8, width), WALL, np.uint8)
        terrain[1:-1, 6:-4] = FLOOR
        decor = np.zeros_like(terrain)
        hang_banners(terrain, decor, SHIPPED_KIT, 6)
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


def test_nothing_hangs_or_burns_behind_tall_things() -> None:
    """What the shipped theme draws over the tile behind is what the kit calls tall."""
    theme = tomllib.loads((Path(exporters.__file__).parent / "themes" / "undercroft.toml").read_text("utf-8"))
    assert {name for name, row in theme["decor"].items() if "overlay" in row} == {
        kind.name
        for kind, tiles in zip(SHIPPED_KIT.kinds.decor, tall_decor(SHIPPED_KIT), strict=True)
        if tiles
    }
    for seed in range(8):
        level = generate("gungeon", seed=seed)
        hidden = behind_tall(level.decor, SHIPPED_KIT)
        lights = np.isin(level.decor[:-1], [DECOR_IDS[name] for name in ("torch", "banner")])
        assert not (hidden & lights).any()
