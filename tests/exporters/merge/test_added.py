"""Things that a person added and that a level has keep what no level can have of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.reading.editors import LdtkEditor, editor_of
from tests.exporters.reading.exported import exported, level_of
from tests.exporters.reading.structure_edits import draw_room, free_rect
from tests.exporters.reading.test_edits_brought_back import free_tiles


def synced(folder: Path) -> None:
    """Bring the edits home; after that, nothing is left to do."""
    undercroft("sync", ".", cwd=folder)  # its exit status tells of rules that an edit breaks
    assert undercroft("sync", ".", cwd=folder).stdout == ""


def test_an_object_keeps_references_and_files_and_is_still_referred_to(tmp_path: Path) -> None:
    level = level_of("isaac")
    path = exported(level, "map", tmp_path)
    edit = editor_of(path, level)
    edit.add_marker("chest", free_tiles(level)[0], {"tier": "iron"})
    edit.save()
    table = json.loads(path.read_text())
    objects = markers_of(table)
    chest, enemy = objects[-1], next(each for each in objects if each["type"] == "enemy")
    chest["properties"] += [
        {"name": "opens", "type": "object", "value": enemy["id"]},
        {"name": "art", "type": "file", "value": "chest.png"},
    ]
    enemy["properties"].append({"name": "guards", "type": "object", "value": chest["id"]})
    path.write_text(json.dumps(table))
    synced(tmp_path)
    after = {each["id"]: each for each in markers_of(json.loads(path.read_text()))}
    ((number, own),) = (
        (each["id"], values)
        for each in after.values()
        if "opens" in (values := {row["name"]: row["value"] for row in each["properties"]})
    )
    assert own["art"] == "chest.png" and own["tier"] == "iron" and "marker_id" in own
    assert {"name": "guards", "type": "object", "value": number} in after[own["opens"]]["properties"]


def markers_of(table: dict[str, Any]) -> list[Any]:
    (layer,) = (each for each in table["layers"] if each["name"] == "Markers")
    listed: list[Any] = layer["objects"]
    return listed


def test_a_level_of_ldtk_keeps_its_background(tmp_path: Path) -> None:
    level = level_of("isaac")
    path = exported(level, "ldtk", tmp_path)
    edit = editor_of(path, level)
    assert isinstance(edit, LdtkEditor)
    rect = free_rect(level)
    draw_room(edit, rect)
    edit.levels[-1] |= {"bgColor": "#112233", "__bgColor": "#112233"}
    edit.save()
    synced(tmp_path)
    (room,) = (room for room in load_level(tmp_path / "cellar.level.json").rooms if room.bounds == rect)
    levels = {each["identifier"]: each["bgColor"] for each in json.loads(path.read_text())["levels"]}
    assert {name for name, color in levels.items() if color} == {f"Room_{room.id}_normal"}
