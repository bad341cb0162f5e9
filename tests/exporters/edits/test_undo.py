"""`undercroft undo`: after it, every file is what it was before the last write, and so is the record."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from exporters import Bundle, durable
from exporters.edits import steps
from exporters.edits.store import _NOT_KNOWN, WrittenStore
from tests.exporters.edits.faults import FailingDisk
from tests.exporters.edits.test_faults import FORMATS, MANIFEST, _change, moments, prepare, run
from tests.folders import files_in
from tests.soak.killed import DeadlyDisk, in_another_process

GENERATE = f"generate isaac --seed %d {FORMATS}"
NOTHING = "there is nothing to take back"
STEPS = ("step", "step_file", "step_row")


def done(words: str, folder: Path) -> str:
    """Run a command that succeeds, and return what it printed."""
    result = run(words, folder)
    assert result.exit_code == 0, f"{words}: {result.stderr}"
    return result.stdout


def refused(words: str, folder: Path) -> str:
    """Run a command that changes nothing, and return the one line that says why."""
    before = files_in(folder)
    result = run(words, folder)
    lines = [line for line in result.stderr.splitlines() if "dry run" not in line]
    assert result.exit_code == 1 and len(lines) == 1, result.output
    assert files_in(folder) == before
    return lines[0]


def rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """What the record says of files and outputs, without the steps themselves."""
    with closing(sqlite3.connect(folder / ".undercroft" / "state.db")) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in names if name not in STEPS
        }


def test_it_brings_back_replaced_files_and_removes_new_ones(tmp_path: Path) -> None:
    done(GENERATE % 1, tmp_path)
    before, known = files_in(tmp_path), rows(tmp_path)
    times = {name: (tmp_path / name).stat().st_mtime_ns for name in before}
    done(f"{GENERATE % 2} --to png", tmp_path)
    assert files_in(tmp_path) != before
    said = done("undo .", tmp_path).splitlines()
    assert "restored x.tmj" in said and "removed x.png" in said
    assert files_in(tmp_path) == before and rows(tmp_path) == known
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in before} == times
    done("undo .", tmp_path)
    assert not files_in(tmp_path)
    assert NOTHING in refused("undo .", tmp_path)


def killed_while_renaming(words: str, folder: Path) -> None:
    """Run a command that ends at its second rename, as by a kill: nobody clears up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WrittenStore, "take_back_unfinished", lambda store: [])
        calm = folder.with_name(f"{folder.name}-calm")
        shutil.copytree(folder, calm)
        disk = FailingDisk(calm)
        with disk.at_work():
            done(words, calm)
        patch.setattr(WrittenStore, "settle", lambda store, *rest: None)
        renames = [number for number, call in enumerate(disk.calls) if call.what == "replace"]
        with FailingDisk(folder, renames[1]).at_work():
            assert run(words, folder).exit_code == 1


