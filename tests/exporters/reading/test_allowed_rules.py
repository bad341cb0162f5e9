"""`--allow`: a designer breaks a rule on purpose, and `check` and all commands that merge pass."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import generator
from generator.checks import CHECKS, REQUIRED, checks_of, name_of, problems, rules_to_allow
from generator.cli import main
from generator.geometry import Point
from generator.level import Level
from generator.things import called
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.exported import exported, level_of
from tests.exporters.reading.structure_edits import drop_room
from tests.exporters.reading.test_edits_brought_back import STYLES

RULE = "fair-at-the-door"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def moves(level: Level) -> Iterator[tuple[int, Point]]:
    """Enemies, and tiles of their rooms."""
    for at, marker in enumerate(level.markers):
        if marker.kind == "enemy" and marker.room is not None:
            x0, y0, width, height = level.rooms[marker.room].bounds
            yield from ((at, (x, y)) for y in range(y0, y0 + height) for x in range(x0, x0 + width))


def unfair_move(level: Level) -> tuple[int, Point]:
    """An enemy, and a tile where it breaks this rule and no other."""
    for at, (x, y) in moves(level):
        markers = list(level.markers)
        markers[at] = replace(markers[at], x=x, y=y)
        if {each.check for each in problems(replace(level, markers=tuple(markers)))} == {RULE}:
            return markers[at].id, (x, y)
    raise AssertionError("no enemy can stand there")


@pytest.fixture
def tmj(tmp_path: Path) -> Path:
    """A map in which one enemy stands too near to a door."""
    level = level_of("isaac")
    path = exported(level, "map", tmp_path / "game")
    edit = editor_of(path, level)
    edit.move_marker(*unfair_move(level))
    edit.save()
    return path


def test_an_allowed_rule_is_a_note_of_import_and_check(tmj: Path, tmp_path: Path) -> None:
    back = tmp_path / "back"
    strict = run("import", tmj, "--out", back)
    assert strict.exit_code == 1 and f"undercroft: {tmj}: marker " in strict.stderr
    done = run("import", tmj, "--out", back, "--allow", RULE)
    assert done.exit_code == 0 and f"undercroft: note: {tmj}: marker " in done.stderr
    table = json.loads(run("import", tmj, "--out", back, "--allow", RULE, "--json").stdout)
    assert table["problems"] == [] and [note.endswith(f"[{RULE}]") for note in table["notes"]] == [True]

    level = back / "cellar.level.json"
    assert run("check", level).exit_code == run("check", level, "--allow", "boss-is-far").exit_code == 1
    done = run("check", level, "--allow", "boss-is-far", "--allow", RULE)
    assert (done.exit_code, done.stdout) == (0, "")
    note, end = done.stderr.splitlines()
    assert note.startswith(f"undercroft: note: {level}: marker ") and note.endswith(f"[{RULE}]")
    assert end == "undercroft: 1 file checked, no problems"
    note, end = map(json.loads, run("check", back, "--allow", RULE, "--json").stdout.splitlines())
    assert (note["event"], note["file"]) == ("note", str(level)) and note["note"].endswith(f"[{RULE}]")
    assert end == {"event": "done", "problems": 0}


def test_waves_that_do_not_count_from_one_are_a_note(tmp_path: Path) -> None:
    """Of a person, who may leave gaps: `sync`, `import` and `check` say so, and write the level."""
    level = level_of("isaac")
    path = exported(level, "map", tmp_path / "game")
    edit = editor_of(path, level)
    enemies = [marker for marker in level.markers if marker.kind == "enemy"]
    room = enemies[0].room
    for marker in enemies:
        if marker.room == room:
            edit.set_property(marker.id, "wave", 9)
    edit.save()
    place = called(level, "room", room)
    note = f"{place}: has enemies of the wave 9, not all from the first on; the lowest comes first, so number"
    brought = run("import", path, "--out", tmp_path / "back", "--json")
    assert [line[: len(note)] for line in json.loads(brought.stdout)["notes"]] == [note]
    for done in (run("sync", tmp_path / "game"), run("check", tmp_path / "back")):
        assert done.exit_code == 0 and sum(note in line for line in done.stderr.splitlines()) == 1, (
            done.stderr
        )


def test_an_allowed_rule_is_a_note_of_sync(tmj: Path) -> None:
    done = run("sync", tmj.parent, "--allow", RULE)
    assert done.exit_code == 0 and "undercroft: note: cellar: marker " in done.stderr


def test_sync_as_json_lists_what_is_allowed_among_the_notes(tmj: Path) -> None:
    done = run("sync", tmj.parent, "--allow", RULE, "--json")
    table = json.loads(done.stdout)
    assert (done.exit_code, table["problems"]) == (0, [])
    assert [note.endswith(f"[{RULE}]") for note in table["notes"]] == [True]


def test_sync_without_the_option_reports_a_problem(tmj: Path) -> None:
    done = run("sync", tmj.parent, "--json")
    table = json.loads(done.stdout)
    assert (done.exit_code, table["notes"], len(table["problems"])) == (1, [], 1)


MERGES = {
    "generate": "isaac --seed 1 --set rooms=6 --name cellar --to tiled --edits merge --out game",
    "export": "game/cellar.level.json --name cellar --to tiled --edits merge --out game",
    "build": "--edits merge",
}


@pytest.fixture(params=MERGES)
def merge(request: pytest.FixtureRequest, tmj: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A command that merges the map with a new version."""
    monkeypatch.chdir(tmj.parents[1])
    if request.param == "build":
        group = 'spec = "isaac"\nset.rooms = 6\nseeds = [1]\nformats = ["json", "tiled"]\npath = "cellar"'
        Path("undercroft.toml").write_text(f'out = "built"\n[group.cellars]\n{group}\n', "utf-8")
        assert run("build").exit_code == 0
        shutil.copy(tmj, "built/cellar.tmj")
    return [request.param, *MERGES[request.param].split()]


