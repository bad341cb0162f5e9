"""Files of a level that a person has edited are that person's, for all that the generator gives afterwards."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import exporters
import generator
from exporters import Bundle
from exporters.edits.store import last_written
from exporters.reading.back import bring_back
from exporters.reading.edited import edited
from exporters.writing import write
from generator.cli import main
from generator.level import Level
from generator.level_file import load_level
from generator.serialise import dumps
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.exported import level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles
from tests.folders import files_in

FORMATS = ("json", "tiled", "ldtk", "godot", "png")
OWN = ("cellar.level.json", "cellar.tmj", "cellar.ldtk", "cellar.tscn", "cellar.png")


def of_a_person(number: int = 0) -> Level:
    level = level_of("isaac")
    x, y = free_tiles(level)[number]
    return edited(level, {("terrain", x, y): "pit"})


@cache
def files_of(level_number: int) -> Bundle:
    """Of the level as it is generated (-1), of another one (-2), or of it with one tile painted."""
    import generator

    if level_number == -2:
        level = generator.generate("isaac", seed=2, rooms=6)
    else:
        level = level_of("isaac") if level_number == -1 else of_a_person(level_number)
    return exporters.export(level, FORMATS, name="cellar")


GENERATED, OTHER = -1, -2


@pytest.fixture(params=["known", "unknown"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An edited level was exported where the generator had written before, or somebody pulled it."""
    write(files_of(GENERATED), tmp_path)
    outcome = write(files_of(0), tmp_path, known=lambda path, _: path.endswith(".level.json"))
    assert not outcome.changes
    if request.param == "unknown":
        shutil.rmtree(tmp_path / ".undercroft")
    return tmp_path


@pytest.mark.parametrize("edits", ["keep", "merge", "replace", "fail"])
def test_no_file_of_it_is_written_over_in_silence(edits: str, folder: Path) -> None:
    before = files_in(folder)
    outcome = write(files_of(OTHER), folder, edits)
    found = files_in(folder)
    if edits == "merge":
        (change,) = outcome.changes
        assert (change.path, change.what, change.beside) == (
            "cellar.level.json",
            "replaced",
            "cellar.level.mine.json",
        )
        assert found["cellar.level.mine.json"] == before["cellar.level.json"]
        assert any("the new level does not have this room" in note for note in outcome.notes)
        return
    assert {change.path for change in outcome.changes} == (set(OWN) if edits != "keep" else {OWN[0]})
    if edits in ("keep", "fail"):
        assert {name: found[name] for name in before} == before
    else:
        assert {before[name] for name in OWN} <= set(found.values())
        assert {name: found[name] for name in OWN} == {name: files_of(OTHER)[name] for name in OWN}


def test_files_that_were_synced_are_not_called_changed_by_hand(tmp_path: Path) -> None:
    write(files_of(GENERATED), tmp_path)
    write(files_of(0), tmp_path, known=lambda path, _: path.endswith(".level.json"))
    said = {change.path: change.message() for change in write(files_of(GENERATED), tmp_path, "fail").changes}
    assert set(said) == set(OWN)
    assert not any("was changed by hand" in line for line in said.values())
    assert said["cellar.level.json"].startswith(
        f"{tmp_path / 'cellar.level.json'}: has edits that were brought back, so nothing was written; "
    )


def test_a_level_that_was_rolled_again_is_not_called_changed_by_hand(tmp_path: Path) -> None:
    level = generator.generate("isaac", 7)
    rolled = generator.reroll(level, room=2)
    write(exporters.export(level, "json", name="a"), tmp_path)
    file = tmp_path / "a.level.json"
    file.write_bytes(dumps(rolled))
    (change,) = write(exporters.export(level, "json", name="a"), tmp_path, "fail").changes
    assert change.message().startswith(f"{file}: has rooms that were rolled again, so nothing was written")
    file.write_bytes(dumps(rolled).replace(b'"normal"', b'"shop"', 1))
    (change,) = write(exporters.export(level, "json", name="a"), tmp_path, "fail").changes
    assert change.message().startswith(f"{file}: was changed by hand, so nothing was written")


