"""The game of the tutorial: a bot plays it with the arrow keys in levels of every style."""

from __future__ import annotations

from typing import Any

import pytest

import exporters
import generator

from . import tutorial
from .conftest import Play, level

pytestmark = pytest.mark.xdist_group("play")


def played(play: Play, scene: str) -> dict[str, Any]:
    (play.folder / "main.tscn").write_text(tutorial.GAME.format(level=scene), "utf-8")
    told: dict[str, Any] = play.run("example.gd", "res://main.tscn")
    return told


def won(play: Play, style: str, seed: int) -> None:
    own: dict[str, Any] = {"districts": "none"} if style == "gungeon" else {}  # its sheet is imported
    made = generator.generate(style, seed, **own)
    exporters.export(made, ["godot"], name="other").write(play.folder)
    tutorial.check_won(played(play, "other.tscn"), made)


@pytest.mark.parametrize("scene", ["isaac", "apart/isaac", "rebirth"])
def test_a_person_walks_to_the_boss_and_enemies_come(play: Play, scene: str) -> None:
    told = played(play, f"{scene}.tscn")
    tutorial.check_won(told, level(scene.rpartition("/")[2]))
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


def test_an_enemy_at_the_end_of_its_way_touches_the_player(play: Play) -> None:
    """Its agent may be done before the last corner; that corner is too far away, and the fight would not end."""
    assert play.ask("catch.gd") is True
