"""Every kind of edit, in every format and style, comes back as that edit and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exporters.reading.back import BroughtBack, bring_back
from generator.geometry import Point
from generator.interiors.interior import BURNS
from generator.level import Level, Marker
from generator.level_file import load_level
from generator.serialise import dumps
from generator.spec.read import preset_names
from tests.combinations import each_once_first
from tests.exporters.older_doors import older
from tests.exporters.reading.editors import GodotEditor, LdtkEditor, TiledEditor, editor_of
from tests.exporters.reading.exported import FORMS, exported, level_of

AnyEditor = TiledEditor | LdtkEditor | GodotEditor
STYLES = ("isaac", "rebirth", "gungeon")
OTHER_PRESETS = [
    pytest.param(each, form, marks=pytest.mark.soak)
    for each in preset_names()
    for form in FORMS
    if each not in STYLES
]
ONE_FIRST = [pytest.param(each, marks=() if each == "isaac" else pytest.mark.soak) for each in STYLES]

# In the others, and in the other styles, all edits are tried at once.
FORMS_FIRST = [
    pytest.param(each, marks=() if each in ("map", "ldtk", "scene") else pytest.mark.soak) for each in FORMS
]


@pytest.mark.parametrize(("preset", "form"), [*each_once_first(STYLES, FORMS), *OTHER_PRESETS])
def test_a_file_that_nobody_edited_gives_the_level_itself(preset: str, form: str, tmp_path: Path) -> None:
    level = level_of(preset)
    main = exported(level, form, tmp_path)
    back = bring_back(main)
    assert back.level is back.original.level
    assert back.level.fingerprint == level.fingerprint
    assert back.notes == back.problems == []


@pytest.mark.parametrize("form", ["map", "ldtk", "scene"])
def test_a_file_that_said_less_of_its_doors_gives_the_level_itself(form: str, tmp_path: Path) -> None:
    """As those of version 0.1.0."""
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    text = main.read_text("utf-8")
    assert "starts_shut" in text and any(door.kind == "secret" for door in level.doors)
    main.write_text(older(text, main.suffix[1:]), "utf-8")
    back = bring_back(main)
    assert back.level is back.original.level
    assert back.notes == back.problems == []


def free_tiles(level: Level) -> list[Point]:
    """Floor in rooms with nothing on it or beside it, no marker, and no door near: rows of three at least."""
    floor = level.terrain == [kind.name for kind in level.terrain_kinds].index("floor")
    floor &= level.covered == 0
    for marker in level.markers:
        floor[marker.y, marker.x] = False
    for door in level.doors:
        for x, y in door.tiles:
            floor[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3] = False
    around = floor.copy()
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            around &= np.roll(floor, (dy, dx), (0, 1))
    return [(x, y) for y, x in np.argwhere(around).tolist()]


def paint_pit(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    x, y = free_tiles(level)[0]
    edit.paint((x, y), "pit")
    return painted(level, (x, y), "pit"), {"terrain": 1}


def paint_wall(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    x, y = free_tiles(level)[-1]
    edit.paint((x, y), "wall")
    return painted(level, (x, y), "wall"), {"terrain": 1}


def painted(level: Level, tile: Point, name: str) -> Level:
    terrain = level.terrain.copy()
    terrain[tile[1], tile[0]] = [kind.name for kind in level.terrain_kinds].index(name)
    return replace(level, terrain=terrain)


def put_rock(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    x, y = free_tiles(level)[1]
    edit.put((x, y), "rock")
    decor = level.decor.copy()
    decor[y, x] = [kind.name for kind in level.decor_kinds].index("rock")
    return replace(level, decor=decor), {"decor_added": 1}


def take_thing(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    burning = {name for names in BURNS.values() for name in names}  # these have lights, which would go, too
    drawn = [
        edit.theme.decor[kind.name].variants.tiles[0] >= 0 and kind.name not in burning
        for kind in level.decor_kinds[1:]
    ]
    before = edit.level.decor  # not what another edit has put
    y, x = next(at for at in np.argwhere(before).tolist() if drawn[before[at[0], at[1]] - 1])
    edit.take((x, y))
    decor = level.decor.copy()
    decor[y, x] = 0
    return replace(level, decor=decor), {"decor_removed": 1}


def some_marker(level: Level) -> Marker:
    return next(each for each in level.markers if each.kind == "enemy")


def move_marker(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    marker, tile = next(
        (each, tile)
        for each in level.markers[:-1]
        for tile in free_tiles(level)
        if edit.room_of(tile) == each.room
    )
    edit.move_marker(marker.id, tile)
    return with_marker(level, replace(marker, x=tile[0], y=tile[1])), {"markers_moved": 1}


def with_marker(level: Level, marker: Marker) -> Level:
    return replace(level, markers=tuple(marker if each.id == marker.id else each for each in level.markers))


def drop_marker(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    marker = [each for each in level.markers if each.kind not in level.kinds.light_markers][-1]
    edit.drop_marker(marker.id)
    left = tuple(each for each in level.markers if each is not marker)
    return replace(level, markers=left), {"markers_removed": 1}


def add_marker(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    x, y = free_tiles(level)[2]
    edit.add_marker("chest", (x, y), {"tier": "gold"})
    room = edit.room_of((x, y))
    new = Marker(level.terrain.size + room, "chest", x, y, room, properties={"tier": "gold"})
    return replace(level, markers=(*level.markers, new)), {"markers_added": 1}


def set_property(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    marker = some_marker(level)
    edit.set_property(marker.id, "wave", 3)
    changed = replace(marker, properties={**marker.properties, "wave": 3})
    return with_marker(level, changed), {"properties": 1}


def set_room(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    room = next(each for each in level.rooms if each.kind == "normal")
    edit.set_room(room.id, "library")
    rooms = tuple(replace(each, kind="library") if each is room else each for each in level.rooms)
    return replace(level, rooms=rooms), {"properties": 1}


def open_door(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    door = next(each for each in level.doors if each.kind == "boss" or each.kind != "open")
    edit.set_door(door.id, "open")
    doors = tuple(replace(each, kind="open") if each is door else each for each in level.doors)
    return replace(level, doors=doors), {"doors": 1}


def move_door(level: Level, edit: AnyEditor) -> tuple[Level, dict[str, int]]:
    door = level.doors[0]
    step = (1, 0) if door.side in ("north", "south") else (0, 1)
    edit.move_door(door.id, step)
    terrain, names = level.terrain.copy(), [kind.name for kind in level.terrain_kinds]
    moved = tuple((x + step[0], y + step[1]) for x, y in door.tiles)
    for x, y in door.tiles:
        terrain[y, x] = names.index("wall")
    for x, y in moved:
        terrain[y, x] = names.index("door")
    doors = (replace(door, tiles=moved), *level.doors[1:])
    return replace(level, terrain=terrain, doors=doors), {"doors": 1}


EDITS: dict[str, Callable[[Level, AnyEditor], tuple[Level, dict[str, int]]]] = {
    each.__name__: each
    for each in (
        paint_pit,
        paint_wall,
        put_rock,
        take_thing,
        move_marker,
        drop_marker,
        add_marker,
        set_property,
        set_room,
        open_door,
        move_door,
    )
}


def parts(level: Level, *without: str) -> dict[str, Any]:
    """All that a level is, but for what says that somebody edited it."""
    table = level.to_dict()
    for key in ("fingerprint", "rerolls", "edited", *without):
        table.pop(key, None)
    return table


def distances_left_out(level: Level) -> Level:
    return replace(level, rooms=tuple(replace(room, distance=None) for room in level.rooms))


@pytest.mark.parametrize("form", FORMS_FIRST)
@pytest.mark.parametrize("style", ONE_FIRST)
@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_comes_back(style: str, form: str, kind: str, tmp_path: Path) -> None:
    level = level_of(style)
    main = exported(level, form, tmp_path)
    edit = editor_of(main, level)
    expected, counts = EDITS[kind](level, edit)
    edit.save()
    back = bring_back(main)
    assert back.notes == []
    found = distances_left_out(back.level) if kind == "open_door" else back.level
    expected = distances_left_out(expected) if kind == "open_door" else expected
    assert parts(found) == parts(expected)
    assert dict(back.level.edited) == {"base": level.fingerprint, "ids": level.fingerprint, **counts}
    assert_goes_on(back, tmp_path)


def assert_goes_on(back: BroughtBack, folder: Path) -> None:
    """The edited level is saved and loaded as any other, without a word about edits by hand."""
    path = folder / "again.level.json"
    path.write_bytes(dumps(back.level))
    assert load_level(path).fingerprint == back.level.fingerprint
    assert load_level(path).edited == back.level.edited


@pytest.mark.parametrize(("style", "form"), each_once_first(STYLES, FORMS))
def test_all_edits_at_once_come_back(style: str, form: str, tmp_path: Path) -> None:
    level = level_of(style)
    main = exported(level, form, tmp_path)
    edit = editor_of(main, level)
    expected, counts = level, Counter[str]()
    for make in EDITS.values():
        expected, count = make(expected, edit)
        counts += Counter(count)
    edit.save()
    back = bring_back(main)
    assert back.notes == []
    assert parts(distances_left_out(back.level)) == parts(distances_left_out(expected))
    assert dict(back.level.edited) == {"base": level.fingerprint, "ids": level.fingerprint, **counts}


@pytest.mark.parametrize("form", ["map", "ldtk-one", "scene"])
def test_what_is_painted_at_the_very_edge_is_part_of_the_level(form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    edit = editor_of(main, level)
    expected = level
    for corner in ((0, 0), (level.width - 1, level.height - 1)):
        edit.paint(corner, "pit")
        expected = painted(expected, corner, "pit")
    edit.save()
    back = bring_back(main)
    assert back.notes == []
    assert np.array_equal(back.level.terrain, expected.terrain)


@pytest.mark.parametrize("form", ["map", "ldtk", "scene"])
def test_a_light_that_is_taken_away_with_what_burns_is_one_edit(form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    edit = editor_of(main, level)
    light = next(each for each in level.markers if each.kind in level.kinds.light_markers)
    assert level.decor[light.y, light.x]
    edit.drop_marker(light.id)
    edit.save()
    back = bring_back(main)
    assert back.said() == "1 marker removed"
    assert not back.level.decor[light.y, light.x]
