"""A level of ours that came by way of LDtk is the level that came as a Godot scene."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporters
import generator
from generator.kinds import DECOR_KINDS, TERRAIN_KINDS
from generator.level import Level
from tests.godot_addon.rounds import Part, imported

from .conftest import PRESET, import_with, level_table

PRESETS = ("isaac", "rebirth", "gungeon")
SEED = 7
LIT = {"godot.lights": True}
TILE = 16

Nodes = dict[str, Any]
Cells = dict[tuple[int, int], list[Any]]


FRAME = """[gd_scene format=3]

[ext_resource type="PackedScene" path="{preset}.ldtk" id="1"]

[node name="Frame" type="Node2D"]

[node name="L" parent="." instance=ExtResource("1")]
position = Vector2({left}, {top})
"""


@imported
def ldtk_levels(folder: Path) -> None:
    """The levels as Godot scenes and as LDtk projects, the projects with the preset for our levels."""
    for preset in PRESETS:
        exporters.export(_level(preset), ["godot", "ldtk", "png"], LIT, name=preset).write(folder)
        import_with(
            folder,
            f"{preset}.ldtk",
            values=level_table(),
            tileset="res://levels.tileset.tres",
            backgrounds=False,
            **PRESET,
        )
        left, top = _origin(preset)
        frame = FRAME.format(preset=preset, left=left * TILE, top=top * TILE)
        (folder / f"{preset}-frame.tscn").write_text(frame)
    shutil.copy(folder / "isaac.ldtk", folder / "lit.ldtk")
    rules = {"values": level_table(), "tileset": "res://levels.tileset.tres"}
    import_with(folder, "lit.ldtk", lights=True, darkness=True, **rules, **PRESET)


@pytest.fixture(scope="module")
def levels(ldtk_levels: Part) -> Nodes:
    assert ldtk_levels.said == []
    scenes = [f"res://{preset}.{ending}" for preset in PRESETS for ending in ("tscn", "ldtk")]
    scenes.append("res://lit.ldtk")
    answer: Nodes = ldtk_levels.ask("tree.gd", *scenes)
    return answer


@pytest.fixture(scope="module")
def drawn(ldtk_levels: Part) -> dict[str, tuple[Image.Image, Image.Image]]:
    """Each level as we draw it, and as Godot does."""
    ours = [Image.open(ldtk_levels.folder / f"{preset}.png").convert("RGBA") for preset in PRESETS]
    shots = [(f"res://{preset}-frame.tscn", ours[at].size) for at, preset in enumerate(PRESETS)]
    theirs = [Image.open(path).convert("RGBA") for path in ldtk_levels.draw(shots)]
    return dict(zip(PRESETS, zip(ours, theirs, strict=True), strict=True))


def _level(preset: str) -> Level:
    made = generator.generate(preset, seed=SEED)
    return replace(made, rooms=(*made.rooms[:-1], replace(made.rooms[-1], name="The Tsar's: 1/2")))


def _origin(preset: str) -> tuple[int, int]:
    """The tile that LDtk's world counts from."""
    grid = _level(preset).grid
    return grid.origin if grid else (0, 0)


def _place(nodes: Nodes, path: str) -> tuple[float, float]:
    """Where a node lies in its scene, px."""
    parts = path.split("/")
    found = [nodes["/".join(parts[: i + 1])].get("position", [0, 0]) for i in range(len(parts))]
    return sum(x for x, _ in found), sum(y for _, y in found)


def _cells(nodes: Nodes, preset: str, *names: str) -> Cells:
    """The cells of all layers of these names, by tile of the whole level; later ones over earlier."""
    found: Cells = {}
    for path, node in nodes.items():
        if path.rpartition("/")[2] in names and "cells" in node:
            left, top = _place(nodes, path)
            for key, cell in node["cells"].items():
                x, y = map(int, key.split(","))
                found[x + round(left / TILE), y + round(top / TILE)] = cell
    return found


