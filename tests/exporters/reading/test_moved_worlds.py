"""Where a program has the whole level in its world is the person's, and no edit of the level."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from exporters.formats.ldtk.check import problems
from exporters.reading.back import bring_back
from generator.cli.group import main
from generator.level_file import load_level
from tests.exporters.reading.exported import VALUES

Json = dict[str, Any]
NO_EDITS = "undercroft: cellar: no new edits; what a level cannot have stays in its file\n"
PLACE = ("worldX", "worldY")
WAYS = {
    "a cell": ("isaac", "rooms", (240, 144)),
    "a few pixels": ("gungeon", "rooms", (-5, 7)),
    "one level": ("isaac", "one", (-5, 32)),
    "files of levels": ("isaac", "files", (-240, 0)),
}


def run(*words: str) -> str:
    done = CliRunner().invoke(main, [*words])
    assert done.exit_code == 0, done.stderr
    return done.stderr


def generate(folder: Path, preset: str, levels: str, *more: str) -> None:
    option = "ldtk.external=true" if levels == "files" else f"ldtk.levels={levels}"
    sets = [f"--set={name}={value}" for name, value in VALUES[preset].items() if name != "seed"]
    words = ["--seed", str(VALUES[preset]["seed"]), *sets, "--name", "cellar", "--out", str(folder)]
    run("generate", preset, *words, "--to", "json", "--to", "ldtk", "--option", option, *more)


def files_of(folder: Path) -> list[Path]:
    return [folder / "cellar.ldtk", *sorted((folder / "cellar").glob("*.ldtkl"))]


def levels_of(file: Json) -> list[Json]:
    return file.get("levels", [file])


def move(folder: Path, way: tuple[int, int]) -> None:
    """As LDtk saves it."""
    for path in files_of(folder):
        file = json.loads(path.read_text("utf-8"))
        for level in levels_of(file):
            entities = [one for layer in level["layerInstances"] or () for one in layer["entityInstances"]]
            for key, by in zip(PLACE, way, strict=True):
                level[key] += by
                for entity in entities:
                    entity[f"__{key}"] += by
        path.write_text(json.dumps(file), "utf-8")


def places(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        f"{path.name} {level['identifier']}": (level["worldX"], level["worldY"])
        for path in files_of(folder)
        for level in levels_of(json.loads(path.read_text("utf-8")))
    }


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in files_of(folder)}


@pytest.mark.parametrize("case", WAYS)
def test_all_levels_moved_alike_are_no_edit_and_stay_there(case: str, tmp_path: Path) -> None:
    preset, levels, way = WAYS[case]
    generate(tmp_path, preset, levels)
    saved = (tmp_path / "cellar.level.json").read_bytes()
    move(tmp_path, way)
    moved, mine = places(tmp_path), bytes_of(tmp_path)
    assert run("sync", str(tmp_path)) == NO_EDITS
    assert bytes_of(tmp_path) == mine and (tmp_path / "cellar.level.json").read_bytes() == saved
    for _ in range(2):
        generate(tmp_path, preset, levels, "--edits", "merge")
        assert places(tmp_path) == moved and problems(tmp_path / "cellar.ldtk") == []
        assert (tmp_path / "cellar.level.json").read_bytes() == saved


def test_a_level_without_layers_is_damaged(tmp_path: Path) -> None:
    generate(tmp_path, "isaac", "rooms")
    path = tmp_path / "cellar.ldtk"
    file = json.loads(path.read_text("utf-8"))
    file["levels"][1]["layerInstances"] = None
    path.write_text(json.dumps(file), "utf-8")
    done = CliRunner().invoke(main, ["sync", str(tmp_path)])
    (line,) = done.stderr.splitlines()
    assert done.exit_code != 0 and "levels[1]: level 'Room_1_normal': layerInstances: are missing" in line


def make_free(file: Json) -> None:
    file["worldLayout"] = "Free"


def make_several_worlds(file: Json) -> None:
    own = ("worldLayout", "worldGridWidth", "worldGridHeight", "defaultLevelWidth", "defaultLevelHeight")
    world = {"iid": file["dummyWorldIid"], "identifier": "World", **{key: file[key] for key in own}}
    file |= {**dict.fromkeys(own), "worlds": [{**world, "levels": file["levels"]}], "levels": []}


@pytest.mark.parametrize("change", [None, make_free, make_several_worlds])
def test_a_room_moves_whatever_the_layout_of_the_world_is_now(
    change: Callable[[Json], None] | None, tmp_path: Path
) -> None:
    """The places of all rooms were read from another tile, so none of them was where it had been."""
    words = ["--seed", "7", "--to", "json", "--to", "ldtk", "--name", "cellar", "--out", str(tmp_path)]
    run("generate", "isaac", *words)
    path = tmp_path / "cellar.ldtk"
    file = json.loads(path.read_text("utf-8"))
    level_called(file, "Room_8_secret")["worldX"] -= 240
    if change:
        change(file)
    path.write_text(json.dumps(file), "utf-8")
    back = bring_back(path)
    before, after = load_level(tmp_path / "cellar.level.json").rooms[8].bounds, back.level.rooms[8].bounds
    assert (after.x, after.y) == (before.x - 15, before.y) and back.level.edited["rooms_moved"] == 1
    assert [note for note in back.notes if "left out" in note or "moved as a whole" in note] == []


def level_called(file: Json, name: str) -> Json:
    found: Json = next(level for level in file["levels"] if level["identifier"] == name)
    return found


@pytest.mark.parametrize("levels", ["rooms", "files"])
@pytest.mark.parametrize("other", ["Terrain", "zone"])
def test_a_move_that_cannot_be_is_put_aside_when_the_file_is_written(
    levels: str, other: str, tmp_path: Path
) -> None:
    """The room was back in its place, and a line said that the new file has this change, too."""
    generate(tmp_path, "isaac", levels)
    moved: dict[str, int] = {}
    for path in files_of(tmp_path):
        file = json.loads(path.read_text("utf-8"))
        for level in levels_of(file):
            if level["identifier"] == "Room_1_normal":
                level["worldX"] -= 4800
                moved[path.name] = level["worldX"]
            elif level["identifier"] == "Room_2_normal" and level["layerInstances"]:
                work_on(level, other)
        path.write_text(json.dumps(file), "utf-8")
    said = run("sync", str(tmp_path))
    assert "Room_1_normal: left out: the level keeps its size" in said and "also in the new file" not in said
    assert "is merged; 1 change has no place any more: see cellar.conflicts.txt" in said
    line = "cellar.ldtk: level Room_1_normal: moved or resized, but the new level has it elsewhere\n"
    assert (tmp_path / "cellar.conflicts.txt").read_text("utf-8") == line
    asides = [json.loads(path.read_text("utf-8")) for path in tmp_path.rglob("*.mine.ldtk*")]
    held = [each["worldX"] for aside in asides for each in levels_of(aside) if "Room_1" in each["identifier"]]
    assert held == [*moved.values()]
    assert run("sync", str(tmp_path)) == "undercroft: cellar: nothing was edited\n"
    assert problems(tmp_path / "cellar.ldtk") == []


def work_on(level: Json, other: str) -> None:
    """An edit that a level can have."""
    for field in level["fieldInstances"]:
        if field["__identifier"] == other:
            field["__value"] = "crypt"
    for layer in level["layerInstances"]:
        if layer["__identifier"] == other:
            layer["intGridCsv"][5 * layer["__cWid"] + 5] = 1
