"""`undercroft import`: what it writes and tells, how the original is known, and what everything else makes of it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

import exporters
import generator
from exporters.reading.back import bring_back, summary_of
from exporters.reading.changes import PersonsEdits
from generator.checks import problems
from generator.cli.group import main
from generator.errors import BadInput
from generator.level import Level
from generator.level_file import load_level
from generator.rerolls.record import EDITED
from generator.rerolls.reroll import reroll
from generator.things import called
from tests.combinations import each_once_first
from tests.exporters.reading.editors import GodotEditor, TiledEditor, editor_of, layers_of
from tests.exporters.reading.exported import FORMS, exported, level_of
from tests.exporters.reading.structure_table import remove_half
from tests.exporters.reading.test_edits_brought_back import STYLES, free_tiles, painted, parts

SCHEMA = json.loads((Path(generator.__file__).parent / "level.schema.json").read_text())


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="undercroft")


@pytest.fixture
def tmj(tmp_path: Path) -> Path:
    """A map of the smallest level, with its level.json beside it."""
    return exported(level_of("isaac"), "map", tmp_path / "game")


def edited_map(path: Path, orders: Sequence[tuple[str, int]]) -> Level:
    """Paint terrain on some free tiles; the level that this should be."""
    level = level_of("isaac")
    edit = editor_of(path, level)
    expected = level
    for terrain, number in orders:
        tile = free_tiles(level)[number]
        edit.paint(tile, terrain)
        expected = painted(expected, tile, terrain)
    edit.save()
    return expected


def test_the_level_is_written_and_told(tmj: Path, tmp_path: Path) -> None:
    expected = edited_map(tmj, [("pit", 0), ("rubble", 1)])
    done = run("import", tmj, "--out", tmp_path / "back")
    written = tmp_path / "back" / "cellar.level.json"
    assert (done.exit_code, done.stdout) == (0, f"{written}\n")
    assert "2 tiles painted, against the level of" in done.stderr
    table = json.loads(written.read_text())
    jsonschema.validate(table, SCHEMA)
    assert table["edited"] == {
        "base": level_of("isaac").fingerprint,
        "ids": level_of("isaac").fingerprint,
        "terrain": 2,
    }
    assert parts(load_level(written)) == parts(expected)


def test_a_door_that_was_walled_up_is_reported_and_the_level_written(tmj: Path, tmp_path: Path) -> None:
    level = level_of("isaac")
    door = level.doors[0]
    edit = editor_of(tmj, level)
    x, y = door.tiles[0]
    edit.paint((x, y), "wall")
    edit.set_tile("doors", (x, y), None)
    edit.save()
    done = run("import", tmj, "--out", tmp_path / "back")
    assert done.exit_code == 1
    room = called(level, "room", door.halves[0].room)
    assert f"{room}: its door is walled up at {x},{y}" in done.stderr
    back = load_level(tmp_path / "back" / "cellar.level.json")
    assert problems(back)
    assert run("check", tmp_path / "back" / "cellar.level.json").exit_code == 1


@pytest.mark.parametrize("style", STYLES)
def test_a_property_of_ones_own_breaks_no_rule(style: str, tmp_path: Path) -> None:
    """A map's music is a fact that no rule knows."""
    main = exported(level_of(style), "map", tmp_path)
    made = json.loads(main.read_text())
    made["properties"].append({"name": "music", "type": "string", "value": "drums.ogg"})
    main.write_text(json.dumps(made))
    assert run("import", main, "--out", tmp_path).exit_code == 0
    assert load_level(tmp_path / "cellar.level.json").facts["music"] == "drums.ogg"
    assert run("check", tmp_path / "cellar.level.json").exit_code == 0


def test_the_edited_level_goes_on_as_any_other(tmj: Path, tmp_path: Path) -> None:
    """Shown, checked, exported, drawn in a gallery; and other rooms are rolled again."""
    edited_map(tmj, [("pit", 0)])
    assert run("import", tmj, "--out", tmp_path).exit_code == 0
    file = tmp_path / "cellar.level.json"
    assert run("check", file).exit_code == 0
    assert run("show", file).exit_code == 0
    assert (
        run(
            "export", file, "--to", "ldtk", "--to", "godot", "--to", "png", "--out", tmp_path / "all"
        ).exit_code
        == 0
    )
    assert run("gallery", file, "--out", tmp_path / "gallery.html").exit_code == 0
    level = load_level(file)
    x, y = free_tiles(level_of("isaac"))[0]
    other = next(room.id for room in level.rooms if room.kind == "normal" and not room.bounds.contains(x, y))
    again = reroll(level, room=other)
    assert again.terrain[y, x] == level.terrain[y, x]
    assert again.edited == level.edited
    assert EDITED in again.rerolls


