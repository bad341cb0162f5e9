"""Rooms, doors and hallways that people add, remove, move and change: the table of what each program can do.

Each cell is taken, or refused by name; afterwards all files show one level, and a sync has nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import exporters
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from generator.checks import problems
from generator.geometry import Rect
from generator.level import Level
from generator.level_file import load_level
from tests.commands import undercroft

from .editors import Editor
from .exported import level_of
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
)

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


EDITS: dict[str, tuple[Callable[[Editor], None], Callable[[Level, Level], bool]]] = {
    "add a room": (add_room, has_added_room),
    "remove a room": (remove_room, has_removed_room),
}


def shown(folder: Path) -> set[str]:
    files = ExportFiles(folder)
    paths = (folder / f"cellar{suffix}" for suffix in SUFFIXES)
    return {form_of(path).identity(path.name, files)["fingerprint"] for path in paths}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", EDITS)
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
    assert done.returncode == 0, done.stderr
    assert problems(after) == []
    assert shown(tmp_path) == {after.fingerprint}
    again = undercroft("sync", ".", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, ""), again.stderr
    assert undercroft("check", ".", cwd=tmp_path).returncode == 0
