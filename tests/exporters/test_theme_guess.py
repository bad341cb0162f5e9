"""Guessing where the tiles lie, over drawn sheets of several kinds, sizes, margins and spacings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from exporters.theme.new import Guess, guess
from tests.cases import for_each

Picture = npt.NDArray[np.uint8]
Draw = Callable[[np.random.Generator, int], Picture]


def floor(random: np.random.Generator, size: int) -> Picture:
    """Ground of one colour with specks, and often a line along its edges."""
    tile = np.empty((size, size, 4), np.uint8)
    tile[...] = (*random.integers(60, 220, 3), 255)
    for _ in range(size // 3):
        y, x = random.integers(0, size, 2)
        tile[y, x : x + 3, :3] //= 2
    if random.random() < 0.7:
        tile[0, :, :3] //= 2
        tile[:, -1, :3] //= 2
    return tile


def bricks(random: np.random.Generator, size: int) -> Picture:
    """A wall's face: courses of a quarter of the tile, broken in the middle as courses are."""
    tile = floor(random, size)
    step = size // 4
    for row in range(4):
        tile[row * step, :, :3] = 40
        tile[row * step : (row + 1) * step, (row % 2) * step * 2 + step // 2, :3] = 40
    return tile


def thing(random: np.random.Generator, size: int) -> Picture:
    """A round thing with an outline on nothing, off the middle by chance."""
    tile = np.zeros((size, size, 4), np.uint8)
    place = np.arange(size) - size / 2 + random.integers(-1, 2)
    far = np.hypot.outer(place, place)
    radius = size * random.uniform(0.3, 0.48)
    tile[far < radius] = (30, 20, 30, 255)
    tile[far < radius - 1] = (*random.integers(60, 240, 3), 255)
    return tile


def nothing(random: np.random.Generator, size: int) -> Picture:
    return np.zeros((size, size, 4), np.uint8)


def rim(random: np.random.Generator, size: int) -> Picture:
    """A wall's top with a rim on one or two sides, the rest half transparent or plain."""
    tile = np.zeros((size, size, 4), np.uint8)
    tile[...] = (70, 40, 40, 255) if random.random() < 0.5 else (0, 0, 0, 0)
    for _ in range(random.integers(1, 3)):
        side = random.integers(0, 4)
        band = size // 4
        part = (np.s_[:band], np.s_[:, -band:], np.s_[-band:], np.s_[:, :band])[side]
        tile[part] = (180, 190, 210, 255)
    return tile


KINDS: dict[str, tuple[Draw, ...]] = {
    "ground": (floor, bricks),
    "dungeon": (floor, bricks, rim, thing, nothing),
    "things": (thing, thing, thing, floor),
    "rims": (rim, rim, floor),
}


def sheet(
    kind: str, size: int, columns: int, rows: int, margin: int = 0, spacing: int = 0, seed: int = 1
) -> Picture:
    """A sheet of tiles; what lies between them is transparent."""
    random = np.random.default_rng([seed, size, columns, rows])
    pitch = size + spacing
    width, height = (2 * margin + count * pitch - spacing for count in (columns, rows))
    pixels = np.zeros((height, width, 4), np.uint8)
    for y in range(rows):
        for x in range(columns):
            draw = KINDS[kind][random.integers(0, len(KINDS[kind]))]
            top, left = margin + y * pitch, margin + x * pitch
            pixels[top : top + size, left : left + size] = draw(random, size)
    return pixels


@for_each(seed=range(3), kind=KINDS, size=[8, 16, 24, 32, 48, 64])
def test_the_seams_tell_the_size(size: int, kind: str, seed: int) -> None:
    """Neither half of it, as the courses of bricks have, nor twice it, which fits the image as well."""
    found = guess(sheet(kind, size, 12, 8, seed=seed), "sheet")
    assert found[:3] == (size, 0, 0), found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [16, 32])
@pytest.mark.parametrize(("margin", "spacing"), [(0, 1), (1, 1), (0, 2), (2, 2), (1, 2), (4, 2), (2, 3)])
def test_lines_between_the_tiles_tell_all(margin: int, spacing: int, size: int, kind: str) -> None:
    found = guess(sheet(kind, size, 9, 7, margin, spacing), "sheet")
    assert found[:3] == (size, margin, spacing), found


@pytest.mark.parametrize("size", [16, 32])
@pytest.mark.parametrize("frame", [1, 2])
def test_frames_that_repeat_the_edges_are_no_part_of_a_tile(frame: int, size: int) -> None:
    """As tools add them against bleeding: every tile with a frame of its own edges."""
    tiles = sheet("dungeon", size, 8, 6)
    blocks = tiles.reshape(6, size, 8, size, 4).transpose(0, 2, 1, 3, 4)
    framed = np.pad(blocks, ((0, 0), (0, 0), (frame, frame), (frame, frame), (0, 0)), mode="edge")
    pitch = size + 2 * frame
    pixels = framed.transpose(0, 2, 1, 3, 4).reshape(6 * pitch, 8 * pitch, 4)
    assert guess(pixels, "sheet")[:3] == (size, frame, 2 * frame)


@pytest.mark.parametrize("factor", [2, 4])
def test_a_sheet_made_larger_has_larger_tiles(factor: int) -> None:
    pixels = sheet("dungeon", 16, 10, 10).repeat(factor, axis=0).repeat(factor, axis=1)
    assert guess(pixels, "sheet")[:3] == (16 * factor, 0, 0)


def test_a_margin_alone_is_found() -> None:
    assert guess(sheet("dungeon", 16, 11, 9, margin=3), "sheet")[:2] == (16, 3)


def test_a_picture_without_seams_gives_no_evidence() -> None:
    """The usual size then, and it is said that nothing tells it."""
    plain = np.full((128, 128, 4), 90, np.uint8)
    assert guess(plain, "sheet") == Guess(16, 0, 0, "nothing: the picture has no seams")
    assert guess(np.zeros((64, 96, 4), np.uint8), "sheet")[0] == 16
    assert guess(plain[:37, :41], "sheet").source == "nothing: no usual size fits the image"


def test_colours_that_nobody_sees_count_for_nothing() -> None:
    """Many editors leave noise below full transparency."""
    pixels = sheet("dungeon", 16, 12, 8)
    hidden = pixels[..., 3] == 0
    pixels[hidden, :3] = np.random.default_rng(3).integers(0, 256, (int(hidden.sum()), 3))
    assert guess(pixels, "sheet")[:3] == (16, 0, 0)


def test_our_own_sheets_are_reported() -> None:
    for path in sorted((Path(__file__).parents[2] / "exporters" / "themes").glob("*.png")):
        with Image.open(path) as image:
            assert guess(np.asarray(image.convert("RGBA")), "sheet")[:3] == (16, 0, 0), path.name
