"""Rooms, doors and hallways that people add, remove, move and change: the table of what each program can do.

Each cell is taken, or refused by name; afterwards all files show one level, and a sync has nothing to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import exporters
import generator
from exporters.reading.back import bring_back
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from generator.checks import problems
from generator.geometry import Rect
from generator.level import Door, Hallway, Level
from generator.level_file import load_level
from tests.commands import undercroft

from .editors import Editor
from .exported import VALUES, level_of
from .structure_edits import (
    dig,
    door_rect,
    draw_door,
    draw_room,
    drop_room,
    free_rect,
    hallway_place,
    move_room,
    opened,
    place_room,
)
from .test_import_command import remove_half

SUFFIXES = (".tmj", ".ldtk", ".tscn")
STYLES = ("isaac", "gungeon")


def drop_enemies_near(edit: Editor, door: Rect) -> None:
    """Nobody may stand near a door."""
    near = Rect(door.x - 5, door.y - 5, door.width + 10, door.height + 10)
    for marker in edit.level.markers:
        if marker.kind == "enemy" and near.contains(marker.x, marker.y):
            edit.drop_marker(marker.id)


def add_room(edit: Editor) -> None:
    rect = free_rect(edit.level)
    draw_room(edit, rect)
    if edit.level.grid is not None:
        door = door_rect(edit.level, rect)
        draw_door(edit, door)
        drop_enemies_near(edit, door)
        return
    x, top, bottom = hallway_place(edit.level, rect)
    drop_enemies_near(edit, Rect(x, top - 1, 2, 1))
    dig(edit, x, top, bottom)
    draw_door(edit, Rect(x, top - 1, 2, 1))
    draw_door(edit, Rect(x, bottom + 1, 2, 1))


def has_added_room(before: Level, after: Level) -> bool:
    room = after.rooms[-1]
    return (
        len(after.rooms) == len(before.rooms) + 1
        and room.bounds == free_rect(before)
        and room.distance is not None
        and len(after.doors) == len(before.doors) + (1 if before.grid else 2)
        and len(after.hallways) == len(before.hallways) + (before.grid is None)
    )


def leaf(level: Level) -> int:
    """A room with one way to it, without which all others can be reached."""
    ends = [room for door in level.doors for room in door.rooms if room is not None]
    return next(
        room.id for room in level.rooms if ends.count(room.id) == 1 and room.kind not in ("start", "boss")
    )


def remove_room(edit: Editor) -> None:
    drop_room(edit, leaf(edit.level))


def has_removed_room(before: Level, after: Level) -> bool:
    room = before.rooms[leaf(before)]
    return (
        len(after.rooms) == len(before.rooms) - 1
        and len(after.doors) == len(before.doors) - (1 if before.grid else 2)
        and not after.terrain[room.bounds.shrunk(1).slices].any()
        and [each.bounds for each in after.rooms] == [each.bounds for each in before.rooms if each != room]
        and not any(room.bounds.contains(marker.x, marker.y) for marker in after.markers)
    )


def move_a_room(edit: Editor) -> None:
    """Beside the only room that it may be joined to, in a grid style; else by some tiles."""
    level, number = edit.level, leaf(edit.level)
    rect = free_rect(level) if level.grid else level.rooms[number].bounds
    here = level.rooms[number].bounds
    if level.grid is None:
        move_room(edit, number, (0, 1))
        return
    move_room(edit, number, (rect.x - here.x, rect.y - here.y))
    door = door_rect(level, rect)
    draw_door(edit, door)
    drop_enemies_near(edit, door)


def has_moved_room(before: Level, after: Level) -> bool:
    old, room = before.rooms[leaf(before)], after.rooms[leaf(before)]
    step = room.bounds.x - old.bounds.x, room.bounds.y - old.bounds.y
    moved = {marker.id: marker for marker in after.markers}
    return (
        step != (0, 0)
        and (room.kind, room.layout, room.bounds[2:]) == (old.kind, old.layout, old.bounds[2:])
        and room.distance is not None
        and all(
            (moved[marker.id].x, moved[marker.id].y) == (marker.x + step[0], marker.y + step[1])
            for marker in before.markers
            if marker.room == old.id
        )
    )


def remove_door(edit: Editor) -> None:
    """From one side, where the sides are two."""
    remove_half(edit, spare_door(edit.level).id)


def spare_door(level: Level) -> Door:
    return next(door for door in level.doors if door.kind == "secret")


def has_no_door(before: Level, after: Level) -> bool:
    door = spare_door(before)
    names = {after.terrain_kinds[after.terrain[y, x]].name for x, y in door.tiles}
    return len(after.doors) == len(before.doors) - 1 and names == {"wall"}


def change_door(edit: Editor) -> None:
    edit.set_door(spare_door(edit.level).id, "open")


def has_other_door(before: Level, after: Level) -> bool:
    return after.doors[spare_door(before).id].kind == "open"


def close_hallway(edit: Editor) -> None:
    """One row of wall in it is enough."""
    way = hallway_of_leaf(edit.level)
    x, y = way.tiles[len(way.tiles) // 2]
    for tile in way.tiles:
        if tile[1] == y or tile[0] == x:
            edit.paint(tile, "wall")


def hallway_of_leaf(level: Level) -> Hallway:
    (door,) = (door.id for door in level.doors if leaf(level) in door.rooms)
    return next(way for way in level.hallways if door in way.doors)


def has_closed_hallway(before: Level, after: Level) -> bool:
    way = hallway_of_leaf(before)
    return (
        len(after.hallways) == len(before.hallways) - 1
        and len(after.doors) == len(before.doors) - 2
        and after.rooms[leaf(before)].distance is None
        and not any(after.passable("walk")[y, x] for x, y in way.tiles)
    )


EDITS: dict[str, tuple[Callable[[Editor], None], Callable[[Level, Level], bool]]] = {
    "add a room": (add_room, has_added_room),
    "remove a room": (remove_room, has_removed_room),
    "move a room": (move_a_room, has_moved_room),
    "remove a door": (remove_door, has_no_door),
    "change a door": (change_door, has_other_door),
    "close a hallway": (close_hallway, has_closed_hallway),
}
ONLY = {
    "move a room": "isaac",
    "remove a door": "isaac",
    "change a door": "isaac",
    "close a hallway": "gungeon",
}
BREAKS = (
    "remove a door",
    "close a hallway",
    "change a door",
)  # a room cannot be reached then, or is no secret
CELLS = [
    (name, suffix, style)
    for name in EDITS
    for suffix in SUFFIXES
    for style in STYLES
    if ONLY.get(name, style) == style
]


def shown(folder: Path) -> set[str]:
    files = ExportFiles(folder)
    paths = (folder / f"cellar{suffix}" for suffix in SUFFIXES)
    return {form_of(path).identity(path.name, files)["fingerprint"] for path in paths}


@pytest.mark.parametrize(("name", "suffix", "style"), CELLS)
def test_the_structure_changes_in_all_files(name: str, suffix: str, style: str, tmp_path: Path) -> None:
    level = level_of(style)
    exporters.export(level, ["json", "tiled", "ldtk", "godot"], name="cellar").write(tmp_path)
    do, is_done = EDITS[name]
    edit = opened(tmp_path, suffix, level)
    do(edit)
    edit.save()
    done = undercroft("sync", ".", cwd=tmp_path)
    after = load_level(tmp_path / "cellar.level.json")
    assert is_done(level, after), done.stderr
    assert (done.returncode, bool(problems(after))) == (int(name in BREAKS), name in BREAKS), done.stderr
    assert shown(tmp_path) == {after.fingerprint}
    again = undercroft("sync", ".", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (done.returncode, ""), again.stderr
    assert undercroft("check", ".", cwd=tmp_path).returncode == done.returncode


@pytest.mark.parametrize("name", ["add a room", "remove a room", "close a hallway"])
@pytest.mark.parametrize(("style", "seed"), [("isaac", 4), ("isaac", 5), ("gungeon", 3), ("gungeon", 4)])
def test_the_structure_goes_to_another_level_or_is_told(
    style: str, seed: int, name: str, tmp_path: Path
) -> None:
    """The rooms that there are, those that the person made or removed, and one line for each that has no place."""
    level = level_of(style)
    exporters.export(level, ["json", "tiled", "ldtk", "godot"], name="cellar").write(tmp_path)
    edit = opened(tmp_path, ".tmj", level)
    if ONLY.get(name, style) != style:
        return
    EDITS[name][0](edit)
    edit.save()
    given = [f"--set={key}={value}" for key, value in VALUES[style].items() if key != "seed"]
    words = ["generate", style, "--seed", str(seed), *given, "--name", "cellar", "--out", "."]
    formats = ["--to", "json", "--to", "tiled", "--to", "ldtk", "--to", "godot"]
    new = generator.generate(style, **{**VALUES[style], "seed": seed})
    done = undercroft(*words, *formats, "--edits", "merge", cwd=tmp_path)
    after = load_level(tmp_path / "cellar.level.json")
    assert shown(tmp_path) == {after.fingerprint}, done.stderr
    lost = [line for line in done.stderr.splitlines() if "the new level has no place" in line]
    step = len(after.rooms) - len(new.rooms), len(after.hallways) - len(new.hallways)
    ways = int(style == "gungeon")
    made = {"add a room": (1, ways), "remove a room": (-1, -ways), "close a hallway": (0, -1)}[name]
    assert (step == made and not lost) or (step == (0, 0) and (lost or name != "add a room")), done.stderr
    again = undercroft("sync", ".", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (int(bool(problems(after))), ""), again.stderr


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
    assert back.problems == [] and back.level.rooms[-1].distance == level.rooms[2].distance + 1


def test_a_room_is_resized_by_its_object_and_its_walls(tmp_path: Path) -> None:
    """The wall is painted one column further out; a room that moved on paper only stays."""
    level = level_of("gungeon")
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    edit, room = opened(tmp_path, ".tmj", level), level.rooms[0]
    for y in range(room.bounds.y, room.bounds.bottom):
        edit.paint((room.bounds.right, y), "wall")
    size = edit.theme.tile_size
    for _, found in edit._objects("room", 0):
        found["polygon"] = [
            {"x": each["x"] + (size if each["x"] else 0), "y": each["y"]} for each in found["polygon"]
        ]
    edit.save()
    back = bring_back(tmp_path / "cellar.tmj")
    assert back.level.rooms[0].bounds == room.bounds._replace(width=room.bounds.width + 1)
    assert back.level.edited["rooms_moved"] == 1


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
