"""Drawn levels are levels like any other: exported, synced, merged with later drawings, never generated over."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.checks import problems
from generator.cli.group import main
from generator.level_file import load_level
from tests.exporters.reading.drawn_maps import (
    CRYPT,
    crypt,
    drawn_object,
    markers,
    rooms_of,
    tiled_map,
    write_map,
)
from tests.exporters.reading.editors import editor_of

ROOT = Path(__file__).parents[3]


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="undercroft")


def test_a_drawn_level_is_exported_synced_and_merged_with_later_drawings(tmp_path: Path) -> None:
    """Edits in our exports stay when the drawing changes; the drawing itself is never written to."""
    drawing, out = crypt(tmp_path / "drawn"), tmp_path / "game"
    done = run("import", drawing, "--to", "tiled", "--to", "ldtk", "--to", "png", "--out", out)
    assert (done.exit_code, done.stderr) == (0, "")
    assert run("check", out).exit_code == 0
    first = load_level(out / "crypt.level.json")
    assert (first.style, first.edited) == ("drawn", {})
    edit = editor_of(out / "crypt.tmj", first)
    hall, cell = first.rooms[0].bounds, first.rooms[1].bounds
    edit.paint((cell.x + 4, cell.y + 2), "pit")
    edit.save()
    assert run("sync", out).exit_code == 0
    synced = load_level(out / "crypt.level.json")
    assert synced.edited == {"base": first.fingerprint, "ids": first.fingerprint, "terrain": 1}

    before = drawing.read_bytes()
    picture = CRYPT.replace("#..o....#", "#..o.o..#")
    crypt(tmp_path / "drawn", drawn_object(9, "chest", (15, 13, 1, 1)), picture=picture)
    done = run("import", drawing, "--out", out)
    assert (done.exit_code, done.stderr) == (0, "")
    level = load_level(out / "crypt.level.json")
    assert level.terrain_kinds[level.terrain[cell.y + 2, cell.x + 4]].name == "pit"
    assert level.decor_kinds[level.decor[hall.y + 5, hall.x + 5]].name == "rock"
    assert ("chest", 3) in markers(level)
    assert run("check", out).exit_code == 0
    assert not list(out.glob("*.mine*")) and not list(out.glob("*.new*"))
    for name in ("crypt.tmj", "crypt.ldtk"):
        assert level.fingerprint in (out / name).read_text()
    assert run("undo", out).exit_code == 0
    assert load_level(out / "crypt.level.json") == synced

    crypt(tmp_path / "drawn")
    assert drawing.read_bytes() == before
    assert run("import", drawing, "--out", out).exit_code == 0
    assert load_level(out / "crypt.level.json") == synced


def test_in_a_clone_the_drawing_of_the_edits_says_what_was_edited(tmp_path: Path) -> None:
    """The record is not in version control: the drawing from which the files were made stands in for it."""
    drawing, out = crypt(tmp_path / "drawn"), tmp_path / "game"
    assert run("import", drawing, "--to", "tiled", "--out", out).exit_code == 0
    first = load_level(out / "crypt.level.json")
    cell = first.rooms[1].bounds
    edit = editor_of(out / "crypt.tmj", first)
    edit.paint((cell.x + 4, cell.y + 2), "pit")
    edit.save()
    assert run("sync", out).exit_code == 0
    shutil.rmtree(out / ".undercroft")
    before = (out / "crypt.level.json").read_bytes()

    picture = CRYPT.replace("#..o....#", "#..o.o..#")
    crypt(tmp_path / "drawn", picture=picture)
    done = run("import", drawing, "--out", out)
    assert done.exit_code == 1 and "import the drawing as it was before it was changed first" in done.stderr
    crypt(tmp_path / "drawn")
    done = run("import", drawing, "--out", out)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (out / "crypt.level.json").read_bytes() == before
    crypt(tmp_path / "drawn", picture=picture)
    assert run("import", drawing, "--out", out).exit_code == 0
    level = load_level(out / "crypt.level.json")
    assert level.terrain_kinds[level.terrain[cell.y + 2, cell.x + 4]].name == "pit"
    assert (level.decor > 0).sum() == 2


def test_a_room_that_both_an_export_and_the_drawing_lack_is_not_lost_work(tmp_path: Path) -> None:
    drawing, out = crypt(tmp_path / "drawn"), tmp_path / "game"
    assert run("import", drawing, "--to", "tiled", "--out", out).exit_code == 0
    path = out / "crypt.tmj"
    map_ = json.loads(path.read_bytes())
    (rooms,) = (layer for layer in map_["layers"] if layer["name"] == "Rooms")
    rooms["objects"] = [each for each in rooms["objects"] if not each["name"].startswith("ShopRoom")]
    path.write_text(json.dumps(map_))
    assert run("sync", out).exit_code == 0
    assert len(load_level(out / "crypt.level.json").rooms) == 3

    door = drawn_object(9, "door", (13, 4, 1, 1))
    objects = [each for each in rooms_of() if each["id"] != 3]
    write_map(drawing.parent, tiled_map(CRYPT, [*objects, door]))
    done = run("import", drawing, "--out", out, "--allow", "boss-is-far")
    assert (done.exit_code, done.stderr.count("room 2")) == (0, 0), done.stderr
    assert f"undercroft: {drawing}: object 9 (door): left out: it is in no wall" in done.stderr
    assert len(load_level(out / "crypt.level.json").rooms) == 3
    assert sorted(each.name for each in out.glob("crypt.*")) == ["crypt.level.json", "crypt.tmj"]


def test_the_drawing_itself_is_never_replaced(tmp_path: Path) -> None:
    drawing = crypt(tmp_path)
    before = drawing.read_bytes()
    for edits in ("merge", "replace"):
        done = run("import", drawing, "--to", "tiled", "--edits", edits, "--out", tmp_path)
        assert done.exit_code == 2 and "is the file from which these files are made" in done.stderr
    assert run("import", drawing, "--out", tmp_path).exit_code == 0
    assert run("import", drawing, "--out", tmp_path).exit_code == 0
    assert drawing.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".undercroft",
        "crypt.level.json",
        "crypt.tmj",
    ]


@pytest.mark.parametrize("record", [True, False])
def test_nothing_is_generated_over_a_drawn_level(record: bool, tmp_path: Path) -> None:
    drawing, out = crypt(tmp_path / "drawn"), tmp_path / "game"
    assert run("import", drawing, "--to", "tiled", "--out", out).exit_code == 0
    if not record:
        shutil.rmtree(out / ".undercroft")
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    generated: list[str | Path] = [
        "generate",
        "isaac",
        "--name",
        "crypt",
        "--to",
        "json",
        "--to",
        "tiled",
        "--out",
        out,
    ]
    done = run(*generated)
    assert "has a level that was drawn by hand, so all files of crypt stay" in done.stderr
    done = run(*generated, "--edits", "merge")
    assert done.exit_code == 1
    assert "was drawn by hand, and the new one is not, so nothing was written" in done.stderr
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == before
    assert run(*generated, "--edits", "replace").exit_code == 0
    assert (out / "crypt.level.mine.json").read_bytes() == before["crypt.level.json"]
    done = run("import", drawing, "--out", out)
    assert done.exit_code == 1
    assert "is not a level drawn by hand, as the new one is, so nothing was written" in done.stderr


def test_commands_that_make_a_level_again_say_that_it_was_drawn(tmp_path: Path) -> None:
    enemy = drawn_object(9, "enemy", (15, 3, 1, 1))
    assert run("import", crypt(tmp_path, enemy), "--out", tmp_path / "out").exit_code == 0
    level = tmp_path / "out" / "crypt.level.json"
    done = run("reroll", level, "--room", "1")
    assert done.exit_code == 2 and "room 1: was drawn by hand, so it stays; roll its markers" in done.stderr
    (tmp_path / "spec.toml").write_text('style = "drawn"')
    for command, more in (("generate", ["--out", tmp_path]), ("show", []), ("stats", ["--seeds", "0:2"])):
        done = run(command, tmp_path / "spec.toml", *more)
        assert done.exit_code == 2 and done.stderr.count("\n") == 1, done.stderr
        assert "levels of the style drawn are not generated; draw one in Tiled or LDtk" in done.stderr
    done = run("diff", level)
    assert (
        done.exit_code == 2 and "was drawn by hand; name the level to compare it with as well" in done.stderr
    )
    before = load_level(level)
    assert run("reroll", level, "--room", "1", "--what", "markers").exit_code == 0
    after = load_level(level)
    assert [marker.kind for marker in after.markers] == [marker.kind for marker in before.markers]
    assert after != before and problems(after) == []
    assert run("show", level).exit_code == 0
    assert run("diff", level, level).exit_code == 0


def test_the_page_about_drawn_levels_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "docs" / "examples" / "drawn", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "draw-levels.md").read_text("utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert len(lines) == 5
    for line in lines:
        done = run(*shlex.split(line)[1:])
        assert (done.exit_code, done.exception) == (0, None), f"{line}\n{done.stderr}"
    assert [path.name for path in Path("game").glob("crypt.*")]
    level = load_level("game/crypt.level.json")
    assert [room.name for room in level.rooms if room.name] == ["Hall", "Throne room"]


# --- exports and drawings that a command cannot use --------------------------------------------------


def test_commands_for_exports_say_that_a_drawing_is_imported(tmp_path: Path) -> None:
    drawing = crypt(tmp_path)
    remedy = f"bring it in with `undercroft import {drawing} --out DIR`\n"
    for command, path in (("diff", drawing), ("sync", drawing), ("sync", tmp_path)):
        done = run(command, path)
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.endswith(remedy) and "--level" not in done.stderr, done.stderr
    done = run("show", drawing)
    assert done.exit_code == 2 and f"`undercroft import {drawing} --out DIR` makes a level" in done.stderr


def test_a_drawing_is_compared_with_its_level(tmp_path: Path) -> None:
    drawing, level = crypt(tmp_path), tmp_path / "game" / "crypt.level.json"
    assert run("import", drawing, "--out", level.parent).exit_code == 0
    assert run("diff", level, drawing).exit_code == 0
    done = run("diff", drawing, "--level", level)
    assert done.exit_code == 2 and "if it is a drawing and not an export, leave out --level" in done.stderr
    crypt(tmp_path, drawn_object(9, "chest", (15, 13, 1, 1)))
    done = run("diff", level, drawing)
    assert done.exit_code == 1 and "chest" in done.stdout, done.stderr


def test_the_drawing_beside_exports_stands_in_for_their_level(tmp_path: Path) -> None:
    """Neither the record nor level.json is there, as after a clone of exports and drawings only."""
    drawing = crypt(tmp_path)
    assert run("import", drawing, "--to", "ldtk", "--out", tmp_path).exit_code == 0
    level = load_level(tmp_path / "crypt.level.json")
    edit = editor_of(tmp_path / "crypt.ldtk", level)
    cell = level.rooms[1].bounds
    edit.paint((cell.x + 4, cell.y + 2), "pit")
    edit.save()
    shutil.rmtree(tmp_path / ".undercroft")
    (tmp_path / "crypt.level.json").unlink()
    done = run("diff", tmp_path / "crypt.ldtk")
    assert done.exit_code == 1 and f"from the level of {drawing}" in done.stderr, done.stderr
    done = run("sync", tmp_path)
    assert done.exit_code == 0, done.stderr
    assert load_level(tmp_path / "crypt.level.json").edited["terrain"] == 1


def test_the_drawing_elsewhere_is_imported_again_beside_exports_alone(tmp_path: Path) -> None:
    drawing, out = crypt(tmp_path / "drawn"), tmp_path / "game"
    assert run("import", drawing, "--to", "tiled", "--out", out).exit_code == 0
    level = load_level(out / "crypt.level.json")
    edit = editor_of(out / "crypt.tmj", level)
    cell = level.rooms[1].bounds
    edit.paint((cell.x + 4, cell.y + 2), "pit")
    edit.save()
    shutil.rmtree(out / ".undercroft")
    (out / "crypt.level.json").unlink()
    for command, path in (("diff", out / "crypt.tmj"), ("sync", out)):
        done = run(command, path)
        again = f"import its drawing again with `undercroft import DRAWING --out {out}`"
        assert (done.exit_code, done.stderr.count("\n")) == (2, 1) and again in done.stderr, done.stderr
    done = run("import", drawing, "--out", out)
    assert done.exit_code == 0, done.stderr
    assert load_level(out / "crypt.level.json").edited["terrain"] == 1


# --- the drawing and an export contradict each other -------------------------------------------------


def renamed(path: Path, name: str) -> None:
    """Give the first room of an exported map another name."""
    map_ = json.loads(path.read_bytes())
    (rooms,) = (layer for layer in map_["layers"] if layer["name"] == "Rooms")
    (room,) = (each for each in rooms["objects"] if any(p["value"] == "start" for p in each["properties"]))
    own = [each for each in room["properties"] if each["name"] != "name"]
    room["properties"] = [*own, {"name": "name", "type": "string", "value": name}]
    path.write_text(json.dumps(map_))


@pytest.mark.parametrize("synced", [True, False])
def test_a_room_renamed_in_the_drawing_and_in_an_export_is_a_conflict(synced: bool, tmp_path: Path) -> None:
    drawing, out = crypt(tmp_path / "drawn"), tmp_path / "game"
    assert run("import", drawing, "--to", "tiled", "--out", out).exit_code == 0
    renamed(out / "crypt.tmj", "Cellar")
    if synced:
        assert run("sync", out).exit_code == 0
        assert load_level(out / "crypt.level.json").rooms[0].name == "Cellar"
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    hall, *others = rooms_of()
    write_map(drawing.parent, tiled_map(CRYPT, [{**hall, "name": "Lobby"}, *others]))
    done = run("import", drawing, "--out", out)
    file = out / ("crypt.level.json" if synced else "crypt.tmj")
    said = f"{file} and the drawing differ about the name of room 0 (Hall, start at 3,3); undo the change in one of them"
    assert done.exit_code == 1 and done.stderr.count(said) == 1, done.stderr
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == before
    write_map(drawing.parent, tiled_map(CRYPT, [{**hall, "name": "Cellar"}, *others]))
    assert run("import", drawing, "--out", out).exit_code == 0
    assert load_level(out / "crypt.level.json").rooms[0].name == "Cellar"


# --- check -------------------------------------------------------------------------------------------


def test_check_of_a_drawing_checks_its_level(tmp_path: Path) -> None:
    enemy = drawn_object(9, "enemy", (12, 3, 1, 1))
    drawing, export = crypt(tmp_path), tmp_path / "game" / "crypt.tmj"
    assert run("check", drawing).exit_code == 0
    assert run("import", drawing, "--to", "tiled", "--out", export.parent).exit_code == 0
    done = run("check", crypt(tmp_path, enemy))
    assert done.exit_code == 1 and "enemies-away-from-doors" in done.stdout + done.stderr, done.stdout
    done = run("check", export)
    assert done.exit_code == 1 and "is an export of a level; check its .level.json" in done.stdout
    done = run("check", write_map(tmp_path, tiled_map(CRYPT, [])))
    assert done.exit_code == 1 and "has no room; draw a rectangle" in done.stdout


# --- one level as .tmj and as .tmx -------------------------------------------------------------------


def test_both_forms_of_a_map_cannot_be_asked_for_at_once(tmp_path: Path) -> None:
    both = ["--option", "tiled.format=tmj", "--option", "tiled.format=tmx"]
    done = run("import", crypt(tmp_path), "--to", "tiled", *both, "--out", tmp_path / "game")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    said = (
        "--option: tiled.format is given as 'tmj' and as 'tmx'; give one, and export the other into another"
    )
    assert said in done.stderr and not (tmp_path / "game").exists()


def test_a_drawing_and_an_export_of_its_name_lie_in_one_folder(tmp_path: Path) -> None:
    """The drawing is the .tmj, and the export the .tmx."""
    drawing = crypt(tmp_path)
    as_tmx = ["--to", "tiled", "--option", "tiled.format=tmx"]
    assert run("import", drawing, *as_tmx, "--out", tmp_path).exit_code == 0
    crypt(tmp_path, drawn_object(9, "chest", (15, 13, 1, 1)))
    before = drawing.read_bytes()
    for command in (["import", drawing, "--out", tmp_path], ["sync", tmp_path], ["undo", tmp_path]):
        done = run(*command)
        assert done.exit_code == 0, done.stderr
        assert drawing.read_bytes() == before and (tmp_path / "crypt.tmx").is_file()
    done = run("import", drawing, "--to", "tiled", "--option", "tiled.format=tmj", "--out", tmp_path)
    assert done.exit_code == 2 and "is the file from which these files are made" in done.stderr


def test_edits_without_their_level_are_refused_with_what_to_do(tmp_path: Path) -> None:
    """The exports show a level that was edited, and neither level.json nor the record is there."""
    drawing, out = crypt(tmp_path / "drawn"), tmp_path / "game"
    in_rooms = ["--to", "tiled", "--option", "tiled.split=rooms"]
    assert run("import", drawing, *in_rooms, "--out", out).exit_code == 0
    level = load_level(out / "crypt.level.json")
    edit = editor_of(out / "crypt.world", level)
    edit.paint((level.rooms[1].bounds.x + 4, level.rooms[1].bounds.y + 2), "pit")
    edit.save()
    assert run("sync", out).exit_code == 0
    shutil.rmtree(out / ".undercroft")
    (out / "crypt.level.json").unlink()
    done = run("import", drawing, "--out", out)
    said = f"shows another level than the drawing, and {out / 'crypt.level.json'} is missing; put that back"
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1) and said in done.stderr, done.stderr
    done = run("diff", out / "crypt.world")
    assert done.exit_code == 2 and "or, if it was drawn by hand, import its drawing again with" in done.stderr
    assert run("import", drawing, "--edits", "replace", "--out", out).exit_code == 0
