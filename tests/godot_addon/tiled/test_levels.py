"""A level of ours that came by way of Tiled is the level that came as a Godot scene."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from tests.godot_addon.conftest import AddonProject

from .maps import import_with

LAYERS = ("Ground", "Walls", "Doors", "Decor", "Overlay")
PRESETS = ("isaac", "rebirth", "gungeon")
SEED = 7

Nodes = dict[str, Any]


def untyped(value: str) -> str:
    """A value without the type of its array, which binary scenes do not keep."""
    return re.sub(r"Array\[\w+\]\((.*)\)$", r"\1", value)


def write_levels(folder: Path) -> None:
    """The levels as Godot scenes and as maps, which are known for levels of ours; one map as any other."""
    for preset in PRESETS:
        level = generator.generate(preset, seed=SEED)
        exporters.export(level, ["godot", "tiled"], name=preset).write(folder)
        import_with(folder, f"{preset}.tmj", tileset="res://levels.tileset.tres")
    shutil.copy(folder / "isaac.tmj", folder / "plain.tmj")
    import_with(folder, "plain.tmj", level_facts="off")


@pytest.fixture(scope="module")
def levels(tmp_path_factory: pytest.TempPathFactory) -> Nodes:
    project = AddonProject(tmp_path_factory.mktemp("levels"))
    write_levels(project.folder)
    assert project.import_all() == []
    scenes = [f"res://{preset}.{ending}" for preset in PRESETS for ending in ("tscn", "tmj")]
    scenes.append("res://plain.tmj")
    answer: Nodes = project.ask("tree.gd", *scenes)
    return answer


@pytest.mark.xdist_group("tiled-levels")
@pytest.mark.parametrize("preset", PRESETS)
class TestLevels:
    def test_tiles_look_and_collide_alike(self, levels: Nodes, preset: str) -> None:
        ours, theirs = levels[f"res://{preset}.tscn"], levels[f"res://{preset}.tmj"]
        for layer in LAYERS:
            want, got = ours[layer]["cells"], theirs[layer]["cells"]
            assert want.keys() == got.keys(), layer
            assert {cell: (want[cell], got[cell]) for cell in want if want[cell] != got[cell]} == {}, layer

    def test_rooms_are_where_they_were(self, levels: Nodes, preset: str) -> None:
        ours, theirs = (
            {
                path.split("/")[1]: node
                for path, node in levels[f"res://{preset}.{ending}"].items()
                if "room" in node["groups"]
            }
            for ending in ("tscn", "tmj")
        )
        assert ours.keys() == theirs.keys()
        for name, room in ours.items():
            assert theirs[name]["class"] == "Area2D"
            assert theirs[name]["collision_mask"] == room["collision_mask"]
            assert sorted(theirs[name]["groups"]) == sorted(room["groups"])
            for fact in ("id", "kind", "shape", "cells", "bounds", "distance", "depth", "layout"):
                assert theirs[name]["meta"][fact] == untyped(room["meta"][fact]), (name, fact)

    def test_doors_and_markers_are_where_they_were(self, levels: Nodes, preset: str) -> None:
        for group, facts in (("door", ("id", "kind", "side", "rooms")), ("marker", ("id", "kind", "room"))):
            ours, theirs = (
                Counter(
                    (
                        path.split("/")[-1],
                        *node["position"],
                        *sorted(name for name in node["groups"] if name.startswith(group)),
                        *(untyped(node["meta"].get(fact, "")) for fact in facts),
                    )
                    for path, node in levels[f"res://{preset}.{ending}"].items()
                    if group in node["groups"]
                )
                for ending in ("tscn", "tmj")
            )
            assert sorted((ours - theirs).elements()) == sorted((theirs - ours).elements())
            assert len(ours) > 5

    def test_shut_doors_stop_and_open_ones_do_not(self, levels: Nodes, preset: str) -> None:
        ours, theirs = (
            {
                path.split("/")[1]: (node["shape"], node["disabled"])
                for path, node in levels[f"res://{preset}.{ending}"].items()
                if path.startswith("Door") and path.endswith("/Shape")
            }
            for ending in ("tscn", "tmj")
        )
        assert ours == theirs


@pytest.mark.xdist_group("tiled-levels")
def test_the_option_wins_over_what_the_map_is(levels: Nodes) -> None:
    groups = {group for node in levels["res://plain.tmj"].values() for group in node["groups"]}
    assert {"room", "door"} <= groups
    assert not {"undercroft_level", "room_boss", "marker"} & groups
    assert not any(node["class"] == "StaticBody2D" for node in levels["res://plain.tmj"].values())
