"""`undercroft sync`: an edit in one export goes into the others, two edits into all, and a conflict into none."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import exporters
from exporters.bundle import Bundle
from exporters.edits.record import FolderRecord, folder_record
from exporters.exporting import DressLevel
from exporters.formats.tiled import read
from exporters.owners import owners_of_rooms
from exporters.reading import exports, folder_level, level_merge
from exporters.reading.back import bring_back
from exporters.reading.edited import broken
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from exporters.reading.found import exports_in
from exporters.reading.merged import MergedLevel
from exporters.reading.sync import synced
from exporters.writing import write
from generator.cli.group import main
from generator.errors import BadInput, LevelError
from generator.level import Level
from generator.level_file import load_level
from generator.things import called
from tests.combinations import each_once_first, pairwise
from tests.exporters.reading.editors import TiledEditor, editor_of
from tests.exporters.reading.exported import VALUES, level_of
from tests.exporters.reading.structure_edits import drop_room
from tests.exporters.reading.test_edits_brought_back import free_tiles, painted, parts
from tests.folders import files_in

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


def sync(folder: Path, edits: str = "merge") -> MergedLevel:
    with folder_record(folder) as record:
        (one,) = synced(folder, record=record)
    if one.level:
        write(one.bundle, folder, edits, merged=one)
    return one


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("main_file", MAINS)
def test_in_a_folder_of_a_build_the_record_of_the_build_is_used(main_file: str, tmp_path: Path) -> None:
    """A build keeps one record for all its folders: what is painted there is merged, and no second one begins."""
    values = VALUES["isaac"]
    (tmp_path / "undercroft.toml").write_text(
        f"""out = "out"
formats = ["json", "tiled", "ldtk", "godot"]
[group.deep]
spec = "isaac"
seeds = [{values["seed"]}]
set.rooms = {values["rooms"]}
path = "{{group}}/cellar"
""",
        "utf-8",
    )
    build = ["build", str(tmp_path), "--jobs", "1", "--json"]
    assert CliRunner().invoke(main, build).exit_code == 0
    folder = tmp_path / "out" / "deep"
    after = paint(folder, main_file, 3, "pit")
    done = CliRunner().invoke(main, ["sync", str(folder), "--json"])
    (told,) = (json.loads(line) for line in done.stdout.splitlines())
    assert done.exit_code == 0 and parts(load_level(folder / "cellar.level.json")) == parts(after)
    assert [(each["file"], each["what"]) for each in told["edits"]] == [(str(folder / main_file), "merged")]
    assert set(told["files"]) == {str(folder / name) for name in (*MAINS, "cellar.level.json")}
    assert not (folder / ".undercroft").exists() and not list(folder.glob("*.new*"))
    again = CliRunner().invoke(main, ["sync", str(folder)])
    assert (again.exit_code, again.stderr) == (0, "undercroft: cellar: nothing was edited\n")
    before = bytes_of(folder)
    assert CliRunner().invoke(main, build).exit_code == 0 and bytes_of(folder) == before


def test_files_may_have_names_with_spaces_and_letters_of_any_script(folder: Path) -> None:
    name = "Höhle (2) & Bob's #1"
    for file in (*MAINS, "cellar_edit.tscn"):
        (folder / file).rename(folder / file.replace("cellar", name))
    after = paint(folder, f"{name}.tmj", 0, "pit")
    back = bring_back(folder / f"{name}.tmj", level_file=folder / "cellar.level.json")
    assert parts(back.level) == parts(after)
    (folder / "cellar.level.json").rename(folder / f"{name}.level.json")
    assert sync(folder).name == name
    merged = load_level(folder / f"{name}.level.json")
    assert parts(merged) == parts(after)
    shown = [bring_back(folder / main_file.replace("cellar", name)).level for main_file in MAINS]
    assert {level.fingerprint for level in shown} == {merged.fingerprint}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_a_file_whose_name_not_every_system_has_is_named(folder: Path) -> None:
    odd = (folder / "cellar.tmj").rename(folder / "why?.tmj")
    said = r"^.*why\?\.tmj: 'why\?' is not a valid file name; use 1 to 200 characters other than .* ends$"
    with pytest.raises(BadInput, match=said):
        bring_back(odd, level_file=folder / "cellar.level.json")


def test_of_untouched_files_only_the_digests_are_looked_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither after an export nor after a merge, but a level.json that somebody changed since is read."""
    loaded: list[Path] = []

    def noted(path: Path) -> Level:
        loaded.append(path)
        return load_level(path)

    monkeypatch.setattr(folder_level, "load_level", noted)
    assert sync(folder).level is None and not loaded
    paint(folder, "cellar.tmj", 0, "pit")
    assert sync(folder).level is not None and loaded
    loaded.clear()
    assert sync(folder).told == [] and not loaded
    saved = folder / "cellar.level.json"
    saved.write_bytes(saved.read_bytes().replace(b'"kind":"boss"', b'"kind":"shop"', 1))
    with pytest.raises(LevelError, match=r"fingerprint: .* is not the fingerprint of the level"):
        sync(folder)