def test_other_options_are_no_other_version_of_a_level_that_is_a_persons(tmp_path: Path) -> None:
    """Its level.json says what the files are exported with, and keeps what the person did."""
    rolled = generator.reroll(generator.generate("isaac", 7), room=2)
    for level, name in ((rolled, "rolled"), (of_a_person(), "edited")):
        file = tmp_path / f"{name}.level.json"
        for options in ({}, {"png.scale": 2}, {"png.scale": 3}, {}):
            exported = exporters.export(level, ["json", "png"], options=options, name=name)
            assert not write(exported, tmp_path).changes
            table = json.loads(file.read_bytes())
            kept = {"options": {"scale": options["png.scale"]}} if options else None
            assert table.pop("exported", {}).get("png") == kept and table == level.to_dict()
    file.write_bytes(file.read_bytes().replace(b'"normal"', b'"shop"', 1))
    exported = exporters.export(level, ["json", "png"], options={"png.scale": 2}, name=name)
    assert [change.path for change in write(exported, tmp_path).changes] == ["edited.level.json"]


def test_what_was_edited_is_written_over_by_what_is_edited_further(folder: Path) -> None:
    outcome = write(files_of(1), folder, known=lambda path, _: path.endswith(".level.json"))
    known = (folder / ".undercroft" / "state.db").stat().st_size > 0 and not outcome.changes
    if known:
        assert {name: files_in(folder)[name] for name in OWN} == {name: files_of(1)[name] for name in OWN}
        assert last_written(folder / "cellar.tmj") == files_of(1)["cellar.tmj"]
    else:
        assert {change.what for change in outcome.changes} == {"kept"}


def test_the_level_file_alone_is_never_taken_for_ours(tmp_path: Path) -> None:
    """Other edits of the same level may not take the place of these, which nothing else has."""
    write(files_of(0), tmp_path)
    assert [change.path for change in write(files_of(1), tmp_path).changes] == ["cellar.level.json"]
    (tmp_path / "cellar.level.json").write_bytes(files_of(1)["cellar.level.json"])
    assert [change.path for change in write(files_of(0), tmp_path).changes] == ["cellar.level.json"]


def test_a_merge_with_what_the_generator_gives_begins_at_what_it_gave_last(tmp_path: Path) -> None:
    """The same again loses nothing, and the one thing that was painted is in what is new."""
    write(files_of(GENERATED), tmp_path)
    write(files_of(0), tmp_path)
    before = files_in(tmp_path)
    write(files_of(GENERATED), tmp_path, "merge")
    after = files_in(tmp_path)
    assert {name: after[name] for name in ("cellar.tmj", "cellar.ldtk", "cellar.tscn")} == {
        name: before[name] for name in ("cellar.tmj", "cellar.ldtk", "cellar.tscn")
    }


GENERATE = ("generate", "isaac", "--seed", "1", "--set", "rooms=6", "--name", "cellar")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def synced_folder(tmp_path: Path) -> Path:
    """A level was generated, somebody painted in its map, and `sync` took that into all formats."""
    assert run(*GENERATE, "--out", tmp_path).exit_code == 0
    edit = editor_of(tmp_path / "cellar.tmj", level_of("isaac"))
    edit.paint(free_tiles(level_of("isaac"))[0], "pit")
    edit.save()
    assert run("sync", tmp_path).exit_code == 0
    return tmp_path


