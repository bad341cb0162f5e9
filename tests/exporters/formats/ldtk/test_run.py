"""The project of a run: all its levels in one world, in one tileset, linked at their exits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporters
import generator
from exporters.exporting import Given, export_run
from exporters.formats.ldtk.check import problems
from generator.level import Level

from .reader import Json, Project

TILE = 16
STAGES = (2, 3)  # in two looks: their tiles must be on one sheet


@pytest.fixture(scope="module")
def levels() -> dict[str, Level]:
    run = generator.run("isaac", 7)
    return {f"isaac-7-{place:02}": run.level(place) for place in STAGES}


@pytest.fixture(scope="module")
def project(levels: dict[str, Level], tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("run")
    for bundle in export_run("isaac-7", levels, ["ldtk", "png"], Given()):
        bundle.write(folder)
    return Project(folder / "isaac-7-run.ldtk")


def parts(project: Project, place: int) -> list[Json]:
    return [level for level in project.levels if level["identifier"].startswith(f"Level_{place}_")]


def entities(level: Json, name: str) -> Iterator[Json]:
    for layer in level["layerInstances"]:
        yield from (entity for entity in layer["entityInstances"] if entity["__identifier"] == name)


def field(entity: Json, name: str) -> Any:
    return next(field["__value"] for field in entity["fieldInstances"] if field["__identifier"] == name)


def test_it_has_no_problems(project: Project, levels: dict[str, Level]) -> None:
    assert problems(project.path) == []
    assert len(project.json["defs"]["tilesets"]) == 1
    for place, level in zip(STAGES, levels.values(), strict=True):
        assert len(parts(project, place)) == len(level.rooms)


def test_each_level_looks_as_it_does_alone(
    project: Project, levels: dict[str, Level], tmp_path: Path
) -> None:
    for place, (name, level) in zip(STAGES, levels.items(), strict=True):
        exporters.export(level, "png", name=name).write(tmp_path)
        wanted = np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGBA"))
        room, shown = level.rooms[0], parts(project, place)[0]
        left, top = shown["worldX"] - room.bounds.x * TILE, shown["worldY"] - room.bounds.y * TILE
        drawn = np.asarray(project.picture(wanted.shape[1], wanted.shape[0], left, top))
        x, y, width, height = (side * TILE for side in room.bounds)
        of_room = slice(y, y + height), slice(x, x + width)
        assert (drawn[of_room] == wanted[of_room]).all()


def test_exits_lead_to_the_next_start(project: Project) -> None:
    (first,) = (exit_ for level in parts(project, 2) for exit_ in entities(level, "Exit"))
    (start,) = ((level, start) for level in parts(project, 3) for start in entities(level, "PlayerStart"))
    target = field(first, "leads_to")
    assert (target["levelIid"], target["entityIid"]) == (start[0]["iid"], start[1]["iid"])
    assert target["worldIid"] == project.json["dummyWorldIid"]
    (last,) = (exit_ for level in parts(project, 3) for exit_ in entities(level, "Exit"))
    assert (field(last, "to"), field(last, "leads_to")) == ("4", None)  # which is not in the project
