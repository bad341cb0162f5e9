"""The game of the tutorial: its page holds the shipped scripts, and a bot plays it with the arrow keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.godot_addon.conftest import ADDON

from .conftest import Play, level

pytestmark = pytest.mark.xdist_group("play")

EXAMPLES = ADDON / "addons" / "undercroft" / "examples"
PAGE = (Path(__file__).parents[3] / "docs" / "tutorial-godot.md").read_text("utf-8")


def test_the_page_shows_the_shipped_scripts() -> None:
    shown = dict(re.findall(r"^`(\w+\.gd)`:\n\n```gdscript\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    assert shown == {path.name: path.read_text("utf-8") for path in EXAMPLES.glob("*.gd")}


@pytest.mark.parametrize("scene", ["isaac", "apart/isaac"])
def test_a_person_walks_to_the_boss_and_enemies_come(play: Play, scene: str) -> None:
    """Enemies are gone when they have caught the player: doors that open again prove that they arrived."""
    told = play.run("example.gd", f"res://{scene}.tscn")
    made = level(scene.rpartition("/")[2])
    boss = next(room.id for room in made.rooms if room.kind == "boss")
    assert [room for room in told["entered"] if room in told["path"]] == told["path"]
    assert told["entered"][-1] == boss
    doors = [door.id for door in made.doors if boss in door.rooms]
    assert set(doors) & set(told["shut"]) and sorted(told["shut"]) == sorted(told["opened"])
    assert told["frames"] < 60 * 120