@pytest.mark.parametrize(
    "more",
    [
        ("--seed", "2"),
        ("--set", "rooms=8"),
        ("--seed", "2", "--to", "tiled", "--to", "png"),
    ],
)
def test_another_level_takes_the_edits_along_and_all_files_show_it(
    more: tuple[str, ...], synced_folder: Path
) -> None:
    """What was painted is in a room that the new level does not have: it is listed, and kept aside."""
    before = (synced_folder / "cellar.level.json").read_bytes()
    done = run(*GENERATE, *more, "--edits", "merge", "--out", synced_folder)
    assert done.exit_code == 0
    (x, y) = free_tiles(level_of("isaac"))[0]
    level = load_level(synced_folder / "cellar.level.json")
    lost = f"cellar: the terrain at {x},{y}: the new level does not have this room"
    mine = synced_folder / "cellar.level.mine.json"
    if level.edited:
        assert level.edited == {"base": level.edited["base"], "ids": level.edited["base"], "terrain": 1}
        assert lost not in done.stderr and not mine.exists()
    else:
        assert lost in done.stderr and mine.read_bytes() == before
    for name in ("cellar.tmj", "cellar.ldtk", "cellar.tscn"):
        assert bring_back(synced_folder / name).level.fingerprint == level.fingerprint
    done = run("sync", synced_folder)
    assert (done.exit_code, done.stderr) == (0, "undercroft: cellar: nothing was edited\n")


@pytest.mark.parametrize("changed", ["cellar.tmj", "cellar.ldtk"])
def test_beside_a_file_that_cannot_be_read_nothing_is_written(changed: str, synced_folder: Path) -> None:
    (synced_folder / changed).write_bytes(b"{")
    before = files_in(synced_folder)
    done = run(*GENERATE, "--seed", "2", "--edits", "merge", "--out", synced_folder)
    assert (done.exit_code, done.stdout) == (1, "") and files_in(synced_folder) == before
    assert str(synced_folder / changed) in done.stderr and len(done.stderr.splitlines()) == 1


def test_without_the_record_a_file_that_says_nothing_else_is_merged(synced_folder: Path) -> None:
    """As in a clone: the level before its edits is made again, and the edits go into the new level."""
    shutil.rmtree(synced_folder / ".undercroft")
    done = run(*GENERATE, "--set", "hard=true", "--edits", "merge", "--out", synced_folder)
    assert done.exit_code == 0, done.stderr
    level = load_level(synced_folder / "cellar.level.json")
    assert level.edited["terrain"] == 1 and level.spec.saved()["hard"] is True


def test_the_same_level_is_merged_into_them(synced_folder: Path) -> None:
    before = files_in(synced_folder)
    assert run(*GENERATE, "--edits", "merge", "--out", synced_folder).exit_code == 0
    assert {name: data for name, data in files_in(synced_folder).items() if name in before} == before
    assert run("sync", synced_folder).exit_code == 0


def test_nothing_is_merged_into_one_whose_rooms_were_rolled_again(tmp_path: Path) -> None:
    assert run(*GENERATE, "--to", "json", "--to", "tiled", "--out", tmp_path).exit_code == 0
    assert run("reroll", tmp_path / "cellar.level.json", "--room", "2").exit_code == 0
    before = files_in(tmp_path)
    done = run(*GENERATE, "--seed", "2", "--edits", "merge", "--out", tmp_path)
    assert done.exit_code == 1 and "has rooms that were rolled again, so nothing was written" in done.stderr
    assert files_in(tmp_path) == before


def test_a_level_that_is_rolled_further_is_merged(tmp_path: Path) -> None:
    """As the dock does it: the same room again, then all others."""
    assert run(*GENERATE, "--to", "json", "--to", "tiled", "--out", tmp_path).exit_code == 0
    file, kept = tmp_path / "cellar.level.json", tmp_path / "rolled" / "cellar.level.json"
    kept.parent.mkdir()
    for rooms in (("--room", "2"), ("--room", "2"), ("--pin", "1")):
        rolled = run("reroll", file, *rooms, "--out", "-")
        kept.write_text(rolled.stdout, "utf-8")
        done = run("export", kept, "--to", "json", "--to", "tiled", "--edits", "merge", "--out", tmp_path)
        assert done.exit_code == 0, done.stderr
        assert load_level(file) == load_level(kept)


