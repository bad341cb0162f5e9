"""Benchmarks: what is kept can be read back, what fell is named, revisions are compared. No speed is tested."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.benchmarks import against, instructions
from tests.benchmarks.__main__ import main
from tests.benchmarks.against import Compared, Side, UnknownRevisionError, compared, sides
from tests.benchmarks.commands import Command
from tests.benchmarks.instructions import Counted, CountError
from tests.benchmarks.kept_table import BEGIN, END, HEADS, README, cells, fallen, keep, kept
from tests.benchmarks.measure import Row
from tests.benchmarks.rows import GROUPS

PLAN = Row("plans", 0.8, 0.9, "port", 12.04)
START = Row("cold start", 50.0, 2.2, "numpy", 2.7, of_peer=True, less=True)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    shutil.copy(README, tmp_path / "page.md")
    path = tmp_path / "page.md"
    text = path.read_text("utf-8")
    path.write_text(f"{text[: text.index(BEGIN)]}{BEGIN}\n{END}{text.split(END)[1]}", "utf-8")
    return path


def test_rows_that_are_kept_take_the_place_of_those_about_the_same_work(page: Path) -> None:
    before = page.read_text("utf-8")
    keep([PLAN, START], page)
    keep([PLAN._replace(yardsticks=1.0)], page)
    assert list(kept(page)) == ["plans", "cold start"]
    assert kept(page)["plans"] == "| plans | port | 12 | 1 | ≥ 0.9 | yes |"
    assert kept(page)["cold start"] == "| cold start | numpy | 2.7↓ | 50↓ | ≤ 2.2 × the peer | no |"
    assert page.read_text("utf-8").startswith(before.split(BEGIN)[0])


@pytest.mark.parametrize(("row", "worse"), [(PLAN, 0.7), (START, 1 / 0.7)])
def test_a_figure_that_fell_by_more_than_a_fifth_is_named(page: Path, row: Row, worse: float) -> None:
    keep([row], page)
    assert fallen([row, row._replace(work="new")], kept(page)) == []
    slightly = row._replace(yardsticks=row.yardsticks * (0.9 if worse < 1 else 1.1))
    assert fallen([slightly], kept(page)) == []
    assert fallen([row._replace(yardsticks=row.yardsticks * worse)], kept(page)) == [
        f"{row.work}: 30% worse than in the last table"
    ]


def test_the_kept_table_has_all_columns() -> None:
    assert all(list(cells(line)) == list(HEADS) for line in kept().values())
    assert set(GROUPS) == {
        "floorplans",
        "bulk_floorplans",
        "bulk_heaps",
        "heaps",
        "levels",
        "tiles",
        "cold_starts",
        "growth",
    }


# A time, or how much is done in one: what a figure is on one machine alone.
_UNIT = "(ns|[µμu]s|ms|s|sec|secs|seconds?|min|minutes?|h|hours?)"
RATE = re.compile(rf"/ ?{_UNIT}\b|\b(per|an?|each) {_UNIT}\b|[0-9] ?({_UNIT}|[kMG]?Hz|fps)\b")


def test_the_kept_table_has_no_rate_of_a_machine() -> None:
    assert not [line for line in kept().values() if RATE.search(line)]


@pytest.mark.parametrize(
    "figure",
    ["830/s", "8 300 tiles / s", "12 ms", "3.5 µs", "3.5 μs", "40us", "7 ns", "1.2 s", "2s", "90 seconds", "3 min",
     "5 levels a second", "60 per minute", "144 fps", "2 kHz", "6 ms per level", "1,200/ms"],
)  # fmt: skip
def test_a_rate_of_a_machine_is_found_however_it_is_written(figure: str) -> None:
    assert RATE.search(f"| plans | port | 12 | {figure} | ≥ 0.9 | yes |")


# --- against other revisions -------------------------------------------------------------------------

GENERATE = """
class GungeonSpec:
    pass


def generate(spec, seed, **values):
    assert seed > 0
    return sum(range({0} * 10_000))
