"""A picture by Tiled beside the one that Godot shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.engines import tmxrasterizer
from tests.godot_addon.rounds import Part

# Half-transparent colours are rounded by two programs, each layer once.
TOLERANCE = 2


def differing(want: Path, got: Path) -> int:
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


def unlike(part: Part, maps: Sequence[Path], folder: Path, *options: str) -> dict[str, int]:
    """The maps that Godot does not draw as Tiled does, whose pictures go into a folder: how many px differ."""
    wanted, shots = [], []
    for path in maps:
        want = folder / f"{path.name}.png"
        done = tmxrasterizer().run("--no-smoothing", *options, path, want, cwd=path.parent)
        assert want.exists(), done.stderr
        wanted.append(want)
        with Image.open(want) as picture:
            shots.append((f"res://{path.name}", picture.size))
    found = {path.name: differing(*each) for path, *each in zip(maps, wanted, part.draw(shots), strict=True)}
    return {name: px for name, px in found.items() if px}