def test_a_build_merges_another_level_alike(tmp_path: Path) -> None:
    manifest = tmp_path / "undercroft.toml"
    text = "formats = ['json', 'tiled']\n[group.a]\nspec = 'isaac'\nseeds = [1]\nset.rooms = 6\n{}\npath = 'cellar'\n"
    build = ("build", tmp_path, "--jobs", "1", "--edits")
    manifest.write_text(text.format(""))
    assert run(*build, "merge").exit_code == 0
    edit = editor_of(tmp_path / "build" / "cellar.tmj", level_of("isaac"))
    edit.paint(free_tiles(level_of("isaac"))[0], "pit")
    edit.save()
    assert run("sync", tmp_path / "build").exit_code == 0
    before = files_in(tmp_path / "build")
    manifest.write_text(text.format("set.hard = true"))
    done = run(*build, "keep")
    assert done.exit_code == 0 and files_in(tmp_path / "build") == before, done.stderr
    assert "so all files of cellar stay" in done.stderr
    done = run(*build, "merge")
    assert done.exit_code == 0, done.stderr
    level = load_level(tmp_path / "build" / "cellar.level.json")
    assert level.edited["terrain"] == 1 and level.spec.saved()["hard"] is True
    assert bring_back(tmp_path / "build" / "cellar.tmj").level.fingerprint == level.fingerprint
    merged = files_in(tmp_path / "build")
    assert last_written(tmp_path / "build" / "cellar.tmj") == merged["cellar.tmj"], (
        "the base of the next merge"
    )
    done = run(*build, "merge")
    assert done.exit_code == 0 and files_in(tmp_path / "build") == merged, done.stderr


def test_a_level_that_was_rolled_again_stays_and_no_merge_is_advised(tmp_path: Path) -> None:
    """A merge would refuse it."""
    assert run(*GENERATE, "--out", tmp_path).exit_code == 0
    assert run("reroll", tmp_path / "cellar.level.json", "--room", "1").exit_code == 0
    before = files_in(tmp_path)
    done = run(*GENERATE, "--seed", "2", "--out", tmp_path)
    assert (done.exit_code, files_in(tmp_path)) == (0, before)
    assert done.stderr == (
        f"undercroft: {tmp_path / 'cellar.level.json'}: has rooms that were rolled again, so all files of cellar "
        "stay; --edits replace puts changed files aside\n"
    )
    done = run(*GENERATE, "--seed", "2", "--edits", "merge", "--out", tmp_path)
    assert done.exit_code == 1 and "or --edits keep or replace" in done.stderr


def test_a_level_of_which_a_file_was_changed_stays_as_a_whole(tmp_path: Path) -> None:
    assert run(*GENERATE, "--out", tmp_path).exit_code == 0
    edit = editor_of(tmp_path / "cellar.tmj", level_of("isaac"))
    edit.paint(free_tiles(level_of("isaac"))[0], "pit")
    edit.save()
    before = files_in(tmp_path)
    done = run(*GENERATE, "--seed", "2", "--out", tmp_path)
    assert (done.exit_code, files_in(tmp_path)) == (0, before)
    assert done.stderr == (
        f"undercroft: {tmp_path / 'cellar.tmj'}: was changed by hand, so all files of cellar stay; --edits merge "
        "brings the changes into the new level, --edits replace puts changed files aside\n"
    )
    done = run(*GENERATE, "--seed", "2", "--edits", "replace", "--out", tmp_path)
    assert done.exit_code == 0 and (tmp_path / "cellar.mine.tmj").read_bytes() == before["cellar.tmj"]
    assert {load_level(tmp_path / "cellar.level.json").fingerprint} == {
        bring_back(tmp_path / name).level.fingerprint for name in ("cellar.tmj", "cellar.ldtk", "cellar.tscn")
    }


def test_a_file_that_stays_is_told_although_there_is_no_new_version(tmp_path: Path) -> None:
    assert run(*GENERATE, "--to", "tiled", "--out", tmp_path).exit_code == 0
    edit = editor_of(tmp_path / "cellar.tmj", level_of("isaac"))
    edit.paint(free_tiles(level_of("isaac"))[0], "pit")
    edit.save()
    before = files_in(tmp_path)
    line = f"undercroft: {tmp_path / 'cellar.tmj'}: was changed by hand, so it stays; --edits replace puts it aside"
    for _ in range(2):
        done = run(*GENERATE, "--to", "tiled,json", "--out", tmp_path)
        assert (done.exit_code, done.stderr) == (0, f"{line} and writes it again\n")
        assert files_in(tmp_path)["cellar.tmj"] == before["cellar.tmj"]


