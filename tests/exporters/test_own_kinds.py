"""Kinds of rooms, doors and markers that only another style or a team knows: every export shows them sensibly."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator.pipeline
from exporters.dress import EMPTY, door_tiles, dress
from exporters.formats.pack.file import pack_facts
from exporters.formats.pack.reader import load_pack, problems
from exporters.image import icon_layer
from exporters.theme.loader import load_theme
from generator.errors import ThemeError
from generator.kinds import TERRAIN_KINDS
from generator.level import Level
from generator.level_file import load_level

from . import own_kinds
from .other_pack_reader import Scene, first_block
from .own_kinds import DOOR, MARKER, OTHER_ROOM, ROOM
from .pack_files import small_pack

STYLES = ("isaac", "rebirth", "gungeon")


@pytest.fixture(params=STYLES)
def level(request: pytest.FixtureRequest) -> Level:
    return own_kinds.level(request.param)


def test_the_theme_draws_its_defaults(level: Level) -> None:
    """A plain floor (of which any variant will do), open doors, and the icon of an item."""
    theme = load_theme()
    floor = {tile for variants in theme.floors["default"] for tile in variants.tiles}
    plain = replace(
        level,
        rooms=tuple(
            replace(each, kind="normal") if each.kind in (ROOM, OTHER_ROOM) else each for each in level.rooms
        ),
        doors=tuple(replace(each, kind="open") if each.kind == DOOR else each for each in level.doors),
    )
    for ours, theirs in zip(dress(level, theme), dress(plain, theme), strict=True):
        other = ours != theirs
        assert {*ours[other].tolist(), *theirs[other].tolist()} <= floor
    for door in level.doors:
        if door.kind == DOOR:
            assert all(
                tile.open == dress(level, theme).doors[tile.y, tile.x] for tile in door_tiles(door, theme)
            )
    icons = icon_layer(level, theme)
    for marker in level.markers:
        assert icons[marker.y, marker.x] != EMPTY
        if marker.kind == MARKER:
            assert icons[marker.y, marker.x] == theme.icons["item"]


def test_every_format_is_the_same_twice(level: Level) -> None:
    for options in ({}, {"godot.split": "rooms", "tiled.split": "rooms", "ldtk.levels": "rooms"}):
        first, second = (dict(exporters.export(level, options=options, name="own")) for _ in range(2))
        assert first == second


def test_levels_without_own_kinds_define_none_in_ldtk() -> None:
    """And what every project has keeps its uid."""
    plain, own = (
        json.loads(exporters.export(each, "ldtk", name="x")["x.ldtk"])["defs"]
        for each in (generator.generate("isaac", 7), own_kinds.level())
    )
    for key in ("enums", "entities"):
        ours = {each["identifier"]: each["uid"] for each in own[key]}
        assert ours.items() >= {each["identifier"]: each["uid"] for each in plain[key]}.items()
    kinds = [value["id"] for value in plain["enums"][0]["values"]]
    assert [value["id"] for value in own["enums"][0]["values"]] == [*kinds, ROOM, OTHER_ROOM]
    assert [each["identifier"] for each in own["entities"][len(plain["entities"]) :]] == ["GraveRobber"]


def test_a_marker_may_be_of_a_kind_that_is_called_as_another_entity_of_ldtk() -> None:
    level = own_kinds.level()
    markers = [replace(marker, kind="door") if marker.kind == MARKER else marker for marker in level.markers]
    level = replace(level, markers=tuple(markers))
    project = json.loads(exporters.export(level, "ldtk", name="x")["x.ldtk"])
    found = {each["identifier"]: each["tags"] for each in project["defs"]["entities"]}
    assert found["Door"] == ["door"] and found["Door_2"] == ["marker"]


def nodes_of(level: Level) -> list[str]:
    text = exporters.export(level, "godot", name="x")["x.tscn"].decode()
    return [line for line in text.splitlines() if line.startswith("[node")]


def test_a_scene_has_a_group_for_each_kind(level: Level) -> None:
    nodes = nodes_of(level)
    for group, count in ((f"room_{ROOM}", 1), (f"door_{DOOR}", 2), (f"marker_{MARKER}", 1)):
        assert sum(f'"{group}"' in node for node in nodes) == count, group


def test_a_pack_tells_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    level = own_kinds.level()
    monkeypatch.setattr(generator.pipeline, "generate", lambda spec, seed, **_: level)
    path = small_pack(tmp_path, "isaac", range(7, 8))
    assert problems(path) == []
    assert load_pack(path) is not None
    index, block = first_block(path.read_bytes())
    assert index["facts"][f"count.{ROOM}"][0] == index["facts"][f"markers.{MARKER}"][0] == 1
    nodes: list[dict[str, Any]] = Scene(block, index["places"][0]).nodes
    assert [node["metadata/kind"] for node in nodes if f"marker_{MARKER}" in node["groups"]] == [MARKER]


def test_the_facts_count_them(level: Level) -> None:
    facts = pack_facts(level, "group")
    assert facts[f"count.{ROOM}"] == facts[f"markers.{MARKER}"] == 1
    assert facts[f"rooms.{ROOM}.distance"] is not None


def test_terrain_that_no_theme_knows_is_refused() -> None:
    level = own_kinds.level()
    kinds = tuple(kind._replace(name="lava") if kind.name == "floor" else kind for kind in TERRAIN_KINDS)
    with pytest.raises(
        ThemeError, match="undercroft: the level's kit has no terrain 'lava'; use void, floor, wall"
    ):
        exporters.export(replace(level, terrain_kinds=kinds), "png")


def test_a_saved_level_is_exported_as_the_one_that_was_saved(level: Level, tmp_path: Path) -> None:
    exporters.export(level, "json", name="own").write(tmp_path)
    saved = load_level(tmp_path / "own.level.json")
    assert saved.to_dict() == level.to_dict()
    assert dict(exporters.export(saved, name="x")) == dict(exporters.export(level, name="x"))