def _shifted(cells: Cells, preset: str) -> Cells:
    left, top = _origin(preset)
    return {(x + left, y + top): cell for (x, y), cell in cells.items()}


def _bits(cells: Cells) -> dict[tuple[int, int], int]:
    """The collision layers of a body that fills each cell."""
    found = {}
    for at, (*_, solid, _frames) in cells.items():
        whole = [bits for bits, box in solid if box == [-TILE / 2, -TILE / 2, TILE, TILE]]
        assert len(whole) == len(solid), "a shape that does not fill its cell"
        if whole:
            found[at] = sum(whole)
    return found


def test_lights_shine_and_walls_stop_them_alike(levels: Nodes) -> None:
    """In the plain look's colours, because a project has none."""
    left, top = _origin("isaac")
    lights, walls = [], []
    for file, (x, y) in (("isaac.tscn", (0, 0)), ("lit.ldtk", (left * TILE, top * TILE))):
        nodes = levels[f"res://{file}"]
        places = {path: _place(nodes, path) for path in nodes if path.endswith("/Light")}
        lights.append(
            {
                (dx + x, dy + y): (nodes[path]["light"], nodes[path]["position"])
                for path, (dx, dy) in places.items()
            }
        )
        rings = [node["polygon"] for path, node in nodes.items() if path.startswith("Occluders/")]
        walls.append(
            sum(_area([float(number) for number in re.findall(r"-?[0-9.]+", ring[18:])]) for ring in rings)
        )
    assert lights[0] == lights[1] and len(lights[0]) > 10
    assert walls[0] == walls[1] > 0
    assert levels["res://lit.ldtk"]["Ambient"]["class"] == "CanvasModulate"


def _area(ring: Sequence[float]) -> float:
    """The area of a ring of x, y, x, y ..., in px; that of a hole is negative."""
    corners = list(zip(ring[::2], ring[1::2], strict=True))
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*corners, corners[0]])) / 2