def test_edits_of_edits_are_counted_together(tmj: Path, tmp_path: Path) -> None:
    edited_map(tmj, [("pit", 0)])
    first = bring_back(tmj).level
    main_file = exported(first, "ldtk", tmp_path / "again")
    edit = editor_of(main_file, first)
    tile = free_tiles(first)[0]
    edit.paint(tile, "wall")
    edit.save()
    second = bring_back(main_file).level
    assert parts(second) == parts(painted(first, tile, "wall"))
    assert second.edited == {
        "base": level_of("isaac").fingerprint,
        "ids": level_of("isaac").fingerprint,
        "terrain": 2,
    }
    assert second.rerolls == first.rerolls


# --- how the original is known -----------------------------------------------------------------------


@pytest.mark.parametrize("form", ["map", "scene", "scenes"])
def test_without_its_level_file_it_is_generated_again(form: str, tmp_path: Path) -> None:
    back = bring_back(exported(level_of("isaac"), form, tmp_path, json=False))
    assert back.level == level_of("isaac")
    assert back.original.source == "the level that its spec and seed 1 generate again"


def test_a_project_of_a_preset_needs_no_level_file(tmp_path: Path) -> None:
    """LDtk keeps no spec."""
    level = generator.generate("isaac", 3)
    assert bring_back(exported(level, "ldtk", tmp_path, json=False)).level == level


