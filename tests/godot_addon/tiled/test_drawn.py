"""What Godot shows of an imported map is what Tiled draws of it, pixel for pixel."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.engines import tmxrasterizer
from tests.godot_addon.rounds import Part, imported

from .compare import differing, unlike
from .drawn import write_all


@imported
def tiled_drawn(folder: Path) -> None:
    """A map of every kind."""
    write_all(folder)


def test_godot_shows_what_tiled_draws(tiled_drawn: Part, tmp_path: Path) -> None:
    assert tiled_drawn.said == []
    maps = sorted(tiled_drawn.folder.glob("*.tmj"))
    assert not unlike(tiled_drawn, maps, tmp_path)


def test_the_comparison_sees_a_shift(tmp_path: Path) -> None:
    write_all(tmp_path)
    tmxrasterizer().run("--no-smoothing", tmp_path / "flips.tmj", tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as whole:
        moved = Image.new("RGBA", whole.size)
        moved.paste(whole, (1, 0))
        moved.save(tmp_path / "b.png")
    assert differing(tmp_path / "a.png", tmp_path / "b.png") > 1000