def test_a_missing_file_of_a_room_is_seen_though_all_others_are_untouched(tmp_path: Path) -> None:
    options = {"tiled.split": "rooms"}
    exporters.export(level_of("isaac"), ["json", "tiled"], options, name="cellar").write(tmp_path)
    assert sync(tmp_path).level is None
    next((tmp_path / "cellar").glob("room*.tmj")).unlink()
    assert any("was deleted, and is written again" in note for note in sync(tmp_path).notes)


def test_nothing_is_written_where_nobody_edited(folder: Path) -> None:
    before = bytes_of(folder)
    assert sync(folder).level is None
    assert bytes_of(folder) == before


def test_only_what_a_person_changed_is_read_and_each_format_is_exported_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large level takes seconds to parse and to export, so files as they were written are not read.

    The record has the export that a changed file is compared with.
    """
    exported: list[str] = []
    parsed: list[str] = []
    export, read = exports.export_dressed, ExportFiles.read

    def noted(look: DressLevel, level: Level, format_: str, *how: Any) -> Bundle:
        exported.append(format_)
        return export(look, level, format_, *how)

    def noted_read(files: ExportFiles, path: str) -> bytes:
        parsed.append(path)
        return read(files, path)

    monkeypatch.setattr(exports, "export_dressed", noted)
    monkeypatch.setattr(ExportFiles, "read", noted_read)
    assert sync(folder).level is None
    assert exported == [] and set(parsed) <= {
        "cellar_edit.tscn",
        "cellar.tscn",
    }  # the root of what it inherits
    paint(folder, "cellar.tmj", 0, "pit")
    parsed.clear()
    assert sync(folder).level is not None
    assert sorted(exported) == ["godot", "ldtk", "tiled"]
    assert "cellar.ldtk" not in parsed


@pytest.mark.parametrize(("main", "edits"), each_once_first(MAINS, ["merge", "replace"]))
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


def test_a_conflict_is_reported_and_nothing_is_written(folder: Path) -> None:
    paint(folder, "cellar.ldtk", 0, "pit")
    paint(folder, "cellar.tmj", 0, "rubble")
    before = bytes_of(folder)
    x, y = free_tiles(level_of("isaac"))[0]
    one = sync(folder)
    ldtk, tmj = folder / "cellar.ldtk", folder / "cellar.tmj"
    assert one.conflicts == [
        f"{ldtk} and {tmj} differ about the terrain at {x},{y}; undo the change in one of them"
    ]
    assert bytes_of(folder) == before


def test_what_one_removes_and_another_moves_is_a_conflict(folder: Path) -> None:
    level = level_of("isaac")
    marker = level.markers[1]
    first, other = editor_of(folder / "cellar.tmj", level), editor_of(folder / "cellar.tscn", level)
    first.drop_marker(marker.id)
    other.move_marker(marker.id, free_tiles(level)[0])
    first.save()
    other.save()
    tmj, scene, thing = (
        folder / "cellar.tmj",
        folder / "cellar.tscn",
        f"the {marker.kind} at {marker.x},{marker.y}",
    )
    assert sync(folder).conflicts == [
        f"{tmj} removes {thing}, which {scene} changes; undo one of these changes"
    ]


def test_work_in_a_room_that_another_file_removes_is_a_conflict(folder: Path) -> None:
    level = level_of("isaac")
    x, y = free_tiles(level)[0]
    room = int(owners_of_rooms(level)[y, x])
    first, other = editor_of(folder / "cellar.tmj", level), editor_of(folder / "cellar.ldtk", level)
    first.paint((x, y), "pit")
    drop_room(other, room)
    first.save()
    other.save()
    before = bytes_of(folder)
    tmj, ldtk = folder / "cellar.tmj", folder / "cellar.ldtk"
    assert sync(folder).conflicts == [
        f"{ldtk} removes {called(level, 'room', room)}, in which {tmj} changes the terrain at {x},{y}; undo one of them"
    ]
    assert bytes_of(folder) == before


@pytest.mark.parametrize("data", [b"", b'{"layers": ['], ids=["empty", "cut"])
def test_an_export_that_can_no_longer_be_read_is_told(data: bytes, folder: Path) -> None:
    """Also where no level.json says that it is one: the record knows it."""
    (folder / "cellar.level.json").unlink(missing_ok=True)
    (folder / "cellar.tmj").write_bytes(data)
    with pytest.raises(BadInput, match=r"cellar\.tmj"):
        sync(folder)
    assert (folder / "cellar.tmj").read_bytes() == data


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
    assert made.edited == {
        "base": level_of("isaac").fingerprint,
        "ids": level_of("isaac").fingerprint,
        "terrain": 2,
    }


def test_exports_of_two_levels_are_told_apart(folder: Path) -> None:
    with pytest.warns(UserWarning, match="its files for godot, tiled still show the level before"):
        exporters.export(level_of("gungeon"), "ldtk", name="cellar").write(folder)
    before = bytes_of(folder)
    one = sync(folder)
    assert len(one.conflicts) == 1
    assert "shows another level" in one.conflicts[0]
    assert bytes_of(folder) == before


def test_a_folder_without_levels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "player.tscn").write_text('[gd_scene format=3]\n\n[node name="Player" type="Node2D"]\n')
    with pytest.raises(BadInput, match="contains no exported level"):
        synced(tmp_path)


def test_for_a_folder_of_folders_one_with_levels_is_named(tmp_path: Path) -> None:
    """The folder of a build, whose levels are in folders of their groups."""
    (tmp_path / "a").mkdir()
    exporters.export(level_of("isaac"), "tiled", name="cellar").write(tmp_path / "b")
    done = CliRunner().invoke(main, ["sync", str(tmp_path)])
    said = f"{tmp_path}: contains no exported level; give a folder in it, such as {tmp_path / 'b'}"
    assert (done.exit_code, done.stderr) == (2, f"undercroft: {said}\n")


@pytest.mark.parametrize("file", ["cellar.tmj", "cellar.level.json", "cellar_edit.tscn"])
def test_a_file_stands_for_its_level(file: str, folder: Path) -> None:
    """Of two levels in the folder, the other one is left alone."""
    exporters.export(level_of("gungeon"), ["json", "tiled"], name="cave").write(folder)
    paint(folder, "cellar.ldtk", 0, "pit")
    (folder / "cave.tmj").write_bytes(b"no map")
    done = CliRunner().invoke(main, ["sync", str(folder / file), "--json"])
    (told,) = (json.loads(line) for line in done.stdout.splitlines())
    assert (done.exit_code, told["name"]) == (0, "cellar")
    assert load_level(folder / "cellar.level.json").edited["terrain"] == 1


def test_what_is_no_level_of_a_folder_is_refused(folder: Path) -> None:
    for words, says in (
        (["sync"], "PATH: is missing; name a file or a folder"),
        (
            ["sync", str(folder / "none")],
            f"{folder / 'none'}: there is no such file or folder; give one that levels were exported to",
        ),
        (
            ["sync", str(folder / "undercroft.png")],
            f"{folder / 'undercroft.png'}: cannot be read back; give a file that ends in .tscn, .tmj, .tmx, "
            ".world, .ldtk",
        ),
        (
            ["sync", str(folder / "none.level.json")],
            f"{folder / 'none.level.json'}: there is no such file or folder; give one that levels were exported to",
        ),
    ):
        done = CliRunner().invoke(main, words)
        assert (done.exit_code, done.stderr) == (2, f"undercroft: {says}\n")


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
    for path in ("cellar.tmx", "cellar.ldtk"):
        assert bring_back(tmp_path / path).level == after
    assert not (tmp_path / "cellar.tmj").exists()


@pytest.mark.parametrize(
    ("format_", "tileset", "split"), pairwise(["tmj", "tmx"], ["external", "embedded"], ["none", "rooms"])
)
def test_maps_stay_in_their_format(format_: str, tileset: str, split: str, tmp_path: Path) -> None:
    """What can be seen of the options of an export is not asked for again."""
    options = {"tiled.format": format_, "tiled.tileset": tileset, "tiled.split": split}
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled", "ldtk"], options=options, name="cellar").write(tmp_path)
    edit = editor_of(tmp_path / "cellar.ldtk", level)
    edit.paint(free_tiles(level)[0], "pit")
    edit.save()
    before = set(files_in(tmp_path))
    one = sync(tmp_path)
    assert one.level is not None
    assert set(files_in(tmp_path)) == before
    made = exporters.export(one.level, "tiled", options=options, name="cellar")
    for path, data in made.items():
        assert (tmp_path / path).read_bytes() == data


@pytest.mark.parametrize("format_", ["lua", "js"])
def test_a_map_that_nobody_reads_back_is_reported(format_: str, tmp_path: Path) -> None:
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


def run(*args: str | Path) -> str:
    """A command's standard error."""
    done = CliRunner().invoke(main, [str(arg) for arg in args], prog_name="undercroft")
    assert done.exit_code == 0, done.output
    return done.stderr


