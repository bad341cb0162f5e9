"""What Godot shows of an imported map is what Tiled draws of it, pixel for pixel."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.engines import tmxrasterizer
from tests.godot_addon.conftest import AddonProject

from .compare import differing
from .drawn import write_all


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
        name: count
        for name in names
        if (count := differing(project.folder / f"{name}.want.png", project.folder / f"{name}.got.png"))
    }
    assert not wrong, f"pixels that differ: {wrong}"


def test_the_comparison_sees_a_shift(tmp_path: Path) -> None:
    write_all(tmp_path)
    tmxrasterizer().run("--no-smoothing", tmp_path / "flips.tmj", tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as whole:
        moved = Image.new("RGBA", whole.size)
        moved.paste(whole, (1, 0))
        moved.save(tmp_path / "b.png")
    assert differing(tmp_path / "a.png", tmp_path / "b.png") > 1000
