"""Files stay as they were exported: with every declared option of every format, and with their theme."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import exporters
import generator
from exporters.edits.record import exported_before
from exporters.reading.back import bring_back
from exporters.writing import write
from generator.cli import main
from generator.level import Level
from generator.level_file import load_level
from generator.serialise import dumps
from tests.exporters import small_theme
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.test_edits_brought_back import free_tiles
from tests.folders import files_in

OTHER: dict[str, object] = {  # every option, with a value that is not its default
    "godot.target": "4.2",
    "godot.split": "rooms",
    "godot.edit": False,
    "godot.player": True,
    "godot.lights": True,
    "godot.darkness": True,
    "godot.tileset": "res://look/crypt.tres",
    "godot.source": 3,
    "godot.agent_radius": 4,
    "godot.scenes": {"enemy": "res://enemies/slime.tscn", "door.open": "res://door.tscn"},
    "godot.properties": {"enemy.role": "kind"},
    "tiled.format": "tmx",
    "tiled.tileset": "embedded",
    "tiled.encoding": "zlib",
    "tiled.split": "rooms",
    "ldtk.levels": "one",
    "ldtk.simplified": True,
    "ldtk.external": True,
    "ldtk.compact": True,
    "ldtk.sync_on_save": True,
    "png.map": True,
    "png.legend": True,
    "png.markers": True,
    "png.light": True,
    "png.background": "#112233",
    "png.scale": 2,
}
NEEDS: dict[str, dict[str, object]] = {
    "godot.properties": {"godot.scenes": OTHER["godot.scenes"]},
    "png.legend": {"png.map": True},
}


@cache
def small() -> Level:
    return generator.generate("isaac", seed=1, rooms=6)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def options_of(key: str) -> dict[str, object]:
    return {**NEEDS.get(key, {}), key: OTHER[key]}


def paint(file: Path, number: int = 0) -> None:
    level = load_level(file.parent / "cellar.level.json")
    edit = editor_of(file, level)
    edit.paint(free_tiles(small())[number], "pit")
    edit.save()


def exported(options: dict[str, object], folder: Path) -> tuple[str, Path]:
    """The format of some options, exported with them, and a file of another format to paint in."""
    format_ = next(iter(options)).partition(".")[0]
    other, file = ("tiled", "cellar.tmj") if format_ == "ldtk" else ("ldtk", "cellar.ldtk")
    made = exporters.export(small(), ["json", format_, other], options=options, name="cellar")
    made.write(folder)
    return format_, folder / file


def test_every_declared_option_has_a_case() -> None:
    declared = {
        f"{name}.{option}": value.default
        for name in exporters.format_names()
        for option, value in exporters.exporter(name).options.items()
    }
    assert set(OTHER) == set(declared)
    assert all(OTHER[key] != default for key, default in declared.items())


@pytest.mark.parametrize(
    ("format_", "apart"),
    [("godot", ()), ("tiled", ()), ("ldtk", ()), ("png", ("map", "legend")), ("png", ("markers", "light"))],
)
def test_sync_keeps_the_options_of_a_format(format_: str, apart: tuple[str, ...], tmp_path: Path) -> None:
    """All of them, each of which makes a difference beside the others; a map has no markers and no light."""
    left_out = {f"{format_}.{name}" for name in apart}
    keeps(
        {key: OTHER[key] for key in OTHER if key.startswith(f"{format_}.") and key not in left_out}, tmp_path
    )


@pytest.mark.soak
@pytest.mark.parametrize("key", OTHER)
def test_sync_keeps_an_option(key: str, tmp_path: Path) -> None:
    keeps(options_of(key), tmp_path)


def keeps(options: dict[str, object], folder: Path) -> None:
    format_, file = exported(options, folder)
    paint(file)
    done = run("sync", folder)
    assert done.exit_code == 0, done.output
    after = load_level(folder / "cellar.level.json")
    assert after.edited["terrain"] == 1
    kept = dict(exporters.export(after, format_, options=options, name="cellar"))
    assert {path: data for path, data in files_in(folder).items() if path in kept} == kept
    for key in options:
        others = {each: value for each, value in options.items() if key not in (each, *NEEDS.get(each, ()))}
        assert dict(exporters.export(after, format_, options=others, name="cellar")) != kept, key


def test_without_the_record_the_level_file_says_all_options(tmp_path: Path) -> None:
    """What a colleague pulls: no `.undercroft`."""
    options = {**OTHER, "godot.tileset": "", "tiled.split": "none", "godot.split": "none"}
    exporters.export(small(), options=options, name="cellar").write(tmp_path)
    shutil.rmtree(tmp_path / ".undercroft")
    known = exported_before(tmp_path, "cellar")
    assert {key: value for name, each in known.items() for key, value in each.dotted(name).items()} == {
        key: value for key, value in options.items() if value not in ("", "none")
    }
    paint(tmp_path / "cellar.ldtk")
    assert run("sync", tmp_path).exit_code == 0
    after = load_level(tmp_path / "cellar.level.json")
    found = files_in(tmp_path)
    for format_ in ("godot", "tiled", "png"):
        mine = {key: value for key, value in options.items() if key.startswith(f"{format_}.")}
        for path, data in exporters.export(after, format_, options=mine, name="cellar").items():
            assert found[path] == data, path


# --- themes ------------------------------------------------------------------------------------------


def theme_in(project: Path) -> Path:
    (project / "look").mkdir(parents=True)
    return small_theme.write(project / "look")


def project(folder: Path) -> Path:
    """A level in a project with a theme of its own; its folder."""
    theme = theme_in(folder)
    exporters.export(small(), ["json", "tiled", "ldtk", "png"], theme=theme, name="cellar").write(
        folder / "levels"
    )
    return folder / "levels"


def test_a_clone_elsewhere_finds_the_theme(tmp_path: Path) -> None:
    project(tmp_path / "mine")
    clone = tmp_path / "elsewhere" / "clone"
    shutil.copytree(tmp_path / "mine", clone, ignore=shutil.ignore_patterns(".undercroft"))
    shutil.rmtree(tmp_path / "mine")
    levels = clone / "levels"
    assert json.loads((levels / "cellar.level.json").read_bytes())["exported"]["png"] == {
        "theme": "../look/plain.toml"
    }
    theme = clone / "look" / "plain.toml"
    edit = editor_of(levels / "cellar.ldtk", small())
    edit.move_marker(small().markers[1].id, free_tiles(small())[0])
    edit.save()
    assert run("sync", levels).exit_code == 0
    after = load_level(levels / "cellar.level.json")
    for path, data in exporters.export(after, ["tiled", "png"], theme=theme, name="cellar").items():
        assert (levels / path).read_bytes() == data, path


@pytest.mark.parametrize("command", [("sync",), ("export", "--out")])
def test_a_theme_that_is_gone_is_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    levels = project(tmp_path)
    theme = (tmp_path / "look" / "plain.toml").rename(tmp_path / "other.toml")
    (tmp_path / "look" / "plain.png").rename(tmp_path / "plain.png")
    edit = editor_of(levels / "cellar.ldtk", small())
    edit.move_marker(small().markers[1].id, free_tiles(small())[0])
    edit.save()
    before = files_in(levels)
    file = [levels / "cellar.level.json"] if command[0] == "export" else []
    done = run(command[0], *file, *command[1:], levels)
    gone = tmp_path / "look" / "plain.toml"
    what = f"was exported with the theme {gone}, which is missing; put it there, or name another one with --theme"
    assert (done.exit_code, done.stderr) == (2, f"undercroft: {levels / 'cellar'}: {what}\n")
    assert files_in(levels) == before
    assert run(command[0], *file, *command[1:], levels, "--theme", theme).exit_code == 0


def test_a_sync_without_edits_needs_no_theme(tmp_path: Path) -> None:
    levels = project(tmp_path)
    (tmp_path / "look" / "plain.toml").unlink()
    done = run("sync", levels)
    assert (done.exit_code, done.stderr) == (0, "undercroft: cellar: nothing was edited\n")


# --- level.json --------------------------------------------------------------------------------------


def test_a_level_that_was_exported_with_defaults_says_nothing_of_them(tmp_path: Path) -> None:
    exporters.export(small(), name="cellar").write(tmp_path)
    assert (tmp_path / "cellar.level.json").read_bytes() == dumps(small())


def test_what_it_says_is_no_part_of_the_level(tmp_path: Path) -> None:
    """Neither of its fingerprint nor of another export of it; and it is in the schema."""
    exporters.export(small(), options={"png.scale": 2}, name="cellar").write(tmp_path)
    file = tmp_path / "cellar.level.json"
    table = json.loads(file.read_bytes())
    assert table.pop("exported")["png"] == {"options": {"scale": 2}}
    assert table == small().to_dict() and load_level(file) == small()
    assert run("check", file).exit_code == 0
    schema = json.loads((Path(generator.__file__).parent / "level.schema.json").read_bytes())
    Draft202012Validator(schema).validate(json.loads(file.read_bytes()))
    other = tmp_path / "other"
    assert run("export", file, "--option", "png.markers=true", "--to", "png", "--out", other).exit_code == 0
    made = exporters.export(small(), "png", options={"png.markers": True}, name="cellar")
    assert files_in(other) == dict(made)


def test_the_level_file_that_somebody_pulled_knows_better_than_the_record(tmp_path: Path) -> None:
    exporters.export(small(), options={"png.scale": 2}, name="cellar").write(tmp_path)
    for options in ({"png.scale": 3}, dict[str, int]()):
        exporters.export(small(), options=options, name="cellar").write(tmp_path / "colleague")
        for file in (tmp_path / "colleague").glob("cellar*.*"):
            shutil.copy(file, tmp_path)
        known = exported_before(tmp_path, "cellar")
        assert known["png"].options == {"scale": 3} if options else not known


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ([], "exported: [] is not a table; export the level again"),
        ({"png": 2}, "exported.png: 2 is not a table; export the level again"),
        (
            {"png": {"theme": "/x"}},
            "exported.png.theme: '/x' is not a relative path; export the level again",
        ),
    ],
)
def test_something_odd_there_is_refused(said: object, says: str, tmp_path: Path) -> None:
    exporters.export(small(), ["json", "tiled"], options={"tiled.encoding": "zlib"}, name="cellar").write(
        tmp_path
    )
    file = tmp_path / "cellar.level.json"
    file.write_text(json.dumps({**json.loads(file.read_bytes()), "exported": said}), "utf-8")
    done = run("sync", tmp_path)
    assert (done.exit_code, done.stderr) == (2, f"undercroft: {file}: {says}\n")
    assert run("export", file, "--to", "json", "--out", tmp_path).exit_code == 2


def test_a_record_of_an_older_version_stays_valid(tmp_path: Path) -> None:
    exporters.export(small(), ["json", "tiled"], name="cellar").write(tmp_path)
    with closing(sqlite3.connect(tmp_path / ".undercroft" / "state.db")) as db:
        for table in ("stay", "unfinished", "step_row", "step_file", "step", "made", "exported"):
            db.execute(f"DROP TABLE {table}")
        db.commit()
    tile = tmp_path / "cellar.tmj"
    tile.write_bytes(tile.read_bytes() + b" ")
    outcome = write(exporters.export(small(), ["json", "tiled"], name="cellar"), tmp_path)
    assert not outcome.notes and outcome.kept == [tile]
    assert set(exported_before(tmp_path, "cellar")) == {"tiled"}


# --- other commands ----------------------------------------------------------------------------------

SCENES = "godot.scenes.enemy=res://enemies/slime.tscn"
GENERATE = ("generate", "isaac", "--seed", "1", "--set", "rooms=6", "--name", "cellar")
TO = ("--to", "json", "--to", "godot", "--to", "png", "--to", "tiled")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    done = run(*GENERATE, *TO, "--option", SCENES, "--option", "png.scale=2", "--out", tmp_path)
    assert done.exit_code == 0
    return tmp_path


def test_export_keeps_what_is_not_given(made: Path) -> None:
    before = files_in(made)
    done = run("export", made / "cellar.level.json", *TO, "--out", made)
    assert done.exit_code == 0 and files_in(made) == before
    assert done.stderr == "", "nobody asked for a change"
    done = run("export", made / "cellar.level.json", *TO, "--option", "png.scale=1", "--out", made)
    kept = "stays as it was exported: options: godot.scenes"
    assert done.exit_code == 0 and done.stderr == f"undercroft: {made / 'cellar'}: {kept}\n"
    assert {path for path, data in files_in(made).items() if data != before[path]} == {
        "cellar.png",
        "cellar.level.json",
    }


def test_only_a_merge_of_generate_keeps_it(made: Path) -> None:
    """Otherwise the same command gives the same bytes, whatever was there."""
    before = files_in(made)
    assert run(*GENERATE, *TO, "--edits", "merge", "--out", made).exit_code == 0
    assert files_in(made) == before
    assert run(*GENERATE, *TO, "--out", made).exit_code == 0
    assert files_in(made) == dict(exporters.export(small(), ["json", "godot", "png", "tiled"], name="cellar"))


def test_reroll_keeps_what_the_level_file_says(made: Path) -> None:
    file = made / "cellar.level.json"
    said = json.loads(file.read_bytes())["exported"]
    assert run("reroll", file, "--room", "2").exit_code == 0
    assert json.loads(file.read_bytes())["exported"] == said


def test_import_keeps_it(made: Path) -> None:
    said = json.loads((made / "cellar.level.json").read_bytes())["exported"]
    scene = made / "cellar.tscn"
    edit = editor_of(scene, small())
    edit.paint(free_tiles(small())[0], "pit")
    edit.save()
    assert bring_back(scene).level.edited["terrain"] == 1
    assert run("import", scene, "--out", made).exit_code == 0
    assert scene.read_bytes().count(b"slime.tscn") == 1
    assert json.loads((made / "cellar.level.json").read_bytes())["exported"] == said


def test_a_build_records_it(tmp_path: Path) -> None:
    """And says it in level.json, so that a sync of what it built changes nothing else; even in a clone."""
    theme = theme_in(tmp_path)
    (tmp_path / "undercroft.toml").write_text(
        """theme = "look/plain.toml"
