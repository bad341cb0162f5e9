"""Rooms, doors and hallways that people add, remove, move and change: the table of what each program can do.

Each edit is taken, or refused by name; afterwards all files show one level, and a sync has nothing to do. Here the real
Tiled and Godot make all edits of a level at once; `tests.soak` has each by itself, in more levels and forms.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from exporters.reading.back import bring_back
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from generator.checks import problems
from generator.geometry import Rect
from generator.level import Level
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.formats.godot.conftest import Project

from .chain_structure import ends
from .editors import Editor, LdtkEditor, editor_of
from .exported import FORMS, VALUES, exported, level_of
from .in_programs import do_in_godot, do_in_tiled
from .structure_edits import (
    door_rect,
    draw_door,
    draw_entity,
    draw_room,
    drop_room,
    free_rect,
    hallway_place,
    move_room,
    opened,
    place_room,
)
from .structure_table import ROWS, add_room, close_hallway, movable, remove_room, without_a_door

TOGETHER = {
    "isaac": [name for name in ROWS if name != "move a room"],
    "rebirth": [*ROWS],
    "gungeon": [name for name in ROWS if name != "remove a room"],
}
"""The rows that are tried in one level: those of which one would undo another are left out."""


@cache
def level_for(style: str) -> Level:
    """A small level in which there is a place for every edit."""
    if style == "gungeon":
        return generator.generate("gungeon", 22, rooms=7, flow="random")
    return without_a_door(level_of(style))


def shown(folder: Path) -> set[str]:
    files, suffixes = ExportFiles(folder), (".tmj", ".world", ".ldtk", ".tscn")
    paths = (path for suffix in suffixes if (path := folder / f"cellar{suffix}").exists())
    return {form_of(path).identity(path.name, files)["fingerprint"] for path in paths}


def all_at_once(style: str, form: str, folder: Path) -> tuple[Editor, list[str]]:
    """An editor of a level in some form, with all edits that go together, not saved."""
    level = level_for(style)
    suffix, options = FORMS[form]
    own = {".ldtk": "ldtk", ".tscn": "godot"}.get(suffix, "tiled")
    others = () if style == "rebirth" else ("godot" if own == "tiled" else "tiled",)
    formats = ["json", own, *others]
    exporters.export(level, formats, options, name="cellar").write(folder)
    edit = editor_of(folder / f"cellar{suffix}", level)
    names = [name for name in TOGETHER[style] if style in ROWS[name].styles]
    for name in names:
        ROWS[name].do(edit)
    return edit, names


def assert_all_taken(level: Level, folder: Path, names: Sequence[str]) -> None:
    done = undercroft("sync", ".", cwd=folder)
    after = load_level(folder / "cellar.level.json")
    assert [name for name in names if not ROWS[name].is_done(level, after)] == [], done.stderr
    assert done.returncode == int(bool(problems(after))), done.stderr
    assert shown(folder) == {after.fingerprint}
    again = undercroft("sync", ".", cwd=folder)
    assert (again.returncode, again.stdout) == (done.returncode, ""), again.stderr


@pytest.mark.engine
def test_tiled_changes_the_structure(tmp_path: Path) -> None:
    made = {style: all_at_once(style, "map", tmp_path / style) for style in ("isaac", "gungeon")}
    do_in_tiled([edit for edit, _ in made.values()], tmp_path / "isaac")
    for style, (edit, names) in made.items():
        assert_all_taken(edit.level, tmp_path / style, names)


def without_picture(sheet: str) -> str:
    """A TileSet with an empty texture, for which Godot need not start its editor to import a picture."""
    empty = '[sub_resource type="PlaceholderTexture2D" id="picture"]\nsize = Vector2(4096, 4096)'
    sheet, count = re.subn(r'\[ext_resource type="Texture2D"[^\]]*\]', empty, sheet)
    assert count == 1
    return re.sub(r'texture = ExtResource\("[^"]*"\)', 'texture = SubResource("picture")', sheet)


@pytest.mark.engine
def test_godot_changes_the_structure(tmp_path: Path) -> None:
    project, forms = Project(tmp_path), {"rebirth": "scenes", "gungeon": "scene"}
    made = {style: all_at_once(style, form, tmp_path / style) for style, form in forms.items()}
    sheets = {path: path.read_text() for path in tmp_path.rglob("*.tres")}
    for path, text in sheets.items():
        path.write_text(without_picture(text))
    do_in_godot([edit for edit, _ in made.values()], project)
    for path, text in sheets.items():
        path.write_text(text)
    for style, (edit, names) in made.items():
        assert_all_taken(edit.level, tmp_path / style, names)


@pytest.mark.parametrize(
    ("style", "form"),
    [("isaac", "ldtk"), ("rebirth", "ldtk-files"), ("rebirth", "world"), ("gungeon", "scene-3.6")],
)
def test_files_that_are_changed_change_the_structure(style: str, form: str, tmp_path: Path) -> None:
    edit, names = all_at_once(style, form, tmp_path)
    edit.save()
    assert_all_taken(edit.level, tmp_path, names)


@pytest.mark.parametrize("form", ["world", "ldtk", "scenes"])
def test_a_room_that_cannot_be_where_it_was_moved_stays(form: str, tmp_path: Path) -> None:
    """Its tiles were left there, and each sync moved a scene on."""
    level = level_of("isaac")
    main, room = exported(level, form, tmp_path), movable(level)
    edit = editor_of(main, level)
    move_room(edit, room.id, (1, 0))
    edit.save()
    back = bring_back(main)
    assert back.level == level
    assert any("rooms stay 2 tiles away" in note for note in back.notes)


def test_a_door_may_be_drawn_in_a_level_that_was_moved(tmp_path: Path) -> None:
    """It was looked for where the level had been, and taken at the second sync only."""
    level = level_of("isaac")
    main, room, rect = exported(level, "ldtk", tmp_path), movable(level), free_rect(level)
    edit = editor_of(main, level)
    assert isinstance(edit, LdtkEditor)
    move_room(edit, room.id, (rect.x - room.bounds.x, rect.y - room.bounds.y))
    door = door_rect(level, rect)
    (moved,) = (each for each in edit.levels if each["identifier"].startswith(f"Room_{room.id}_"))
    draw_entity(edit, moved, "Door", door._replace(x=door.x - rect.x, y=door.y - rect.y), "")
    edit.save()
    undercroft("sync", ".", cwd=tmp_path)
    after = load_level(tmp_path / "cellar.level.json")
    assert door in [Rect.around(each.tiles) for each in after.doors]
    assert undercroft("sync", ".", cwd=tmp_path).stdout == ""
    assert "__world" not in undercroft("check", "--accept-edits", ".", cwd=tmp_path).stdout


@pytest.mark.parametrize("form", ["world", "scenes"])
def test_a_room_with_a_file_of_its_own_moves_with_its_walls(form: str, tmp_path: Path) -> None:
    """The tops of its walls, which are drawn behind it, were left as walls of the level."""
    level = level_for("gungeon")
    main = exported(level, form, tmp_path)
    edit = editor_of(main, level)
    ROWS["move a room"].do(edit)
    edit.save()
    done = undercroft("sync", ".", cwd=tmp_path)
    assert ROWS["move a room"].is_done(level, load_level(tmp_path / "cellar.level.json"))
    assert done.returncode == 0, done.stderr
    assert undercroft("sync", ".", cwd=tmp_path).stdout == ""


@pytest.mark.parametrize(
    ("style", "seed", "name"), [("isaac", 4, "add"), ("isaac", 5, "remove"), ("gungeon", 3, "close")]
)
def test_the_structure_goes_to_another_level_or_is_told(
    style: str, seed: int, name: str, tmp_path: Path
) -> None:
    """The rooms that there are, those that the person made or removed, and one line for each that has no place."""
    level = level_of(style)
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    edit = opened(tmp_path, ".tmj", level)
    {"add": add_room, "remove": remove_room, "close": close_hallway}[name](edit)
    edit.save()
    given = [f"--set={key}={value}" for key, value in VALUES[style].items() if key != "seed"]
    words = ["generate", style, "--seed", str(seed), *given, "--name", "cellar", "--out", "."]
    new = generator.generate(style, **{**VALUES[style], "seed": seed})
    done = undercroft(*words, "--to", "json", "--to", "tiled", "--edits", "merge", cwd=tmp_path)
    after = load_level(tmp_path / "cellar.level.json")
    assert shown(tmp_path) == {after.fingerprint}, done.stderr
    lost = [line for line in done.stderr.splitlines() if "the new level has no place" in line]
    step = len(after.rooms) - len(new.rooms), len(after.hallways) - len(new.hallways)
    made = {"add": (1, 0), "remove": (-1, 0), "close": (0, -1)}[name]
    assert (step == made and not lost) or (step == (0, 0) and (lost or name != "add")), done.stderr


# --- one file per room -------------------------------------------------------------------------------


def edit_world(folder: Path, do: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the list of maps of a world, as Tiled's world tool does."""
    world = json.loads((folder / "cellar.world").read_text())
    do(world["maps"])
    (folder / "cellar.world").write_text(json.dumps(world))


