"""Markers that a person moved are where the person put them, in every format, and a second sync finds no edit."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporters
from exporters.formats.godot.setting import node_names
from exporters.merge.godot_tree import tree_of
from exporters.reading.sync import synced
from exporters.writing import write
from generator import generate
from generator.checks.told import causes
from generator.geometry import Point, Rect
from generator.level import Level, Marker
from generator.level_file import load_level
from tests.combinations import each_once_first
from tests.exporters.reading.editors import Editor, LdtkEditor, TiledEditor, editor_of
from tests.exporters.reading.exported import FORMS, exported, level_of
from tests.exporters.reading.test_stamped import sync


def two_of_a_kind(level: Level) -> tuple[Marker, Marker]:
    """Two markers of one kind in one room."""
    alike = defaultdict(list)
    for marker in level.markers:
        if marker.kind == "enemy":
            alike[marker.room].append(marker)
    first, second = next(markers for markers in alike.values() if len(markers) > 1)[:2]
    return first, second


def free_beside(level: Level, marker: Marker) -> list[Point]:
    """Tiles of plain floor in a marker's room with nothing on them."""
    bounds = level.rooms[marker.room or 0].bounds
    taken = {(other.x, other.y) for other in level.markers}
    floor = np.argwhere((level.terrain == level.kinds.terrain_ids["floor"]) & (level.decor == 0)).tolist()
    return [(x, y) for y, x in floor if bounds.contains(x, y) and (x, y) not in taken]


def both(level: Level, first: Marker, second: Marker) -> dict[int, Point | None]:
    one, other = free_beside(level, first)[:2]
    return {first.id: one, second.id: other}


def swapped(level: Level, first: Marker, second: Marker) -> dict[int, Point | None]:
    return {first.id: (second.x, second.y), second.id: (first.x, first.y)}


def one_after_the_other(level: Level, first: Marker, second: Marker) -> dict[int, Point | None]:
    return {first.id: (second.x, second.y), second.id: free_beside(level, first)[0]}


def one_and_the_other_gone(level: Level, first: Marker, second: Marker) -> dict[int, Point | None]:
    return {first.id: free_beside(level, first)[0], second.id: None}


MOVES = {made.__name__: made for made in (both, swapped, one_after_the_other, one_and_the_other_gone)}


