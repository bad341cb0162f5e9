"""`godot.player`: a level's scene is opened, run, and walked through with the keys of a keyboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import exporters
import generator
from exporters.formats.godot.write_player import player_files
from exporters.theme.loader import load_theme
from generator.cli import main
from generator.errors import BadInput
from generator.geometry import Point
from generator.kinds import DOOR_KINDS
from generator.level import Level
from tests.exporters.small_level import drawn

from .conftest import Project

pytestmark = pytest.mark.xdist_group("godot")

TILE, RADIUS = 16, 5
KEYS = {
    "Left": (-1, 0),
    "Right": (1, 0),
    "Up": (0, -1),
    "Down": (0, 1),
    "A": (-1, 0),
    "D": (1, 0),
    "W": (0, -1),
    "S": (0, 1),
}
WAYS = {"levels": "godot.target=4.3", "older": "godot.target=4.2", "apart": "godot.split=rooms"}
STRICT = """
[debug]
gdscript/warnings/treat_warnings_as_errors=true
gdscript/warnings/untyped_declaration=2
gdscript/warnings/unsafe_property_access=2
gdscript/warnings/unsafe_method_access=2
gdscript/warnings/unsafe_call_argument=2
"""


def run(folder: Path, *args: str) -> Result:
    fixed = ["generate", "isaac", "--seed", "7", "--to", "godot", "--option", "godot.player=true"]
    return CliRunner().invoke(main, [*fixed, "--out", str(folder), *args])


def last_tile(level: Level, start: Point, step: Point) -> Point:
    """Where somebody ends who walks on until a wall, a pit, a thing or a shut door is in the way."""
    free = level.passable("walk")
    shut = {kind.name for kind in DOOR_KINDS if kind.starts_shut}
    stops = {tile for door in level.doors if door.kind in shut for tile in door.tiles}
    x, y = start
    while free[y + step[1], x + step[0]] and (x + step[0], y + step[1]) not in stops:
        x, y = x + step[0], y + step[1]
    return x, y


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One with nothing but levels in it: no addon, no input actions."""
    made = Project(tmp_path_factory.mktemp("player"), STRICT)
    for folder, option in WAYS.items():
        assert run(made.folder / folder, "--option", option).exit_code == 0
    made.begin()
    return made


@pytest.mark.parametrize("folder", WAYS)
def test_a_person_walks_through_the_level_with_the_keyboard(project: Project, folder: str) -> None:
    asked, answer = project.folder / "asked.json", project.folder / f"{folder}.json"
    asked.write_text(json.dumps({"keys": list(KEYS), "picture": ""}), "utf-8")
    scene = f"res://{folder}/isaac-7_edit.tscn"
    fast = ("--headless", "--fixed-fps", "60")
    project.run(*fast, "-s", "probes/player.gd", "--", scene, str(asked), str(answer))
    told: dict[str, Any] = json.loads(answer.read_bytes())
    level = generator.generate("isaac", 7)
    marker = next(each for each in level.markers if each.kind == "player_start")
    assert told["players"] == 1 and told["is_seen"]
    assert told["start"] == [(marker.x + 0.5) * TILE, (marker.y + 0.5) * TILE]
    walked = 0
    for step, ended in zip(KEYS.values(), told["ends"], strict=True):
        tiles = last_tile(level, (marker.x, marker.y), step)
        expected = [
            (at + 0.5) * TILE + way * (TILE / 2 - RADIUS) for at, way in zip(tiles, step, strict=True)
        ]
        assert ended == pytest.approx(expected, abs=0.2), step
        walked += abs(tiles[0] - marker.x) + abs(tiles[1] - marker.y)
    assert walked > 20


def test_the_player_is_a_persons_once_it_is_changed(tmp_path: Path) -> None:
    first = run(tmp_path)
    script, scene = tmp_path / "undercroft_player.gd", tmp_path / "undercroft_player.tscn"
    assert {str(script), str(scene)} <= set(first.stdout.splitlines()) and not first.stderr
    script.write_text("extends CharacterBody2D\n")
    assert run(tmp_path).stderr == ""  # nothing is written
    again = run(tmp_path, "--seed", "8")
    assert again.stderr == f"undercroft: {script}: was edited by hand and was not overwritten\n"
    assert script.read_text() == "extends CharacterBody2D\n"


def test_levels_share_a_player() -> None:
    """Whatever they are written for: a build refuses a file with two contents."""
    level, names = generator.generate("isaac", 7), player_files(load_theme())
    made = [
        exporters.export(level, ["godot"], {"godot.player": True, **options})
        for options in ({}, {"godot.target": "4.2"}, {"godot.agent_radius": 3}, {"godot.split": "rooms"})
    ]
    assert all({name: bundle[name] for name in names} == names for bundle in made)


@pytest.mark.parametrize(
    ("level", "name", "options", "said"),
    [
        ("######\n#....#\n######", "a", {}, "godot.player: the level has no marker player_start"),
        ("######\n#....#\n######", "a", {"godot.target": "3.6"}, "godot.player: is for Godot 4"),
        (
            "######\n#....#\n######",
            "Undercroft_Player",
            {},
            "name: Undercroft_Player is the name of the player's",
        ),
    ],
)
def test_where_there_can_be_no_player_one_line_says_so(
    level: str, name: str, options: dict[str, object], said: str
) -> None:
    with pytest.raises(BadInput) as refused:
        exporters.export(drawn(level), ["godot"], {"godot.player": True, **options}, name=name)
    assert str(refused.value).startswith(said) and "\n" not in str(refused.value)


def test_levels_have_no_player_unless_they_are_asked_for_one() -> None:
    bundle = exporters.export(generator.generate("isaac", 7), ["godot"])
    assert not [path for path in bundle if "player" in path]
    assert b'name="Player"' not in bundle["isaac-7.tscn"]
