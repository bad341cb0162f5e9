"""The examples for engines of the web, in a browser: loaded without a complaint, and what they draw is our picture."""

from __future__ import annotations

import base64
import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from exporters.dress import dress
from tests import clients
from tests.browser import Page, browser

from .conftest import EXAMPLES, NAME, Exported, Pixels, seen

pytestmark = pytest.mark.xdist_group("browser-clients")

SCRIPTS = {
    "phaser": "dist/phaser.min.js",
    "excalibur": "build/dist/excalibur.min.js",
    "@excaliburjs/plugin-tiled": "build/umd/excalibur-tiled.min.js",
    "@excaliburjs/plugin-ldtk": "build/umd/excalibur-ldtk.min.js",
}
# What the browser says of itself, on a machine without a graphics card.
_BROWSERS_OWN = "Automatic fallback to software WebGL"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as found:
        found.size(1200, 800)
        yield found


Run = Callable[[str, Path], None]


@pytest.fixture
def run(page: Page, served: Any, tmp_path: Path) -> Iterator[Run]:
    """`run(example, folder)`: the example in the page, once it is ready, beside what its comment asks for."""

    def start(example: str, folder: Path) -> None:
        shutil.copytree(folder, tmp_path / "game")
        for path in EXAMPLES.iterdir():
            shutil.copy(path, tmp_path / "game")
        for name, script in SCRIPTS.items():
            shutil.copy(clients.npm(name) / "package" / script, tmp_path / "game")
        page.visit(f"{served(tmp_path / 'game')}/{example}")
        page.wait("window.level")

    page.console.clear()
    yield start
    page.js("0")
    assert [said for said in page.console if _BROWSERS_OWN not in said] == []


def canvas(page: Page) -> Pixels:
    """What the page has drawn."""
    url = page.js("document.querySelector('canvas').toDataURL()")
    return seen(Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))))


def test_phaser_draws_our_picture(run: Run, page: Page, exported: Exported) -> None:
    """To the pixel, and it has every marker with its class."""
    run("phaser.html", exported.embedded)
    assert np.array_equal(canvas(page), exported.picture)
    told = page.js("level.spawns.map(one => [one.type, one.x, one.y])")
    size, lights = exported.theme.tile_size, exported.level.kinds.light_markers
    here = [one for one in exported.level.markers if one.kind not in lights]
    assert told == [[one.kind, one.x * size, (one.y + 1) * size] for one in here]
    walls = page.js("level.map.getLayer('Walls').data.flat().filter(one => one.collides).length")
    assert walls == int((dress(exported.level, exported.theme).walls >= 0).sum())


def test_excalibur_draws_a_tiled_map_as_we_do(run: Run, page: Page, exported: Exported) -> None:
    """All but what moves, and the markers, whose icons it draws."""
    run("excalibur-tiled.html", exported.folder)
    drawn, level, size = canvas(page), exported.level, exported.theme.tile_size
    layers = np.stack(dress(level, exported.theme))
    still = ~np.isin(layers, list(exported.theme.animations)).any(axis=0)
    for marker in level.markers:
        still[marker.y, marker.x] = False
    mask = still.repeat(size, axis=0).repeat(size, axis=1)
    assert mask.mean() > 0.9
    assert np.array_equal(drawn[mask], exported.picture[mask])
    start = next(one for one in level.markers if one.kind == "player_start")
    assert page.js("[level.player.x, level.player.y]") == [start.x * size, (start.y + 1) * size]


def test_excalibur_has_every_level_of_an_ldtk_project(run: Run, page: Page, exported: Exported) -> None:
    run("excalibur-ldtk.html", exported.folder)
    assert page.js("level.resource.projectMetadata.levels.length") == len(exported.level.rooms)
    for kind in ("enemy", "torch", "player_start"):
        name = "".join(word.title() for word in kind.split("_"))
        told = page.js(f"level.resource.getEntitiesByIdentifier('{name}').length")
        assert told == sum(one.kind == kind for one in exported.level.markers)
    project = json.loads((exported.folder / f"{NAME}.ldtk").read_bytes())
    layers = [layer for each in project["levels"] for layer in each["layerInstances"]]
    tiles = sum(bool(layer["gridTiles"] or layer["autoLayerTiles"]) for layer in layers)
    assert page.js("level.game.currentScene.tileMaps.length") == tiles


def test_the_browser_tells_of_faults(run: Run, page: Page, exported: Exported) -> None:
    """So that the silence of the tests above means something."""
    run("phaser.html", exported.embedded)
    page.js("console.error('broken')")
    assert any("broken" in said for said in page.console)
    page.console.clear()


def test_the_examples_name_what_the_tests_export() -> None:
    for path in EXAMPLES.glob("*.html"):
        assert f'"{NAME}.' in path.read_text("utf-8"), path.name
