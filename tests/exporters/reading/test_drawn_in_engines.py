"""Drawn levels and the real programs: maps that Tiled saved itself, and scenes that Godot opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporters.reading.drawn import drawn_level
from generator.checks import problems
from generator.level_file import load_level
from tests.commands import undercroft
from tests.engines import tiled
from tests.exporters.formats.godot.conftest import Project
from tests.exporters.reading.drawn_maps import crypt, drawn_object


@pytest.mark.engine
def test_a_map_that_tiled_saved_is_the_same_level(tmp_path: Path) -> None:
    drawing = crypt(tmp_path, drawn_object(9, "enemy", (15, 3, 1, 1), role="shooter"))
    level = drawn_level(drawing, {}).level
    for form, name in (("tmx", "saved.tmx"), ("json", "saved.tmj")):
        done = tiled().run("--export-map", form, drawing, tmp_path / name)
        assert done.returncode == 0, done.stderr
        saved = drawn_level(tmp_path / name, {})
        assert (saved.notes, problems(saved.level)) == ([], [])
        assert saved.level == level


@pytest.mark.engine
@pytest.mark.xdist_group("godot")  # whose pictures Godot has imported
def test_godot_opens_the_scene_of_a_drawn_level(tmp_path: Path) -> None:
    drawing = crypt(tmp_path / "drawn", drawn_object(9, "enemy", (15, 3, 1, 1)))
    project = Project(tmp_path)
    done = undercroft("import", str(drawing), "--to", "godot", "--out", "levels", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    project.begin()
    level = load_level(tmp_path / "levels" / "crypt.level.json")
    seen = project.ask("dump.gd", "levels/crypt.tscn")
    assert [room["name"] for room in seen["rooms"]][::3] == ["Hall", "Throne room"]
    assert len(seen["doors"]) == len(level.doors) and len(seen["hallways"]) == len(level.hallways) == 4
    assert sorted(marker["meta"]["kind"] for marker in seen["markers"]) == ["enemy", "player_start"]
    assert seen["navigation"]
