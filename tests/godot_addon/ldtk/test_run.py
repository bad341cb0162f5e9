"""The LDtk project of a run: in Godot, each of its levels is a node with the facts of that level."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import generator
from exporters.exporting import Given, export_run
from generator.level import Level
from tests.godot_addon.rounds import Part, imported

from .conftest import PRESET, import_with, level_table

PLACES = (1, 2)


def run_levels() -> list[Level]:
    run = generator.run(generator.IsaacSpec(rooms=6), 7)
    return [run.level(place) for place in PLACES]


@imported
def ldtk_run(folder: Path) -> None:
    levels = {f"run-{place}": level for place, level in zip(PLACES, run_levels(), strict=True)}
    for bundle in export_run("all", levels, ["ldtk"], Given()):
        bundle.write(folder)
    import_with(folder, "all-run.ldtk", values=level_table(), level_facts=True, **PRESET)


def test_each_level_of_a_run_is_a_node_with_its_own_facts(ldtk_run: Part) -> None:
    nodes: dict[str, Any] = ldtk_run.ask("tree.gd", "res://all-run.ldtk")["res://all-run.ldtk"]
    assert ldtk_run.said == []
    tops = {path: node for path, node in nodes.items() if "undercroft_level" in node["groups"]}
    assert sorted(tops) == ["Level_1", "Level_2"]
    for (path, node), level in zip(sorted(tops.items()), run_levels(), strict=True):
        assert node["meta"]["fingerprint"] == f'"{level.fingerprint}"'
        rooms = [
            room for name, room in nodes.items() if name.startswith(f"{path}/") and "room" in room["groups"]
        ]
        assert sorted(int(room["meta"]["id"]) for room in rooms) == [room.id for room in level.rooms]
    (exit_,) = (
        (path, node)
        for path, node in nodes.items()
        if path.startswith("Level_1/") and "Exit" in node["groups"]
    )
    way = exit_[1]["meta"]["leads_to"].removeprefix('NodePath("').removesuffix('")')
    parts = exit_[0].split("/")
    for step in way.split("/"):
        parts = parts[:-1] if step == ".." else [*parts, step]
    assert parts[0] == "Level_2" and "PlayerStart" in nodes["/".join(parts)]["groups"]
