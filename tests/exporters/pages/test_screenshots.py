"""The screenshots in the docs show the gallery as it is."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from tests.browser import Page
from tests.exporters.pages.screenshots import PICTURES, take

pytestmark = pytest.mark.xdist_group("browser")

AFAR = (80, 50)  # px; letters are dots there


def from_afar(picture: Image.Image) -> npt.NDArray[np.int16]:
    return np.asarray(picture.convert("RGB").resize(AFAR, Image.Resampling.BOX), np.int16)


def test_the_screenshots_are_up_to_date(page: Page, tmp_path: Path) -> None:
    shots = take(page, tmp_path)
    assert set(shots) == {"run.png", *(path.name for path in PICTURES.glob("gallery*.png"))}
    for name, png in shots.items():
        with Image.open(PICTURES / name) as kept, Image.open(BytesIO(png)) as made:
            assert kept.size == made.size
            apart = np.abs(from_afar(kept) - from_afar(made))
        assert apart.mean() < 2, f"{name} is out of date: python -m tests.exporters.pages.screenshots"
