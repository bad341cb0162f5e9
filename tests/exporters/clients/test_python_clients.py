"""Python's libraries read our maps: nothing is refused, and what they draw is our picture."""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser
import pytmx
from click.testing import CliRunner
from PIL import Image

import exporters
from exporters.dress import EMPTY, dress
from exporters.formats.tiled.names import TAKEN, plain_name
from generator.cli import main
from generator.level import Marker
from tests import clients

from .conftest import EXAMPLES, NAME, Exported, seen

LAYERS = ("Ground", "Walls", "Doors", "Decor", "Overlay")


def cut(filename: str, _colorkey: Any, **_: Any) -> Callable[..., Image.Image]:
    """What pytmx asks for pictures with."""
    image = Image.open(filename).convert("RGBA")
    return lambda rect, _flags: image.crop((rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]))


@pytest.mark.parametrize("tileset", ["external", "embedded"])
def test_pytmx_draws_our_picture(tileset: str, exported: Exported, tmp_path: Any) -> None:
    options = {"tiled.format": "tmx", "tiled.tileset": tileset}
    exporters.export(exported.level, "tiled", options, name=NAME).write(tmp_path)
    found = pytmx.TiledMap(str(tmp_path / f"{NAME}.tmx"), image_loader=cut)
    size = found.tilewidth
    drawn = Image.new("RGBA", (found.width * size, found.height * size))
    for name in LAYERS:
        for x, y, image in found.get_layer_by_name(name).tiles():
            drawn.alpha_composite(image, (x * size, y * size))
    assert np.array_equal(seen(drawn), exported.picture)


def test_pytmx_has_every_marker_where_it_is(exported: Exported, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "pytmx"):
        found = pytmx.TiledMap(str(exported.folder / f"{NAME}.tmx"), image_loader=cut)
    assert caplog.records == []
    markers = [*found.get_layer_by_name("Markers"), *found.get_layer_by_name("Lights")]
    size = found.tilewidth
    # pytmx puts the place of a tile at its upper left corner.
    told = {
        (one.properties["marker_id"], one.type, one.x // size, one.y // size): {
            plain_name(name, one.type): value for name, value in one.properties.items()
        }
        for one in markers
    }
    assert told.keys() == {(one.id, one.kind, one.x, one.y) for one in exported.level.markers}
    for marker in exported.level.markers:
        own = told[marker.id, marker.kind, marker.x, marker.y]
        assert own.items() >= dict(marker.properties).items()


def test_pytmx_takes_whatever_a_marker_says(exported: Exported, tmp_path: Any) -> None:
    """All names of its own fields are taken already, so that none of them can be refused."""
    fields = {name for one in (pytmx.TiledObject, pytmx.TiledMap) for name in dir(one)}
    found = pytmx.TiledMap(str(exported.folder / f"{NAME}.tmx"), image_loader=cut)
    fields |= set(vars(found)) | set(vars(found.get_layer_by_name("Markers")[0]))
    public = {name for name in fields if not name.startswith("_")}
    assert public <= TAKEN, public - TAKEN
    given = Marker(9999, "item", 40, 15, 0, properties=dict.fromkeys(sorted(public), "x"))
    level = replace(exported.level, markers=(*exported.level.markers, given))
    exporters.export(level, "tiled", {"tiled.format": "tmx"}, name="odd").write(tmp_path)
    odd = pytmx.TiledMap(str(tmp_path / "odd.tmx"), image_loader=cut)
    (one,) = (each for each in odd.get_layer_by_name("Markers") if each.properties["marker_id"] == 9999)
    assert {plain_name(name, "item") for name in one.properties} >= public


@pytest.mark.parametrize("ending", ["tmj", "tmx"])
def test_pytiled_parser_reads_both_alike(ending: str, exported: Exported) -> None:
    found = pytiled_parser.parse_map(exported.folder / f"{NAME}.{ending}")
    layers = {one.name: one for one in found.layers}
    for name, tiles in zip(LAYERS, dress(exported.level, exported.theme), strict=True):
        assert np.array_equal(np.array(layers[name].data), tiles + 1)
    markers = [*layers["Markers"].tiled_objects, *layers["Lights"].tiled_objects]
    assert sorted(one.properties["marker_id"] for one in markers) == [
        one.id for one in exported.level.markers
    ]


_ARCADE = """
import json, sys, arcade
for path in sys.argv[1:]:
    told = arcade.load_tilemap(path, lazy=True)
    size = told.tile_height
    print(json.dumps({
        "tiles": {name: [[int(one.center_x // size), told.height - 1 - int(one.center_y // size)] for one in found]
                  for name, found in told.sprite_lists.items()},
        "ids": [one.properties["marker_id"] for name in ("Markers", "Lights") for one in told.sprite_lists[name]],
        "rooms": len(told.object_lists["Rooms"]),
    }))
"""


