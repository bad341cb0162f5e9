"""Levels of the example `orbital`: what its rows promise, in the styles that it is for and in every format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import exporters
from generator.checks import problems
from generator.kinds import read_kit
from generator.level import Level
from generator.level_file import load_level
from generator.pipeline import generate
from generator.spec import load_spec

from .test_orbital import ORBITAL, THEME


@pytest.fixture(scope="module", params=["isaac", "gungeon"])
def levels(request: pytest.FixtureRequest) -> list[Level]:
    spec = replace(load_spec(request.param), kit=str(ORBITAL))
    return [generate(spec, seed) for seed in range(3)]


def test_stations_hold_what_the_rows_promise(levels: list[Level]) -> None:
    kinds = read_kit(ORBITAL).kinds
    seen: set[str] = set()
    for level in levels:
        assert level.kinds == kinds and problems(level) == []
        rooms = {room.kind for room in level.rooms}
        assert {"start", "normal", "boss", "command"} <= rooms
        seen |= rooms
        secured = {room.id for room in level.rooms if room.kind == "command"}
        assert all(door.kind == "secure" for door in level.doors if door.rooms[0] in secured)
    assert len(seen & {"medbay", "armory", "cargo"}) > 1
    enemies = {one.properties["name"] for level in levels for one in level.markers if one.kind == "enemy"}
    assert len(enemies) > 3 and enemies <= set(kinds.enemies)


def test_stations_are_written_in_every_format(levels: list[Level], tmp_path: Path) -> None:
    """And written again from what was saved."""
    bundle = exporters.export(levels[0], theme=THEME, name="station")
    assert {"orbital.png", "orbital.tres", "orbital.tsj", "undercroft-orbital.tiled-project"} < set(bundle)
    (tmp_path / "station.level.json").write_bytes(bundle["station.level.json"])
    saved = load_level(tmp_path / "station.level.json")
    assert dict(exporters.export(saved, theme=THEME, name="station")) == dict(bundle)