"""
COMMAND = """
import sys
from generator import generate
assert open("asked.txt").read() == "yes"
sys.exit("--unknown" in sys.argv and {0} == 9 or bool(generate("", 1)) - 1)
"""


def revision(folder: Path, name: str, work: int) -> Side:
    """A project whose levels take so much work."""
    cli = folder / name / "generator" / "cli"
    cli.mkdir(parents=True)
    (cli.parent / "__init__.py").write_text(GENERATE.format(work))
    (cli / "__init__.py").touch()
    (cli / "__main__.py").write_text(COMMAND.format(work))
    own = folder / f"of-{name}"
    own.mkdir()
    return Side(name, folder / name, own)


@pytest.fixture
def one_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """One work and two commands, of which the second is unknown to a revision with a work of 9."""
    files = {"asked.txt": "yes"}
    commands = {"old": Command("make", files), "new": Command("make --unknown", files, ("make",))}
    monkeypatch.setattr(against, "WORKS", {"floorplans": {"`gungeon` plan": None}})
    monkeypatch.setattr(against, "COMMANDS", commands)


@pytest.mark.usefixtures("one_of_each")
def test_a_work_and_commands_are_compared_with_other_revisions(tmp_path: Path) -> None:
    where = [revision(tmp_path, "here", 1), revision(tmp_path, "slow", 9), revision(tmp_path, "same", 1)]
    work, old, new = compared(where, ("floorplans", "commands"), rounds=2)
    assert [(each.work, each.revision) for each in work] == [
        ("`gungeon` plan", "slow"),
        ("`gungeon` plan", "same"),
    ]
    assert work[0].warm is not None
    assert work[0].warm > 2  # it has nine times as much to do
    assert all(each.cold and each.memory for each in (*work, *old, new[1]))
    assert all(each.warm is None for each in (*old, *new))
    assert new[0].shown() == ("–", "–", "–")  # which this revision does not have


@pytest.mark.usefixtures("one_of_each")
def test_what_fails_here_is_named_and_the_others_are_measured(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    where = [revision(tmp_path, "here", 9), revision(tmp_path, "old", 1)]
    old, new = compared(where, ("commands",), rounds=1)
    assert old[0].cold
    assert new[0].shown() == ("–", "–", "–") and new[0].slower() == ["new: fails here"]
    assert capfd.readouterr().err == "here: make --unknown: \n"


def test_what_is_slower_is_named() -> None:
    row = Compared("plans", "v1", 0.95, 0.8, 1.3)
    assert row.slower() == ["plans, warm: 0.80 of the speed of v1"]
    assert row._replace(cold=0.5).slower()[0] == "plans, cold: 0.50 of the speed of v1"
    assert not row._replace(warm=None).slower()
    assert row.shown() == ("0.95", "0.80", "1.30")


def test_a_revision_is_a_folder_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@b.example", "-C", str(repository))
    (repository / "file.txt").write_text("old")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run([*git, *words], check=True)
    (repository / "file.txt").write_text("new")
    monkeypatch.setattr(against, "ROOT", repository)
    here, there = sides(["HEAD"], tmp_path)
    assert [(side.files / "file.txt").read_text() for side in (here, there)] == ["new", "old"]
    assert there.environment["PYTHONPATH"] == str(there.files)
    with pytest.raises(UnknownRevisionError, match=r"nowhere: git does not .* \(fatal: .*nowhere\)"):
        sides(["nowhere"], tmp_path / "other")
    monkeypatch.setattr(against, "RELEASE", "HEAD")
    assert sides(["release"], tmp_path / "kept")[1].name == "HEAD"
    for words in (["tag", "v1.2.3"], ["tag", "other"], ["commit", "-qam", "Second"]):
        subprocess.run([*git, *words], check=True)
    there = sides(["release"], tmp_path / "tagged")[1]
    assert there.name == "v1.2.3" and (there.files / "file.txt").read_text() == "old"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["heap"], "heap: is not a group; groups are floorplans, bulk_floorplans,"),
        (
            ["heaps", "--against", "HEAD"],
            "heaps: is not a group; groups are floorplans, levels, tiles, syncs, studio, commands",
        ),
        (["--against", "HEAD", "--keep"], "--keep: the table has no figures of other revisions"),
    ],
)
def test_wrong_words_are_refused(words: list[str], said: str) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())


# --- instructions ------------------------------------------------------------------------------------

VALGRIND = """#!/bin/sh
for word; do
    case $word in
        --log-file=*) log=${word#*=}; shift ;;
        --*) shift ;;
        *) break ;;
    esac