def test_an_allowed_rule_is_a_note_of_each_command_that_merges(merge: list[str]) -> None:
    is_told = [line for line in run(*merge, "--dry-run").stderr.splitlines() if line.endswith(f"[{RULE}]")]
    assert len(is_told) == 1 and run(*merge, "--dry-run").exit_code == 1
    events = run(*merge, "--dry-run", "--allow", RULE, "--json").stdout
    assert f"[{RULE}]" in events and '"problem' not in events
    done = run(*merge, "--allow", RULE)
    assert (done.exit_code, done.stderr.count(f"[{RULE}]")) == (0, 1)
    assert run("check", "game" if merge[0] != "build" else "built").exit_code == 1


@pytest.fixture
def walled(tmj: Path) -> Path:
    """The map, in which an enemy of another room stands in a wall."""
    level = level_of("isaac")
    room = next(room for room in level.rooms if room.kind == "normal")
    edit = editor_of(tmj, level)
    edit.move_marker(next(each.id for each in level.markers if each.room == room.id), room.bounds[:2])
    edit.save()
    return tmj


@pytest.mark.usefixtures("walled")
def test_an_allowed_rule_allows_no_other_that_follows_from_it(merge: list[str]) -> None:
    """Nobody gets to what stands in a wall, and it cannot be allowed that nobody gets there."""

    def told(*command: str) -> tuple[int, int, int]:
        done = run(*command, "--allow", RULE)
        counts = (done.output.count(f"[{rule}]") for rule in ("markers-on-ground", "reached-on-foot"))
        return done.exit_code, *counts  # type: ignore[return-value]

    sync, brought = ["sync", "game"], ["import", "game/cellar.tmj", "--out", "back"]
    dry = [[*command, "--dry-run"] for command in (merge, sync, brought)]
    for command in (*dry, sync, brought, ["check", "game"], ["check", "back"]):
        assert told(*command) == (1, 1, 0)
        assert told(*command, "--allow", "markers-on-ground") == (1, 1, 1)


@pytest.mark.parametrize(
    "command", [("check",), ("sync",), ("import", "--out", "back"), ("generate",), ("build",)]
)
@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("fair-at-the-dor", "unknown rule 'fair-at-the-dor'; did you mean fair-at-the-door?"),
        ("x", "unknown rule 'x'; choose one of boss-is-far, "),
        ("one-start", "one-start cannot be allowed: every level must follow it; fix the level"),
    ],
)
def test_other_names_are_refused(command: tuple[str, ...], rule: str, says: str, tmp_path: Path) -> None:
    name, *more = command
    done = run(name, tmp_path, *more, "--allow", rule)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"undercroft: --allow: {says}")


@pytest.mark.parametrize("style", STYLES)
def test_a_rule_is_required_or_can_be_allowed(style: str) -> None:
    assert set(REQUIRED) <= set(CHECKS)
    required = {name_of(check) for check in REQUIRED}
    rules = {name_of(check) for check in checks_of(level_of(style))}
    assert rules - required <= set(rules_to_allow()) and required.isdisjoint(rules_to_allow())


def test_a_broken_rule_is_a_problem_of_every_sync_until_it_is_mended(tmj: Path) -> None:
    first = run("sync", tmj.parent)
    (problem,) = (line for line in first.stderr.splitlines() if line.endswith(f"[{RULE}]"))
    problem, count = re.subn(r", object \d+ \(enemy\) in cellar\.tmj", "", problem)
    assert count == 1  # only while it is read is the object known
    for _ in range(2):
        again = run("sync", tmj.parent)
        assert (again.exit_code, again.stdout, again.stderr) == (1, "", f"{problem}\n")
    done = run("sync", tmj.parent, "--allow", RULE)
    note = problem.replace("undercroft: ", "undercroft: note: ", 1)
    assert (done.exit_code, done.stderr) == (0, f"{note}\n")
    (back,) = (json.loads(line) for line in run("sync", tmj.parent, "--json").stdout.splitlines())
    assert len(back["problems"]) == 1 and back["files"] == []
    mended = editor_of(tmj, level_of("isaac"))
    at, _ = unfair_move(level_of("isaac"))
    before = next(marker for marker in level_of("isaac").markers if marker.id == at)
    mended.move_marker(at, (before.x, before.y))
    mended.save()
    for _ in range(2):
        assert run("sync", tmj.parent).exit_code == 0


def test_so_it_is_of_every_import_and_without_the_record(tmj: Path) -> None:
    folder = tmj.parent
    for _ in range(2):
        assert run("import", tmj, "--out", folder).exit_code == 1
    shutil.rmtree(folder / ".undercroft")
    for command in (("sync", folder), ("import", tmj, "--out", folder)):
        done = run(*command)
        assert done.exit_code == 1 and done.stderr.count(f"[{RULE}]") == 1


def test_a_kind_of_room_that_is_gone_is_noted(tmp_path: Path) -> None:
    level = generator.generate("isaac", 7)
    path = exported(level, "ldtk", tmp_path / "game")
    edit = editor_of(path, level)
    drop_room(edit, next(room.id for room in level.rooms if room.kind == "boss"))
    edit.save()
    note = "there are 0 boss rooms, not 1, since rooms were removed"
    brought = run("import", path, "--out", tmp_path / "back", "--json")
    assert json.loads(brought.stdout)["notes"] == [note]
    for done in (run("sync", tmp_path / "game"), run("check", tmp_path / "back")):
        assert (done.exit_code, done.stderr.count(note)) == (0, 1), done.stderr