def test_a_map_that_was_removed_from_a_world_is_one_room(tmp_path: Path) -> None:
    """Each sync removed another room: the next one had the number of the first."""
    level = level_of("isaac")
    exported(level, "world", tmp_path)
    number = ends(level)[0].id
    edit_world(tmp_path, lambda maps: maps.remove(maps[number]))
    assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
    after = load_level(tmp_path / "cellar.level.json")
    assert ROWS["remove a room"].is_done(level, after)
    assert undercroft("sync", ".", cwd=tmp_path).stdout == ""
    assert load_level(tmp_path / "cellar.level.json") == after


def test_a_scene_that_was_removed_in_godot_is_one_room(tmp_path: Path) -> None:
    """Godot leaves the scene's file out of the list of files, too; each sync removed another room."""
    level = level_for("gungeon")
    main, number = exported(level, "scenes", tmp_path), ends(level)[0].id
    edit = editor_of(main, level)
    drop_room(edit, number)
    edit.save()
    text, listed = re.subn(rf'\[ext_resource [^\]]*/room{number}\.tscn"[^\]]*\]\n\n', "", main.read_text())
    assert listed == 1
    main.write_text(text)
    assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
    assert ROWS["remove a room"].is_done(level, load_level(tmp_path / "cellar.level.json"))
    assert undercroft("sync", ".", cwd=tmp_path).stdout == ""


