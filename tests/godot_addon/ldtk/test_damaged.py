"""Damaged files: each gives one line with its name, none stops the editor, and the last good import stays."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.godot_addon.conftest import AddonProject

from .projects import Json, layer, layer_def, level, project, save, sheet, tile
from .test_features import PROJECTS

COUNT = 150
_WRONG: tuple[Any, ...] = (
    None, True, -1, 0, 1e300, 2**53, "", "\x00\n\"'", [], {}, [[]], [None], [1e9, -1e9], {"uid": []}, "#zz",
    "../../x.png", "res://", ["a"] * 3, 0.5,
)  # fmt: skip


def damaged() -> Iterator[tuple[str, bytes]]:
    """Files by name: cut, with bits flipped, with values of wrong kinds, of wrong sizes."""
    chance = random.Random(20)  # noqa: S311 - the same files in every run
    sources = [PROJECTS[name] for name in ("things", "grid", "stacked", "tags", "worlds", "image", "sizes")]
    for number in range(COUNT):
        source = sources[number % len(sources)]
        text = bytearray(json.dumps(source).encode())
        match number % 3:
            case 0:
                del text[chance.randrange(len(text)) :]
            case 1:
                for _ in range(1 + number % 5):
                    text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
            case _:
                broken = copy.deepcopy(source)
                for _ in range(1 + number % 3):
                    _break(broken, chance)
                text = bytearray(json.dumps(broken).encode())
        yield f"broken{number}.ldtk", bytes(text)


def _break(value: Any, chance: random.Random) -> None:
    """Put something wrong at a random place of a value."""
    places: list[tuple[Any, Any]] = []

    def walk(one: Any) -> None:
        for key in one if isinstance(one, dict) else range(len(one)):
            places.append((one, key))
            if isinstance(one[key], (dict, list)):
                walk(one[key])

    walk(value)
    holder, key = chance.choice(places)
    holder[key] = chance.choice(_WRONG)


def wrong() -> dict[str, tuple[Json | bytes, str]]:
    """Projects with one thing wrong, and what is said of it."""
    drawn = layer_def(1, "Drawn", "Tiles")
    grid = layer_def(3, "Grid", "IntGrid", intGridValues=[{"value": 1, "color": "#FF0000"}])
    many = [tile(0, 0) for _ in range(40)]

    def with_layer(**facts: object) -> Json:
        return project([level("L", [layer(1, "Drawn", "Tiles", **facts)])], [drawn])

    values = layer(3, "Grid", "IntGrid", intGridCsv=[1] * 5)
    outside = level("L", [], externalRelPath="../../secret.ldtkl") | {"layerInstances": None}
    return {
        "none": (b"", "line 1: "),
        "list": (b"[]", "is no LDtk file"),
        "nul": (b"{\x00}", "is no text in UTF-8"),
        "deep": (b"[" * 100_000, "JSON"),
        "other": ({"jsonVersion": "0.9.3", "defs": {}}, "jsonVersion: is 0.9.3; open and save"),
        "huge": (with_layer(__cWid=30_000, __cHei=30_000), "__cWid: makes more than"),
        "layer": (with_layer(layerDefUid=77), "levels[0].layerInstances[0].layerDefUid: is 77; there is no"),
        "tiles": (with_layer(gridTiles=[*many, tile(0, 0) | {"px": "here"}]), "gridTiles[40].px: is \"here\""),
        "count": (project([level("L", [values])], [grid]), "intGridCsv: has 5 values; the layer has 12"),
        "outside": (project([outside], [drawn]), "lies outside of the project"),
        "gone": (
            project([outside | {"externalRelPath": "x/L.ldtkl"}], [drawn]),
            "externalRelPath: is x/L.ldtkl; there is no such file",
        ),
        "uids": (project([], [drawn, drawn]), "defs.layers[1].uid: is 1, as of another one"),
    }  # fmt: skip


@pytest.mark.xdist_group("ldtk-damaged")
def test_damaged_files_are_refused_in_one_line_each(tmp_path: Path) -> None:
    made = AddonProject(tmp_path)
    sheet(tmp_path)
    for name, content in damaged():
        (tmp_path / name).write_bytes(content)
    known = wrong()
    for name, (content, _) in known.items():
        if isinstance(content, bytes):
            (tmp_path / f"{name}.ldtk").write_bytes(content)
        else:
            save(tmp_path, f"{name}.ldtk", content)
    said = made.godot("--import", timeout=300)
    errors = [line for line in said if re.match(r"(SCRIPT )?ERROR: |USER ERROR: ", line)]
    ours = [line for line in errors if "Undercroft: res://" in line]
    others = [line for line in errors if line not in ours and "Error importing 'res://" not in line]
    assert not others, "\n".join(others[:10])
    names = [line.partition("res://")[2].partition(":")[0] for line in ours]
    assert len(names) == len(set(names)), "more than one line for a file"
    for name, (_, what) in known.items():
        lines = [line for line in ours if f"res://{name}.ldtk:" in line]
        assert len(lines) == 1, (name, lines)
        assert what in lines[0], lines[0]
    failed = {line.partition("'res://")[2].partition("'")[0] for line in errors if "Error importing" in line}
    assert failed <= set(names), "failed without a word"
    assert len(names) > COUNT / 2


@pytest.mark.xdist_group("ldtk-damaged")
def test_the_last_good_import_and_what_people_added_stay(tmp_path: Path) -> None:
    made = AddonProject(tmp_path)
    sheet(tmp_path)
    source = PROJECTS["stacked"]
    save(tmp_path, "kept.ldtk", source)
    assert made.import_all() == []
    before = made.ask("tree.gd", "res://kept.ldtk")
    tileset = tmp_path / "kept.ldtk.tileset.tres"
    drawn = tileset.read_text()
    square = "PackedVector2Array(-8, 0, 8, 0, 8, 8, -8, 8)"
    shape = f"1:0/0 = 0\n1:0/0/physics_layer_0/polygon_0/points = {square}\n"
    drawn = drawn.replace("1:0/0 = 0\n", shape)
    drawn = drawn.replace("[resource]\n", "[resource]\nphysics_layer_0/collision_layer = 4\n")
    tileset.write_text(drawn)
    (tmp_path / "kept.ldtk").write_text("{")
    said = made.import_all()
    assert sum("Undercroft: res://kept.ldtk: line 1" in line for line in said) == 1
    assert made.ask("tree.gd", "res://kept.ldtk")["res://kept.ldtk"].keys() == before["res://kept.ldtk"].keys()
    changed = copy.deepcopy(source)
    changed["levels"][0]["layerInstances"][0]["gridTiles"].append(tile(0, 32, 1))
    save(tmp_path, "kept.ldtk", changed)
    assert made.import_all() == []
    cells = made.ask("tree.gd", "res://kept.ldtk")["res://kept.ldtk"]["L/Drawn"]["cells"]
    assert cells["0,2"][3] == cells["0,0"][3] == [[4, [-8, 0, 16, 8]]]
