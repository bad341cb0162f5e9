"""A person resizes and colours a level of an LDtk project, and adds one: rooms keep their size, the rest stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from exporters.formats.ldtk.check import problems
from generator.cli.group import main
from tests.exporters.merge.people import Json

ADDED = "0b7f7f40-0000-11ee-8c99-000000000000"


def generate(folder: Path, *more: str) -> str:
    words = ["generate", "isaac", "--seed", "1", "--set", "rooms=6", "--to", "json", "--to", "ldtk"]
    done = CliRunner().invoke(main, [*words, "--name", "cellar", "--out", str(folder), *more])
    assert done.exit_code == 0, done.stderr
    return done.stderr


def resize(level: Json, by: tuple[int, int, int, int]) -> None:
    """As LDtk does it: columns and rows are added at the left, top, right and bottom, in tiles."""
    left, top, right, bottom = by
    level["worldX"] -= left * 16
    level["worldY"] -= top * 16
    level["pxWid"] += (left + right) * 16
    level["pxHei"] += (top + bottom) * 16
    for layer in level["layerInstances"]:
        width, height = layer["__cWid"], layer["__cHei"]
        layer["__cWid"], layer["__cHei"] = width + left + right, height + top + bottom
        if values := layer["intGridCsv"]:
            grown = [0] * (layer["__cWid"] * layer["__cHei"])
            for y in range(height):
                at = (y + top) * layer["__cWid"] + left
                grown[at : at + width] = values[y * width : (y + 1) * width]
            layer["intGridCsv"] = grown
        for tile in (*layer["gridTiles"], *layer["autoLayerTiles"]):
            y, x = divmod(tile["d"][-1], width)
            tile["d"][-1] = (y + top) * layer["__cWid"] + x + left
            tile["px"] = [tile["px"][0] + left * 16, tile["px"][1] + top * 16]
        for entity in layer["entityInstances"]:
            entity["px"] = [entity["px"][0] + left * 16, entity["px"][1] + top * 16]
            entity["__grid"] = [entity["__grid"][0] + left, entity["__grid"][1] + top]


def added(project: Json) -> Json:
    """A copy of the first level, far away, as somebody begins a level of the game's own."""
    level: Json = json.loads(json.dumps(project["levels"][0]))
    level |= {
        "iid": ADDED,
        "identifier": "Mine",
        "worldX": 9600,
        "uid": project["nextUid"],
        "__neighbours": [],
    }
    for number, layer in enumerate(level["layerInstances"]):
        layer |= {"iid": f"{ADDED[:-4]}{number + 1:04}", "levelId": project["nextUid"], "entityInstances": []}
    level["fieldInstances"] = [
        {**field, "__value": None, "realEditorValues": []} for field in level["fieldInstances"]
    ]
    project["nextUid"] += 1
    return level


def geometry(level: Json) -> Any:
    sizes = [
        (layer["__cWid"], layer["__cHei"], len(layer["intGridCsv"])) for layer in level["layerInstances"]
    ]
    return [level[key] for key in ("pxWid", "pxHei")], sizes


@pytest.mark.parametrize("by", [(0, 0, 2, 0), (3, 1, 0, 2)])
@pytest.mark.parametrize("levels", ["rooms", "one"])
def test_levels_keep_their_size(levels: str, by: tuple[int, int, int, int], tmp_path: Path) -> None:
    generate(tmp_path, "--option", f"ldtk.levels={levels}")
    path = tmp_path / "cellar.ldtk"
    project = json.loads(path.read_text("utf-8"))
    before = geometry(project["levels"][0])
    own = added(project)
    resize(project["levels"][0], by)
    project["levels"][0] |= {"bgColor": "#112233", "__bgColor": "#112233"}
    project["levels"].append(own)
    path.write_text(json.dumps(project))
    said = generate(tmp_path, "--option", f"ldtk.levels={levels}", "--set", "hard=true", "--edits", "merge")
    now = {level["identifier"]: level for level in json.loads(path.read_text("utf-8"))["levels"]}
    first = now[project["levels"][0]["identifier"]]
    assert geometry(first) == before
    assert first["bgColor"] == "#112233" and now["Mine"]["iid"] == ADDED
    assert problems(path) == []
    if levels == "rooms":
        assert "left out: it does not cover whole cells" in said


def test_a_colour_alone_stays_and_is_no_edit(tmp_path: Path) -> None:
    generate(tmp_path)
    path = tmp_path / "cellar.ldtk"
    project = json.loads(path.read_text("utf-8"))
    project["levels"][0] |= {"bgColor": "#112233", "__bgColor": "#112233"}
    path.write_text(json.dumps(project))
    done = CliRunner().invoke(main, ["sync", str(tmp_path)])
    said = "undercroft: cellar: no new edits; what a level cannot have stays in its file\n"
    assert (done.exit_code, done.stderr) == (0, said)
    assert json.loads(path.read_text("utf-8")) == project
