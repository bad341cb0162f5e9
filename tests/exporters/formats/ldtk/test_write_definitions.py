"""What LDtk would find out of the image's pixels, and the tags of its tiles."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from exporters.theme.image import atlas_pixels
from generator.kinds import TERRAIN_KINDS

from .conftest import Case
from .reader import Json

NAMES = ("isaac", "labyrinth-external", "fifteen", "crypt")


def tileset(case: Case) -> Json:
    (found,) = case.project.tilesets.values()
    return found


def looked_at(tile: npt.NDArray[np.uint8]) -> tuple[str, str]:
    """One tile pixel by pixel, as LDtk adds them up."""
    alpha = count = 0.0
    sums = [0.0, 0.0, 0.0]
    for pixel in tile.reshape(-1, 4).tolist():
        weight = pixel[3] / 255
        alpha, count = alpha + weight, count + 1
        sums = [total + pixel[i] / 255 * (pixel[i] / 255) * weight for i, total in enumerate(sums)]
    parts = [alpha / count, *(math.sqrt(total / alpha) if alpha else 0 for total in sums)]
    eight = [int(min(part, 1) * 255) for part in parts]
    return "01"[bool((tile[..., 3] == 255).all())], "".join(
        f"{int(each / 255 * 15 + 0.5):x}" for each in eight
    )


@pytest.mark.parametrize("name", NAMES)
def test_pixel_data_is_what_ldtk_would_make(name: str, make: Callable[[str], Case]) -> None:
    """For each tile; one that reaches over the image counts as opaque and has no colour."""
    case = make(name)
    found, pixels = tileset(case), atlas_pixels(case.theme)
    size, pitch = found["tileGridSize"], found["tileGridSize"] + found["spacing"]
    digits, colours = found["cachedPixelData"]["opaqueTiles"], found["cachedPixelData"]["averageColors"]
    assert len(digits) == found["__cWid"] * found["__cHei"] == len(colours) // 4
    for tile in range(0, len(digits), 7):
        row, column = divmod(tile, found["__cWid"])
        x, y = found["padding"] + column * pitch, found["padding"] + row * pitch
        inside = x + size <= pixels.shape[1] and y + size <= pixels.shape[0]
        wanted = looked_at(pixels[y : y + size, x : x + size]) if inside else ("1", "0000")
        assert (digits[tile], colours[4 * tile : 4 * tile + 4]) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_tiles_are_tagged_by_terrain(name: str, make: Callable[[str], Case]) -> None:
    """Every terrain has its line; a tile of a terrain's floor, wall or pit stands in it."""
    case = make(name)
    found = tileset(case)
    tags = {tag["enumValueId"]: tag["tileIds"] for tag in found["enumTags"]}
    assert list(tags) == [kind.name for kind in TERRAIN_KINDS]
    assert all(tiles == sorted(set(tiles)) for tiles in tags.values()) and not tags["void"]

    def numbers(tiles: tuple[int, ...]) -> set[int]:
        return {row * found["__cWid"] + column for column, row in map(case.theme.at, tiles)}

    assert set(tags["wall"]) == set().union(*(numbers(each.tiles) for each in case.theme.walls.values()))
    assert set(tags["pit"]) == set().union(*(numbers(each.tiles) for each in case.theme.pits.values()))
    assert numbers(case.theme.floors["bridge"].plain.tiles) <= set(tags["bridge"])
    assert numbers(case.theme.floors["default"].shaded.tiles) <= set(tags["floor"])
    rock = case.theme.decor["rock"].variants.tiles
    data = {each["tileId"]: each["data"] for each in found["customData"]}
    assert {data[number] for number in numbers(rock)} == {"decor=rock"}
