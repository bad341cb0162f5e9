"""The themes for public sheets, tried on stand-ins of the same size: the sheets themselves are not ours to ship."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import exporters
from exporters import blob
from exporters.blob import MASKS
from exporters.dress import EMPTY, dressed
from exporters.theme import Theme
from exporters.theme.loader import check_theme
from generator.pipeline import generate
from tests.guides import ROOT

FOLDER = ROOT / "docs" / "examples" / "sheets"
THEMES = sorted(FOLDER.glob("*.toml"))


def themed(path: Path, folder: Path) -> tuple[Theme, list[str]]:
    """The theme on a sheet of the size that its head names, each of whose tiles has a colour of its own."""
    text = path.read_text("utf-8")
    (image,) = re.findall(r'^image = "(.*)"$', text, re.MULTILINE)
    width, height = map(int, re.findall(r"(\d+) x (\d+) px", text)[0])
    (size,) = map(int, re.findall(r"^tile_size = (\d+)$", text, re.MULTILINE))
    place = np.add.outer(np.arange(height) // size * 64, np.arange(width) // size)
    pixels = np.stack([place % 256, place // 256, place * 7 % 256, np.full_like(place, 255)], axis=-1)
    Image.fromarray(pixels.astype(np.uint8)).save(folder / image)
    shutil.copy(path, folder)
    theme, problems = check_theme(folder / path.name)
    assert theme
    return theme, problems


@pytest.mark.parametrize("path", THEMES, ids=lambda path: path.stem)
def test_a_theme_for_a_public_sheet_has_no_fault(path: Path, tmp_path: Path) -> None:
    """Every tile lies in the sheet, each neighbourhood has one, and levels go into every format."""
    theme, problems = themed(path, tmp_path)
    assert problems == [] and theme.name == path.stem
    assert theme.is_solid and theme.walls.keys() == set(MASKS)
    assert blob.counted(theme.walls) == blob.SIDES | blob.CORNERS
    assert (FOLDER / "README.md").read_text("utf-8").count(path.name) >= 1
    for style in ("isaac", "gungeon"):
        level = generate(style, 7)
        look, layers = dressed(level, theme)
        floor = np.isin(layers.ground, look.floors["default"].plain.tiles)
        assert floor.any() and (layers.walls != EMPTY).any()
    bundle = exporters.export(level, ["godot", "tiled", "ldtk", "png"], theme=theme, name="level")
    assert f"{path.stem}.png" in bundle


def test_there_are_four() -> None:
    assert len(THEMES) == 4
