"""The floors of a run in Godot: each leads to the next, and is as it was left when one comes back."""

from __future__ import annotations

from typing import Any

import pytest

import generator
from tests.godot_addon.conftest import ADDON

from .conftest import FLOORS, Play

pytestmark = pytest.mark.xdist_group("play")

SEED = 2
BEGIN = """extends Node2D
var coins := 0
func win() -> void:
	pass
func write(_text: String) -> void:
	pass
"""


def documented() -> str:
    """The code that docs/runtime.md has for runs: that it compiles is seen when the probe loads it."""
    page = (ADDON.parent / "docs" / "runtime.md").read_text("utf-8")
    return page.partition("## Runs\n")[2].partition("```gdscript\n")[2].partition("```")[0]


@pytest.fixture(scope="module")
def told(play: Play) -> Any:
    """What a probe saw on its way through the floors of a pack's run, back, and through scenes."""
    (play.folder / "floors" / "docs.gd").write_text(f"{BEGIN}\n{documented()}", "utf-8")
    return play.ask("floors.gd", "res://floors/runs.ucpack", str(SEED), "res://floors/scenes")


def test_each_floor_leads_to_the_next_and_the_last_one_out(told: Any) -> None:
    specs = [generator.IsaacSpec(stage=stage, rooms=8) for stage in range(1, FLOORS + 1)]
    levels = [*generator.Run(generator.RunStage(spec, SEED) for spec in specs)]
    assert [seen["fingerprint"] for seen in told["floors"]] == [level.fingerprint for level in levels]
    assert [seen["exit"] for seen in told["floors"]] == ["2", "3", "end"]
    assert (told["count"], told["after"]) == (FLOORS, [True, 2])


def test_a_floor_is_as_it_was_left_and_the_game_keeps_what_it_carries(told: Any) -> None:
    assert told["again"] == told["floors"]
    for place, seen in enumerate(told["floors"], 1):
        assert seen["own"] == {"note": f"floor {place}"} and seen["keys"] == {"brass": place}
        assert seen["visited"] and seen["cleared"] and seen["taken"]
    assert any(seen["opened"] for seen in told["floors"])
    assert told["carried"] == {"coins": 1 + 2 + 3}
    assert told["documented"]


def test_scenes_in_a_folder_are_floors_too(told: Any) -> None:
    first, *_ = told["floors"]
    assert told["scenes"][0] == [first["fingerprint"], "2"] and told["scenes"][1][1] == "3"
