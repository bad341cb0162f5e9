"""The game of the tutorial: its page holds the shipped scripts, and a bot plays it with the arrow keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporters
import generator
from generator.level import Level
from tests.godot_addon.conftest import ADDON

from . import tutorial
from .conftest import Play, level

pytestmark = pytest.mark.xdist_group("play")

EXAMPLES = ADDON / "addons" / "undercroft" / "examples"
AFAR = (80, 45)  # px


def test_the_page_shows_the_shipped_scripts() -> None:
    assert tutorial.scripts() == {path.name: path.read_text("utf-8") for path in EXAMPLES.glob("*.gd")}


def check_won(told: dict[str, Any], made: Level) -> None:
    """Enemies are gone when they have caught the player: doors that open again prove that they arrived."""
    boss = next(room.id for room in made.rooms if room.kind == "boss")
    assert told["entered"][0] == 0 and told["entered"][-1] == boss
    doors = [door.id for door in made.doors if boss in door.rooms]
    assert set(doors) & set(told["shut"]) and sorted(told["shut"]) == sorted(told["opened"])
    assert told["frames"] < 60 * 120


def played(play: Play, scene: str) -> dict[str, Any]:
    (play.folder / "main.tscn").write_text(tutorial.GAME.format(level=scene), "utf-8")
    told: dict[str, Any] = play.run("example.gd", "res://main.tscn")
    return told


def won(play: Play, style: str, seed: int) -> None:
    made = generator.generate(style, seed)
    exporters.export(made, ["godot"], name="other").write(play.folder)
    check_won(played(play, "other.tscn"), made)


@pytest.mark.parametrize("scene", ["isaac", "apart/isaac", "rebirth"])
def test_a_person_walks_to_the_boss_and_enemies_come(play: Play, scene: str) -> None:
    told = played(play, f"{scene}.tscn")
    check_won(told, level(scene.rpartition("/")[2]))
    if "isaac" in scene:
        assert [room for room in told["entered"] if room in told["path"]] == told["path"]


def test_bosses_fly_over_pits_and_enemies_choose_one_of_two_paths(play: Play) -> None:
    """In this level an enemy has two paths of one length, and stays if it looks for one in every frame."""
    won(play, "gungeon", 18)


@pytest.mark.soak
@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_the_game_can_be_won_in_every_level(play: Play, style: str) -> None:
    for seed in range(1, 41):
        won(play, style, seed)


def test_the_page_leads_to_the_game_and_its_picture(tmp_path: Path) -> None:
    """Its commands as they stand there, in a project with nothing else in it."""
    tutorial.make(tmp_path)
    told = tutorial.play(tmp_path, tmp_path / "shot.png")
    made = tutorial.level()
    locked = [door.id for door in made.doors if door.kind == "locked"]
    assert told["without_key"] == [0, False]
    assert told["spent"] == [[locked[0], 2, 1, True], [locked[1], 1, 0, True]]
    for door in locked:
        told["opened"].remove(door)  # what is left was shut before
    check_won(told, made)
    assert {"shop", "treasure"} <= {made.rooms[room].kind for room in told["entered"]}
    with Image.open(tutorial.PICTURE) as kept, Image.open(tmp_path / "shot.png") as made:
        assert kept.size == made.size
        far = [
            np.asarray(each.convert("RGB").resize(AFAR, Image.Resampling.BOX), np.int16)
            for each in (kept, made)
        ]
    apart = np.abs(far[0] - far[1]).mean()
    assert apart < 2, f"{tutorial.PICTURE.name} is out of date: python -m tests.godot_addon.play.tutorial"
