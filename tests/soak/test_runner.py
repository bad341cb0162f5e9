"""The runner itself: it goes on where it ended, loses no more than a slice, and says how to repeat a find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.__main__ import main
from tests.soak.ledger import Ledger, Slice
from tests.soak.marked import marked_files, run_marked
from tests.soak.sweeps import SWEEPS, Sweep


def odd(seed: int, folder: Path) -> None:
    assert folder.is_dir()
    assert seed != 5, "five is odd"


FAILING = {"odd": Sweep("odd", "no seed is five", odd, 4)}


def run(ledger: Path, *words: str) -> int:
    return main(["--ledger", str(ledger), "--minutes", "0", *words], FAILING)


def test_a_later_run_goes_on_and_a_find_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "new" / "ledger.jsonl"
    assert run(ledger) == 0
    assert run(ledger) == 1
    said = capsys.readouterr().out
    assert "found: AssertionError: five is odd" in said
    assert "\n  python -m tests.soak --only odd --case 5\n" in said
    assert "| odd | 8 | 1 | 0.0 min | 0 to 7 |" in said
    with pytest.raises(AssertionError, match="five is odd"):
        main(["--only", "odd", "--case", "5"], FAILING)
    assert main(["--only", "odd", "--case", "6"], FAILING) == 0
    assert run(ledger) == 0  # only what this run has found counts


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "odd", "--case", "-3"], "argument --case: '-3' is not a seed: a whole number from 0 on"),
        (["--only", "odd", "--case", "x"], "argument --case: 'x' is not a seed: a whole number from 0 on"),
        (["--case", "3"], "--case needs --only NAME"),
        (["--minutes", "nan"], "argument --minutes: 'nan' is not a number of minutes"),
        (["--ledger", "."], ".: Is a directory"),
        (["--ledger", "file/ledger"], "file: File exists"),
        (["--ledger", ".", "--table"], ".: Is a directory"),
    ],
)
def test_wrong_use_is_one_line(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(words, FAILING)
    assert (ended.value.code, capsys.readouterr().err) == (2, f"python -m tests.soak: {said}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_second_run_with_the_same_ledger_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both would take the same seeds."""
    ledger = tmp_path / "ledger.jsonl"

    def meanwhile(seed: int, folder: Path) -> None:
        with pytest.raises(SystemExit, match="2"):
            run(ledger)
        assert main(["--ledger", str(ledger), "--table"], FAILING) == 0
        assert run(tmp_path / "another.jsonl") == 0

    assert main(["--ledger", str(ledger), "--minutes", "0"], {"two": Sweep("two", "", meanwhile, 1)}) == 0
    assert f"{ledger}: another run uses this ledger; " in capsys.readouterr().err
    assert run(ledger) == 0


def test_half_a_line_of_a_killed_run_is_one_lost_slice(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    run(ledger)
    run(ledger)
    ledger.write_bytes(ledger.read_bytes()[:-20])
    assert Ledger(ledger).next_seed("odd") == 4
    run(ledger)
    assert [(each.first, each.last) for each in Ledger(ledger).slices] == [(0, 3), (4, 7)]


def test_lines_that_cannot_be_read_are_told_and_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    run(ledger)
    (line,) = ledger.read_text().splitlines()
    damaged = (
        "",
        "null",
        "[1]",
        line.replace("3", '"3"', 1),
        line.replace('"odd"', "5"),
        line.replace("{}", "7"),
    )
    with ledger.open("ab") as file:
        file.write("\n".join(damaged).encode() + b"\n\xff\xfe\n")
    capsys.readouterr()
    assert main(["--ledger", str(ledger), "--table"], FAILING) == 0
    said = capsys.readouterr()
    assert "| odd | 4 | 0 | 0.0 min | 0 to 3 |" in said.out
    assert said.err == f"{ledger}: 7 lines cannot be read and do not count\n"
    assert run(ledger) == 1 and Ledger(ledger).next_seed("odd") == 8


def test_ctrl_c_keeps_what_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(seed: int, _: Path) -> None:
        if seed == 3:
            raise KeyboardInterrupt

    ledger = tmp_path / "ledger.jsonl"
    assert main(["--ledger", str(ledger)], {"some": Sweep("some", "", stopped, 2)}) == 0
    assert Ledger(ledger).next_seed("some") == 2
    assert "| some | 2 | 0 |" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["levels", "floors", "inputs", "kills", "merges"])
def test_a_case_of_each_sweep_without_an_engine(name: str, tmp_path: Path) -> None:
    SWEEPS[name].case(0, tmp_path)


MARKED = """
import pytest

@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_it(number): assert number == {}

def test_usual(): assert False
"""
PROPERTY = """
from hypothesis import given, settings, strategies

@settings(max_examples=60)
@given(strategies.integers())
def test_all(number):
    with open(__file__ + ".seen", "a") as file: file.write("x")
"""


def test_what_the_usual_run_leaves_out_is_a_sweep(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    for name, number in (("right", 2), ("wrong", 1)):
        (tests / f"test_{name}.py").write_text(MARKED.format(number), "utf-8")
    (none := tests / "test_none.py").write_text("def test_usual(): pass\n", "utf-8")
    (tests / "test_property.py").write_text(PROPERTY, "utf-8")
    every, right, wrong = marked_files(tests)
    assert (every.name, right) == ("test_property.py", tests / "test_right.py")
    run_marked(right, tests)
    run_marked(every, tests)
    assert (tests / "test_property.py.seen").stat().st_size >= 60
    with pytest.raises(AssertionError, match=r"^FAILED tests/test_wrong\.py::test_it\[2\]"):
        run_marked(wrong, tests)
    with pytest.raises(AssertionError, match=r"test_none\.py:\s+1 deselected"):
        run_marked(none, tests)


def test_slices_of_sweeps_are_counted(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.add(Slice("a", 0, 9, 1.0, "1", {"3": "x"}))
    assert (ledger.next_seed("a"), ledger.next_seed("b"), ledger.slices[0].cases) == (10, 0, 10)