@pytest.mark.parametrize("preset", PRESETS)
class TestLevels:
    def test_every_picture_of_a_tile_is_where_it_was(self, levels: Nodes, preset: str) -> None:
        ours, theirs = levels[f"res://{preset}.tscn"], levels[f"res://{preset}.ldtk"]
        for name in ("Doors", "Decor", "Overlay"):
            # What stands one tile over or under a room is in layers of its own.
            want = _cells(ours, preset, name)
            got = _shifted(_cells(theirs, preset, name), preset)
            beyond = _shifted(_cells(theirs, preset, "Stone_above", "Stone_below"), preset)
            assert set(got) <= set(want) <= {*got, *beyond}
            assert {at: cell[1] for at, cell in got.items()} == {at: want[at][1] for at in got}

    def test_walls_and_pits_stop_the_same_bodies(self, levels: Nodes, preset: str) -> None:
        want = _bits(_cells(levels[f"res://{preset}.tscn"], preset, "Ground", "Walls"))
        got = _bits(_shifted(_cells(levels[f"res://{preset}.ldtk"], preset, "Values"), preset))
        level = _level(preset)
        doors = {tuple(tile) for door in level.doors for tile in door.tiles}
        void = {(x, y) for y, x in np.argwhere(level.terrain == 0).tolist()}
        assert {at: bits for at, bits in got.items() if at not in doors | void} == {
            at: bits for at, bits in want.items() if at not in doors | void
        }
        assert len(want) > 100

    def test_decor_stops_the_same_bodies(self, levels: Nodes, preset: str) -> None:
        want = _bits(_cells(levels[f"res://{preset}.tscn"], preset, "Decor"))
        got = _bits(_shifted(_cells(levels[f"res://{preset}.ldtk"], preset, "Decor"), preset))
        assert got == want

    def test_rooms_are_where_they_were(self, levels: Nodes, preset: str) -> None:
        nodes, level = levels[f"res://{preset}.ldtk"], _level(preset)
        group = "ldtk_level" if level.grid else "Room"
        left, top = _origin(preset)
        found = {}
        for path, node in nodes.items():
            if group in node["groups"] and "room" in node["meta"]:
                x, y = _place(nodes, path)
                width, height = map(float, node["meta"]["size"].partition("(")[2].strip(")").split(","))
                if not level.grid:
                    x, y = x - width / 2, y - height / 2
                rect = (x / TILE + left, y / TILE + top, width / TILE, height / TILE)
                found[int(node["meta"]["room"])] = (
                    node["meta"]["kind"],
                    rect,
                    node["meta"].get("name", '""'),
                )
        assert found == {
            room.id: (f'"{room.kind}"', tuple(room.bounds), f'"{room.name}"') for room in level.rooms
        }

    def test_markers_are_where_they_were(self, levels: Nodes, preset: str) -> None:
        nodes, level = levels[f"res://{preset}.ldtk"], _level(preset)
        left, top = _origin(preset)
        found: Counter[tuple[object, ...]] = Counter()
        for path, node in nodes.items():
            if "marker" in node["groups"]:
                x, y = _place(nodes, path)
                at = (x / TILE - 0.5 + left, y / TILE - 0.5 + top)
                kind = next(group for group in node["groups"] if not group.startswith("marker"))
                facts = {key: _plain(value) for key, value in node["meta"].items() if key != "size"}
                found[facts["id"], kind, at, facts.get("room"), facts.get("hallway")] += 1
                marker = level.markers[int(str(facts["id"]))]
                assert marker.properties.items() <= facts.items()
        assert found == Counter(
            (m.id, "".join(word.title() for word in m.kind.split("_")), (m.x, m.y), m.room, m.hallway)
            for m in level.markers
        )

    def test_doors_lead_to_each_other(self, levels: Nodes, preset: str) -> None:
        nodes, level = levels[f"res://{preset}.ldtk"], _level(preset)
        doors = {path: node for path, node in nodes.items() if "door" in node["groups"]}
        assert {int(node["meta"]["id"]) for node in doors.values()} == {door.id for door in level.doors}
        for path, node in doors.items():
            assert node["class"] == "StaticBody2D"
            if "to" not in node["meta"]:
                continue
            goal = _walked(path, _plain(node["meta"]["to"]))
            assert _walked(goal, _plain(doors[goal]["meta"]["to"])) == path
            if level.grid:
                assert doors[goal]["meta"]["id"] == node["meta"]["id"]

    def test_the_picture_is_ours_pixel_for_pixel(
        self, drawn: dict[str, tuple[Image.Image, Image.Image]], preset: str
    ) -> None:
        want, got = drawn[preset]
        difference = np.abs(_seen(want) - _seen(got))
        assert difference.max() <= 1


def test_the_preset_knows_what_stops_whom() -> None:
    bits = {
        f"decor={kind.name}": (not kind.walk) + 2 * (not kind.fly) + 4 * (not kind.shoot)
        for kind in DECOR_KINDS
    }
    pit = next(kind for kind in TERRAIN_KINDS if kind.name == "pit")
    bits["pit"] = (not pit.walk) + 2 * (not pit.fly) + 4 * (not pit.shoot)
    rows = [line.rpartition("=") for line in level_table().splitlines()]
    found = {name: int(what.partition(":")[2]) for name, _, what in rows if "collision" in what}
    assert found.pop("Walls") == 7
    assert found == {name: what for name, what in bits.items() if what}


def _seen(image: Image.Image) -> Any:
    """Pixels whose colour counts as much as it is seen."""
    pixels = np.asarray(image, np.int32)
    return np.where(pixels[..., 3:] > 0, pixels, 0)


def _plain(value: str) -> Any:
    """A value as Godot writes it, of those that our fields have."""
    if value.startswith("NodePath("):
        return value[10:-2]
    return json.loads(value)


def _walked(path: str, way: str) -> str:
    parts = path.split("/")
    for step in way.split("/"):
        if step == "..":
            parts.pop()
        else:
            parts.append(step)
    return "/".join(parts)