def test_work_goes_on_over_many_rounds(folder: Path) -> None:
    """Each round starts from what the last one wrote: tiles over tiles are not a conflict, and nothing is offered."""
    tile = free_tiles(level_of("isaac"))[0]
    for number, terrain in enumerate(("pit", "rubble", "wall", "pit", "rubble")):
        level = load_level(folder / "cellar.level.json")
        edit = editor_of(folder / MAINS[number % 3], level)
        edit.paint(tile, terrain)
        edit.save()
        made = sync(folder).level
        assert made is not None
        assert parts(made) == parts(painted(level, tile, terrain))
        for each in MAINS:
            assert bring_back(folder / each).level.fingerprint == made.fingerprint
        odd = (".new", ".mine", "conflicts")
        assert [path.name for path in folder.iterdir() if any(word in path.name for word in odd)] == []


@pytest.mark.parametrize("main_file", MAINS)
def test_a_new_marker_stands_once_in_each_file(main_file: str, folder: Path) -> None:
    level = level_of("isaac")
    edit = editor_of(folder / main_file, level)
    edit.add_marker("chest", free_tiles(level)[0], {"tier": "gold"})
    edit.save()
    made = sync(folder).level
    assert made is not None
    for each in MAINS:
        back = bring_back(folder / each)
        assert (back.level, back.notes) == (made, [])
    assert sync(folder).level is None