@pytest.mark.parametrize("form", ["world", "ldtk"])
def test_what_cannot_be_generated_again_needs_its_level_file(form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    file = exported(level, form, tmp_path, json=False)
    assert bring_back(file).level == level  # the record of the folder has it
    shutil.rmtree(tmp_path / ".undercroft")
    with pytest.raises(BadInput, match=r"cannot be generated again; give its level\.json"):
        bring_back(file)
    exporters.export(level, "json", name="other").write(tmp_path)
    assert bring_back(file, level_file=tmp_path / "other.level.json").level == level


def test_the_level_file_of_another_level_is_refused(tmj: Path) -> None:
    with pytest.warns(UserWarning, match="its files for tiled still show the level before"):
        exporters.export(generator.generate("isaac", 2), "json", name="cellar").write(tmj.parent)
    assert bring_back(tmj).original.source == "the level that its spec and seed 1 generate again"
    with pytest.raises(BadInput, match="was exported from"):
        bring_back(tmj, level_file=tmj.parent / "cellar.level.json")


@pytest.mark.parametrize(("form", "part"), [("world", "room1.tmj"), ("scenes", "room1.tscn")])
def test_the_file_of_a_room_stands_for_its_level(form: str, part: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    exported(level, form, tmp_path)
    assert bring_back(tmp_path / "cellar" / part).level == level


# --- what a level has no place for -------------------------------------------------------------------


def with_map(path: Path) -> TiledEditor:
    edit = editor_of(path, level_of("isaac"))
    assert isinstance(edit, TiledEditor)
    return edit


def notes_of(edit: TiledEditor) -> list[str]:
    edit.save()
    back = bring_back(edit.main)
    assert back.level is back.original.level
    return back.notes


def test_a_tile_of_another_tileset_is_reported(tmj: Path) -> None:
    edit = with_map(tmj)
    made = edit.maps[tmj]
    made["tilesets"].append({"firstgid": 5000, "source": "mine.tsj"})
    x, y = free_tiles(edit.level)[0]
    made["layers"][0]["data"][y * made["width"] + x] = 5003
    what = "of another tileset than the theme's, so they have no meaning"
    assert notes_of(edit) == [f"a tile left out, the first at {x},{y}: {what}"]


def test_a_layer_of_ones_own_is_reported(tmj: Path) -> None:
    edit = with_map(tmj)
    layers = edit.maps[tmj]["layers"]
    layers.append({**layers[0], "id": 99, "name": "Mine"})
    assert notes_of(edit) == ["layer 'Mine': is not one of the level's, so it stays only in this file"]


def test_a_layer_that_is_gone_is_reported_and_stays(tmj: Path) -> None:
    edit = with_map(tmj)
    edit.maps[tmj]["layers"] = [one for one in edit.maps[tmj]["layers"] if one["name"] != "Decor"]
    assert notes_of(edit) == ["layer Decor: is gone; what it showed stays as it was"]


def test_a_layer_that_was_renamed_is_still_the_level_s(tmj: Path) -> None:
    edit = with_map(tmj)
    x, y = free_tiles(edit.level)[0]
    edit.paint((x, y), "pit")
    for layer in edit.maps[tmj]["layers"]:
        layer["name"] = f"My {layer['name']}" if layer["type"] == "tilelayer" else layer["name"]
    edit.save()
    back = bring_back(tmj)
    assert back.level.terrain_kinds[back.level.terrain[y, x]].name == "pit"
    assert back.notes == []


def test_an_object_that_is_not_a_marker_is_reported(tmj: Path) -> None:
    edit = with_map(tmj)
    edit.add_marker("trap_door", free_tiles(edit.level)[0], {})
    (line,) = notes_of(edit)
    assert line.endswith("stays only in this file: the level's kit has no kind 'trap_door'")


def test_a_misspelled_kind_of_what_is_there_says_what_stays_and_what_was_meant(tmj: Path) -> None:
    edit = with_map(tmj)
    enemy, other = [marker for marker in edit.level.markers if marker.kind == "enemy"][:2]
    objects = [each for layer in layers_of(edit.maps[tmj]) for each in layer.get("objects", ())]
    values = {
        (name["value"], own["name"]): (each, own)
        for each in objects
        for name in each["properties"]
        if name["name"] in ("marker_id", "door_id")
        for own in each["properties"]
    }
    values[enemy.id, "marker_id"][0]["type"] = "enmy"
    values[other.id, "enemy_name"][1]["value"] = "shamler"
    values[0, "side"][0]["properties"] += [{"name": "new_kind", "value": "lockd"}]
    edit.save()
    back = bring_back(tmj)
    at_door, at_enemy = back.notes
    missing = "the level's kit has no kind"
    assert at_door.endswith(f"stays {edit.level.doors[0].kind}: {missing} 'lockd'; did you mean locked?")
    assert at_enemy.endswith(f"stays as enemy at {enemy.x},{enemy.y}: {missing} 'enmy'; did you mean enemy?")
    (problem,) = back.problems
    assert "no enemy kind is called shamler; did you mean shambler? [enemies-of" in problem


def test_half_of_a_large_thing_is_reported(tmj: Path) -> None:
    edit = with_map(tmj)
    large = next(kind for kind in edit.level.decor_kinds[1:] if kind.width > 1)
    tile = free_tiles(edit.level)[0]
    edit.set_tile("decor", tile, edit.thing(large.name)[0][2])
    (line,) = notes_of(edit)
    assert "of an incomplete thing or door" in line


def test_a_hallway_goes_with_its_door(tmp_path: Path) -> None:
    for style, number, is_told in (("gungeon", 2, True), ("isaac", 1, False)):
        level = level_of(style)
        main = exported(level, "map", tmp_path / style)
        edit = TiledEditor(main, level)
        for holder, door in edit._objects("door", 0):
            holder.remove(door)
        edit.save()
        back = bring_back(main)
        ends = [called(level, "door", door) for way in level.hallways for door in way.doors if 0 in way.doors]
        says = f"no longer joins two rooms, so it is closed, with {' and '.join(ends)}"
        assert [note.partition(": ")[2] for note in back.notes] == [says] * is_told
        assert len(back.level.doors) == len(level.doors) - number
        assert len(back.level.hallways) == max(0, len(level.hallways) - 1)


def test_a_room_that_moves_without_its_floor_stays_where_it_is(tmj: Path) -> None:
    edit = with_map(tmj)
    room = next(
        one for layer in edit.maps[tmj]["layers"] for one in layer.get("objects", ()) if one["type"] == "room"
    )
    room["x"] += 16
    (line,) = notes_of(edit)
    assert "left out: it does not cover whole cells of 15 x 9 tiles" in line


@pytest.mark.parametrize("has_room", [True, False])
def test_a_level_added_in_ldtk_is_reported(has_room: bool, tmp_path: Path) -> None:
    main = exported(level_of("isaac"), "ldtk", tmp_path)
    root = json.loads(main.read_bytes())
    new = json.loads(json.dumps(root["levels"][0]))
    new |= {"iid": "0b7f7f40-0000-11ee-8c99-000000000000", "identifier": "Mine", "worldX": 9000}
    for layer in new["layerInstances"]:
        layer["entityInstances"] = []
    if not has_room:
        new["fieldInstances"] = []
    main.write_text(json.dumps({**root, "levels": [*root["levels"], new]}), "utf-8")
    back = bring_back(main)
    (line,) = back.notes
    assert "Mine: left out" in line and back.level is back.original.level


def test_rows_put_on_top_of_a_map_are_seen(tmj: Path) -> None:
    """Tiled then moves all that is in it."""
    edit = with_map(tmj)
    made = edit.maps[tmj]
    for layer in made["layers"]:
        if "data" in layer:
            layer["data"] = [0] * made["width"] * 3 + layer["data"]
            layer["height"] += 3
        for one in layer.get("objects", ()):
            one["y"] += 48
    made["height"] += 3
    assert notes_of(edit) == ["the map: was moved as a whole, by 0,3 tiles; it is read in place"]


def test_an_infinite_map_is_read(tmj: Path) -> None:
    """As Tiled saves one: in chunks, some of which lie left of and above the first tile."""
    expected = edited_map(tmj, [("pit", 0)])
    made = json.loads(tmj.read_text())
    made["infinite"] = True
    for layer in made["layers"]:
        if "data" in layer:
            data, width = layer.pop("data"), made["width"]
            layer["chunks"] = [{"x": -16, "y": -16, "width": 16, "height": 16, "data": [0] * 256}]
            for y in range(0, made["height"], 16):
                for x in range(0, width, 16):
                    cells = [
                        data[b * width + a] if a < width and b < made["height"] else 0
                        for b in range(y, y + 16)
                        for a in range(x, x + 16)
                    ]
                    layer["chunks"].append({"x": x, "y": y, "width": 16, "height": 16, "data": cells})
    tmj.write_text(json.dumps(made))
    back = bring_back(tmj)
    assert (parts(back.level), back.notes) == (parts(expected), [])


@pytest.mark.parametrize("form", ["map", "scene"])
def test_what_follows_from_a_markers_place_is_reported(form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    edit = editor_of(exported(level, form, tmp_path), level)
    if isinstance(edit, TiledEditor):
        edit.set_property(level.markers[1].id, "hallway", 9)
    else:
        edit.set_property(level.markers[1].id, "room", 9)
    edit.save()
    back = bring_back(edit.main)
    (line,) = back.notes
    assert ": 9 is ignored: it follows from where the marker is; use another name" in line
    assert back.level is back.original.level


# --- hostile files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_file_cut_anywhere_is_refused_in_one_line(form: str, tmp_path: Path) -> None:
    main_file = exported(level_of("isaac"), form, tmp_path)
    data = main_file.read_bytes()
    for share in (0, 1, 7, 30, 50, 80, 97):
        main_file.write_bytes(data[: len(data) * share // 100])
        done = run("import", main_file, "--out", tmp_path / "back")
        assert done.exception is None or isinstance(done.exception, SystemExit)
        assert "Traceback" not in done.stderr
        assert done.exit_code in (0, 1, 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"width": 1 << 30}, "is not a whole number from 1 to 32768"),
        (
            {
                "layers": [
                    {"type": "tilelayer", "name": "Ground", "width": 30000, "height": 30000, "data": "AAAA"}
                ]
            },
            "brings all layers to more than",
        ),
        ({"tilewidth": 32}, "give the theme that it was exported with by --theme"),
        ({"tilesets": []}, "tilesets: undercroft is not among them"),
        ({"orientation": "isometric"}, "only orthogonal maps can be read"),
        ({"properties": []}, "does not say which level it shows; give its level.json to import --level"),
    ],
)
def test_odd_maps_are_refused(change: dict[str, object], said: str, tmj: Path) -> None:
    tmj.write_text(json.dumps({**json.loads(tmj.read_text()), **change}))
    done = run("import", tmj, "--out", tmj.parent / "back")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmj.parent / "back").exists()


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    import base64
    import zlib

    main_file = exported(level_of("isaac"), "packed", tmp_path)
    made = json.loads(main_file.read_text())
    made["layers"][0]["data"] = base64.b64encode(zlib.compress(bytes(1 << 26))).decode()
    main_file.write_text(json.dumps(made))
    with pytest.raises(BadInput, match="bytes, not 4 for each of"):
        bring_back(main_file)


def test_a_file_that_is_missing_is_reported_as_missing(tmp_path: Path) -> None:
    done = run("import", tmp_path / "cellar.tmj", "--out", tmp_path / "back")
    assert (done.exit_code, done.stdout) == (2, "")
    assert (
        done.stderr
        == f"undercroft: {tmp_path / 'cellar.tmj'}: cannot be read: there is no such file; check the name\n"
    )


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(BadInput, match="give a file that ends in"):
        bring_back(tmp_path / "a.png")


def test_the_record_is_part_of_the_level() -> None:
    level = replace(level_of("isaac"), edited={"base": "0" * 32, "terrain": 1})
    assert level.fingerprint != level_of("isaac").fingerprint


def test_the_commands_of_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[3] / "docs" / "import.md").read_text("utf-8")
    lines = [
        line for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S) for line in block.splitlines()
    ]
    assert len(lines) == 7
    monkeypatch.chdir(tmp_path)
    for line in lines:
        done = run(*shlex.split(line, comments=True)[1:])
        assert done.exit_code == 0, (line, done.output)
    assert load_level(tmp_path / "back" / "isaac-7.level.json").rerolls


