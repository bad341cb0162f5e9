"""The list of known faults that the tests are tried against stays usable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.changed import ROOT
from tests.mutants.__main__ import main, table
from tests.mutants.operators import Change, changes_of
from tests.mutants.reach import NOTES, reached, with_notes
from tests.mutants.trial import Copy, Mutant, Outcome, in_order, mutants, nearest_files, stages_of, with_fault

SOURCE = """
def first(a, b):
    if not a:
        return b + 1
    return a < b and b in (1, True)

class Second:
    def third(self):
        return [f"{1 + 2}", 'x']
"""

NEAR = """
from generator.errors import nearest

def test_a_right_name():
    assert nearest("x", ["y"]) == ""

def test_a_slip():
    assert nearest("scal", ["scale"]) == "scale"

def test_another_slip():
    assert nearest("prun", ["prune"]) == "prune"
"""


def test_the_operators_change_one_thing_at_a_time() -> None:
    assert sorted(changes_of(SOURCE)) == [
        Change("first", "if not a:", "if a:"),
        Change("first", "return a < b and b in (1, True)", "return a < b and b in (1, False)"),
        Change("first", "return a < b and b in (1, True)", "return a < b and b in (2, True)"),
        Change("first", "return a < b and b in (1, True)", "return a < b and b not in (1, True)"),
        Change("first", "return a < b and b in (1, True)", "return a < b or b in (1, True)"),
        Change("first", "return a < b and b in (1, True)", "return a <= b and b in (1, True)"),
        Change("first", "return b + 1", "return b + 2"),
        Change("first", "return b + 1", "return b - 1"),
    ]


def test_a_fault_is_found_again_where_code_has_moved() -> None:
    mutant = Mutant("x.py", "first", "return b + 1", "return b - 1")
    moved = "import ast\n\n" + SOURCE.replace("    ", "  ")
    assert with_fault(moved, mutant) == moved.replace("b + 1", "b - 1")
    assert with_fault(SOURCE.replace("b + 1", "b + 3"), mutant) is None
    assert with_fault(SOURCE.replace("first", "last"), mutant) is None


def test_the_list_fits_the_code() -> None:
    """A line that is gone has to be replaced by another one of the list's kind."""
    known = mutants()
    assert len(known) == 150 and len({each.module for each in known}) > 80
    sources = {each.module: (ROOT / each.module).read_text("utf-8") for each in known}
    assert [each for each in known if with_fault(sources[each.module], each) is None] == []


@pytest.mark.xdist_group("test_changed")  # which has read all modules too
def test_the_nearest_tests_come_first() -> None:
    own, beside, users = nearest_files("generator/rng.py")
    assert own == ["tests/generator/test_rng.py"]
    assert "tests/generator/test_level.py" in beside
    assert users and not {*own, *beside} & {*users}
    assert not [test for test in users if test.count("/") == 1]
    assert nearest_files("exporters/formats/tiled/write_tileset.py")[0] == [
        "tests/exporters/formats/tiled/test_write_tileset.py"
    ]
    assert (
        "tests/exporters/formats/ldtk/test_check.py"
        in nearest_files("exporters/formats/ldtk/check_values.py")[1]
    )
    assert all(any(nearest_files(mutant.module)[:2]) for mutant in mutants())


def test_of_the_tests_that_reach_a_function_its_own_come_first_and_a_file_stays_together() -> None:
    found = ["tests/a/test_far.py::test_1", "tests/b/test_near.py", "tests/a/test_far.py::test_2"]
    found += ["tests/b/test_own.py::test_3", "tests/b/test_near.py::test_4", "tests/a/test_few.py::test_5"]
    assert in_order(found, ["tests/b/test_own.py"], ["tests/b/test_near.py"]) == [
        "tests/b/test_own.py::test_3",
        "tests/b/test_near.py",
        "tests/a/test_few.py::test_5",
        "tests/a/test_far.py::test_1",
        "tests/a/test_far.py::test_2",
    ]


def test_what_a_fixture_reaches_is_reached_by_the_whole_file() -> None:
    lines = ["x.py:f\ttests/test_a.py::test_1 (call)", "x.py:f\ttests/test_b.py::test_2 (setup)", "x.py:f\t"]
    lines += ["x.py:f\ttests/test_a.py::test_1 (call)", "x.py:g\ttests/test_a.py::test_3[1 (@)]@group (call)"]
    assert reached("\n".join(lines)) == {
        "x.py:f": ["tests/test_a.py::test_1", "tests/test_b.py"],
        "x.py:g": ["tests/test_a.py::test_3[1 (@)]"],
    }