def added_in_a_scene_to_work_in(folder: Path, more: str = "") -> Path:
    """A chest, as Godot saves it in the scene that inherits the level's."""
    scene = folder / "cellar_edit.tscn"
    x, y = free_tiles(level_of("isaac"))[0]
    node = (
        f'[node name="Mine" type="Marker2D" parent="Markers"]\nposition = Vector2({16 * x + 8}, {16 * y + 8})'
    )
    scene.write_text(f'{scene.read_text()}\n{node}\nmetadata/kind = "chest"\n{more}')
    return scene


def test_what_was_added_in_the_scene_to_work_in_stands_once(folder: Path) -> None:
    lamp = '\n[node name="Lamp" type="PointLight2D" parent="."]\nenergy = 2.0\n'
    scene = added_in_a_scene_to_work_in(folder, lamp)
    made = sync(folder).level
    assert made is not None
    assert made.edited["markers_added"] == 1
    assert 'name="Mine"' not in scene.read_text() and 'name="Lamp"' in scene.read_text()
    back = bring_back(scene)
    assert back.level == made
    assert back.notes == ["node Lamp: is not a node of the level, so no other file gets it"]


def test_work_on_a_new_marker_goes_to_the_level_s_own_node(folder: Path) -> None:
    scene = added_in_a_scene_to_work_in(folder, '\n[node name="Lamp" type="Node2D" parent="Markers/Mine"]\n')
    assert sync(folder).notes == []
    (name,) = re.findall(r'name="Lamp" type="Node2D" parent="Markers/([^"]+)"', scene.read_text())
    assert f'name="{name}"' in (folder / "cellar.tscn").read_text() and "Mine" not in scene.read_text()
    assert sync(folder).notes == []


