"""Levels with rooms rolled again, whose markers' ids have gaps, load whichever way they come."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from generator.level import Level

from .rounds import Part, imported

STYLES = ("isaac", "rebirth", "gungeon")
WAYS = {
    "json": "{}.level.json",
    "scene": "{}.tscn",
    "rooms apart": "apart/{}.tscn",
    "tiled": "others/{}.tmj",
    "ldtk": "others/{}.ldtk",
}


@cache
def rolled_again(style: str) -> Level:
    """A level, two rooms of which were rolled again."""
    return generator.reroll(generator.generate(style, seed=7), room=[1, 2])


@imported
def rerolled(folder: Path) -> None:
    """One level of each style, for each way."""
    for style in STYLES:
        level = rolled_again(style)
        exporters.export(level, ["json", "godot"], name=style).write(folder)
        apart = {"godot.split": "rooms"}
        exporters.export(level, ["godot"], apart, name=style).write(folder / "apart")
        exporters.export(level, ["tiled", "ldtk"], name=style).write(folder / "others")


@pytest.fixture(scope="module")
def answers(rerolled: Part) -> dict[tuple[str, str], Any]:
    """What the runtime tells of each level, by its style and the way that it was read."""
    assert rerolled.said == []
    asked = [(style, way) for style in STYLES for way in WAYS]
    told = rerolled.ask("plan.gd", *(f"res://{WAYS[way].format(style)}" for style, way in asked))
    return dict(zip(asked, told, strict=True))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("style", STYLES)
def test_markers_keep_their_ids(answers: dict[tuple[str, str], Any], style: str, way: str) -> None:
    markers = rolled_again(style).markers
    assert [marker.id for marker in markers] != list(range(len(markers)))
    told = answers[style, way]
    assert told["standing"] == [
        [-1 if place is None else place for place in (marker.room, marker.hallway)] for marker in markers
    ]
    for room, seen in zip(rolled_again(style).rooms, told["rooms"], strict=True):
        here = [marker for marker in markers if marker.room == room.id]
        for marker, (number, kind, _, _, properties) in zip(here, seen["markers"], strict=True):
            assert (number, kind) == (marker.id, marker.kind)
            assert properties.items() >= marker.properties.items()  # a map's classes have defaults besides