def test_a_function_notes_that_it_was_reached_before_it_does_anything() -> None:
    noted = with_notes(SOURCE.replace("if not a", "'A docstring.'\n    if not a"), "x.py", ["first", "gone"])
    assert noted.split("\n")[3:5] == [
        "    from tests.mutants.reach import note; note('x.py:first')",
        "    if not a:",
    ]


def test_a_fault_is_noticed_by_the_first_test_that_fails_and_the_copy_is_whole_again(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "copy", tmp_path / "caches")
    module, near = copy.folder / "generator/errors.py", "tests/test_near.py"
    (copy.folder / near).write_text(NEAR, "utf-8")
    before = module.read_bytes(), module.stat().st_mtime_ns
    line = 'return matches[0] if matches else ""'
    seen = Mutant("generator/errors.py", "nearest", line, line.replace("0", "1"))
    unseen = seen._replace(after=line.replace("0", "-1"))
    noticed, lives, lost = (
        copy.outcome_of(each, [[], [near]]) for each in (seen, unseen, seen._replace(before="return"))
    )
    assert (noticed.what, noticed.by) == ("killed", f"{near}::test_a_slip")
    assert (lives.what, lives.by) == ("lives", "")
    assert lost == Outcome("lost")
    assert noticed.cpu > 0 and lives.cpu > 0
    assert (module.read_bytes(), module.stat().st_mtime_ns) == before


def test_the_table_counts_by_package() -> None:
    row = Mutant("exporters/formats/pack/rows.py", "f", "1", "2")
    outcomes = {row: Outcome("killed", "t", 60.0), row._replace(function="g"): Outcome("lives", cpu=30.0)}
    assert [line.split() for line in table(outcomes).splitlines()] == [
        ["part", "killed", "lives", "lost"],
        ["exporters/formats/pack", "1", "1", "0"],
        ["all", "1", "1", "0"],
        ["1.5", "min", "of", "processor", "time"],
    ]


def test_a_later_run_goes_on_with_what_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Mutant, list[str]]] = []

    class Copies:
        def __init__(self, folder: Path, caches: Path) -> None: ...

        def outcome_of(self, mutant: Mutant, stages: list[list[str]]) -> Outcome:
            asked.append((mutant, stages[0]))
            return Outcome("killed", "tests/test_a.py::test_1")

        def failures(self, tests: list[str]) -> tuple[list[str], float]:
            return (tests if len(asked) > 1 else []), 0.0

    monkeypatch.setattr("tests.mutants.__main__.Copy", Copies)
    rows = mutants()[:2]
    for known, status in ((rows[:1], 0), (rows, 1), (rows[:1], 1)):
        monkeypatch.setattr("tests.mutants.__main__.mutants", lambda known=known: known)
        done = CliRunner().invoke(main, ["--keep", str(tmp_path), "--jobs", "2"])
        assert done.exit_code == status
    assert asked == [(row, []) for row in rows]  # each once
    assert "fails without any fault: tests/test_a.py::test_1" in done.output
    CliRunner().invoke(main, ["--keep", str(tmp_path), "--again"])
    assert asked[2:] == [(rows[0], ["tests/test_a.py::test_1"])]


def test_all_tests_are_run_once_to_find_out_what_they_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Mutant("generator/errors.py", "nearest", "", "")
    monkeypatch.setattr("tests.mutants.__main__.mutants", lambda: [row])

    def failures(
        copy: Copy, tests: list[str], *options: str, environment: dict[str, str]
    ) -> tuple[list[str], float]:
        assert tests == ["tests/exporters", "tests/generator"] and options == ("-n", "2")
        assert f"note({row.place!r})" in (copy.folder / row.module).read_text("utf-8")
        Path(environment[NOTES]).write_text(f"{row.place}\ttests/test_a.py::test_1 (call)\n", "utf-8")
        return [], 0.0

    monkeypatch.setattr(Copy, "failures", failures)
    done = CliRunner().invoke(main, ["reach", "--keep", str(tmp_path), "--jobs", "2"])
    assert done.exit_code == 0, done.output
    known = json.loads((tmp_path / "reached.json").read_text("utf-8"))
    assert known == {row.place: ["tests/test_a.py::test_1"]}
    assert stages_of(row, known)[0] == ["tests/test_a.py::test_1"]