@pytest.mark.parametrize(
    ("between", "main_file"),
    [
        ("generate", "cellar.tmj"),
        ("export", "cellar.ldtk"),
        ("export", "cellar.tscn"),
        pytest.param("export", "cellar.tmj", marks=pytest.mark.soak),
        pytest.param("generate", "cellar.ldtk", marks=pytest.mark.soak),
        pytest.param("generate", "cellar.tscn", marks=pytest.mark.soak),
    ],
)
def test_paint_import_and_go_on(between: str, main_file: str, tmp_path: Path) -> None:
    """The natural way: into the same folder, again and again, with other commands in between."""
    generating = [
        "generate",
        "isaac",
        "--set",
        "rooms=6",
        "--seed",
        "1",
        "--name",
        "cellar",
        "--out",
        tmp_path,
    ]
    run(*generating)
    expected = level_of("isaac")
    for number, terrain in enumerate(("pit", "rubble")):
        level = load_level(tmp_path / "cellar.level.json")
        edit = editor_of(tmp_path / main_file, level)
        tile = free_tiles(level_of("isaac"))[number]
        edit.paint(tile, terrain)
        edit.save()
        expected = painted(expected, tile, terrain)
        run("import", tmp_path / main_file, "--out", tmp_path)
        if between == "generate":
            run(*generating)
        else:
            run("export", tmp_path / "cellar.level.json", "--out", tmp_path)
        assert parts(load_level(tmp_path / "cellar.level.json")) == parts(expected)
    run("sync", tmp_path)
    for each in MAINS:
        assert parts(bring_back(tmp_path / each).level) == parts(expected)
    assert [path.name for path in tmp_path.iterdir() if ".new" in path.name or ".mine" in path.name] == []


def test_a_file_of_the_level_before_is_brought_in(folder: Path) -> None:
    """Painted before another file of the folder was imported."""
    level = paint(folder, "cellar.ldtk", 0, "pit")
    run("import", folder / "cellar.ldtk", "--out", folder)
    paint(folder, "cellar.tmj", 1, "rubble")
    made = sync(folder).level
    assert made is not None
    assert parts(made) == parts(painted(level, free_tiles(level_of("isaac"))[1], "rubble"))


def test_a_file_of_the_level_before_that_says_something_else_is_refused(folder: Path) -> None:
    paint(folder, "cellar.ldtk", 0, "pit")
    run("import", folder / "cellar.ldtk", "--out", folder)
    paint(folder, "cellar.tmj", 0, "rubble")
    before = bytes_of(folder)
    (line,) = sync(folder).conflicts
    x, y = free_tiles(level_of("isaac"))[0]
    both = f"{folder / 'cellar.tmj'} and {folder / 'cellar.level.json'}"
    assert line == f"{both} differ about the terrain at {x},{y}; undo the change in one of them"
    assert bytes_of(folder) == before


def test_a_file_of_any_earlier_state_that_says_something_else_is_refused(folder: Path) -> None:
    """Not only one of the level before its first edit: the tile of the other file was overwritten in silence."""
    paint(folder, "cellar.ldtk", 1, "pit")
    sync(folder)
    paint(folder, "cellar.ldtk", 0, "pit")
    run("import", folder / "cellar.ldtk", "--out", folder)
    paint(folder, "cellar.tmj", 0, "rubble")
    before = bytes_of(folder)
    (line,) = sync(folder).conflicts
    assert "cellar.tmj and " in line and "differ about the terrain at" in line
    assert bytes_of(folder) == before
    paint(folder, "cellar.tmj", 0, "pit")
    paint(folder, "cellar.tmj", 2, "rubble")
    made = sync(folder).level
    tiles = free_tiles(level_of("isaac"))
    assert made is not None
    names = [made.terrain_kinds[made.terrain[y, x]].name for x, y in tiles[:3]]
    assert names == ["pit", "pit", "rubble"]