@pytest.mark.parametrize("down", [0, 16])
def test_a_copy_of_a_map_is_a_new_room_where_the_world_has_it(down: int, tmp_path: Path) -> None:
    """A place that does not fit the cells is refused with all that is on the map."""
    level = level_of("isaac")
    exported(level, "world", tmp_path)
    shutil.copy(tmp_path / "cellar" / "room1.tmj", tmp_path / "cellar" / "mine.tmj")
    rect, old = free_rect(level), level.rooms[1].bounds

    def add(maps: list[dict[str, Any]]) -> None:
        x, y = (maps[1][key] + 16 * (rect[i] - old[i]) for i, key in enumerate(("x", "y")))
        maps.append({**maps[1], "fileName": "cellar/mine.tmj", "x": x, "y": y + down})

    edit_world(tmp_path, add)
    back = bring_back(tmp_path / "cellar.world")
    if down:
        assert back.level == level
        assert any("mine.tmj" in note and "does not cover whole cells" in note for note in back.notes)
        return
    assert back.level.rooms[-1].bounds == rect
    assert back.level.rooms[:-1] == level.rooms
    (door,) = (door for door in back.level.doors if len(level.rooms) in door.rooms)
    assert door.side in ("east", "south")
    undercroft("sync", ".", cwd=tmp_path)
    maps = json.loads((tmp_path / "cellar.world").read_text())["maps"]
    assert [each["fileName"] for each in maps] == [f"cellar/room{number}.tmj" for number in range(len(maps))]


def test_an_area_is_no_room_where_rooms_have_scenes(tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, "scenes", tmp_path)
    values = "metadata/bounds = Rect2i({}, {}, {}, {})".format(*free_rect(level))
    node = f'[node name="Mine" type="Area2D" parent="Rooms" groups=["room"]]\n{values}\n'
    main.write_text(f"{main.read_text()}\n{node}")
    back = bring_back(main)
    assert back.level == level
    assert any("copy a room's scene and put the copy below Rooms" in note for note in back.notes)


def test_a_level_of_ldtk_goes_with_its_file(tmp_path: Path) -> None:
    """LDtk deletes the file of a level that is removed; nothing was written then."""
    level = level_of("isaac")
    main = exported(level, "ldtk-files", tmp_path)
    edit = editor_of(main, level)
    drop_room(edit, ends(level)[0].id)
    edit.save()
    (file,) = (path for path in (tmp_path / "cellar").iterdir() if path.name not in main.read_text())
    file.unlink()
    assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
    assert ROWS["remove a room"].is_done(level, load_level(tmp_path / "cellar.level.json"))
    assert undercroft("sync", ".", cwd=tmp_path).stdout == ""


