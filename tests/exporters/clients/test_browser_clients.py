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
import numpy.typing as npt
import pytest
import shapely
from click.testing import CliRunner
from PIL import Image, ImageColor

import exporters
from exporters.dress import dress
from generator import generate, load_level
from generator.cli import main
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


def still(exported: Exported) -> npt.NDArray[np.bool_]:
    """The pixels of our picture without those that move, and without markers."""
    mask = ~np.isin(np.stack(dress(exported.level, exported.theme)), list(exported.theme.animations)).any(
        axis=0
    )
    for marker in exported.level.markers:
        mask[marker.y, marker.x] = False
    size = exported.theme.tile_size
    return mask.repeat(size, axis=0).repeat(size, axis=1)


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


def test_phaser_draws_a_level_of_a_pack(run: Run, page: Page, exported: Exported, tmp_path: Path) -> None:
    """To the pixel."""
    args = ["pack", "isaac", "--seeds", "7:8", "--web", "--out", str(tmp_path / "pack" / f"{NAME}.ucpack")]
    done = CliRunner().invoke(main, [*args, "--jobs", "1"])
    assert done.exit_code == 0, done.output
    run("phaser-pack.html", tmp_path / "pack")
    assert np.array_equal(canvas(page), exported.picture)


def test_excalibur_draws_a_tiled_map_as_we_do(run: Run, page: Page, exported: Exported) -> None:
    """All but what moves, and the markers, whose icons it draws."""
    run("excalibur-tiled.html", exported.folder)
    drawn, level, size = canvas(page), exported.level, exported.theme.tile_size
    mask = still(exported)
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


def test_excalibur_shows_the_room_where_the_player_starts(run: Run, page: Page, exported: Exported) -> None:
    """The player in the middle, and the room around it as in our picture."""
    run("excalibur-ldtk.html", exported.folder)
    drawn, size = canvas(page), exported.theme.tile_size
    start = next(one for one in exported.level.markers if one.kind == "player_start")
    left, top, width, height = exported.level.rooms[start.room].bounds
    ours = np.s_[top * size : (top + height) * size, left * size : (left + width) * size]
    y, x = drawn.shape[0] // 2 - (start.y - top) * size, drawn.shape[1] // 2 - (start.x - left) * size
    room, mask = drawn[y : y + height * size, x : x + width * size], still(exported)[ours]
    assert mask.mean() > 0.9
    assert np.array_equal(room[mask], exported.picture[ours][mask])


COLOURS = {"wall": "#8b8fb8", "floor": "#a3785a", "pit": "#3e4463", "door": "#e0a83c", "hallway": "#6f665c"}


def test_the_reader_of_level_json_draws_what_python_reads(run: Run, page: Page, exported: Exported) -> None:
    """Terrain, things of several tiles, enemies."""
    run("level.html", exported.folder)
    level = load_level(exported.folder / f"{NAME}.level.json")
    image = Image.new("RGBA", (level.width, level.height))
    blocked = np.zeros(level.decor.shape, bool)
    for y, x in np.argwhere(level.decor):
        kind = level.decor_kinds[level.decor[y, x]]
        blocked[y : y + kind.height, x : x + kind.width] = not kind.walk
    for y, x in np.argwhere(level.terrain):
        colour = COLOURS.get(level.terrain_kinds[level.terrain[y, x]].name, "#8a5a2b")
        image.putpixel((int(x), int(y)), ImageColor.getrgb("#50a050" if blocked[y, x] else colour))
    for marker in level.markers:
        if marker.kind == "enemy":
            image.putpixel((marker.x, marker.y), ImageColor.getrgb("#e64646"))
    assert blocked.any()
    assert np.array_equal(
        canvas(page), seen(image.resize((level.width * 4, level.height * 4), Image.Resampling.NEAREST))
    )


@pytest.mark.parametrize("preset", ["isaac", "gungeon", "rebirth"])
def test_the_reader_knows_rooms_and_ways(preset: str, run: Run, page: Page, tmp_path: Path) -> None:
    """Which room a tile is in, and where each door leads, through hallways too."""
    level = generate(preset, 7)
    exporters.export(level, "json", name=NAME).write(tmp_path / "files")
    run("level.html", tmp_path / "files")
    told = page.js(
        "level.file.rooms.map(room => level.doorsOf(room).map(door => [door.id, level.beyond(door, room)?.id ?? null]))"
    )
    hallways = {door: way.doors for way in level.hallways for door in way.doors}
    for room in level.rooms:
        wanted = []
        for door in level.doors:
            if room.id in door.rooms:
                others = [end for end in door.rooms if end is not None and end != room.id]
                far = [end for end in hallways.get(door.id, ()) if end != door.id]
                wanted.append([door.id, level.doors[far[0]].rooms[0] if far else others[0]])
        assert told[room.id] == wanted
    rooms = page.js(
        "Array.from({length: level.height}, (_, y) => Array.from({length: level.width}, (_, x) => level.roomAt(x, y)?.id ?? -1))"
    )
    owner = np.full(level.terrain.shape, -1)
    for room in level.rooms:
        outer, *holes = room.outline
        shape = shapely.Polygon(outer, holes)
        ys, xs = np.mgrid[: level.height, : level.width]
        owner[shapely.contains_xy(shape, xs + 0.5, ys + 0.5)] = room.id
    assert (owner >= 0).any() and np.array_equal(np.array(rooms), owner)


def test_the_reader_is_short() -> None:
    assert len((EXAMPLES / "level.js").read_text("utf-8").splitlines()) < 60


def test_the_browser_tells_of_faults(run: Run, page: Page, exported: Exported) -> None:
    """So that the silence of the tests above means something."""
    run("phaser.html", exported.embedded)
    page.js("console.error('broken')")
    assert any("broken" in said for said in page.console)
    page.console.clear()


def test_the_page_on_engines_says_where_the_scripts_are() -> None:
    page = (EXAMPLES.parents[1] / "engines.md").read_text("utf-8")
    assert [row for row in SCRIPTS.items() if "| `{}` | `{}` |".format(*row) not in page] == []


def test_the_examples_name_what_the_tests_export() -> None:
    for path in EXAMPLES.glob("*.html"):
        assert f'"{NAME}.' in path.read_text("utf-8"), path.name
