"""What Godot shows of an imported map is what Tiled draws of it, pixel for pixel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.engines import tmxrasterizer
from tests.godot_addon.conftest import AddonProject

from .drawn import write_all

# Half-transparent colours are rounded by two programs, each layer once.
TOLERANCE = 2


def test_godot_shows_what_tiled_draws(project: AddonProject) -> None:
    names = write_all(project.folder)
    assert project.import_all() == []
    lines = []
    for name in names:
        want = project.folder / f"{name}.want.png"
        done = tmxrasterizer().run("--no-smoothing", project.folder / f"{name}.tmj", want)
        assert want.exists(), done.stderr
        with Image.open(want) as picture:
            width, height = picture.size
        lines.append(f"res://{name}.tmj {project.folder / name}.got.png {width} {height}")
    (project.folder / "list.txt").write_text("\n".join(lines))
    project.quiet("-s", "probes/draw.gd", "--", str(project.folder / "list.txt"), display=True)
    wrong = {
        name: differing
        for name in names
        if (differing := _differing(project.folder / f"{name}.want.png", project.folder / f"{name}.got.png"))
    }
    assert not wrong, f"pixels that differ: {wrong}"


def _differing(want: Path, got: Path) -> int:
    """How many pixels differ; a picture without any would prove nothing."""
    drawn = _premultiplied(want)
    assert np.count_nonzero(drawn) > 1000, want.name
    # Godot's transparent window holds colours that are multiplied with their alpha already.
    shown = _pixels(got).astype(np.int32)
    return int(np.count_nonzero((np.abs(drawn - shown) > TOLERANCE).any(axis=2)))


def _premultiplied(path: Path) -> npt.NDArray[np.int32]:
    pixels = _pixels(path).astype(np.float64)
    pixels[..., :3] *= pixels[..., 3:] / 255
    return np.rint(pixels).astype(np.int32)


def _pixels(path: Path) -> npt.NDArray[np.uint8]:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGBA"))


def test_the_comparison_sees_a_shift(tmp_path: Path) -> None:
    write_all(tmp_path)
    tmxrasterizer().run("--no-smoothing", tmp_path / "flips.tmj", tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as whole:
        moved = Image.new("RGBA", whole.size)
        moved.paste(whole, (1, 0))
        moved.save(tmp_path / "b.png")
    assert _differing(tmp_path / "a.png", tmp_path / "b.png") > 1000
