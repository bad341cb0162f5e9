"""`undercroft sync`: an edit in one export goes into the others, two edits into all, and a conflict into none."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import exporters
from exporters.edits.writing import write
from exporters.reading.back import bring_back
from exporters.reading.sync import Synced, synced
from generator.errors import BadInput
from generator.level import Level
from generator.level_file import load_level
from tests.exporters.reading.editors import TiledEditor, editor_of
from tests.exporters.reading.exported import level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles, painted, parts

MAINS = ("cellar.tmj", "cellar.ldtk", "cellar.tscn")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    exporters.export(level_of("isaac"), ["json", "tiled", "ldtk", "godot"], name="cellar").write(tmp_path)
    return tmp_path


def paint(folder: Path, main: str, number: int, terrain: str) -> Level:
    level = level_of("isaac")
    edit = editor_of(folder / main, level)
    tile = free_tiles(level)[number]
    edit.paint(tile, terrain)
    edit.save()
    return painted(level, tile, terrain)


def sync(folder: Path, edits: str = "merge") -> Synced:
    (one,) = synced(folder)
    write(one.bundle, folder, edits, known=one.is_ours, record=False)
    return one


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_nothing_is_written_where_nobody_edited(folder: Path) -> None:
    before = bytes_of(folder)
    assert sync(folder).level is None
    assert bytes_of(folder) == before


@pytest.mark.parametrize("edits", ["merge", "replace"])
@pytest.mark.parametrize("main", MAINS)
def test_an_edit_in_one_export_goes_into_the_others(main: str, edits: str, folder: Path) -> None:
    expected = paint(folder, main, 0, "pit")
    theirs = (folder / main).read_bytes()
    one = sync(folder, edits)
    assert one.level is not None
    assert parts(one.level) == parts(expected)
    assert load_level(folder / "cellar.level.json").fingerprint == one.level.fingerprint
    for each in MAINS:
        assert bring_back(folder / each).level.fingerprint == one.level.fingerprint
    kept = {path for path in bytes_of(folder) if ".mine" in path}
    assert [(folder / path).read_bytes() for path in kept] == [theirs] * (edits == "replace")
    assert sync(folder).level is None


def test_edits_of_two_exports_are_put_together(folder: Path) -> None:
    paint(folder, "cellar.ldtk", 0, "pit")
    level = paint(folder, "cellar.tscn", 3, "rubble")
    expected = painted(level, free_tiles(level_of("isaac"))[0], "pit")
    made = sync(folder).level
    assert made is not None
    assert parts(made) == parts(expected)
    assert made.edited["terrain"] == 2


def test_the_same_edit_in_two_exports_is_one(folder: Path) -> None:
    paint(folder, "cellar.ldtk", 0, "pit")
    expected = paint(folder, "cellar.tmj", 0, "pit")
    made = sync(folder).level
    assert made is not None
    assert parts(made) == parts(expected)


def test_a_conflict_is_told_and_nothing_is_written(folder: Path) -> None:
    paint(folder, "cellar.ldtk", 0, "pit")
    paint(folder, "cellar.tmj", 0, "rubble")
    before = bytes_of(folder)
    x, y = free_tiles(level_of("isaac"))[0]
    one = sync(folder)
    ldtk, tmj = folder / "cellar.ldtk", folder / "cellar.tmj"
    assert one.conflicts == [f"{ldtk} and {tmj} differ about the terrain at {x},{y}; undo it in one of them"]
    assert bytes_of(folder) == before


def test_what_one_removes_and_another_moves_is_a_conflict(folder: Path) -> None:
    level = level_of("isaac")
    marker = level.markers[1]
    first, other = editor_of(folder / "cellar.tmj", level), editor_of(folder / "cellar.tscn", level)
    first.drop_marker(marker.id)
    other.move_marker(marker.id, free_tiles(level)[0])
    first.save()
    other.save()
    assert f"marker {marker.id}" in sync(folder).conflicts[0]


def test_an_edited_level_is_synced_again(folder: Path) -> None:
    paint(folder, "cellar.tmj", 0, "pit")
    between = sync(folder).level
    assert between is not None
    edit = editor_of(folder / "cellar.ldtk", between)
    tile = free_tiles(between)[2]
    edit.paint(tile, "wall")
    edit.save()
    made = sync(folder).level
    assert made is not None
    assert parts(made) == parts(painted(between, tile, "wall"))
    assert made.edited == {"base": level_of("isaac").fingerprint, "terrain": 2}


def test_exports_of_two_levels_are_told_apart(folder: Path) -> None:
    exporters.export(level_of("gungeon"), "ldtk", name="cellar").write(folder)
    before = bytes_of(folder)
    one = sync(folder)
    assert len(one.conflicts) == 1
    assert "shows another level" in one.conflicts[0]
    assert bytes_of(folder) == before


def test_a_folder_without_levels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "player.tscn").write_text('[gd_scene format=3]\n\n[node name="Player" type="Node2D"]\n')
    with pytest.raises(BadInput, match="holds no exported level"):
        synced(tmp_path)


def test_what_a_level_has_no_place_for_stays_in_the_file(folder: Path) -> None:
    """A layer of one's own, and a picture that nobody edited."""
    level = level_of("isaac")
    exporters.export(level, "png", name="cellar").write(folder)
    edit = editor_of(folder / "cellar.tmj", level)
    assert isinstance(edit, TiledEditor)
    edit.paint(free_tiles(level)[0], "pit")
    layers = edit.maps[folder / "cellar.tmj"]["layers"]
    layers.append({**layers[0], "id": 99, "name": "Mine"})
    edit.save()
    for number in (1, 2):
        sync(folder)
        made = json.loads((folder / "cellar.tmj").read_text())
        assert "Mine" in [layer["name"] for layer in made["layers"]]
        paint_again(folder, "cellar.ldtk", number)
    sync(folder)
    assert [path.name for path in folder.iterdir() if ".new" in path.name] == []


