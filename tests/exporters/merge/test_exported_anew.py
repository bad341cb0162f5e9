"""A project that was exported anew, from a level with a person's edits, is merged like one that was edited in LDtk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import exporters
import generator
from exporters.formats.ldtk.check import problems
from exporters.merge.ldtk import merge_project
from generator import Level

Json = dict[str, Any]
LEVEL = generator.generate("isaac", 7)


def entities(project: Json, name: str) -> Iterator[tuple[str, Json]]:
    """The entities of a name, each after the level that it is in."""
    for level in project["levels"]:
        for layer in level["layerInstances"]:
            for entity in layer["entityInstances"]:
                if entity["__identifier"] == name:
                    yield level["identifier"], entity


def exported(level: Level) -> bytes:
    return exporters.export(level, "ldtk", name="cellar")["cellar.ldtk"]


def exported_anew(folder: Path) -> tuple[bytes, str]:
    """The project of a level whose first enemy was moved by a tile, and the level that it is in."""
    exporters.export(LEVEL, ["json", "ldtk"], name="cellar").write(folder)
    path = folder / "cellar.ldtk"
    project = json.loads(path.read_bytes())
    place, enemy = next(entities(project, "Enemy"))
    enemy["px"][0] += 16
    enemy["__grid"][0] += 1
    path.write_text(json.dumps(project), "utf-8")
    level = exporters.bring_back(path).level
    return exported(level), place


def places(project: Json, room: str) -> list[list[int]]:
    return sorted(entity["px"] for level, entity in entities(project, "Enemy") if level == room)


def layouts(project: Json) -> dict[str, str]:
    """The layout of each level's room."""
    fields = {
        level["identifier"]: {each["__identifier"]: each["__value"] for each in level["fieldInstances"]}
        for level in project["levels"]
    }
    return {name: each["layout"] for name, each in fields.items() if "layout" in each}


def fingerprints(project: Json) -> set[str]:
    every = [each for level in project["levels"] for each in level["fieldInstances"]]
    return {each["__value"] for each in every if each["__identifier"] == "fingerprint"}


def problems_of(project: Json, folder: Path) -> list[str]:
    """Beside the pictures that it shows."""
    path = folder / "cellar.ldtk"
    path.write_text(json.dumps(project), "utf-8")
    return problems(path)


def test_a_room_that_is_rolled_again_is_taken_and_an_enemy_that_was_moved_stays(tmp_path: Path) -> None:
    mine, place = exported_anew(tmp_path)
    other = next(
        room.id for room in LEVEL.rooms if room.kind == "normal" and not place.startswith(f"Room_{room.id}_")
    )
    new = exported(generator.reroll(LEVEL, room=other))
    made = json.loads(merge_project(exported(LEVEL), mine, new).data)
    assert layouts(made) == layouts(json.loads(new)) != layouts(json.loads(mine))
    assert places(made, place) == places(json.loads(mine), place) != places(json.loads(new), place)
    assert problems_of(made, tmp_path) == []


def test_definitions_that_another_version_has_named_otherwise_are_those_of_the_new_project(
    tmp_path: Path,
) -> None:
    """All uids after a field that is new differ, and so they do between two versions of the generator."""
    mine, place = exported_anew(tmp_path)
    old = json.loads(exported(LEVEL))
    (doors,) = (each for each in old["defs"]["entities"] if each["identifier"] == "Door")
    (field,) = (each for each in doors["fieldDefs"] if each["identifier"] == "starts_shut")
    field["identifier"] = "shut"
    for _, door in entities(old, "Door"):
        for each in door["fieldInstances"]:
            if each["__identifier"] == "starts_shut":
                each["__identifier"] = "shut"
    new = exported(generator.reroll(LEVEL, room=1))
    made = json.loads(merge_project(json.dumps(old).encode(), mine, new).data)
    assert made["defs"] == json.loads(new)["defs"]
    assert places(made, place) == places(json.loads(mine), place)
    assert problems_of(made, tmp_path) == []


def test_numbers_of_levels_are_new_and_the_fingerprint_stays_that_of_the_edited_level(tmp_path: Path) -> None:
    """Without a conflict: nobody has edited them. By the fingerprint, `sync` knows the file again."""
    mine, _ = exported_anew(tmp_path)
    old = json.loads(exported(LEVEL))
    for level in old["levels"]:
        level["uid"] += 2  # as in a version with two more definitions
    new = exported(generator.reroll(LEVEL, room=1))
    merged = merge_project(json.dumps(old).encode(), mine, new)
    made, before, fresh = (json.loads(data) for data in (merged.data, mine, new))
    assert merged.conflicts == ()
    assert [level["uid"] for level in made["levels"]] == [level["uid"] for level in fresh["levels"]]
    assert fingerprints(made) == fingerprints(before) != fingerprints(fresh)
