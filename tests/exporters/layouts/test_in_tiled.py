"""A room begun here, drawn in the real Tiled by a script, and put into levels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from exporters.formats.tiled.rooms import tiled_drawing
from exporters.formats.tiled.write_project import PROJECT_NAME
from exporters.image import composed
from exporters.layouts.drawing import drawing_of
from exporters.theme.loader import load_theme
from generator import generate, problems
from generator.cli import main
from generator.interiors.layout_file import load_layout
from generator.interiors.named import named_layouts
from generator.kinds import shipped_kit
from tests.engines import tiled
from tests.exporters.formats.tiled.conftest import rasterized

pytestmark = pytest.mark.xdist_group("tiled")

SCRIPT = Path(__file__).parent / "scripts" / "draw.js"
DRAWN = """\
.............
.........oo..
...=~........
...~~........
.............
..S......BF..
............."""
FORMATS = {"csv": 1, "base64": 2, "gzip": 3, "zlib": 4, "zstd": 5}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("my rooms")
    done = CliRunner().invoke(
        main, ["layouts", "new", "normal", "--to", "tiled", "--name", "new", "--out", str(made)]
    )
    assert done.exit_code == 0, done.stderr
    return made


@pytest.mark.parametrize(
    ("ending", "format_", "encoding"),
    [("tmj", "json", "csv"), ("tmj", "json", "zstd"), ("tmx", "tmx", "csv"), ("tmx", "tmx", "gzip")],
)
def test_a_room_is_drawn_in_tiled(ending: str, format_: str, encoding: str, folder: Path) -> None:
    target = folder / f"{encoding}-{format_}.{ending}"
    args = (folder / "new.tmj", target, format_, str(FORMATS[encoding]))
    done = tiled().run("--project", folder / PROJECT_NAME, "--evaluate", SCRIPT, *args)
    said = [line for line in done.stderr.splitlines() if line and "tilesets loaded at exit" not in line]
    assert (done.returncode, said) == (0, []) and target.exists()
    rooms = folder / f"rooms-{encoding}-{format_}"
    imported = CliRunner().invoke(main, ["layouts", "import", str(target), "--out", str(rooms)])
    assert imported.exit_code == 0, imported.stderr
    layout = load_layout(rooms / "normal" / "any" / "easy" / f"{target.stem}.txt")
    assert "\n".join(layout.rows) == DRAWN
    name = f"own/normal/any/easy/{target.stem}"
    for style in ("isaac", "rebirth"):
        level = generate(style, 3, layouts=str(target), only_layout=name)
        assert any(room.layout.startswith(name) for room in level.rooms)
        assert not list(problems(level))


def test_a_room_with_exits_is_drawn_in_tiled(folder: Path) -> None:
    """Saved by Tiled in another format, and put into a level of its own style."""
    args = ["layouts", "new", "normal", "--free", "15x11", "--to", "tiled", "--name", "hall"]
    done = CliRunner().invoke(main, [*args, "--out", str(folder)])
    assert done.exit_code == 0, done.stderr
    target = folder / "saved.tmx"
    done_too = tiled().run(
        "--project", folder / PROJECT_NAME, "--export-map", "tmx", folder / "hall.tmj", target
    )
    assert done_too.returncode == 0, done_too.stderr
    level = generate("gungeon", 3, layouts=str(target), only_layout="own/normal/saved")
    own = [room for room in level.rooms if room.layout.startswith("own/normal/saved")]
    assert own  # all whose exits suit their hallways
    assert {tuple(sorted(room.bounds[2:])) for room in own} == {(13, 17)}
    assert not list(problems(level))


def test_tiled_shows_what_is_begun_as_it_is_drawn_here(folder: Path, tmp_path: Path) -> None:
    """The tiles of a large room with everything; without what stands beside its walls."""
    (named,) = named_layouts("normal/any/hard/last-stand", pytest.fail, shipped_kit())
    theme = load_theme()
    tiled_drawing(named, theme, "room").write(tmp_path)
    drawing = drawing_of([named], theme)
    picture = rasterized(tmp_path / "room.tmj", tmp_path / "room.png")
    rect = drawing.rects[0]
    assert picture.shape[:2] == (rect.height * 16, rect.width * 16)
    layers = [layer[rect.slices] for layer in drawing.layers]
    ours = np.concatenate(list(composed(layers, theme, (0, 0, 0, 0))))
    ours[ours[..., 3] == 0] = 0
    assert np.array_equal(picture, ours)
