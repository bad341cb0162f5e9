"""Levels with rooms rolled again, whose markers' ids have gaps, load whichever way they come."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from generator.level import Level

from .conftest import AddonProject

PROBE = Path(__file__).parent / "play" / "probes" / "plan.gd"
STYLES = ("isaac", "rebirth", "gungeon")
WAYS = {
    "json": "{}.level.json",
    "scene": "{}.tscn",
    "rooms apart": "apart/{}.tscn",
    "tiled": "others/{}.tmj",
    "ldtk": "others/{}.ldtk",
}

pytestmark = pytest.mark.xdist_group("rerolled")


@pytest.fixture(scope="module")
def levels() -> dict[str, Level]:
    """One level of each style, two rooms of which were rolled again."""
    return {style: generator.reroll(generator.generate(style, seed=7), room=[1, 2]) for style in STYLES}


@pytest.fixture(scope="module")
def answers(levels: dict[str, Level], tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Any]:
    """What the runtime tells of each level, by its style and the way that it was read."""
    project = AddonProject(tmp_path_factory.mktemp("rerolled"))
    shutil.copy(PROBE, project.folder / "probes")
    for style, level in levels.items():
        exporters.export(level, ["json", "godot"], name=style).write(project.folder)
        apart = {"godot.split": "rooms"}
        exporters.export(level, ["godot"], apart, name=style).write(project.folder / "apart")
        exporters.export(level, ["tiled", "ldtk"], name=style).write(project.folder / "others")
    assert project.import_all() == []
    asked = [(style, way) for style in STYLES for way in WAYS]
    told = project.ask("plan.gd", *(f"res://{WAYS[way].format(style)}" for style, way in asked))
    return dict(zip(asked, told, strict=True))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("style", STYLES)
def test_markers_keep_their_ids(
    levels: dict[str, Level], answers: dict[tuple[str, str], Any], style: str, way: str
) -> None:
    markers = levels[style].markers
    assert [marker.id for marker in markers] != list(range(len(markers)))
    told = answers[style, way]
    assert told["standing"] == [
        [-1 if place is None else place for place in (marker.room, marker.hallway)] for marker in markers
    ]
    for room, seen in zip(levels[style].rooms, told["rooms"], strict=True):
        here = [marker for marker in markers if marker.room == room.id]
        for marker, (number, kind, _, _, properties) in zip(here, seen["markers"], strict=True):
            assert (number, kind) == (marker.id, marker.kind)
            assert properties.items() >= marker.properties.items()  # a map's classes have defaults besides
