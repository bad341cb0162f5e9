"""The tutorial's game is made as its page says; it ships with `runtime/` and nothing else of the addon."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import exporters
from tests import godot_server
from tests.engines import godot
from tests.godot_addon.conftest import ADDON
from tests.godot_addon.pack.conftest import pack

from . import tutorial
from .conftest import PROBES

pytestmark = pytest.mark.xdist_group("tutorial")

AFAR = (80, 45)  # px
ROOT = ADDON / "addons" / "undercroft"
RUNTIME = ROOT / "runtime"
# Every way in which one file names another: preload, load, extends, and a scene's resources.
_NAMED = re.compile(r'(?:\bpreload\(|\bload\(|^extends |\bpath=)"([^"]+)"', re.MULTILINE)


@pytest.mark.parametrize("script", sorted(RUNTIME.glob("*.gd")), ids=lambda path: path.name)
def test_a_script_of_the_runtime_names_no_other_folder(script: Path) -> None:
    text = script.read_text("utf-8")
    assert [name for name in _NAMED.findall(text) if not (RUNTIME / name).is_file()] == []
    assert [name for name in _NAMED.findall(text) if "/" in name] == []
    assert not re.search(r"^@tool|\bEditor[A-Z]\w+", text, re.MULTILINE)


def test_the_examples_need_nothing_but_the_runtime() -> None:
    named = {
        (path.parent / name).resolve().parent
        for path in (ROOT / "examples").iterdir()
        if path.suffix in {".gd", ".tscn"}
        for name in _NAMED.findall(path.read_text("utf-8"))
    }
    assert named == {ROOT / "examples", RUNTIME}


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tutorial's project, by the commands as they stand on its page, with nothing else in it."""
    folder = tmp_path_factory.mktemp("tutorial")
    tutorial.make(folder)
    return folder


def test_the_page_shows_the_shipped_scripts() -> None:
    assert tutorial.scripts() == {
        path.name: path.read_text("utf-8") for path in (ROOT / "examples").glob("*.gd")
    }


@pytest.mark.soak
def test_the_page_leads_to_the_game_and_its_picture(made: Path, tmp_path: Path) -> None:
    told = tutorial.play(made, tmp_path / "shot.png")
    level = tutorial.level()
    locked = [door.id for door in level.doors if door.kind == "locked"]
    assert told["without_key"] == [0, False]
    assert told["spent"] == [[locked[0], 2, 1, True], [locked[1], 1, 0, True]]
    for door in locked:
        told["opened"].remove(door)  # what is left was shut before
    tutorial.check_won(told, level)
    assert {"shop", "treasure"} <= {level.rooms[room].kind for room in told["entered"]}
    with Image.open(tutorial.PICTURE) as kept, Image.open(tmp_path / "shot.png") as shot:
        assert kept.size == shot.size
        far = [
            np.asarray(each.convert("RGB").resize(AFAR, Image.Resampling.BOX), np.int16)
            for each in (kept, shot)
        ]
    apart = np.abs(far[0] - far[1]).mean()
    assert apart < 2, f"{tutorial.PICTURE.name} is out of date: python -m tests.godot_addon.play.tutorial"


@pytest.fixture(scope="session")
def alone(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same project without the editor's part of the addon."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copytree(made, folder, dirs_exist_ok=True)
    for part in (folder / "addons" / "undercroft").iterdir():
        if part.is_dir() and part.name not in {"runtime", "examples"}:
            shutil.rmtree(part)
        elif part.is_file():
            part.unlink()
    settings = folder / "project.godot"
    settings.write_text(settings.read_text("utf-8").partition("[editor_plugins]")[0], "utf-8")
    return folder


def test_the_game_is_won_where_the_rest_of_the_addon_is_missing(alone: Path) -> None:
    tutorial.check_won(tutorial.play(alone), tutorial.level())


def test_levels_are_read_where_the_rest_of_the_addon_is_missing(alone: Path) -> None:
    """A level.json, a scene and a pack."""
    level, levels = tutorial.level(), alone / "levels"
    (scene,) = levels.glob("*-2.tscn")
    name = scene.stem
    exporters.export(level, ["json"], name=name).write(levels)
    seeds = f"{level.seed}:{level.seed + 1}"
    pack("isaac", "--set", "stage=2", "--seeds", seeds, "--out", levels / "levels.ucpack")
    (alone / "probes").mkdir()
    shutil.copy(PROBES / "alone.gd", alone / "probes")
    godot_server.bring(alone)
    answer = alone / "answer.json"
    files = [f"res://levels/{file}" for file in (f"{name}.level.json", f"{name}.tscn", "levels.ucpack")]
    done = godot_server.ask(godot(), alone, "probes/alone.gd", *files, str(answer))
    assert done.returncode == 0 and not done.stderr, done.stderr
    told = json.loads(answer.read_bytes())
    assert told.pop("scripts") == sorted(path.name for path in RUNTIME.glob("*.gd"))
    assert told == dict.fromkeys(["json", "scene", "pack"], level.fingerprint)