def test_arcade_has_every_tile_and_marker(exported: Exported) -> None:
    """In a process of its own: it wants to be alone with its versions of what it needs."""
    env = {
        **os.environ,
        "ARCADE_HEADLESS": "True",
        "PYGLET_AUDIO": "silent",
        "PYTHONPATH": str(clients.pip("arcade")),
    }
    files = [str(exported.folder / f"{NAME}.{ending}") for ending in ("tmj", "tmx")]
    command = [sys.executable, "-c", _ARCADE, *files]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told, other = map(json.loads, done.stdout.splitlines())
    assert told == other
    level = exported.level
    for name, tiles in zip(LAYERS, dress(level, exported.theme), strict=True):
        ys, xs = np.nonzero(tiles != EMPTY)
        assert sorted(map(tuple, told["tiles"][name])) == sorted(zip(xs.tolist(), ys.tolist(), strict=True))
    assert sorted(told["ids"]) == [one.id for one in level.markers]
    places = [tuple(at) for name in ("Markers", "Lights") for at in told["tiles"][name]]
    assert sorted(places) == sorted((one.x, one.y) for one in level.markers)
    assert told["rooms"] == len(level.rooms)


def run_example(script: str, library: str, folder: Path, **more: str) -> str:
    """The output of an example in a folder, with a library from outside the tests' environment."""
    env = {**os.environ, "PYTHONPATH": str(clients.pip(library)), **more}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def lines_of(exported: Exported) -> list[str]:
    level, size = exported.level, exported.theme.tile_size
    here = [one for one in level.markers if one.kind not in level.kinds.light_markers]
    return [f"{one.kind} {one.x * size} {one.y * size} {one.id}" for one in here]


def test_the_example_for_pygame_draws_our_picture(exported: Exported, tmp_path: Path) -> None:
    shutil.copytree(exported.folder, tmp_path, dirs_exist_ok=True)
    script = (EXAMPLES / "show_map.py").read_text("utf-8")
    quiet = {
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "PYTHONWARNINGS": "ignore",
    }
    said = run_example(script, "pygame", tmp_path, **quiet)
    shown = Image.new("RGBA", exported.picture.shape[1::-1], "black")
    shown.alpha_composite(Image.fromarray(exported.picture))
    assert np.array_equal(seen(Image.open(tmp_path / "shown.png")), seen(shown))
    assert [re.sub(r"\.0\b", "", line) for line in said.splitlines()] == lines_of(exported)


def test_the_example_in_lua_has_every_marker(exported: Exported, tmp_path: Path) -> None:
    options = {"tiled.format": "lua", "tiled.tileset": "embedded"}
    exporters.export(exported.level, "tiled", options, name=NAME).write(tmp_path)
    shutil.copy(EXAMPLES / "markers.lua", tmp_path)
    script = "import lupa; lupa.LuaRuntime().execute('dofile(\"markers.lua\")')"
    said = run_example(script, "lupa", tmp_path, LUA_PATH="./?.lua")
    assert [" ".join(line.split()) for line in said.splitlines()] == lines_of(exported)


def test_lua_holds_any_text(exported: Exported, tmp_path: Path) -> None:
    """Quotes, line breaks and all."""
    text = 'a "b" \\ \n\r\t ]] -- ß \N{DRAGON}'
    marker = Marker(9999, "item", 40, 15, 0, properties={"text": text, 'odd "name"': True})
    level = replace(exported.level, markers=(*exported.level.markers, marker))
    exporters.export(level, "tiled", {"tiled.format": "lua"}, name="odd").write(tmp_path)
    script = (
        "import lupa, json; level = lupa.LuaRuntime().execute('return dofile(\"odd.lua\")');"
        "layer, = (one for one in level.layers.values() if one.name == 'Markers');"
        "found = dict(list(layer.objects.values())[-1].properties); found.pop('room');"
        "print(json.dumps(found))"
    )
    told = json.loads(run_example(script, "lupa", tmp_path))
    assert told["text"] == text and told['odd "name"'] is True and told["marker_id"] == 9999


PAGE = (EXAMPLES.parents[1] / "engines.md").read_text("utf-8")


def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in "".join(blocks).splitlines():
        *words, folder = shlex.split(line)[1:]
        done = CliRunner().invoke(main, [*words, str(tmp_path / folder)])
        assert (done.exit_code, done.stderr) == (0, ""), line
    made = {path.name for path in tmp_path.rglob("*")}
    assert made >= {"isaac-7.tmj", "isaac-7.tmx", "undercroft.tsx", "isaac-7.lua", "_composite.png"}


def test_the_page_tells_the_versions_that_are_tried() -> None:
    pins = {"Phaser": clients.NPM["phaser"].version, "arcade": clients.PIP["arcade"][0]["arcade"].version}
    pins |= {f"`{name}`": clients.NPM[name].version for name in clients.NPM if name.startswith("@")}
    for name, version in pins.items():
        assert any(name in line and version in line for line in PAGE.splitlines()), (name, version)
    assert "pygame==2.6.1" in clients.PIP["pygame"][1] and "pygame 2.6.1" in PAGE