def test_maps_as_xml_follow_and_are_read(folder: Path) -> None:
    """One that somebody painted is merged like one in JSON, and no copy of it is put aside."""
    level = level_of("isaac")
    pit = editor_of(folder / "cellar.tmj", level).look("pit")
    with pytest.warns(UserWarning, match=r"cellar\.tmj is no longer part of the export"):
        exporters.export(level, "tiled", {"tiled.format": "tmx"}, name="cellar").write(folder)
    first = paint(folder, "cellar.ldtk", 0, "pit")
    made = sync(folder).level
    assert made is not None
    assert parts(bring_back(folder / "cellar.tmx").level) == parts(first)
    tile, tmx = free_tiles(level)[1], folder / "cellar.tmx"
    rows = tmx.read_text().split('<layer id="1"')[1].split("<data")[1].split(">", 1)[1].strip().split("\n")
    cells = rows[tile[1]].split(",")
    cells[tile[0]] = str(pit + 1)
    text = tmx.read_text()
    tmx.write_text(text.replace(rows[tile[1]], ",".join(cells), 1))
    again = sync(folder).level
    assert again is not None
    assert parts(again) == parts(painted(first, tile, "pit"))
    assert parts(bring_back(folder / "cellar.ldtk").level) == parts(again)
    assert not [*folder.glob("*.mine*")]
    assert parts(bring_back(tmx).level) == parts(again)
    assert sync(folder).level is None


@pytest.mark.parametrize(
    ("main_file", "options"),
    [
        *((main_file, {}) for main_file in MAINS),
        ("cellar.world", {"tiled.split": "rooms"}),
        ("cellar.tscn", {"godot.split": "rooms"}),
        ("cellar.ldtk", {"ldtk.external": True}),
    ],
)
def test_a_clone_without_the_record_stays_one_level(
    main_file: str, options: dict[str, object], tmp_path: Path
) -> None:
    """The painted file too becomes the new level, also when that was edited before it was cloned."""
    level = level_of("isaac")
    exporters.export(level, options=options, name="cellar").write(tmp_path)
    for number in range(2):
        shutil.rmtree(tmp_path / ".undercroft")
        edit = editor_of(tmp_path / main_file, level)
        edit.paint(free_tiles(level_of("isaac"))[number], "pit")
        edit.save()
        run("sync", tmp_path)
        assert not list(tmp_path.rglob("*.new.*"))
        level = load_level(tmp_path / "cellar.level.json")
        assert level.edited["terrain"] == number + 1
        for path in exports_in(FolderRecord(tmp_path))["cellar"]:
            shown = form_of(path).identity(path.name, ExportFiles(tmp_path))
            assert shown["fingerprint"] == level.fingerprint, path
    run("sync", tmp_path)
    assert load_level(tmp_path / "cellar.level.json") == level


def test_a_map_that_does_not_name_its_level_any_more_is_left_alone(folder: Path) -> None:
    """It only looks like an export at a glance; the others of its level are synced without it."""
    mine = folder / "cellar.tmj"
    mine.write_bytes(mine.read_bytes().replace(b'"fingerprint"', b'"no fingerprint"'))
    before = mine.read_bytes()
    assert sync(folder).level is None and mine.read_bytes() == before
    level = paint(folder, "cellar.tscn", 0, "pit")
    done = sync(folder)
    assert done.level and (done.level.terrain == level.terrain).all() and not done.conflicts


