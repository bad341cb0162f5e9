"""What `undercroft check` finds in a level.json beyond the rules of a level."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from generator import Level, generate, reroll
from generator.errors import LevelError
from generator.level_audit import Audit, level_findings, unknown_keys
from generator.level_file import level_from_dict
from generator.shipped_files import shipped_folder

SCHEMA = json.loads((shipped_folder("generator") / "level.schema.json").read_bytes())
SHOP = next((shipped_folder("generator") / "interiors" / "layouts" / "shop").glob("*.txt"))
KIT = Path(__file__).parents[2] / "docs" / "examples" / "orbital"


def saved(level: Level, path: Path, change: Callable[[Any], object] = lambda _: None) -> Path:
    """A level's file with something changed, and its fingerprint put right."""
    table = json.loads(json.dumps(level.to_dict()))
    change(table)
    try:
        level_from_dict(table)
    except LevelError as error:
        table["fingerprint"] = str(error).partition("fingerprint of the level, ")[2][:32]
    path.write_text(json.dumps(table), "utf-8")
    return path


def found(path: Path, **given: Any) -> list[str]:
    return [line.removeprefix(f"{path}: ") for line in level_findings(path, Audit(**given))[0]]


def told(path: Path, **given: Any) -> list[str]:
    return [line.removeprefix(f"{path}: ") for line in level_findings(path, Audit(**given))[1]]


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_a_level_made_again_is_the_same(style: str, tmp_path: Path) -> None:
    level = reroll(generate(style, 7), room=1)
    path = saved(level, tmp_path / "x.level.json")
    assert (found(path, again=True), told(path, again=True)) == ([], [])


def test_what_differs_from_the_level_made_again_is_named(tmp_path: Path) -> None:
    def another_look(table: Any) -> None:
        table["spec"]["tinted_rocks"] = 4
        table["rooms"][2]["layout"] = table["rooms"][3]["layout"]

    level = generate("isaac", 7)
    path = saved(level, tmp_path / "x.level.json", another_look)
    (line,) = [line for line in found(path, again=True) if line.startswith("rooms[2].layout")]
    assert (
        line
        == f"rooms[2].layout: is {level.rooms[3].layout!r}, but the level's seed gives {level.rooms[2].layout!r}"
    )


def test_what_cannot_be_made_again_is_said_and_not_refused(tmp_path: Path) -> None:
    level = generate("isaac", 7)
    older = saved(level, tmp_path / "x.level.json", lambda table: table.update(generator_version="0.1.0"))
    assert found(older, again=True) == []
    assert told(older, again=True)[0].startswith("was not made again to compare: version 0.1.0 made it")
    moved = saved(level, tmp_path / "y.level.json")
    table = json.loads(moved.read_text("utf-8"))
    table["markers"][0]["x"] += 1
    moved.write_text(json.dumps(table), "utf-8")
    assert told(moved, again=True, accept_edits=True) == ["was not made again to compare: a person edited it"]
    rooms = tmp_path / "rooms" / "shop"
    rooms.mkdir(parents=True)
    shutil.copy(SHOP, rooms)
    own = saved(generate("isaac", 7, layouts=str(rooms.parent)), tmp_path / "z.level.json")
    (line,) = told(own, again=True)
    assert line.endswith("it has layouts of your own; give their folder with --layouts")
    assert told(own, again=True, layouts=rooms.parent) == []


def test_keys_that_no_level_has_are_problems_unless_they_are_somebodys_own() -> None:
    table = generate("gungeon", 3).to_dict()
    assert unknown_keys(table) == []
    table["x_ours"] = table["rooms"][1]["x_ours"] = {"any": "thing"}
    assert (unknown_keys(table), list(Draft202012Validator(SCHEMA).iter_errors(table))) == ([], [])
    table["weather"] = table["rooms"][1]["colour"] = table["size"]["depth"] = table["doors"][0]["lock"] = 1
    table["facts"]["mood"] = table["markers"][0]["properties"]["mood"] = 1  # which anybody may add to
    assert [line.partition(":")[0] for line in unknown_keys(table)] == [
        "size.depth", "rooms[1].colour", "doors[0].lock", "weather",
    ]  # fmt: skip


def test_rules_of_a_kit_are_checked_where_it_is_found_by_its_digest(tmp_path: Path) -> None:
    kit = tmp_path / "game" / "our-kit"
    shutil.copytree(KIT, kit)
    level = generate("isaac", 5, kit=str(kit))
    near = saved(level, kit.parent / "levels.level.json")
    assert (found(near), told(near)) == ([], [])
    assert (found(near, again=True), told(near, again=True)) == ([], [])
    (tmp_path / "else").mkdir()
    far = saved(level, tmp_path / "else" / "x.level.json", lambda table: table["spec"].update(stage=3))
    assert told(far)[0].startswith(f"spec.kit: the kit of digest {level.spec.kit} is not at hand")
    assert found(far) == []
    assert told(far, kits=(kit,)) == []
    assert any("[rooms-as-spec-says]" in line for line in found(far, kits=(kit,)))
    (kit / "kit.toml").write_text((kit / "kit.toml").read_text("utf-8") + "# said otherwise\n", "utf-8")
    assert told(far, kits=(kit,)) == []  # a comment is no other kit
    row = '[room.hold]\nglyph = "9"\n'
    (kit / "more.toml").write_text(row, "utf-8")
    (line,) = told(far, kits=(kit,))
    assert f"made with a kit of digest {level.spec.kit}, but {kit} has " in line
    assert line.endswith("give the kit as it was then, or generate the level again")


def test_an_enemy_that_neither_roster_nor_drawing_names(tmp_path: Path) -> None:
    def stranger(table: Any) -> None:
        enemy = next(marker for marker in table["markers"] if marker["kind"] == "enemy")
        assert table["rooms"][enemy["room"]]["layout"].startswith("own/")
        enemy["properties"]["name"] = "grue"

    path = saved(generate("isaac", 5, kit=str(KIT)), tmp_path / "x.level.json", stranger)
    (line,) = found(path, kits=(KIT,))
    assert "no enemy kind, and no layout of the kit, has the name 'grue'" in line


def test_rows_in_a_level_that_its_kit_does_not_have(tmp_path: Path) -> None:
    kit = tmp_path / "our-kit"
    shutil.copytree(KIT, kit)
    level = generate("isaac", 5, kit=str(kit))

    def milder(table: Any) -> None:
        next(iter(table["kinds"]["enemy"].values()))["cost"] = 1

    path = saved(level, tmp_path / "x.level.json", milder)
    assert "kinds: are not the rows of the level's kit; generate the level again" in found(path)
