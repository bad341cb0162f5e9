"""A project of ours sets its preset by itself, and the runtime reads its scene as it reads the level.json."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from generator.level import Level
from tests.godot_addon.rounds import Part, imported

from .conftest import import_with
from .projects import layer_def, level, project, save
from .versions import ENDS

LEVELS = {
    "isaac": ("isaac", 7, {}),
    "rebirth": ("rebirth", 7, {}),
    "gungeon": ("gungeon", 7, {}),
    "apart": ("gungeon", 3, {"ldtk.levels": "rooms"}),
}


@imported
def ldtk_runtime(folder: Path) -> None:
    """Levels of all styles as level.json and as LDtk projects, which nobody has set any options for."""
    for name, (_, _, options) in LEVELS.items():
        exporters.export(_level(name), ["json", "ldtk"], options, name=name).write(folder)
    text = (folder / "isaac.level.json").read_text(encoding="utf-8")
    for end, written in ENDS.items():
        (folder / f"isaac-{end}.level.json").write_bytes(written(text))
    shutil.copy(folder / "isaac.ldtk", folder / "chosen.ldtk")
    import_with(folder, "chosen.ldtk", level_facts=False, level_areas=False, scenes="")
    save(folder, "foreign.ldtk", project([level("L", [])], [layer_def(1, "Things", "Entities")]))
    _misled(folder)


@pytest.fixture(scope="module")
def made(ldtk_runtime: Part) -> Part:
    said = ldtk_runtime.said
    assert said
    assert all("Undercroft: res://misled" in line for line in said if not line.startswith("   ")), said
    return ldtk_runtime


def _misled(folder: Path) -> None:
    """Projects of ours whose numbers somebody has changed into something else."""
    for number, wrong in enumerate(('"x"', "-5", "1000000000", "[]", "true")):
        text = (folder / "rebirth.ldtk").read_text(encoding="utf-8")
        text = re.sub(r'("__type": "Int", "__value": )\d+', rf"\g<1>{wrong}", text)
        text = re.sub(r'"(width|height)": \d+', r'"\g<1>": 16777000', text) if number == 2 else text
        (folder / f"misled{number}.ldtk").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def answers(made: Part) -> dict[str, Any]:
    asked = [f"{name}.{ending}" for name in LEVELS for ending in ("level.json", "ldtk")]
    asked += [f"isaac-{end}.level.json" for end in ENDS]
    told = made.ask("plan.gd", *(f"res://{path}" for path in asked))
    return dict(zip(asked, told, strict=True))


def _level(name: str) -> Level:
    style, seed, _ = LEVELS[name]
    return generator.generate(style, seed=seed)


def _params(made: Part, name: str) -> dict[str, str]:
    lines = (made.folder / f"{name}.ldtk.import").read_text().partition("[params]")[2].splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_a_project_of_ours_has_the_preset_and_any_other_has_not(made: Part) -> None:
    for name in LEVELS:
        params = _params(made, name)
        assert params["level_facts"] == params["level_areas"] == "true"
        assert params["scenes"] == '"Door=StaticBody2D"'
        assert params["entity_position"] == '"center"'
    assert _params(made, "foreign")["level_facts"] == "false"
    assert _params(made, "foreign")["values"] == '""'


def test_an_option_that_somebody_has_set_wins(made: Part) -> None:
    assert _params(made, "chosen")["level_facts"] == "false"
    nodes = made.ask("tree.gd", "res://chosen.ldtk")["res://chosen.ldtk"]
    groups = {group for node in nodes.values() for group in node["groups"]}
    assert "door" in groups
    assert not groups & {"undercroft_level", "room", "ldtk_level_area"}
    assert not any(node["class"] == "StaticBody2D" for node in nodes.values())


@pytest.mark.parametrize("end", ENDS)
def test_a_level_json_may_have_any_line_ends(answers: dict[str, Any], end: str) -> None:
    assert answers[f"isaac-{end}.level.json"] == answers["isaac.level.json"]


def test_doors_open_and_shut_for_bodies(made: Part) -> None:
    """Their tiles stay as they are: an LDtk project does not say how a door looks in its other state."""
    told = made.ask("doors.gd", *(f"res://{name}.ldtk" for name in LEVELS))
    for name, answer in zip(LEVELS, told, strict=True):
        doors = _level(name).doors
        stopped = {when: [state[1] for state in answer[when]] for when in ("start", "open", "shut")}
        barred = [door.kind in ("locked", "secret", "red") for door in doors]
        assert stopped["start"] == barred
        assert not any(stopped["open"])
        assert all(stopped["shut"])
        assert answer["told_opened"] == [door.id for door in doors if barred[door.id]]
    assert any(door.kind == "secret" for door in _level("isaac").doors)


@pytest.mark.parametrize("name", LEVELS)
class TestPlans:
    """What the runtime says of the scene is what it says of the level.json."""

    def test_rooms(self, answers: dict[str, Any], name: str) -> None:
        want, got = _both(answers, name)
        left, top = _origin(name)
        for room in got["rooms"]:
            x, y, width, height = room["bounds"]
            room["bounds"] = [x + left, y + top, width, height]
            room["markers"] = [[n, kind, x + left, y + top, more] for n, kind, x, y, more in room["markers"]]
        assert got["rooms"] == want["rooms"]

    def test_doors_and_hallways(self, answers: dict[str, Any], name: str) -> None:
        want, got = _both(answers, name)
        left, top = _origin(name)
        for door in got["doors"]:
            door[4] = [[x + left, y + top] for x, y in door[4]]
        assert [_sorted(door) for door in got["doors"]] == [_sorted(door) for door in want["doors"]]
        assert got["hallways"] == want["hallways"]
        assert got["standing"] == want["standing"]

    def test_whose_each_tile_is(self, answers: dict[str, Any], made: Part, name: str) -> None:
        want, got = _both(answers, name)
        left, top = _origin(name)
        width = _level(name).width
        wanted = {(i % width, i // width): owner for i, owner in enumerate(want["owners"]) if owner != -1}
        across = got["size"][0]
        found = {(i % across + left, i // across + top): o for i, o in enumerate(got["owners"]) if o != -1}
        assert found == wanted


def _both(answers: dict[str, Any], name: str) -> tuple[Any, Any]:
    return answers[f"{name}.level.json"], answers[f"{name}.ldtk"]


def _origin(name: str) -> tuple[int, int]:
    """The tile that LDtk's world counts from."""
    made = _level(name)
    return made.grid.origin if made.grid else (0, 0)


def _sorted(door: list[Any]) -> list[Any]:
    return [*door[:4], sorted(door[4]), door[5]]