def test_a_changed_file_is_parsed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its fresh export, to compare them; not to find out which level it shows, and whose it is."""
    editor_of(folder / "cellar.tmj", level_of("isaac")).save()
    (folder / "cellar.tmj").write_bytes((folder / "cellar.tmj").read_bytes() + b"\n")
    parsed: list[str] = []
    real = read.tiled_table
    monkeypatch.setattr(
        read, "tiled_table", lambda data, where, *rest: parsed.append(where) or real(data, where, *rest)
    )
    sync(folder)
    assert sorted(parsed) == sorted([str(folder / "cellar.tmj"), "export/cellar.tmj"])


def test_rooms_of_ldtk_that_are_moved_over_the_edge_are_told(tmp_path: Path) -> None:
    run = CliRunner().invoke
    run(main, ["generate", "isaac", "--seed", "7", "--to", "ldtk", "--to", "json", "--out", str(tmp_path)])
    project = tmp_path / "isaac-7.ldtk"
    table = json.loads(project.read_text("utf-8"))
    for level in table["levels"][1:]:
        level["worldX"] += 240
    project.write_text(json.dumps(table), "utf-8")
    done = run(main, ["sync", str(tmp_path)])
    assert isinstance(done.exception, SystemExit), done.exception
    assert "level Room_6_shop: left out: the level keeps its size" in done.stderr


def with_own_layer(folder: Path, main_file: str) -> None:
    path = folder / main_file
    if path.suffix == ".tscn":
        text = path.read_text("utf-8")
        path.write_text(text + '\n[node name="Fog" type="TileMapLayer" parent="."]\n', "utf-8")
        return
    table = json.loads(path.read_text("utf-8"))
    if path.suffix == ".tmj":
        own = {**next(layer for layer in table["layers"] if layer["name"] == "Overlay")}
        table["layers"].append(own | {"id": table["nextlayerid"], "name": "Fog"})
        table["nextlayerid"] += 1
    else:
        level = table["levels"][0]
        own = json.loads(json.dumps(level))
        own |= {
            "iid": "0b7f7f40-0000-11ee-8c99-000000000000",
            "identifier": "Fog",
            "worldX": 9600,
            "uid": 9001,
        }
        own["fieldInstances"] = []
        own["layerInstances"] = []
        table["levels"].append(own)
        table["nextUid"] = 9002
    path.write_text(json.dumps(table), "utf-8")


@pytest.mark.parametrize("main_file", MAINS)
def test_what_a_level_cannot_have_is_told_once(main_file: str, folder: Path) -> None:
    def told(*words: str) -> list[str]:
        done = CliRunner().invoke(main, [*words])
        assert done.exit_code == 0, done.stderr
        return [line for line in done.stderr.splitlines() if "Fog" in line]

    with_own_layer(folder, main_file)
    (line,) = told("sync", str(folder))
    assert line.startswith(f"undercroft: {folder / main_file}: ")
    again = CliRunner().invoke(main, ["sync", str(folder)])
    said = "cellar: no new edits; what a level cannot have stays in its file"
    assert (again.exit_code, again.stderr) == (0, f"undercroft: {said}\n")
    paint(folder, "cellar.tmj" if main_file != "cellar.tmj" else "cellar.ldtk", 0, "pit")
    assert told("sync", str(folder)) == []
    generate = ["generate", "isaac", "--name", "cellar", "--out", str(folder), "--edits", "merge"]
    assert told(*generate, "--seed", "1", "--set", "rooms=6", "--set", "hard=true") == []
    assert b"Fog" in (folder / main_file).read_bytes()
    assert told("sync", str(folder)) == []


def test_rules_that_an_edit_breaks_are_looked_for_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To look for them takes half of the time of a sync with nothing to do, and they are told each time."""
    looked: list[str] = []

    def noted(before: Level | None, after: Level) -> list[str]:
        looked.append(after.fingerprint)
        return broken(before, after)

    monkeypatch.setattr(level_merge, "broken", noted)
    edit, door = editor_of(folder / "cellar.tmj", level_of("isaac")), level_of("isaac").doors[0]
    edit.paint(door.tiles[0], "wall")
    edit.save()
    first = CliRunner().invoke(main, ["sync", str(folder)])
    again = [CliRunner().invoke(main, ["sync", str(folder)]) for _ in range(3)]
    told = [line for line in first.stderr.splitlines() if line.startswith("undercroft: cellar: ")]
    assert told and looked == [load_level(folder / "cellar.level.json").fingerprint]
    for done in again:
        assert (done.exit_code, done.stderr.splitlines()) == (1, told)


@pytest.mark.parametrize("damage", ["cellar.tmj", "cellar.ldtk", "cellar.tscn", "cellar.level.json"])
def test_a_damaged_level_does_not_stop_the_others(damage: str, folder: Path) -> None:
    """It is told in one line, nothing of it is written, and the exit status is 1."""
    bundle = exporters.export(level_of("isaac"), ["json", "tiled", "ldtk", "godot"], name="attic")
    bundle.update(exporters.export(level_of("isaac"), ["json", "tiled", "ldtk", "godot"], name="vault"))
    bundle.write(folder)
    (folder / damage).write_bytes((folder / damage).read_bytes()[:-200] + b"\0{")
    before = {path: data for path, data in bytes_of(folder).items() if path.startswith("cellar")}
    for name in ("attic", "vault"):
        paint(folder, f"{name}.tmj", 0, "pit")
    done = CliRunner().invoke(main, ["sync", str(folder)])
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit)
    assert [line for line in done.stderr.splitlines() if str(folder / damage) in line] == [
        line for line in done.stderr.splitlines() if "cellar" in line
    ], done.stderr
    assert {path: data for path, data in bytes_of(folder).items() if path.startswith("cellar")} == before
    for name in ("attic", "vault"):
        assert bring_back(folder / f"{name}.ldtk").level.edited["terrain"] == 1
    alone = CliRunner().invoke(main, ["sync", str(folder / "attic.tmj")])
    assert alone.exit_code == 0, alone.stderr


