"""A level in a notebook: one line as text, and a picture."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import exporters
from generator import generate


@pytest.mark.parametrize(
    ("style", "seed", "line"),
    [
        ("isaac", 7, "<Level: isaac, seed 7, 9 rooms, 64 x 40 tiles, "),
        ("gungeon", "my game", "<Level: gungeon, seed 'my game', "),
        ("rebirth", "TKMG 13C2", "<Level: rebirth, seed 'TKMG 13C2', "),
    ],
)
def test_a_level_is_one_line(style: str, seed: int | str, line: str) -> None:
    level = generate(style, seed)
    assert repr(level).startswith(line) and repr(level).endswith(f", {level.fingerprint[:8]}>")
    assert str(level) == repr(level) and "\n" not in repr(level)


def test_the_picture_is_that_of_png() -> None:
    level = generate("isaac", 7)
    png = level._repr_png_()
    assert png is not None
    kept = exporters.export(level, "png", name="x")["x.png"]
    pictures = [np.asarray(Image.open(io.BytesIO(data))) for data in (png, kept)]
    assert np.array_equal(*pictures)


def test_a_huge_level_has_none() -> None:
    """A notebook keeps its pictures in its file; it shows the line instead."""
    level = generate("isaac", 7)
    wide = np.zeros((300, 300), np.uint8)
    assert replace(level, terrain=wide, decor=wide)._repr_png_() is None


def test_kinds_that_the_theme_cannot_draw_are_no_error() -> None:
    level = generate("isaac", 7)
    kinds = tuple(kind._replace(name=f"my_{kind.name}") for kind in level.decor_kinds)
    assert replace(level, decor_kinds=kinds)._repr_png_() is None
