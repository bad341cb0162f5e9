"""What a person adds in NAME_edit.tscn is there after the level was made again; what they change keeps it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import exporters
import generator
from exporters.formats.godot.read_edits import overrides
from generator.cli.group import main
from generator.errors import BadInput
from tests.folders import files_in

from .conftest import Project, Project3

pytestmark = pytest.mark.xdist_group("godot")


def run(folder: Path, seed: int, *args: str) -> Result:
    fixed = ["generate", "isaac", "--to", "godot", "--name", "crypt", "--out", str(folder / "levels")]
    return CliRunner().invoke(main, [*fixed, "--seed", str(seed), *args])


@pytest.mark.parametrize("target", ["4.3", "3.6"])
def test_what_was_added_is_there_in_another_level(target: str, tmp_path: Path) -> None:
    """In the real Godot: a node is added, the level made of another seed; a marker is moved, and it stays."""
    game = (Project3 if target == "3.6" else Project)(tmp_path)
    option = ("--option", f"godot.target={target}")
    edit = tmp_path / "levels" / "crypt_edit.tscn"
    first = run(tmp_path, 7, *option)
    assert first.exit_code == 0 and first.stderr == ""
    assert str(edit) in first.stdout.splitlines()
    game.begin()
    before: dict[str, Any] = game.ask("edit.gd", "levels/crypt_edit.tscn", {"add": "Mine", "move": []})
    assert before["seed"] == "7"
    edited = edit.read_bytes()
    assert b"Mine" in edited and not overrides(edited)  # what is inherited is not copied

    second = run(tmp_path, 8, *option)
    assert second.exit_code == 0
    assert second.stderr == f"undercroft: {edit}: was edited by hand and was not overwritten\n"
    assert str(edit) not in second.stdout.splitlines()
    assert edit.read_bytes() == edited
    after: dict[str, Any] = game.ask(
        "edit.gd", "levels/crypt_edit.tscn", {"add": "More", "move": ["Markers/PlayerStart"]}
    )
    assert (after["seed"], after["inherits"]) == ("8", "res://levels/crypt.tscn")
    assert {"Mine", "More"} <= set(after["markers"])
    assert after["markers"]["PlayerStart"] == [1, 2]
    assert set(after["markers"]) - {"More"} != set(before["markers"])  # the rest is the new level's

    files = files_in(tmp_path / "levels")
    for words in (["--dry-run"], []):
        third = run(tmp_path, 9, *option, *words)
        told, *rest = third.stderr.splitlines()
        assert told.startswith(f"undercroft: {edit}: was changed by hand, so all files of crypt stay; ")
        assert rest == ["undercroft: dry run: no file would change"][: len(words)]
        assert (third.exit_code, files_in(tmp_path / "levels")) == (0, files)


def test_json_has_it_too(tmp_path: Path) -> None:
    first = json.loads(run(tmp_path, 7, "--json").stdout)
    edit = tmp_path / "levels" / "crypt_edit.tscn"
    assert str(edit) in first["files"] and first["kept"] == []
    edit.write_text("mine")
    second = run(tmp_path, 7, "--json", "--quiet")
    told = json.loads(second.stdout)
    assert told["kept"] == [str(edit)] and str(edit) not in told["files"]
    assert edit.read_text() == "mine"


def test_a_scene_that_nobody_touched_is_not_talked_about(tmp_path: Path) -> None:
    run(tmp_path, 7)
    again = run(tmp_path, 7)
    assert again.stderr == ""


def test_whatever_has_its_name_is_a_persons(tmp_path: Path) -> None:
    """A folder, and a link to nowhere: none is replaced, none is an error."""
    levels = tmp_path / "levels"
    (levels / "crypt_edit.tscn").mkdir(parents=True)
    assert run(tmp_path, 7).exit_code == 0
    (levels / "crypt_edit.tscn").rmdir()
    (levels / "crypt_edit.tscn").symlink_to("elsewhere.tscn")
    assert run(tmp_path, 7).exit_code == 0
    assert (levels / "crypt_edit.tscn").is_symlink() and not (levels / "elsewhere.tscn").exists()


def test_it_can_be_left_out(tmp_path: Path) -> None:
    run(tmp_path, 7, "--option", "godot.edit=false")
    assert not (tmp_path / "levels" / "crypt_edit.tscn").exists()


@pytest.mark.parametrize("name", ["crypt_edit", "CRYPT_EDIT"])
def test_no_level_takes_the_name_of_an_edit_scene(name: str) -> None:
    """It would replace a person's work."""
    with pytest.raises(BadInput, match=f"name: {name} ends in _edit, which is for scenes to work in"):
        exporters.export(generator.generate("isaac", 7), "godot", name=name)