def test_a_write_that_was_not_finished_is_taken_back_by_the_next_command(tmp_path: Path) -> None:
    done(GENERATE % 1, tmp_path)
    _change(tmp_path / "x.tmj")
    before = files_in(tmp_path)
    killed_while_renaming("sync .", tmp_path)
    assert files_in(tmp_path) != before
    result = run("sync .", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert files_in(tmp_path) == files_in(tmp_path.with_name(f"{tmp_path.name}-calm"))


def test_undo_takes_back_only_the_write_that_was_not_finished(tmp_path: Path) -> None:
    done(GENERATE % 1, tmp_path)
    before = files_in(tmp_path)
    killed_while_renaming(GENERATE % 2, tmp_path)
    assert "restored" in done("undo .", tmp_path)
    assert files_in(tmp_path) == before


def test_a_file_that_was_changed_since_keeps_an_unfinished_write_as_it_is(tmp_path: Path) -> None:
    done(GENERATE % 1, tmp_path)
    killed_while_renaming(GENERATE % 2, tmp_path)
    _change(tmp_path / "x.tmj")
    found = files_in(tmp_path)
    with WrittenStore.opened(tmp_path) as store:
        assert not store.taken_back
    assert files_in(tmp_path) == found


def test_the_next_merge_is_that_of_a_folder_without_the_write(tmp_path: Path) -> None:
    done(GENERATE % 1, tmp_path)
    _change(tmp_path / "x.tmj")
    calm = tmp_path.parent / f"{tmp_path.name}-calm"
    shutil.copytree(tmp_path, calm)
    done(f"{GENERATE % 2} --edits merge", tmp_path)
    done(f"{GENERATE % 3} --edits merge", tmp_path)
    done("undo .", tmp_path)
    done("undo .", tmp_path)
    assert files_in(tmp_path) == files_in(calm)
    for folder in (tmp_path, calm):
        done(f"{GENERATE % 4} --edits merge", folder)
    assert files_in(tmp_path) == files_in(calm)
    assert b"a person's" in files_in(tmp_path)["x.tmj"]


@pytest.mark.parametrize("words", ["", " --dry-run", " --json"])
def test_it_refuses_what_a_person_changed_since(tmp_path: Path, words: str) -> None:
    done(GENERATE % 1, tmp_path)
    before = files_in(tmp_path)
    done(GENERATE % 2, tmp_path)
    _change(tmp_path / "x.tmj")
    mine = (tmp_path / "x.tmj").read_bytes()
    assert refused(f"undo .{words}", tmp_path).startswith("undercroft: x.tmj: was changed since")
    done(f"undo . --edits replace{words}", tmp_path)
    if "--dry-run" not in words:
        assert files_in(tmp_path) == before | {"x.mine.tmj": mine}


def test_what_a_program_only_saved_again_is_no_change(tmp_path: Path) -> None:
    """Godot writes a TileSet anew when it saves a scene: nobody is told of it or asked, and its uid stays."""
    generate = "generate isaac --seed %d --to godot --name x --out . --edits merge"
    done(generate % 1, tmp_path)
    tileset = tmp_path / "undercroft.tres"
    saved = tileset.read_bytes().replace(b"format=4]", b'format=3 uid="uid://abc"]', 1)
    tileset.write_bytes(saved)
    assert "undercroft.tres" not in run(generate % 2, tmp_path).stderr
    assert tileset.read_bytes() == saved
    assert run(f"{generate % 1} --edits fail", tmp_path).exit_code == 0
    for _ in range(3):
        done("undo .", tmp_path)
    assert [*files_in(tmp_path)] == []


def test_a_dry_run_says_what_an_undo_does(tmp_path: Path) -> None:
    done(GENERATE % 1, tmp_path)
    done(f"{GENERATE % 2} --to png", tmp_path)
    now = files_in(tmp_path)
    dry = json.loads(done("undo . --dry-run --json", tmp_path))
    assert files_in(tmp_path) == now
    event = json.loads(done("undo . --json", tmp_path))
    assert event["event"] == "undone" and "x.tmj" in event["restored"] and event["removed"] == ["x.png"]
    assert dry == event | {
        "dry_run": True,
        "would_write": event["restored"],
        "would_remove": event["removed"],
    }


@pytest.mark.parametrize(
    "command",
    [
        "run isaac --seed 3 --stages 1:4 --to json --to tiled --out .",
        "import x.tmj --out .",
        "sync .",
        "reroll x.level.json --room 2",
        "export x.level.json --to png --to ldtk --out .",
        f"{GENERATE % 2} --edits replace",
        f"{GENERATE % 2} --edits merge",
        "layouts new shop --to tiled --name b",
    ],
)
def test_each_command_is_one_step(tmp_path: Path, command: str) -> None:
    done(GENERATE % 1, tmp_path)
    if "reroll" not in command:
        _paint(tmp_path / "x.tmj")
    before, known = files_in(tmp_path), rows(tmp_path)
    run(command, tmp_path)  # some of them report the problems of what is painted, too
    assert files_in(tmp_path) != before
    done("undo .", tmp_path)
    assert files_in(tmp_path) == before and rows(tmp_path) == known


def _paint(path: Path) -> None:
    """Move a marker by a tile, as in Tiled."""
    data = path.read_bytes()
    changed = re.sub(rb'("x": ?)(\d+)', lambda found: b"%s%d" % (found[1], int(found[2]) + 16), data, count=1)
    path.write_bytes(changed)


def test_a_build_is_one_step_with_what_it_prunes(tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "one.toml").write_text(MANIFEST.replace('"x"', '"{seed}/x"').replace("[%d]", "[1, 2]"))
    (tmp_path / "two.toml").write_text(MANIFEST.replace('"x"', '"{seed}/x"').replace("[%d]", "[2, 3]"))
    done("build one.toml --jobs 1", tmp_path)
    before, known = files_in(tmp_path), rows(tmp_path)
    done("build two.toml --jobs 1 --prune", tmp_path)
    assert files_in(tmp_path).keys() != before.keys()
    done("undo .", tmp_path)
    assert files_in(tmp_path) == before
    assert {**rows(tmp_path), "level": []} == {**known, "level": []}
    assert '"built": ' not in done("build one.toml --jobs 1 --json", tmp_path).replace('"built": 0', "")


def test_it_works_below_the_folder_of_a_build(tmp_path: Path) -> None:
    prepare(tmp_path)
    text = MANIFEST.replace('"x"', '"{seed}/x"').replace("[%d]", "[1, 2]")
    (tmp_path / "one.toml").write_text(text, "utf-8")
    done("build one.toml --jobs 1", tmp_path)
    before = files_in(tmp_path)
    assert "use undercroft undo" in refused("undo 1", tmp_path)
    done("generate isaac --seed 3 --to json --to tiled --name x --out 1", tmp_path)
    assert files_in(tmp_path) != before
    assert "also changed" in refused("undo 2", tmp_path)
    said = done("undo 1", tmp_path)
    assert f"restored {Path('1/x.tmj')}\n" in said
    assert files_in(tmp_path) == before


def test_what_was_not_kept_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done(GENERATE % 1, tmp_path)
    monkeypatch.setattr(steps, "MOST_BYTES", 10_000)
    done(GENERATE % 2, tmp_path)
    assert "not kept" in refused("undo .", tmp_path)
    monkeypatch.undo()
    done(GENERATE % 3, tmp_path)
    shutil.rmtree(tmp_path / ".undercroft" / "undo")
    assert "not kept" in refused("undo .", tmp_path)
    monkeypatch.setattr(steps, "digest_of_file", lambda _: None)  # as if the disk failed
    done(GENERATE % 4, tmp_path)
    assert "not kept" in refused("undo .", tmp_path)


def test_without_second_names_files_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise OSError

    done(GENERATE % 1, tmp_path)
    before, known = files_in(tmp_path), rows(tmp_path)
    monkeypatch.setattr(os, "link", link)
    done(GENERATE % 2, tmp_path)
    done("undo .", tmp_path)
    assert files_in(tmp_path) == before and rows(tmp_path) == known


def test_a_note_that_was_told_in_a_write_that_is_taken_back_is_told_again(tmp_path: Path) -> None:
    run(f"generate isaac --seed 1 {FORMATS}", tmp_path)
    path = tmp_path / "x.tmj"
    table = json.loads(path.read_bytes())
    enemy = next(
        each for layer in table["layers"] for each in layer.get("objects", []) if each["type"] == "enemy"
    )
    enemy["x"] += table["tilewidth"]
    enemy["properties"].append({"name": "room", "type": "int", "value": 99})
    path.write_text(json.dumps(table), "utf-8")
    told = [run("sync .", tmp_path).stderr]
    done("undo .", tmp_path)
    told.append(run("sync .", tmp_path).stderr)
    assert "room: 99 is ignored" in told[0] and told[0] == told[1]


def test_a_file_that_a_command_writes_twice_is_brought_back_as_it_was_before(tmp_path: Path) -> None:
    Bundle({"a.tmj": b"0"}).write(tmp_path)
    with steps.one_step():
        for data in (b"1", b"2"):
            Bundle({"a.tmj": data}).write(tmp_path)
    assert (tmp_path / "a.tmj").read_bytes() == b"2"
    done("undo .", tmp_path)
    assert (tmp_path / "a.tmj").read_bytes() == b"0"


def test_ten_writes_are_kept(tmp_path: Path) -> None:
    states = []
    for seed in range(13):
        states.append(files_in(tmp_path))
        done(f"generate isaac --seed {seed} --to json --name x --out .", tmp_path)
    for before in reversed(states[-10:]):
        done("undo .", tmp_path)
        assert files_in(tmp_path) == before
    assert NOTHING in refused("undo .", tmp_path)
    assert not list((tmp_path / ".undercroft" / "undo").iterdir())


@pytest.mark.parametrize("seed", range(4))
def test_any_writes_and_undos(tmp_path: Path, seed: int) -> None:
    any_writes_and_undos(tmp_path, random.Random(seed), 12)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_writes_and_undos(tmp_path: Path, seed: int) -> None:
    any_writes_and_undos(tmp_path, random.Random(seed), 40)


def any_writes_and_undos(folder: Path, chance: random.Random, count: int) -> None:
    """Each undo gives the files before the last write that is not taken back, also over a person's work."""
    states: list[tuple[dict[str, bytes], dict[str, list[tuple[object, ...]]] | None]] = []
    for _ in range(count):
        if states and chance.random() < 0.4:
            before, known = states.pop()
            done("undo . --edits replace", folder)
            found = files_in(folder)
            assert {name: found.get(name) for name in before} == before
            assert all(".mine" in name for name in found.keys() - before.keys())
            assert known is None or rows(folder) == known
            continue
        maps = sorted(folder.glob("?.tmj"))
        if maps and chance.random() < 0.3:
            _change(chance.choice(maps))
            states = []  # earlier ones do not have this change, and a lost record cannot take them back
            (folder / ".undercroft" / "state.db").unlink()
            (folder / ".undercroft" / "last.db").unlink(missing_ok=True)
        before, known = files_in(folder), None
        if (folder / ".undercroft" / "state.db").exists():
            known = rows(folder)
        formats = " ".join(f"--to {name}" for name in chance.sample(["json", "tiled", "png", "ldtk"], 2))
        edits = chance.choice(["keep", "merge", "replace"])
        name, level = chance.choice("xy"), chance.randrange(3)
        run(f"generate isaac --seed {level} {formats} --name {name} --out . --edits {edits}", folder)
        if files_in(folder) != before:
            states.append((before, known))
        else:  # it may have noted files that were as they should be, which no undo takes back
            states = [(files, None) for files, _ in states]
    while states:
        before, _ = states.pop()
        done("undo . --edits replace", folder)
        found = files_in(folder)
        assert {name: found.get(name) for name in before} == before


# --- the disk fails, or the process is killed ---------------------------------------------------------


def _die_in(words: str, folder: Path, moment: int) -> None:
    with DeadlyDisk(folder, moment).at_work():
        run(words, folder)


def _prepared(tmp_path: Path) -> tuple[Path, dict[str, bytes], dict[str, bytes]]:
    folder = tmp_path / "prepared"
    folder.mkdir()
    done(GENERATE % 1, folder)
    old = files_in(folder)
    done(f"{GENERATE % 2} --to png", folder)
    return folder, old, files_in(folder)


def _taken_back(folder: Path, old: dict[str, bytes], new: dict[str, bytes], where: str) -> None:
    """After a failure each file is old or new, and an undo takes the write back, or what was left to do.

    It refuses if the record could not be used for the write.
    """
    found = {name: data for name, data in files_in(folder).items() if ".undercroft-" not in name}
    for name, data in found.items():
        assert data in (old.get(name), new.get(name)), f"{name}: {where}"
    assert found.keys() >= old.keys(), where
    durable._CLEARED.clear()
    if found == old:
        return
    result = run("undo .", folder)
    if "not kept" in result.stderr or (_NOT_KNOWN in where and "was changed since" in result.stderr):
        assert files_in(folder) == found, where
        return
    assert result.exit_code == 0, f"{where}: {result.stderr}"
    left = {name: data for name, data in files_in(folder).items() if ".undercroft-" not in name}
    assert left == old, where


@pytest.mark.parametrize("what", ["write", "undo"])
def test_a_disk_that_fails(tmp_path: Path, what: str) -> None:
    fails_at(tmp_path, what, every=False)


@pytest.mark.soak
@pytest.mark.parametrize("what", ["write", "undo"])
def test_a_disk_that_fails_at_every_moment(tmp_path: Path, what: str) -> None:
    fails_at(tmp_path, what, every=True)


def fails_at(tmp_path: Path, what: str, *, every: bool) -> None:
    """Let the disk fail in a write or an undo."""
    folder, old, new = _prepared(tmp_path)
    if what == "write":
        done("undo .", folder)
    words = "undo ." if what == "undo" else f"{GENERATE % 2} --to png"
    calm, tried = tmp_path / "calm", tmp_path / "tried"
    shutil.copytree(folder, calm)
    disk = FailingDisk(calm)
    with disk.at_work():
        done(words, calm)
    for number, code in moments(len(disk.calls), every):
        shutil.copytree(folder, tried)
        failing = FailingDisk(tried, number, code)
        with failing.at_work():
            stderr = run(words, tried).stderr
        _taken_back(tried, old, new, f"{failing.failed}: {stderr}")
        shutil.rmtree(tried)


@pytest.mark.parametrize("what", ["write", "undo"])
@pytest.mark.parametrize("part", [0.5, 0.65, 0.8, 0.95])
def test_a_process_that_is_killed(tmp_path: Path, what: str, part: float) -> None:
    folder, old, new = _prepared(tmp_path)
    if what == "write":
        done("undo .", folder)
    words = "undo ." if what == "undo" else f"{GENERATE % 2} --to png"
    calm = tmp_path / "calm"
    shutil.copytree(folder, calm)
    disk = FailingDisk(calm)
    with disk.at_work():
        done(words, calm)
    moment = int(len(disk.calls) * part)
    assert in_another_process(_die_in, words, folder, moment) == 9
    _taken_back(folder, old, new, f"{words}, killed in call {moment}: {disk.calls[moment]}")
    done(GENERATE % 1, folder)
    assert {name: files_in(folder)[name] for name in old} == old


def leave_unfinished(words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the folder and its record as a kill does after the last file has been written."""

    def die(*_: object) -> None:
        raise SystemExit(9)

    with monkeypatch.context() as killed:
        killed.setattr(WrittenStore, "settle", die)
        killed.setattr(WrittenStore, "take_back_unfinished", lambda _: [])
        assert run(words, folder).exit_code == 9


@pytest.mark.parametrize(
    "command", ["sync .", "diff x.tmj", "import x.tmj --out .", f"{GENERATE % 3} --edits merge"]
)
@pytest.mark.parametrize("below", ["", "deep"])
def test_a_command_that_reads_first_tells_of_a_killed_write(
    command: str, below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, also if it finds nothing to do, and if the record is that of a folder above."""
    folder = tmp_path / below
    folder.mkdir(exist_ok=True)
    if below:
        (tmp_path / "m.toml").write_text(MANIFEST.replace('"x"', '"deep/x"') % 1, "utf-8")
        done("build m.toml", tmp_path)
    done(GENERATE % 1, folder)
    before = files_in(tmp_path)
    leave_unfinished(GENERATE % 2, folder, monkeypatch)
    assert files_in(tmp_path) != before
    first, second = (run(command, folder) for _ in range(2))
    assert first.stderr.count("the last write was not finished; its ") == 1, first.stderr
    assert "was not finished" not in second.stderr
    if not command.startswith(("generate", "import")):
        assert files_in(tmp_path) == before
