"""The names that people give to rooms: read in every format, drawn by all of them, carried with the room."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import exporters
from exporters.comparison.differences import compared
from exporters.formats.ldtk.areas import OUTSIDE
from exporters.formats.ldtk.check import problems as ldtk_problems
from exporters.reading.back import bring_back
from exporters.reading.carried import carried, edits_between
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of, main_file
from generator.cli.group import main
from generator.level import MAX_NAME, Level
from generator.level_file import load_level
from generator.rerolls.reroll import reroll
from tests.combinations import each_once_first
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.exported import FORMS, exported, level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles

STYLES = ("isaac", "rebirth", "gungeon")
NOTHING = re.compile("nothing was edited|no new edits")
HOSTILE = [
    'Dr. No\'s: 100% / "a\\b" @home',
    "Тронный зал",
    "Markers",
    "Level",
    OUTSIDE,
    "Lost_edits_1",
    "con",
    "Room_0_start",
    "Hall",
    "hall",
    "Hall_2",
    "é" * MAX_NAME,
]


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def named(level: Level, *names: str) -> Level:
    """The level with these names for its last rooms."""
    kept = level.rooms[: len(level.rooms) - len(names)]
    rest = level.rooms[len(kept) :]
    return replace(
        level, rooms=(*kept, *(replace(each, name=name) for each, name in zip(rest, names, strict=True)))
    )


def names_of(level: Level) -> dict[int, str]:
    return {room.id: room.name for room in level.rooms if room.name}


@pytest.mark.parametrize(("style", "form"), each_once_first(STYLES, FORMS))
def test_a_room_that_was_renamed_has_that_name(style: str, form: str, tmp_path: Path) -> None:
    """And what else was changed in it is still found."""
    level = level_of(style)
    path = exported(level, form, tmp_path)
    edit = editor_of(path, level)
    tile = free_tiles(level)[0]
    room = edit.room_of(tile)
    edit.rename_room(room, "Throne_Room")
    edit.paint(tile, "rubble")
    edit.save()
    back = bring_back(path)
    assert (back.notes, back.problems) == ([], [])
    assert names_of(back.level) == {room: "Throne_Room"}
    assert back.level.terrain_kinds[back.level.terrain[tile[1], tile[0]]].name == "rubble"
    assert back.said() == "1 tile painted, 1 property changed"


@pytest.mark.parametrize(("style", "form"), each_once_first(STYLES, FORMS))
def test_all_files_have_the_name_after_a_sync(style: str, form: str, tmp_path: Path) -> None:
    level, (suffix, options) = level_of(style), FORMS[form]
    exporters.export(level, ["json", "tiled", "ldtk", "godot"], options=options, name="cellar").write(
        tmp_path
    )
    edit = editor_of(tmp_path / f"cellar{suffix}", level)
    edit.rename_room(2, "Throne_Room")
    edit.save()
    assert run("sync", tmp_path).exit_code == 0
    after = load_level(tmp_path / "cellar.level.json")
    assert names_of(after) == {2: "Throne_Room"}
    assert not [path.name for path in tmp_path.iterdir() if "conflicts" in path.name or ".mine" in path.name]
    for path in sorted(tmp_path.glob("cellar.*")):
        if path.suffix in (".tmj", ".world", ".ldtk", ".tscn"):
            form_ = form_of(path)
            assert form_.identity(path.name, ExportFiles(tmp_path))["fingerprint"] == after.fingerprint
    again = run("sync", tmp_path)
    assert (again.exit_code, again.stdout) == (0, "") and NOTHING.search(again.stderr)
    assert run("check", tmp_path).exit_code == 0
    for suffix in (".tm[jx]", ".ldtk*", ".tscn"):
        assert any("Throne_Room" in path.read_text("utf-8") for path in tmp_path.rglob(f"*{suffix}"))


@pytest.mark.parametrize("form", ["scene", "scenes"])
@pytest.mark.parametrize("scene", ["cellar.tscn", "cellar_edit.tscn"])
@pytest.mark.parametrize("by", ["map", "scene"])
def test_nodes_below_a_room_stay_below_it(by: str, scene: str, form: str, tmp_path: Path) -> None:
    """Whether the room was renamed in Tiled or in Godot, which changes no scene that inherits this one."""
    level, (_, options) = level_of("isaac"), FORMS[form]
    exporters.export(level, ["json", "tiled", "godot"], options=options, name="cellar").write(tmp_path)
    text = (tmp_path / "cellar.tscn").read_text("utf-8")
    old = re.findall(r'node name="([^"]*)"[^\n]*parent="Rooms"', text)[2]
    with (tmp_path / scene).open("a", encoding="utf-8") as file:
        file.write(f'\n[node name="Lamp" type="Node2D" parent="Rooms/{old}"]\n')
    edit = editor_of(tmp_path / f"cellar{FORMS[by].suffix}", level)
    edit.rename_room(2, "Throne_Room")
    edit.save()
    assert run("sync", tmp_path).exit_code == 0
    assert 'name="Lamp" type="Node2D" parent="Rooms/Throne_Room"' in (tmp_path / scene).read_text("utf-8")
    assert NOTHING.search(run("sync", tmp_path).stderr)
    assert not [path.name for path in tmp_path.iterdir() if "conflicts" in path.name or ".mine" in path.name]


@pytest.mark.parametrize(("style", "form"), each_once_first(STYLES, FORMS))
def test_every_name_that_a_level_can_have_can_be_drawn(style: str, form: str, tmp_path: Path) -> None:
    """Names that mean something in a format, equal names, and names of which an identifier keeps nothing."""
    rooms = len(level_of(style).rooms)
    for first in range(0, len(HOSTILE), rooms):
        level = named(level_of(style), *HOSTILE[first : first + rooms])
        path = exported(level, form, tmp_path / str(first))
        back = bring_back(path)
        assert back.level is back.original.level and (back.notes, back.problems) == ([], [])
        assert run("check", path.parent).exit_code == 0
        inside = sorted(path.with_suffix("").glob("*")) if path.with_suffix("").is_dir() else []
        assert len({each.name.casefold() for each in inside}) == len(inside)
        assert all(main_file(each) == path for each in inside)


def test_rooms_without_a_name_keep_theirs_and_no_two_rooms_have_one(tmp_path: Path) -> None:
    level = named(level_of("isaac"), "Room_0_start", "Hall", "hall", "Level")
    path = exported(level, "ldtk", tmp_path)
    assert ldtk_problems(path) == []
    identifiers = [each["identifier"] for each in json.loads(path.read_bytes())["levels"]]
    plain = [f"Room_{room.id}_{room.kind}" for room in level.rooms]
    assert identifiers == [*plain[:-4], "Room_0_start_2", "Hall", "hall_2", "Level_2"]


def test_a_level_without_names_says_nothing_of_them(tmp_path: Path) -> None:
    level = level_of("isaac")
    assert all("name" not in room for room in level.to_dict()["rooms"])
    rows = named(level, "Hall").to_dict()["rooms"]
    assert [row.get("name") for row in rows] == [None] * (len(rows) - 1) + ["Hall"]
    ldtk = json.loads(exported(level, "ldtk", tmp_path).read_bytes())
    assert all(field["identifier"] != "name" for field in ldtk["defs"]["levelFields"])


@pytest.mark.parametrize("form", ["map", "scene"])
@pytest.mark.parametrize("name", ["x" * (MAX_NAME + 1), "two\nlines", "a\u202eb"])
def test_a_name_that_a_room_cannot_have_is_reported(name: str, form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    path = exported(level, form, tmp_path)
    edit = editor_of(path, level)
    edit.rename_room(1, name)
    edit.save()
    back = bring_back(path)
    (line,) = back.notes
    rule = "a name is one line of at most 64 characters; give it such a name"
    assert line.endswith(f": its new name is left out: {rule}")
    assert back.level is back.original.level


@pytest.mark.parametrize("form", ["map", "ldtk", "ldtk-one", "scene", "scenes"])
def test_a_name_is_changed_and_taken_back_by_its_property(form: str, tmp_path: Path) -> None:
    """Where a program has no property for it, or to give a name that cannot be that of a node."""
    level = named(level_of("isaac"), "Hall")
    path = exported(level, form, tmp_path)
    room = len(level.rooms) - 1
    for new in ("Hall: 2", ""):
        texts = {each: each.read_text("utf-8") for each in (path, *path.with_suffix("").glob("*.tscn"))}
        for each, text in texts.items():
            told = text.replace(
                '"room_name","type":"string","value":"Hall"', f'"room_name","type":"string","value":"{new}"'
            )
            told = told.replace(
                '"__identifier": "name", "__type": "String", "__value": "Hall"',
                f'"__identifier": "name", "__type": "String", "__value": "{new}"',
            )
            told = told.replace('metadata/name = "Hall"', f'metadata/name = "{new}"')
            each.write_text(told, "utf-8")
        back = bring_back(path)
        assert names_of(back.level) == ({room: new} if new else {}) and back.notes == []
        for each, text in texts.items():
            each.write_text(text, "utf-8")


@pytest.mark.parametrize("style", STYLES)
def test_a_name_goes_with_its_room(style: str) -> None:
    level = level_of(style)
    after = named(level, "Hall")
    edits = edits_between(level, after)
    room = level.rooms[-1]
    assert edits == {("room", room.id, "name"): "Hall"}
    assert carried(edits, level, level).edits == edits and carried(edits, level, after).edits == {}
    lines = [(each.rooms, each.key, each.old, each.new) for each in compared(level, after).differences]
    assert lines == [((room.id, room.id), "name", "", "Hall")]


@pytest.mark.parametrize("style", STYLES)
def test_a_room_that_is_rolled_again_keeps_its_name(style: str) -> None:
    level = level_of(style)
    room = next(room.id for room in level.rooms if room.kind == "normal")
    rooms = tuple(replace(each, name="Hall" if each.id == room else "") for each in level.rooms)
    assert names_of(reroll(replace(level, rooms=rooms), room=room)) == {room: "Hall"}
