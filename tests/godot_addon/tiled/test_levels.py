"""A level of ours that came by way of Tiled is the level that came as a Godot scene."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from tests.godot_addon.rounds import Part, imported

from .maps import import_with

LAYERS = ("Ground", "Walls", "Doors", "Decor", "Overlay")
PRESETS = ("isaac", "rebirth", "gungeon")
SEED = 7
LIT = {"godot.lights": True, "godot.darkness": True}

Nodes = dict[str, Any]


def untyped(value: str) -> str:
    """A value without the type of its array, which binary scenes do not keep."""
    return re.sub(r"Array\[\w+\]\((.*)\)$", r"\1", value)


@imported
def tiled_levels(folder: Path) -> None:
    """The levels as Godot scenes and as maps, which are known for levels of ours; one map as any other."""
    for preset in PRESETS:
        level = generator.generate(preset, seed=SEED)
        level = replace(level, rooms=(*level.rooms[:-1], replace(level.rooms[-1], name="Throne")))
        exporters.export(level, ["godot", "tiled"], LIT, name=preset).write(folder)
        import_with(folder, f"{preset}.tmj", tileset="res://levels.tileset.tres", lights=True, darkness=True)
    shutil.copy(folder / "isaac.tmj", folder / "plain.tmj")
    import_with(folder, "plain.tmj", level_facts="off")
    (folder / "older.tmj").write_text(older(folder / "isaac.tmj"), encoding="utf-8")
    import_with(folder, "older.tmj", tileset="res://levels.tileset.tres")


def older(path: Path) -> str:
    """A map as older versions wrote it: markers and lights as points in one layer, plain names."""
    table = json.loads(path.read_bytes())
    for layer in table["layers"]:
        for one in layer.get("objects", ()):
            if one.pop("gid", None):
                half = one["width"] // 2
                one |= {"x": one["x"] + half, "y": one["y"] - half, "width": 0, "height": 0, "point": True}
            for each in one["properties"]:
                if each["name"] in ("room_id", "door_id", "hallway_id", "marker_id"):
                    each["name"] = "id"
                if each["name"] in ("enemy_name", "boss_name"):
                    each["name"] = "name"
    markers, lights = table["layers"][-2:]
    markers["objects"] += lights["objects"]
    table["layers"].pop()
    return json.dumps(table)


@pytest.fixture(scope="module")
def levels(tiled_levels: Part) -> Nodes:
    assert tiled_levels.said == []
    scenes = [f"res://{preset}.{ending}" for preset in PRESETS for ending in ("tscn", "tmj")]
    scenes += ["res://plain.tmj", "res://older.tmj"]
    answer: Nodes = tiled_levels.ask("tree.gd", *scenes)
    return answer


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
            assert theirs[name]["meta"].get("name") == room["meta"].get("name")
        assert ours["Throne"]["meta"]["name"]

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

    def test_lights_shine_and_walls_stop_them_alike(self, levels: Nodes, preset: str) -> None:
        ours, theirs = (
            {
                path.split("/", 1)[1]: (
                    node["class"],
                    node["position"],
                    node.get("light"),
                    node.get("polygon"),
                )
                for path, node in levels[f"res://{preset}.{ending}"].items()
                if path.endswith("/Light") or path.startswith("Occluders/")
            }
            for ending in ("tscn", "tmj")
        )
        assert {
            path: (ours.get(path), theirs[path]) for path in theirs if ours.get(path) != theirs[path]
        } == {}
        assert ours.keys() == theirs.keys() and len(ours) > 20
        assert levels[f"res://{preset}.tmj"]["Ambient"]["class"] == "CanvasModulate"


def test_an_older_map_is_read_as_a_new_one(levels: Nodes) -> None:
    """Where its project is a new one, with members that the older one had not."""
    found = [
        {
            re.sub("^Lights/", "Markers/", path): node
            for path, node in levels[f"res://{name}.tmj"].items()
            if {"room", "door", "hallway", "marker"} & set(node["groups"])
        }
        for name in ("isaac", "older")
    ]
    for nodes in found:
        for node in nodes.values():
            node["meta"] = {key: untyped(value) for key, value in node["meta"].items()}
    assert found[0] == found[1] and len(found[0]) > 50
    named = [node["meta"] for path, node in found[0].items() if "enemy" in node["groups"]]
    assert named and all("name" in meta and "marker_id" not in meta for meta in named)


def test_markers_are_points_and_lights_can_be_seen(levels: Nodes) -> None:
    for preset in PRESETS:
        nodes = levels[f"res://{preset}.tmj"]
        assert {node["class"] for node in nodes.values() if "marker" in node["groups"]} == {"Marker2D"}
        assert nodes["Lights"]["visible"] is True


def test_the_option_wins_over_what_the_map_is(levels: Nodes) -> None:
    groups = {group for node in levels["res://plain.tmj"].values() for group in node["groups"]}
    assert {"room", "door"} <= groups
    assert not {"undercroft_level", "room_boss", "marker"} & groups
    assert not any(node["class"] == "StaticBody2D" for node in levels["res://plain.tmj"].values())