@pytest.mark.parametrize(
    ("form", "style"), each_once_first(["world", "ldtk", "ldtk-files", "scenes"], ["isaac", "rebirth"])
)
def test_a_door_that_is_gone_on_one_side_is_gone_on_both(form: str, style: str, tmp_path: Path) -> None:
    level = level_of(style)
    number = next(door.id for door in level.doors if door.kind == "secret")
    path = exported(level, form, tmp_path)
    edit = editor_of(path, level)
    remove_half(edit, number)
    edit.save()
    back = bring_back(path)
    (line,) = back.notes
    assert line.endswith(": was removed, so its other side is, too: a door has both")
    assert len(back.level.doors) == len(level.doors) - 1
    names = [kind.name for kind in level.terrain_kinds]
    assert {names[back.level.terrain[y, x]] for x, y in level.doors[number].tiles} == {"wall"}
    assert run("sync", path).exit_code in (0, 1)
    assert run("sync", path).stdout == ""
    assert len(load_level(tmp_path / "cellar.level.json").doors) == len(level.doors) - 1


@pytest.mark.parametrize(("form", "style"), each_once_first(FORMS, STYLES))
def test_a_door_that_was_put_on_the_floor_is_reported(form: str, style: str, tmp_path: Path) -> None:
    """An object of the class, an entity, or a node with the metadata `kind`."""
    level = level_of(style)
    path = exported(level, form, tmp_path)
    edit = editor_of(path, level)
    tile = free_tiles(level)[0]
    if isinstance(edit, GodotEditor):
        edit.add_marker("open", tile, {})
        for some in edit.scenes.values():
            some[:] = [
                text.replace('name="New"', 'name="NewDoor"').replace('parent="Markers"', 'parent="Doors"')
                if 'name="New"' in text
                else text
                for text in some
            ]
    else:
        edit.add_marker("door", tile, {"kind": "open"})
    edit.save()
    back = bring_back(path)
    (line,) = back.notes
    assert "left out: it is in no wall; put it over the wall of a room" in line
    assert "oor" in line and back.level is back.original.level and back.problems == []