@pytest.mark.parametrize("form", FORMS)
def test_properties_go_along_when_markers_change_places(form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    first, second = two_of_a_kind(level)
    edit = editor_of(main, level)
    edit.set_property(first.id, "wave", 2)
    for number, tile in ((first.id, (second.x, second.y)), (second.id, (first.x, first.y))):
        edit.move_marker(number, tile)
    edit.save()
    for _ in range(2):
        assert not any(change.conflicts for change in sync(tmp_path).changes)
        after = {marker.id: marker for marker in load_level(tmp_path / "cellar.level.json").markers}
        assert (after[first.id].x, after[first.id].properties["wave"]) == (second.x, 2)
        assert (after[second.id].x, after[second.id].properties["wave"]) == (first.x, 1)


@pytest.mark.parametrize(("form", "name"), each_once_first(FORMS, MOVES))
def test_moved_markers_are_no_conflict(form: str, name: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    edit = editor_of(main, level)
    expected = MOVES[name](level, *two_of_a_kind(level))
    for number, tile in expected.items():
        if tile is None:
            edit.drop_marker(number)
        else:
            edit.move_marker(number, tile)
    edit.save()
    for _ in range(2):
        outcome = sync(tmp_path)
        assert [change.conflicts for change in outcome.changes] == [0] * len(outcome.changes)
        places = {
            marker.id: (marker.x, marker.y) for marker in load_level(tmp_path / "cellar.level.json").markers
        }
        assert {number: places.get(number) for number in expected} == expected
    assert not list(tmp_path.rglob("*.mine*")) and not list(tmp_path.rglob("*.conflicts*"))


def test_a_marker_dropped_beside_the_grid_is_on_the_tile_it_covers(tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, "map", tmp_path)
    marker, _ = two_of_a_kind(level)
    tile = free_beside(level, marker)[0]
    edit = TiledEditor(main, level)
    edit.move_marker(marker.id, tile)
    ((_, found),) = edit._objects("marker", marker.id)
    found["x"] += 4.5
    edit.save()
    outcome = sync(tmp_path)
    assert [change.conflicts for change in outcome.changes] == [0]
    after = {each.id: (each.x, each.y) for each in load_level(tmp_path / "cellar.level.json").markers}
    assert after[marker.id] == tile


def test_what_a_level_cannot_have_stays_at_the_moved_node(tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, "scene", tmp_path)
    marker, _ = two_of_a_kind(level)
    edit = editor_of(main, level)
    edit.move_marker(marker.id, free_beside(level, marker)[0])
    edit.save()
    text = main.read_text()
    name = f"metadata/id = {marker.id}\n"
    assert text.count(name) >= 1
    at = text.index(name, text.index('parent="Markers"'))
    main.write_text(f"{text[:at]}metadata/loot = [1, 2]\n{text[at:]}")
    sync(tmp_path)
    assert "metadata/loot = [1, 2]" in main.read_text()


def _thing(edit: Editor, number: int) -> dict[str, Any]:
    """A marker's object or entity."""
    if isinstance(edit, TiledEditor):
        ((_, found),) = edit._objects("marker", number)
    else:
        assert isinstance(edit, LdtkEditor)
        ((_, found),) = edit._entities(number, doors=False)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("form", ["map", "ldtk"])
def test_what_a_level_cannot_have_goes_along_when_markers_change_places(form: str, tmp_path: Path) -> None:
    """It went to the marker that is now where this one was."""
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    first, second = two_of_a_kind(level)
    edit = editor_of(main, level)
    for number, tile in one_after_the_other(level, first, second).items():
        assert tile is not None
        edit.move_marker(number, tile)
    _thing(edit, first.id)["loot"] = [1, 2]
    edit.save()
    assert not any(change.conflicts for change in sync(tmp_path).changes)
    edit = editor_of(main, load_level(tmp_path / "cellar.level.json"))
    assert [_thing(edit, each.id).get("loot") for each in (first, second)] == [[1, 2], None]


def test_what_a_level_cannot_have_stays_at_a_node_that_changes_places(tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, "scene", tmp_path)
    first, second = two_of_a_kind(level)
    edit = editor_of(main, level)
    for number, tile in one_after_the_other(level, first, second).items():
        assert tile is not None
        edit.move_marker(number, tile)
    edit.save()
    text, name = main.read_text(), f"metadata/id = {first.id}\n"
    at = text.index(name, text.index('parent="Markers"'))
    main.write_text(f"{text[:at]}metadata/loot = [1, 2]\n{text[at:]}")
    assert not any(change.conflicts for change in sync(tmp_path).changes)
    (node,) = (node for node in main.read_text().split("\n[") if "metadata/loot = [1, 2]\n" in node)
    assert name in node


def _moved_layer(main: Path) -> None:
    """Move everything in the layer or node of the markers by a tile, as one does in Tiled and Godot."""
    if main.suffix == ".tmj":
        made = json.loads(main.read_text())
        layer = next(layer for layer in made["layers"] if layer["name"] == "Markers")
        layer["offsetx"] = made["tilewidth"]
        main.write_text(json.dumps(made))
    else:
        text = main.read_text()
        node = '[node name="Markers" type="Node2D" parent="."]\n'
        assert node in text
        main.write_text(text.replace(node, f"{node}position = Vector2(16, 0)\n"))


@pytest.mark.parametrize("form", ["map", "scene"])
def test_a_layer_that_was_moved_moves_no_marker(form: str, tmp_path: Path) -> None:
    """It stays moved in its file; each sync moved all markers by another tile."""
    level = level_of("isaac")
    main = exported(level, form, tmp_path)
    _moved_layer(main)
    for _ in range(2):
        (one,) = synced(tmp_path)
        assert not one.edits[main].edits
        assert any("Markers" in note and "was moved" in note for note in one.notes)
        sync(tmp_path)
        assert load_level(tmp_path / "cellar.level.json").markers == level.markers


def test_a_marker_that_was_renamed_and_moved_keeps_its_name(tmp_path: Path) -> None:
    """Our name for it has its place in it, and so was another one than before."""
    level = level_of("isaac")
    main = exported(level, "map", tmp_path)
    marker, _ = two_of_a_kind(level)
    edit = TiledEditor(main, level)
    edit.move_marker(marker.id, free_beside(level, marker)[0])
    ((_, found),) = edit._objects("marker", marker.id)
    found["name"] = "Bob"
    edit.save()
    outcome = sync(tmp_path)
    assert [change.conflicts for change in outcome.changes] == [0]
    assert '"name":"Bob"' in main.read_text().replace('": "', '":"')


@pytest.mark.parametrize("split", ["none", "rooms"])
@pytest.mark.parametrize("moved_in", ["cellar_edit.tscn", "cellar.tmj"])
def test_what_hangs_on_a_marker_goes_along(moved_in: str, split: str, tmp_path: Path) -> None:
    """A lamp on a marker's node stays on it, at its offset, when the marker moves and when a room is added."""
    level = level_of("isaac")
    exporters.export(level, FORMATS, {"godot.split": split}, name="cellar").write(tmp_path)
    scene, names = tmp_path / "cellar_edit.tscn", node_names(level).markers
    first, second = two_of_a_kind(level)
    places = {first.id: (second.x, second.y), second.id: free_beside(level, second)[0]}
    room = f"Rooms/{node_names(level).rooms[first.room or 0]}/" if split == "rooms" else ""
    corner = level.rooms[first.room or 0].bounds if room else Rect(0, 0, 0, 0)
    lines = [scene.read_text("utf-8")]
    for number, (x, y) in places.items():
        if moved_in == scene.name:
            place = f"Vector2({16 * (x - corner.x) + 8}, {16 * (y - corner.y) + 8})"
            lines.append(f'[node name="{names[number]}" parent="{room}Markers"]\nposition = {place}\n')
        lines.append(
            f'[node name="Lamp" type="PointLight2D" parent="{room}Markers/{names[number]}"]\n{OFFSET}\n'
        )
    scene.write_text("\n".join(lines), "utf-8")
    if moved_in != scene.name:
        edit = editor_of(tmp_path / moved_in, level)
        for number, tile in places.items():
            edit.move_marker(number, tile)
        edit.save()
    sync(tmp_path)
    assert lamps(tmp_path) == {(first.kind, *place) for place in places.values()}
    assert not sync(tmp_path).changes
    wider = generate("isaac", level.seed, rooms=7)  # one more room moves all others by a room's width
    write(exporters.export(wider, FORMATS, {"godot.split": split}, name="cellar"), tmp_path, "merge")
    assert lamps(tmp_path) == {(first.kind, x + 15, y) for x, y in places.values()}


FORMATS = ["json", "tiled", "godot"]
OFFSET = "position = Vector2(3, -5)"


def lamps(folder: Path) -> set[tuple[str, int, int]]:
    """The kinds and places of the markers with a lamp, each at its offset."""
    level, tree = (
        load_level(folder / "cellar.level.json"),
        tree_of((folder / "cellar_edit.tscn").read_bytes()),
    )
    found = [node for node in tree["nodes"] if node["path"].endswith("/Lamp")]
    assert {f"position = {node['properties']['position']}" for node in found} == {OFFSET}
    names = node_names(level)
    numbers = {name: number for number, name in names.markers.items()}
    held = {numbers[node["path"].split("/")[-2]] for node in found}
    for node in found:
        *above, _, _, _ = node["path"].split("/")
        room = level.markers[numbers[node["path"].split("/")[-2]]].room
        assert above in ([], ["Rooms", names.rooms[room or 0]])
    return {(marker.kind, marker.x, marker.y) for marker in level.markers if marker.id in held}


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("map", "object 19 (enemy) in cellar.tmj"),
        ("world", "room1.tmj: object 19 (enemy) in cellar.world"),
        ("ldtk", "Room_1_normal: entity Enemy at 0,2 in cellar.ldtk"),
        ("scene", "marker Markers/Enemy_21_13 in cellar.tscn"),
        ("scenes", "marker Rooms/NormalRoom_17_11/Markers/Enemy_21_13 in cellar.tscn"),
    ],
)
def test_a_misplaced_marker_is_called_as_in_the_file_that_was_edited(
    form: str, name: str, tmp_path: Path
) -> None:
    level = generate("isaac", 7)
    edit = editor_of(exported(level, form, tmp_path), level)
    edit.move_marker(1, (17, 13))
    edit.save()
    (merge,) = synced(tmp_path)
    assert causes(merge.problems) == [f"marker 1 (enemy at 17,13), {name}: is on wall [markers-on-ground]"]


@pytest.mark.parametrize(
    ("form", "name"),
    [("map", "object "), ("ldtk", "Room_1_normal: entity Chest at 0,2 in"), ("scene", "marker Markers/")],
)
def test_so_is_a_new_one(form: str, name: str, tmp_path: Path) -> None:
    level = generate("isaac", 7)
    path = exported(level, form, tmp_path)
    edit = editor_of(path, level)
    edit.add_marker("chest", (17, 13), {"tier": "gold"})
    edit.save()
    ((line,),) = [causes(merge.problems) for merge in synced(tmp_path)]
    assert f" (chest at 17,13), {name}" in line and f" in {path.name}: is on wall" in line
