"""The project, drawn from its JSON alone, is our picture."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PIL import Image

from .conftest import Case


def test_the_reader_draws_our_picture(case: Case) -> None:
    """Pixel for pixel; half transparent ones may differ by what Pillow rounds otherwise."""
    with Image.open(case.folder / "level.png") as image:
        ours = image.convert("RGBA")
    left = top = 0
    if case.project.json["worldLayout"] == "GridVania":
        assert case.level.grid
        left, top = (-side * case.theme.tile_size for side in case.level.grid.origin)
    drawn = case.project.picture(ours.width, ours.height, left, top)
    seen, wanted = (np.asarray(picture).astype(np.int32) for picture in (drawn, ours))
    solid = wanted[..., 3] == 255
    assert (solid == (seen[..., 3] == 255)).all() and solid.any()
    most = 0 if case.theme.name == "undercroft" else 1
    if (seen != wanted).any():  # a colour that is hardly seen hardly counts
        for picture in (seen, wanted):
            picture[..., :3] = picture[..., :3] * picture[..., 3:] // 255
    assert np.abs(seen - wanted).max() <= most


def test_no_tile_is_drawn_twice(case: Case) -> None:
    """In each layer a place has one tile only, across all levels too."""
    size = case.theme.tile_size
    for name in ("Terrain", "Terrain_fixed", "Doors", "Decor", "Overlay"):
        places: Counter[tuple[int, int]] = Counter()
        for level in case.project.levels:
            (instance,) = (each for each in level["layerInstances"] if each["__identifier"] == name)
            for tile in (*instance["autoLayerTiles"], *instance["gridTiles"]):
                places[level["worldX"] + tile["px"][0], level["worldY"] + tile["px"][1]] += 1
        assert set(places.values()) <= {1}
        assert all(x % size == 0 and y % size == 0 for x, y in places)


def test_rules_and_fixed_tiles_share_the_terrain(case: Case) -> None:
    """Where one draws, the other does not; and rules draw by far the most."""
    drawn = fixed = 0
    for level in case.project.levels:
        layers = {each["__identifier"]: each for each in level["layerInstances"]}
        by_rule = {tile["d"][1] for tile in layers["Terrain"]["autoLayerTiles"]}
        set_there = {tile["d"][0] for tile in layers["Terrain_fixed"]["gridTiles"]}
        assert not by_rule & set_there
        drawn, fixed = drawn + len(by_rule), fixed + len(set_there)
    assert fixed < drawn / 4
    if len(case.project.levels) == 1:
        assert fixed == 0