@pytest.mark.parametrize(("edits", "status"), [("keep", 0), ("fail", 1)])
def test_a_changed_file_in_a_format_that_is_not_asked_for_counts_too(
    edits: str, status: int, tmp_path: Path
) -> None:
    assert run(*GENERATE, "--to", "json", "--to", "tiled", "--to", "ldtk", "--out", tmp_path).exit_code == 0
    edit = editor_of(tmp_path / "cellar.tmj", level_of("isaac"))
    edit.paint(free_tiles(level_of("isaac"))[0], "pit")
    edit.save()
    before = files_in(tmp_path)
    other = ("--seed", "2", "--to", "json", "--to", "ldtk", "--edits", edits)
    done = run(*GENERATE, *other, "--out", tmp_path)
    assert (done.exit_code, files_in(tmp_path)) == (status, before)
    assert f"{tmp_path / 'cellar.tmj'}: was changed by hand" in done.stderr
    done = run(*GENERATE, "--to", "ldtk", "--option", "ldtk.levels=one", "--edits", edits, "--out", tmp_path)
    assert done.exit_code == 0 and files_in(tmp_path) != before, "it is the same level"


COPY = '\n[node name="Ground" parent="." index="0"]\ntile_map_data = PackedByteArray("AAAAAA==")\n'


MOVED = '\n[node name="PlayerStart" parent="Markers" index="0"]\nposition = Vector2(8, 8)\n'


@pytest.mark.parametrize("change", [COPY, MOVED])
def test_a_scene_to_work_in_that_changes_the_level_is_a_changed_file(change: str, tmp_path: Path) -> None:
    """Godot copies the whole layer when somebody paints one tile, and it would hide that of the new level."""
    assert run(*GENERATE, "--to", "json", "--to", "godot", "--out", tmp_path).exit_code == 0
    scene = tmp_path / "cellar_edit.tscn"
    scene.write_text(scene.read_text("utf-8") + change, "utf-8")
    before = files_in(tmp_path)
    for edits, status, what in (
        ("keep", 0, "so all files of cellar stay"),
        ("fail", 1, "so nothing was written"),
    ):
        done = run(*GENERATE, "--seed", "2", "--to", "json,godot", "--edits", edits, "--out", tmp_path)
        assert (done.exit_code, files_in(tmp_path)) == (status, before)
        assert done.stderr.startswith(f"undercroft: {scene}: was changed by hand, {what}; ")
        assert done.stderr.count("\n") == 1
    done = run(
        *GENERATE, "--seed", "2", "--to", "json", "--to", "godot", "--edits", "replace", "--out", tmp_path
    )
    assert done.exit_code == 0 and change.encode() not in scene.read_bytes()
    assert (tmp_path / "cellar_edit.tscn.mine").read_bytes() == before["cellar_edit.tscn"]


def test_nothing_is_written_for_the_looks_of_a_level_that_is_not_used(tmp_path: Path) -> None:
    words = ("generate", "gungeon", "--set", "rooms=4", "--name", "hall", "--to", "tiled", "--to", "json")
    assert run(*words, "--seed", "9", "--out", tmp_path).exit_code == 0
    map_ = json.loads((tmp_path / "hall.tmj").read_text())
    (tmp_path / "hall.tmj").write_text(json.dumps(map_ | {"backgroundcolor": "#123456"}))
    before = files_in(tmp_path)
    for seed in ("1", "2", "3"):  # with other looks beside the first
        done = run(*words, "--seed", seed, "--edits", "keep", "--out", tmp_path)
        assert (done.exit_code, files_in(tmp_path)) == (0, before), done.stderr