formats = ["json", "tiled", "ldtk", "png"]
options.png.scale = 2
[group.deep]
spec = "isaac"
seeds = [1]
set.rooms = 6
path = "{group}/cellar"
"""
    )
    assert run("build", tmp_path, "--jobs", "1").exit_code == 0
    folder = tmp_path / "build" / "deep"
    expected = {
        "ldtk": {"theme": "../../look/plain.toml"},
        "png": {"theme": "../../look/plain.toml", "options": {"scale": 2}},
        "tiled": {"theme": "../../look/plain.toml"},
    }
    assert json.loads((folder / "cellar.level.json").read_bytes())["exported"] == expected
    assert run("build", tmp_path, "--jobs", "1", "--check").exit_code == 0
    known = exported_before(folder, "cellar")
    (folder / "cellar.level.json").rename(tmp_path / "cellar.level.json")
    assert exported_before(folder, "cellar") == known, "the record knows it alone"
    (tmp_path / "cellar.level.json").rename(folder / "cellar.level.json")
    edit = editor_of(folder / "cellar.ldtk", small())
    edit.move_marker(small().markers[1].id, free_tiles(small())[0])
    edit.save()
    assert run("sync", folder).exit_code == 0
    after = load_level(folder / "cellar.level.json")
    made = exporters.export(after, "png", options={"png.scale": 2}, theme=theme, name="cellar")
    assert (folder / "cellar.png").read_bytes() == made["cellar.png"]
