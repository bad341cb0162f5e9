"""The programs that people have take what we write: the machine's own where it has them, else those of all tests.

Only what holds for every version is asked. All other tests use the same programs on every machine.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import exporters
from tests.browser import browser
from tests.engines import at_hand
from tests.folders import ROOT, files_of_the_project

from .conftest import EXAMPLES, NAME, Exported

pytestmark = pytest.mark.xdist_group("browser-clients")

LOAD = """\
extends SceneTree

func _initialize() -> void:
\tvar level: Node = load("res://%s.tscn").instantiate()
\tprint("doors: ", level.get_node("Doors").get_child_count())
\tlevel.free()
\tquit()
"""


def test_a_browser_shows_a_level_and_complains_of_nothing(
    served: Any, exported: Exported, tmp_path: Path
) -> None:
    for path in (EXAMPLES / "level.html", EXAMPLES / "level.js", exported.folder / f"{NAME}.level.json"):
        shutil.copy(path, tmp_path)
    with browser(at_hand("chromium")) as page:
        page.visit(f"{served(tmp_path)}/level.html")
        page.wait("window.level")
        assert page.js("document.querySelector('canvas').width") == exported.level.width * 4
        assert page.console == []


def test_godot_loads_a_scene(exported: Exported, tmp_path: Path) -> None:
    (tmp_path / "project.godot").write_text("config_version=5\n")
    (tmp_path / "load.gd").write_text(LOAD % NAME)
    exporters.export(exported.level, "godot", {"godot.target": "4.3"}, name=NAME).write(tmp_path)
    own = at_hand("godot")
    own.run("--headless", "--path", tmp_path, "--import")
    done = own.run("--headless", "--path", tmp_path, "-s", "load.gd")
    assert f"doors: {len(exported.level.doors)}\n" in done.stdout
    assert done.stderr == ""


def test_tiled_opens_a_map(exported: Exported, tmp_path: Path) -> None:
    done = at_hand("tiled").run(
        "--export-map", "json", exported.folder / f"{NAME}.tmj", tmp_path / "again.tmj"
    )
    assert done.returncode == 0, done.stderr
    written, again = (
        json.loads(path.read_bytes()) for path in (exported.folder / f"{NAME}.tmj", tmp_path / "again.tmj")
    )
    assert [layer["name"] for layer in again["layers"]] == [layer["name"] for layer in written["layers"]]


def test_every_page_names_its_icon() -> None:
    """Without that a browser with a window asks the server for one, and tells that there is none."""
    pages = [ROOT / path for path in files_of_the_project() if path.endswith(".html")]
    lacking = [
        path.name
        for path in pages
        if "<title>" in (text := path.read_text("utf-8"))
        and not re.search(r'<link rel="icon" href="[^"]', text)
    ]
    assert len(pages) >= 8 and not lacking