@pytest.mark.parametrize(
    ("options", "room"),
    [
        ({"tiled.split": "rooms"}, "room2.tmj"),
        ({"tiled.split": "rooms", "tiled.format": "tmx"}, "room2.tmx"),
        ({"godot.split": "rooms"}, "room2.tscn"),
        ({"ldtk.external": True}, "Room_2*.ldtkl"),
    ],
)
@pytest.mark.parametrize("has_record", [True, False])
def test_a_deleted_room_comes_back(
    options: dict[str, object], room: str, has_record: bool, tmp_path: Path
) -> None:
    """Byte for byte and told once; also without the record, and beside an edit in another file."""
    format_ = next(iter(options)).partition(".")[0]
    exporters.export(level_of("isaac"), ["json", "tiled", "ldtk", "godot"], options, name="cellar").write(
        tmp_path
    )
    if not has_record:
        shutil.rmtree(tmp_path / ".undercroft")
    before = files_in(tmp_path)
    (file,) = (tmp_path / "cellar").glob(room)
    file.unlink()
    for what in ("sync --dry-run", "sync"):
        result = CliRunner().invoke(main, [*what.split(), str(tmp_path)])
        if format_ == "ldtk" and not has_record:  # what the level showed is in that file alone
            assert result.exit_code == 2 and f"{file}: is not a file in" in result.stderr
            return
        assert result.exit_code == 0, result.stderr
        assert f"{file}: was deleted, and is written again" in result.stderr
        assert file.is_file() == (what == "sync")
    assert files_in(tmp_path) == before
    again = CliRunner().invoke(main, ["sync", str(tmp_path)])
    assert "cellar: nothing was edited" in again.stderr
    file.unlink()
    other = "cellar.ldtk" if format_ != "ldtk" else "cellar.tmj"
    painted_level = paint(tmp_path, other, 0, "pit")
    result = CliRunner().invoke(main, ["sync", str(tmp_path)])
    assert result.exit_code == 0 and str(file) in result.stderr and file.is_file()
    assert parts(load_level(tmp_path / "cellar.level.json")) == parts(painted_level)


@pytest.mark.parametrize("file", ["cellar.tscn", "cellar.png"])
def test_a_deleted_file_stays_away_and_is_told_of_once(file: str, tmp_path: Path) -> None:
    """With the next edits, since only then the others are written. An export brings it back."""
    exporters.export(level_of("isaac"), None, name="cellar").write(tmp_path)
    (tmp_path / file).unlink()
    for tile, times in ((0, 1), (1, 0)):
        quiet = CliRunner().invoke(main, ["sync", str(tmp_path)])
        assert quiet.stderr == "undercroft: cellar: nothing was edited\n"
        paint(tmp_path, "cellar.tmj", tile, "pit")
        told = CliRunner().invoke(main, ["sync", str(tmp_path)])
        assert told.exit_code == 0, told.stderr
        assert told.stderr.count(f"{tmp_path / file}: was deleted, and is not written again") == times
        assert not (tmp_path / file).exists()


def test_an_older_level_put_back_is_told_in_one_line(folder: Path) -> None:
    saved = folder / "cellar.level.json"
    older = saved.read_bytes()
    paint(folder, "cellar.tmj", 0, "pit")
    assert sync(folder).level is not None
    saved.write_bytes(older)
    (line,) = sync(folder).conflicts
    names = "cellar.ldtk, cellar.tmj, cellar.tscn, cellar_edit.tscn"
    assert line.startswith(f"{saved}: is another level than {names} show; put back the one")


def test_a_node_of_one_s_own_alone_is_told_in_one_line(folder: Path) -> None:
    scene = folder / "cellar.tscn"
    scene.write_text(scene.read_text("utf-8") + '\n[node name="Lamp" type="Node2D" parent="."]\n', "utf-8")
    result = CliRunner().invoke(main, ["sync", str(folder)])
    (line,) = result.stderr.splitlines()
    assert line.endswith("cellar.tscn: node Lamp: is not a node of the level, so no other file gets it")
