"""The picture of what differs: marks where tiles differ and nowhere else, in colours that all people tell apart."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from exporters.comparison.differences import compared
from exporters.comparison.picture import COLOURS, picture
from exporters.theme import Theme
from generator import generate
from generator.errors import BadInput
from generator.geometry import Point
from generator.level import Level
from tests.exporters.comparison.edits import Edits, seen
from tests.exporters.comparison.test_differences import pairs, without_last_room
from tests.exporters.reading.exported import level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles, painted

Pixels = npt.NDArray[np.int64]


def drawn(before: Level, after: Level, theme: Theme, scale: int = 1) -> Pixels:
    data = picture(compared(before, after), theme, scale)
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(np.int64)


def tile_of(pixels: Pixels, tile: Point, size: int) -> Pixels:
    x, y = tile
    return pixels[y * size : (y + 1) * size, x * size : (x + 1) * size]


def has(pixels: Pixels, sort: str) -> bool:
    return bool((pixels == COLOURS[sort]).all(axis=-1).any())


@pytest.mark.parametrize("scale", [1, 2])
def test_changed_tiles_are_marked_and_no_others(built_in: Theme, scale: int) -> None:
    level = level_of("isaac")
    changed = free_tiles(level)[::3][:5]
    after = level
    for tile in changed:
        after = painted(after, tile, "pit")
    pixels, size = drawn(level, after, built_in, scale), built_in.tile_size * scale
    marked = {
        (x, y)
        for y in range(level.height)
        for x in range(level.width)
        if has(tile_of(pixels, (x, y), size), "changed")
    }
    assert marked == set(changed)


@pytest.mark.parametrize("seed", range(4))
def test_each_edit_has_its_mark(built_in: Theme, seed: int) -> None:
    level = level_of("isaac")
    edits = Edits(level, seed)
    after = edits.some(10)
    pixels, size = drawn(level, after, built_in), built_in.tile_size
    for subject, action, _, _, _, place in seen(compared(level, after).differences):
        if subject in ("terrain", "decor") or (subject == "marker" and action in ("added", "removed")):
            assert isinstance(place, tuple) and has(tile_of(pixels, place, size), str(action)), (
                subject,
                place,
            )
        elif subject == "marker" and action == "moved":
            assert isinstance(place, tuple) and all(
                has(tile_of(pixels, tile, size), "moved") for tile in place
            )


def test_equal_levels_have_no_marks(built_in: Theme) -> None:
    level = level_of("isaac")
    pixels = drawn(level, level, built_in)
    assert not any(has(pixels, sort) for sort in COLOURS)
    assert pixels.shape[1] == max(620, level.width * built_in.tile_size)


def test_what_was_removed_is_seen_faintly(built_in: Theme) -> None:
    """A whole room, where now is nothing: bright enough to see, darker than in its own level."""
    level = level_of("isaac")
    fewer = without_last_room(level)
    size = built_in.tile_size
    x, y = (side + 4 for side in level.rooms[-1].bounds[:2])
    shown = [
        tile_of(drawn(before, after, built_in), (x, y), size).sum()
        for before, after in ((fewer, fewer), (level, fewer), (fewer, level))
    ]
    assert shown[0] < shown[1] < shown[2]


def test_all_that_differs_in_two_levels_can_be_drawn(built_in: Theme) -> None:
    some = pairs()
    for before, after in (*some[1:8:3], *some[-3:-1]):
        pixels = drawn(before, after, built_in)
        assert any(has(pixels, sort) for sort in COLOURS)


def test_a_room_beyond_the_edge_of_the_second_level_is_in_the_picture(built_in: Theme) -> None:
    grown, small = generate("isaac", 7, rooms=10), generate("isaac", 7)
    width = drawn(grown, small, built_in).shape[1]
    assert width > small.width * built_in.tile_size


def test_levels_too_large_to_draw_are_refused(built_in: Theme) -> None:
    level = level_of("isaac")
    huge = np.zeros((2000, 2000), np.uint8)
    with pytest.raises(BadInput, match="--png: the levels are too large"):
        picture(compared(level, replace(level, terrain=huge, decor=huge)), built_in)


# Viénot, Brettel and Mollon, "Digital video colourmaps for checking the legibility of displays by dichromats" (1999),
# and for tritanopia Machado, Oliveira and Fernandes, "A physiologically-based model" (2009): linear RGB.
SIGHTS = {
    "all colours": np.eye(3),
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
}


def lab(colour: tuple[int, int, int], sight: str) -> npt.NDArray[np.float64]:
    """CIE L*a*b* of a colour as a person sees it."""
    part = np.array(colour) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(SIGHTS[sight]) @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ linear / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_colours_are_told_apart_with_any_colour_blindness(sight: str) -> None:
    apart = {
        (a, b): float(np.linalg.norm(lab(COLOURS[a], sight) - lab(COLOURS[b], sight)))
        for a, b in combinations(COLOURS, 2)
    }
    assert min(apart.values()) > 20, apart
