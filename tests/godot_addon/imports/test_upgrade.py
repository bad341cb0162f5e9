"""The folder of a team that has worked with version 0.2.0, in Godot with this version's addon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.godot_addon.rounds import Part, imported
from tests.upgrade.team import Team

LEVELS = {
    name: f"res://dungeon/levels/{name}"
    for name in (
        "cellars/cellar-1_edit.tscn",
        "cellars/cellar-1.tmj",
        "cellars/cellar-1.ldtk",
        "cellars/cellar-2.tscn",
        "cellars/cellar-2.ldtk",
        "vault/vault-3.tscn",
        "vault/vault-3.world",
    )
}


@imported
def team_of_older_version(folder: Path) -> None:
    Team(folder)
    (folder / "project.godot").unlink()  # a folder with one is another project's


@pytest.fixture(scope="module")
def opened(team_of_older_version: Part) -> dict[str, Any]:
    """The nodes of each level by their paths; nothing was said when they were imported."""
    assert team_of_older_version.said == []
    told = team_of_older_version.ask("tree.gd", *LEVELS.values())
    return {name: told[path] for name, path in LEVELS.items()}


@pytest.mark.parametrize("name", LEVELS)
def test_its_levels_open(name: str, opened: dict[str, Any]) -> None:
    groups = [group for node in opened[name].values() for group in node["groups"]]
    assert "undercroft_level" in groups and "room" in groups


def test_what_a_person_added_and_painted_is_there(opened: dict[str, Any]) -> None:
    edited = opened["cellars/cellar-1_edit.tscn"]
    assert edited["Campfire"]["position"] == [360, 72]
    assert "Markers/Enemy_41_24" in edited and "Markers/Enemy_42_24" not in edited