def paint_again(folder: Path, main: str, number: int) -> None:
    level = load_level(folder / "cellar.level.json")
    edit = editor_of(folder / main, level)
    edit.paint(free_tiles(level)[number], "rubble")
    edit.save()


def without_an_enemy(file: Path) -> int:
    """Delete an enemy's object from a map in XML, as Tiled would save it; its marker's id."""
    tree = ElementTree.parse(file)
    group = next(one for one in tree.getroot().iter("objectgroup") if one.get("name") == "Markers")
    enemy = next(one for one in group if "enemy" in (one.get("type"), one.get("class")))
    group.remove(enemy)
    tree.write(file)
    (number,) = (one.get("value") for one in enemy.iter("property") if one.get("name") == "marker_id")
    return int(str(number))


def test_maps_in_xml_are_kept_in_step(tmp_path: Path) -> None:
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled", "ldtk"], options={"tiled.format": "tmx"}, name="cellar").write(
        tmp_path
    )
    gone = without_an_enemy(tmp_path / "cellar.tmx")
    sync(tmp_path, "replace")
    after = load_level(tmp_path / "cellar.level.json")
    assert {one.id for one in level.markers} - {one.id for one in after.markers} == {gone}
    for main in ("cellar.tmx", "cellar.ldtk"):
        assert bring_back(tmp_path / main).level == after
    assert not (tmp_path / "cellar.tmj").exists()


@pytest.mark.parametrize("split", ["none", "rooms"])
@pytest.mark.parametrize("format_", ["tmj", "tmx"])
@pytest.mark.parametrize("tileset", ["external", "embedded"])
def test_maps_stay_in_their_format(format_: str, tileset: str, split: str, tmp_path: Path) -> None:
    """What can be seen of the options of an export is not asked for again."""
    options = {"tiled.format": format_, "tiled.tileset": tileset, "tiled.split": split}
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled", "ldtk"], options=options, name="cellar").write(tmp_path)
    edit = editor_of(tmp_path / "cellar.ldtk", level)
    edit.paint(free_tiles(level)[0], "pit")
    edit.save()
    before = set(tmp_path.rglob("*"))
    one = sync(tmp_path)
    assert one.level is not None
    assert set(tmp_path.rglob("*")) == before
    made = exporters.export(one.level, "tiled", options=options, name="cellar")
    for path, data in made.items():
        assert (tmp_path / path).read_bytes() == data


@pytest.mark.parametrize("format_", ["lua", "js"])
def test_a_map_that_nobody_reads_back_is_told(format_: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    exporters.export(
        level, ["json", "tiled", "ldtk"], options={"tiled.format": format_}, name="cellar"
    ).write(tmp_path)
    edit = editor_of(tmp_path / "cellar.ldtk", level)
    edit.paint(free_tiles(level)[0], "pit")
    edit.save()
    assert sync(tmp_path).notes == [
        f"{tmp_path / 'cellar'}.{format_}: is not read back, so it shows the level as it was; export it again"
    ]