def test_a_scene_of_a_room_that_is_elsewhere_is_a_room_that_moved(tmp_path: Path) -> None:
    """The tops of its walls, which are drawn behind it, are no walls of the level."""
    level = level_of("isaac")
    main, room = exported(level, "scenes", tmp_path), movable(level)
    edit, rect = editor_of(main, level), free_rect(level)
    move_room(edit, room.id, (rect.x - room.bounds.x, rect.y - room.bounds.y))
    edit.save()
    back = bring_back(main)
    assert back.level.rooms[room.id].bounds == rect
    assert not any("outside all rooms" in line for line in back.problems)


# --- what follows ------------------------------------------------------------------------------------


def test_a_room_that_moves_along_its_hallway_keeps_its_door(tmp_path: Path) -> None:
    """Also one whose walls are not straight, drawn over the tops of walls that were there."""
    level = level_of("gungeon")
    main, room = (
        exported(level, "map", tmp_path),
        next(each for each in ends(level) if each.shape == "ragged"),
    )
    edit = editor_of(main, level)
    move_room(edit, room.id, (0, -1))
    edit.save()
    back = bring_back(main)
    assert (len(back.level.doors), len(back.level.hallways)) == (len(level.doors), len(level.hallways))
    assert back.level.rooms[room.id].bounds == room.bounds._replace(y=room.bounds.y - 1)
    assert back.problems == []


def test_rooms_that_move_together_keep_the_door_between_them(tmp_path: Path) -> None:
    """A room goes to the other side of its neighbour: there is a door again, of the same kind."""
    level = level_of("isaac")
    main, room = exported(level, "ldtk", tmp_path), level.rooms[4]
    assert room.bounds == (32, 2, 15, 9) and level.rooms[1].bounds == (17, 2, 15, 9)
    (door,) = (door for door in level.doors if room.id in door.rooms)
    edit = editor_of(main, level)
    drop_room(edit, 3)  # makes place
    move_room(edit, room.id, (-30, 0))
    edit.save()
    back = bring_back(main)
    (now,) = (each for each in back.level.doors if 3 in each.rooms)
    assert (now.kind, {*now.tiles}) == (door.kind, {(16, 6), (17, 6)})
    assert back.problems == []


def test_a_hallway_that_was_painted_through_the_walls_has_doors(tmp_path: Path) -> None:
    """As with a brush, from the floor of one room to the floor of a new one, without any object of a door."""
    level = level_of("gungeon")
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    edit, rect = opened(tmp_path, ".tmj", level), free_rect(level)
    draw_room(edit, rect)
    x, top, bottom = hallway_place(level, rect)
    for y in range(top - 1, bottom + 2):
        for column in (x, x + 1):
            edit.paint((column, y), "hallway")
    edit.save()
    back = bring_back(tmp_path / "cellar.tmj")
    (way,) = back.level.hallways[len(level.hallways) :]
    ends = [back.level.doors[number] for number in way.doors]
    assert {door.tiles for door in ends} == {((x, y), (x + 1, y)) for y in (top - 1, bottom + 1)}
    assert {door.rooms for door in ends} == {(2, None), (len(level.rooms), None)}
    near = "fair-at-the-door", "enemies-away-from-doors"  # an enemy may stand near it
    told = [line for line in back.problems if not any(rule in line for rule in near)]
    assert told == [] and back.level.rooms[-1].distance == level.rooms[2].distance + 1


REFUSED = {
    "is on no floor": (lambda edit: place_room(edit, free_rect(edit.level)), "there is no floor in it"),
    "is outside": (lambda edit: place_room(edit, Rect(-3, 4, 15, 9)), "the level keeps its size"),
    "is in no wall": (lambda edit: draw_door(edit, Rect(21, 14, 2, 1)), "it is in no wall"),
    "is there already": (lambda edit: draw_door(edit, Rect(24, 19, 1, 2)), "there is a door already"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_by_name(name: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    edit = opened(tmp_path, ".tmj", level)
    do, why = REFUSED[name]
    do(edit)
    edit.save()
    back = bring_back(tmp_path / "cellar.tmj")
    assert re.search(rf"^object \d+ \(\w+\): left out: ({why})", back.notes[0])
    assert back.level == level
    first, second = (undercroft("sync", ".", cwd=tmp_path) for _ in range(2))
    assert re.search(why, first.stderr) and not re.search(why, second.stderr)  # told once
