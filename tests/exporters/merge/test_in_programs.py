"""People's work in the real programs is there in the new level, which they open without a word."""

from __future__ import annotations

import copy
import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from exporters.edits.merging import merge
from generator.cli.check import _problems
from tests.exporters.formats.godot.conftest import Project
from tests.exporters.formats.ldtk.official_schema import faults
from tests.exporters.formats.tiled.conftest import read, run_tiled
from tests.exporters.formats.tiled.test_in_tiled import differences, that_matter
from tests.godot_addon.conftest import AddonProject

from .conftest import exported

SCRIPTS = Path(__file__).parent / "scripts"
pytestmark = pytest.mark.xdist_group("merge_programs")


def write(folder: Path, formats: str, **values: object) -> None:
    """Write a level over what is there; the stories merge by hand."""
    exporters.export(generator.generate("isaac", 7, **values), formats, name="level").write(folder, None)


def test_work_in_tiled(tmp_path: Path) -> None:
    write(tmp_path, "tiled")
    path, answer = tmp_path / "level.tmj", tmp_path / "answer.json"
    base = path.read_bytes()
    script = ("--evaluate", SCRIPTS / "edit_map.js", path, answer)
    run_tiled(*script, "edit", project=tmp_path)
    before, theirs = read(answer), path.read_bytes()
    assert before["painted"] == [200, 201] and before["music"] == "cellar.ogg"
    write(tmp_path, "tiled", rooms=14)
    found = merge("level.tmj", base, theirs, path.read_bytes())
    assert found.conflicts == ()
    path.write_bytes(found.data)
    run_tiled(*script, "tell", project=tmp_path)
    after = read(answer)
    changed = {"rooms": 15, "size": [109, 40]}
    assert after == {**before, **changed} and before["rooms"] == 9
    run_tiled("--export-map", "json", path, path.with_suffix(".saved"), project=tmp_path)
    assert that_matter(differences(read(path), read(path.with_suffix(".saved")))) == []


def test_work_in_godot(tmp_path: Path) -> None:
    game = Project(tmp_path)
    write(tmp_path / "levels", "godot")
    scene, answer = tmp_path / "levels" / "level.tscn", tmp_path / "answer.json"
    base = scene.read_bytes()
    shutil.copy(SCRIPTS / "edit_scene.gd", tmp_path)
    game.start()

    def ask(what: str) -> dict[str, Any]:
        args = ("res://levels/level.tscn", what, str(answer))
        game.run("--headless", "-s", "edit_scene.gd", "--", *args)
        found: dict[str, Any] = json.loads(answer.read_bytes())
        return found

    before = ask("edit")
    assert (before["painted"], before["hung"], before["energy"], before["groups"]) == (7, 5, 0.5, True)
    theirs = scene.read_bytes()
    write(tmp_path / "levels", "godot", rooms=14)
    found = merge("level.tscn", base, theirs, scene.read_bytes())
    assert found.conflicts == ()
    scene.write_bytes(found.data)
    assert ask("tell") == {**before, "rooms": 15} and before["rooms"] == 9


def worked_on(data: bytes) -> bytes:
    """Work that LDtk could have saved: definitions, tiles, terrain, entities, a level; some in rooms that will go."""
    project = json.loads(data)
    layers = {each["identifier"]: each for each in project["defs"]["layers"]}
    own = {**copy.deepcopy(layers["Decor"]), "uid": project["nextUid"], "identifier": "Mine"}
    project["defs"]["layers"].insert(0, own)
    project["nextUid"] += 1
    for number, level in enumerate(project["levels"]):
        there = {each["__identifier"]: each for each in level["layerInstances"]}
        mine = {**copy.deepcopy(there["Decor"]), "__identifier": "Mine", "layerDefUid": own["uid"]}
        tile = {"px": [64, 64], "src": [0, 0], "f": 0, "t": 0, "d": [4 + 4 * mine["__cWid"]], "a": 1}
        mine |= {"iid": f"a{number:07d}-0000-5000-8000-000000000000", "gridTiles": [tile]}
        level["layerInstances"].insert(0, mine)
        there["Terrain"]["intGridCsv"][4 + 4 * mine["__cWid"]] = 6
        there["Decor"]["gridTiles"] = [
            *there["Decor"]["gridTiles"],
            {**tile, "px": [80, 64], "d": [5 + 4 * mine["__cWid"]]},
        ]
        for each in there["Entities"]["entityInstances"][-1:]:
            added = {**copy.deepcopy(each), "iid": f"b{number:07d}-0000-5000-8000-000000000000"}
            there["Entities"]["entityInstances"].append(added)
    return json.dumps(project).encode()


def test_work_in_ldtk_keeps_the_rules_of_the_format(tmp_path: Path) -> None:
    """Three times: the rules that `check` knows, and those of the official schema if the environment names it."""
    versions = [exported("isaac", 7, **values)["ldtk"] for values in ({}, {"rooms": 14}, {"stage": 3}, {})]
    write(tmp_path, "ldtk")
    write(tmp_path, "ldtk", stage=3)  # with another image
    theirs = worked_on(versions[0])
    path = tmp_path / "level.ldtk"
    for base, new in itertools.pairwise(versions):
        found = merge("level.ldtk", base, theirs, new)
        theirs = found.data
        path.write_bytes(theirs)
        assert _problems(path, False, []) == []
        project = json.loads(theirs)
        assert faults(project) == []
        layers = [layer for level in project["levels"] for layer in level["layerInstances"]]
        iids = [each["iid"] for layer in layers for each in (layer, *layer["entityInstances"])]
        assert len(set(iids)) == len(iids)
        assert any(layer["__identifier"] == "Mine" and layer["gridTiles"] for layer in layers)


@pytest.mark.soak
def test_the_addon_imports_what_was_merged(tmp_path: Path) -> None:
    write(tmp_path, "ldtk", rooms=14)
    write(tmp_path, "tiled", rooms=14)
    ldtk = merge("level.ldtk", exported("isaac", 7)["ldtk"], worked_on(exported("isaac", 7)["ldtk"]), (tmp_path / "level.ldtk").read_bytes())  # fmt: skip
    map_ = json.loads(exported("isaac", 7)["tmj"])
    for layer in map_["layers"][:5]:
        layer["data"] = [gid or 9 for gid in layer["data"]]
    for each in (one for layer in map_["layers"] if layer["name"] == "Markers" for one in layer["objects"]):
        each["name"] += " mine"
    tmj = merge("level.tmj", exported("isaac", 7)["tmj"], json.dumps(map_).encode(), (tmp_path / "level.tmj").read_bytes())  # fmt: skip
    assert ldtk.conflicts and tmj.conflicts
    (tmp_path / "level.ldtk").write_bytes(ldtk.data)
    (tmp_path / "level.tmj").write_bytes(tmj.data)
    game = AddonProject(tmp_path)
    assert game.import_all() == []
    imported = sorted(
        path.name.partition("-")[0] for path in (tmp_path / ".godot/imported").glob("level.*.scn")
    )
    assert imported == ["level.ldtk", "level.tmj"]