@pytest.mark.parametrize("form", ["world", "scenes"])
def test_what_was_in_a_file_that_is_gone_stays(form: str, tmp_path: Path) -> None:
    """As the note says: also the markers."""
    level = level_of("isaac")
    path = exported(level, form, tmp_path)
    next((tmp_path / "cellar").glob("room2.*")).unlink()
    back = bring_back(path)
    assert back.level is back.original.level and back.problems == []
    assert any("stays: its file is missing" in line for line in back.notes)


def test_an_import_in_place_says_which_files_show_the_level_before(tmp_path: Path) -> None:
    """So does its dry run, and nothing is said of a scene that only shows what another one says."""
    for form in ("map", "scenes"):
        exported(level_of("isaac"), form, tmp_path)
    shutil.rmtree(tmp_path / ".undercroft")
    edited_map(tmp_path / "cellar.tscn", [("pit", 0)])
    words = "import", tmp_path / "cellar.tscn", "--out", tmp_path
    dry, done = run(*words, "--dry-run"), run(*words)
    sync = f"`undercroft sync {tmp_path}` writes them too"
    behind = f"undercroft: {tmp_path / 'cellar'}: its files for tiled still show the level before; {sync}"
    for lines in (dry.stderr.splitlines(), done.stderr.splitlines()):
        assert [line for line in lines if "level before" in line] == [behind]
    assert "cellar_edit.tscn" not in run("sync", tmp_path).stderr


def test_removed_doors_are_counted_as_removed() -> None:
    edits = {("door", 1, "gone"): True, ("door", 1, "kind"): "open", ("door", 2, "kind"): "open"}
    assert summary_of(PersonsEdits(edits, [])) == "1 door changed, 1 door removed"
