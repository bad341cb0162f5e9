"""A game ships with the addon's `runtime/` and nothing else of it: no importer, no dock, no plugin."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import exporters
import generator
from tests.godot_addon.conftest import ADDON, AddonProject
from tests.godot_addon.pack.conftest import pack

from . import tutorial
from .conftest import PROBES
from .test_example import check_won

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


def test_levels_are_read_where_the_rest_of_the_addon_is_missing(tmp_path: Path) -> None:
    """A level.json, a scene and a pack, in a project that never had the editor's part."""
    project = AddonProject(tmp_path)
    shutil.rmtree(tmp_path / "addons")
    shutil.copytree(RUNTIME, tmp_path / "addons" / "undercroft" / "runtime")
    shutil.rmtree(tmp_path / "probes")
    (tmp_path / "probes").mkdir()
    shutil.copy(PROBES / "alone.gd", tmp_path / "probes")
    settings = tmp_path / "project.godot"
    text = re.sub(r"enabled=PackedStringArray\(.*\)\n", "", settings.read_text("utf-8"))
    settings.write_text(text, "utf-8")
    level = generator.generate("rebirth", 3)
    exporters.export(level, ["json", "godot"], name="level").write(tmp_path)
    pack("rebirth", "--seeds", "3:4", "--out", tmp_path / "levels.ucpack")
    assert not project.import_all()
    told = project.ask("alone.gd")
    assert told.pop("scripts") == sorted(path.name for path in RUNTIME.glob("*.gd"))
    assert told == dict.fromkeys(["json", "scene", "pack"], level.fingerprint)


def test_the_tutorials_game_is_won_where_the_rest_of_the_addon_is_missing(tmp_path: Path) -> None:
    tutorial.make(tmp_path)
    for part in (tmp_path / "addons" / "undercroft").iterdir():
        if part.is_dir() and part.name not in {"runtime", "examples"}:
            shutil.rmtree(part)
        elif part.is_file():
            part.unlink()
    settings = tmp_path / "project.godot"
    settings.write_text(settings.read_text("utf-8").partition("[editor_plugins]")[0], "utf-8")
    check_won(tutorial.play(tmp_path), tutorial.level())