done
[ "$PYTHONHASHSEED" = 0 ] || echo "no seed of hashes" >&2
"$@" || exit
printf '==7== \n==7== I   refs:      %s\n' "$(cat "$PYTHONPATH/count")" >> "$log"
"""


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Count two commands in projects that take so many instructions, with a valgrind that only says so."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "valgrind").write_text(VALGRIND)
    (programs / "valgrind").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)
    files = {"asked.txt": "yes"}
    commands = {"old": Command("make", files), "new": Command("make --unknown", files, ("make",))}
    monkeypatch.setattr(instructions, "COMMANDS", commands)
    monkeypatch.setattr(instructions, "NUMPY", ("-c", ""))

    def count(here: str, there: str, *words: str, work: int = 1) -> Result:
        where = [revision(tmp_path, "here", work), revision(tmp_path, "past", 9)]
        for side, instructed in zip(where, (here, there), strict=True):
            (side.files / "count").write_text(instructed)
        monkeypatch.setattr(instructions, "sides", lambda _revisions, _folder: where)
        return CliRunner().invoke(instructions.main, words)

    return count


def test_more_instructions_than_in_another_revision_fail(counted: Callable[..., Result]) -> None:
    done = counted("1,040,000", "1,000,000", "--against", "past")
    assert done.exit_code == 1 and done.output.splitlines() == [
        "| command | × import numpy | of past |",
        "| --- | --- | --- |",
        "| old | 1.00 | 1.040 |",
        "| new | 1.00 | – |",  # which the other does not have
        "",
        "- old: 1.040 of the instructions of past",
    ]


@pytest.mark.parametrize(
    ("here", "there", "is_held", "more", "less"),
    [
        (1_040, 1_000, True, ["old: 1.040 of the instructions of past"], []),
        (1_040, 1_000, False, ["old: 1.040 of the instructions of past"], []),
        (1_020, 1_000, True, [], []),
        (980, 1_000, True, [], []),
        (960, 1_000, True, [], ["old: 0.960 of the instructions of past", "To hold what is better now, put"]),
        (960, 1_000, False, [], []),
        (1_000, None, True, ["old: fails in past"], []),
        (1_000, None, False, [], []),
    ],
)
def test_more_instructions_are_told_and_fewer_than_held(
    here: int, there: int | None, is_held: bool, more: list[str], less: list[str]
) -> None:
    found = instructions.told([Counted("old", here, {"past": there})], is_held)
    for said, wanted in zip(found, (more, less), strict=True):
        assert len(said) == len(wanted) and all(map(str.startswith, said, wanted))


def test_what_cannot_be_counted_is_said(
    counted: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = counted("1,000", "1,000", work=9)
    assert done.exit_code == 2
    assert "Error: here: " in done.output and done.output.endswith(
        "-m generator.cli make --unknown fails: \n"
    )
    (tmp_path / "here" / "count").write_text("many")
    with pytest.raises(CountError, match="valgrind: says no number of instructions: ==7=="):
        instructions.instructions(("-c", ""), Side("here", tmp_path / "here", tmp_path), tmp_path)
    monkeypatch.setenv("PATH", "")
    done = CliRunner().invoke(instructions.main)
    assert done.exit_code == 2 and done.output.startswith("Error: valgrind: is not on the PATH; install it")
