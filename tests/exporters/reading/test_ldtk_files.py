"""Files that LDtk writes beside a project, projects of runs and of several worlds: read, or told of by name."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pytest

from exporters.base import SeveralLevelsError
from exporters.reading.back import bring_back
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.formats.ldtk.saved import save
from tests.exporters.reading.editors import LdtkEditor
from tests.exporters.reading.exported import exported, level_of
from tests.exporters.reading.structure_table import add_room
from tests.exporters.reading.test_edits_brought_back import free_tiles
from tests.exporters.reading.test_moved_worlds import (
    Json,
    level_called,
    make_several_worlds,
    move,
    places,
    run,
)
from tests.exporters.reading.test_structure import level_for
from tests.folders import files_in


def change(path: Path, file: Json) -> None:
    path.write_text(json.dumps(file), "utf-8")


def test_what_is_changed_in_the_project_of_a_run_is_told_to_stay_there(tmp_path: Path) -> None:
    words = ("run", "isaac", "--seed", "7", "--stages", "1:3", "--to", "ldtk,json", "--out", str(tmp_path))
    run(*words)
    path = tmp_path / "isaac-7-run.ldtk"
    shutil.rmtree(tmp_path / ".undercroft")
    assert str(path) not in run("sync", str(tmp_path)), "as it was written, if only a clone has it"
    project = json.loads(path.read_bytes())
    project["levels"][0]["bgColor"] = "#AA0000"
    change(path, project)
    stays = "shows several levels of a run, so changes stay only in this file"
    line = f"undercroft: {path}: {stays}; make the change in the project of its level\n"
    assert run("sync", str(tmp_path)).endswith(f"nothing was edited\n{line}")
    done = undercroft("sync", str(path), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, line)
    with pytest.raises(SeveralLevelsError) as raised:
        bring_back(path)
    sent = pickle.loads(pickle.dumps(raised.value))
    assert f"undercroft: {sent}\n" == line, "as from a worker"


def test_a_project_of_several_worlds_is_not_merged_and_the_reason_is_right(tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, "ldtk", tmp_path)
    edit = LdtkEditor(main, level)
    edit.paint(free_tiles(level)[0], "pit")
    make_several_worlds(edit.project)
    edit.save()
    mine = files_in(tmp_path)
    done = undercroft("sync", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert "it cannot be merged (its levels are in several worlds; keep them in one)" in done.stderr
    assert files_in(tmp_path) == mine


@pytest.mark.parametrize("levels", ["rooms", "files"])
def test_a_room_is_moved_in_a_world_that_is_moved(levels: str, tmp_path: Path) -> None:
    words = ["--seed", "7", "--to", "json,ldtk", "--name", "cellar", "--out", str(tmp_path)]
    run("generate", "isaac", *words, "--option", f"ldtk.external={str(levels == 'files').lower()}")
    room = load_level(tmp_path / "cellar.level.json").rooms[8].bounds
    move(tmp_path, (-240, 144))
    for path in [tmp_path / "cellar.ldtk", tmp_path / "cellar" / "Room_8_secret.ldtkl"]:
        if path.is_file():
            file = json.loads(path.read_text("utf-8"))
            level = level_called(file, "Room_8_secret") if "levels" in file else file
            level["worldX"] -= 240
            for layer in level["layerInstances"] or ():
                for entity in layer["entityInstances"]:
                    entity["__worldX"] -= 240
            change(path, file)
    moved = places(tmp_path)
    said = undercroft("sync", ".", cwd=tmp_path).stderr
    assert "1 room moved" in said and "left out" not in said and "no place" not in said
    after = load_level(tmp_path / "cellar.level.json").rooms[8].bounds
    assert (after.x, after.y) == (room.x - 15, room.y)
    assert places(tmp_path) == moved


def test_a_level_file_that_ldtk_named_is_removed_once_its_room_has_another(tmp_path: Path) -> None:
    level = level_for("isaac")
    main = exported(level, "ldtk-files", tmp_path)
    edit = LdtkEditor(main, level)
    add_room(edit)
    edit.save()
    save(main)
    named = {entry["externalRelPath"] for entry in json.loads(main.read_bytes())["levels"]}
    said = undercroft("sync", ".", cwd=tmp_path).stderr
    new = {entry["externalRelPath"] for entry in json.loads(main.read_bytes())["levels"]}
    (own,) = named - new
    assert f"cellar: {own} is no longer part of the export, and removed" in said
    assert {f"cellar/{file.name}" for file in (tmp_path / "cellar").iterdir()} == new
    undercroft("undo", ".", cwd=tmp_path)
    assert (tmp_path / own).is_file()


def test_copies_that_ldtk_keeps_are_not_checked_and_no_files_of_rooms(tmp_path: Path) -> None:
    main = exported(level_of("isaac"), "ldtk-files", tmp_path)
    project = json.loads(main.read_bytes())
    for above in (tmp_path / "cellar" / "backups", tmp_path / "copies"):
        copy = above / f"{project['iid']}_2026-11-30_23-12-59_manual"
        copy.mkdir(parents=True)
        change(copy / main.name, project | {"levels": project["levels"] * 2})
    assert run("check", str(tmp_path)) == "undercroft: 2 files checked, no problems\n"
    assert undercroft("check", str(copy / main.name), cwd=tmp_path).returncode == 1
    assert run("sync", str(tmp_path)) == "undercroft: cellar: nothing was edited\n"
