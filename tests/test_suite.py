"""Rules for the tests themselves: no clocks, no forgotten marks, one failure per cause."""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import pytest_xdist_auto_num_workers
from tests.engines import HANG
from tests.folders import files_of_the_project
from tests.interrupts import ctrl_c_is_heard

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PARTS = [path for path in sorted(TESTS.rglob("*.py")) if "benchmarks" not in path.parts]
# What asks for the time or for a while; `tests.waiting.until` is the only one that may.
CLOCKS = {"sleep", "monotonic", "perf_counter", "process_time", "time_ns"}
LIMITS = {"timeout", "deadline", "open_timeout", "seconds"}
IN_SCRIPTS = r"create_timer\(|get_ticks_|OS\.delay_|setTimeout|setInterval|Date\.now|performance\.now"


def test_no_test_looks_at_the_clock() -> None:
    """A busy machine must not fail a test: `HANG` is the only limit, and `until` waits for a condition."""
    found = {str(path.relative_to(TESTS)): _clocks_in(path) for path in PARTS if path.name != "waiting.py"}
    assert not {path: lines for path, lines in found.items() if lines}, (
        "see tests.waiting and tests.engines.HANG"
    )


def _clocks_in(path: Path) -> list[int]:
    """The lines that ask for the time, or wait for a number of seconds."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.keyword) and node.arg in LIMITS:
            number = isinstance(node.value, ast.Constant) and node.value.value is not None
            found += [node.value.lineno] if number else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            waits = node.func.attr in {"wait", "join", "communicate", "result", "select"}
            numbers = [
                type(each.value) in (int, float) for each in node.args if isinstance(each, ast.Constant)
            ]
            # `asyncio.sleep(0)` lets other tasks go on, and no time pass.
            only_yields = node.func.attr == "sleep" and ast.unparse(node.args[0]) == "0"
            if (node.func.attr in CLOCKS and not only_yields) or (waits and any(numbers)):
                found.append(node.lineno)
    return found


def test_no_script_of_the_tests_looks_at_the_clock() -> None:
    """They count frames: on a busy machine these last longer, and nothing else changes."""
    scripts = [path for suffix in ("gd", "js") for path in TESTS.rglob(f"*.{suffix}")]
    assert len(scripts) > 40
    found = [path.name for path in scripts if re.search(IN_SCRIPTS, path.read_text("utf-8"))]
    assert not found


# ---- Ctrl-C ----------------------------------------------------------------------------------------


def test_what_is_interrupted_hears_it_in_the_background_too() -> None:
    """A shell has its background jobs ignore Ctrl-C; a test that sends it starts what hears it."""
    asks = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ctrl_c_is_heard():
            heard = subprocess.check_output([sys.executable, "-c", asks], text=True, timeout=HANG)
        assert (heard, signal.getsignal(signal.SIGINT)) == ("True\n", signal.SIG_IGN)
    finally:
        signal.signal(signal.SIGINT, before)
    sending = [path for path in PARTS if "signal.SIGINT)" in path.read_text("utf-8")]
    assert len(sending) > 4
    assert not [path.name for path in sending if "ctrl_c_is_heard()" not in path.read_text("utf-8")]


# ---- marks -----------------------------------------------------------------------------------------

SOME = """
import pytest
from functools import partial

from tests import engines
from tests.engines import chromium
from tests.exporters.formats.godot.conftest import Project


class Screen:
    def draw(self):
        return engines.godot()


@pytest.fixture
def screen():
    return Screen()


@pytest.fixture
def above(screen):
    return 1


HIDDEN = partial(getattr(engines, "godot"))
LIST = [lambda: chromium()]


def test_plain(): pass
def test_direct(): engines.tiled()
def test_late():
    from tests.engines import tiled
    tiled()
def test_fixture(above): pass
def test_by_name(request): request.getfixturevalue("screen")
def test_class(tmp_path): Project(tmp_path)
def test_list(): LIST[0]()
def test_hidden(): HIDDEN()
@pytest.mark.engine
def test_by_hand(): HIDDEN()
@pytest.mark.soak
def test_long(): pass
"""
NEED = ["direct", "late", "fixture", "by_name", "class", "list", "by_hand"]


@pytest.fixture
def run(request: pytest.FixtureRequest, tmp_path: Path):
    """Runs pytest with our conftest on a module of tests, on a machine without engines."""

    def running(code: str, *words: str) -> str:
        folder = tmp_path / "tests_of_tests"
        folder.mkdir(exist_ok=True)
        (folder / "test_some.py").write_text(code, "utf-8")
        nowhere = str(tmp_path / "nowhere")
        env = dict.fromkeys(("UNDERCROFT_ENGINES", "GODOT", "GODOT3", "TILED", "CHROMIUM"), nowhere)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "-p",
            "tests.conftest",
        ]
        done = subprocess.run(
            [*command, "--rootdir", str(tmp_path), "-c", str(ROOT / "pyproject.toml"), *words, str(folder)],
            cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False, timeout=HANG,
        )  # fmt: skip
        return f"{done.stdout}{done.stderr}\nended with {done.returncode}\n"

    return running


def collected(said: str) -> list[str]:
    return re.findall(r"::test_(\w+)$", said, re.MULTILINE)


def test_whatever_can_reach_an_engine_is_marked(run) -> None:
    """In its own code or that of its fixtures, however far away."""
    assert collected(run(SOME, "--collect-only", "-m", "engine")) == NEED


def test_a_missing_engine_fails_the_run_once_and_says_what_to_do(run) -> None:
    """At once, and at the end with the number of tests that could not run."""
    said = run(LACKING)
    assert re.search(r"^8 skipped, 1 error", said, re.MULTILINE), said
    early, late = said.split("engines are missing")
    assert "godot is missing: the variable GODOT has" in early.partition("ERRORS")[0]
    assert re.search(r"^9 tests were not run: godot is missing: .* Set GODOT to the path", late, re.MULTILINE)
    assert "`python tests/engines.py` fetches them" in late


def test_without_engines_marked_tests_fail_and_no_other_gets_one(run) -> None:
    """They never pass; to leave them out, use `-m "not engine"`."""
    said = run(SOME, "-m", "engine", "-rA")
    failed = re.findall(r"^FAILED .*::test_(\w+)", said, re.MULTILINE)
    assert len(failed) == len(set(re.findall(r"^\d+ tests? .*: (\w+) is missing", said, re.MULTILINE))), said
    said = run(SOME, "-m", "not engine", "-rA")
    assert re.findall(r"^(PASSED|FAILED) .*::test_(\w+)", said, re.MULTILINE) == [
        ("PASSED", "plain"),
        ("FAILED", "hidden"),
    ]
    assert "test_hidden needs the marker `engine` to run one" in said


def test_long_sweeps_run_when_they_are_asked_for(run) -> None:
    ask = ("--collect-only",)
    assert "long" not in collected(run(SOME, *ask, "-m", "not engine"))
    assert collected(run(SOME, *ask, "-m", "soak")) == ["long"]
    assert collected(run(SOME, *ask, "--soak", "-m", "not engine")) == ["plain", "hidden", "long"]


SLOW = """
import pytest

@pytest.fixture(scope="module")
def imported():
    raise TimeoutError("too slow")

@pytest.mark.parametrize("number", range(9))
def test_it(imported, number): pass

def test_other(): pass
"""
LACKING = """
import pytest
from tests import engines

@pytest.fixture(scope="module")
def imported():
    engines.godot()

@pytest.mark.parametrize("number", range(9))
def test_it(imported, number): pass
"""


def test_a_shared_fixture_that_fails_is_one_failure(run) -> None:
    said = run(SLOW, "-rs")
    assert "1 passed, 8 skipped, 1 error" in said
    assert "what it shares with " in said and "::test_it[0] failed there" in said


PROPERTIES = """
from hypothesis import HealthCheck, given, settings, strategies as st

@given(st.integers())
def test_usual(number): pass

@settings(suppress_health_check=[HealthCheck.data_too_large], max_examples=20)
@given(st.integers())
def test_other(number): pass

def test_what_they_check():
    for each in (test_usual, test_other):
        assert HealthCheck.too_slow in each._hypothesis_internal_use_settings.suppress_health_check
    assert HealthCheck.data_too_large in test_other._hypothesis_internal_use_settings.suppress_health_check
"""


@pytest.mark.parametrize("words", [[], ["--soak"]])
def test_hypothesis_does_not_ask_how_long_an_example_takes(words: list[str], run) -> None:
    assert "3 passed" in run(PROPERTIES, "-rA", *words)


# ---- starts of Godot -------------------------------------------------------------------------------

STARTING = """
import pytest
from tests import engines, summary

summary.MAX["tests_of_tests"] = {"games": 2, "editors": 1}

@pytest.mark.engine
@pytest.mark.parametrize("number", range(3))
def test_starts(number):
    engines.starts["games"] += 1
"""


def test_a_run_that_starts_godot_too_often_fails(run) -> None:
    """Each test for itself is right, but together they ask what one could have asked."""
    said = run(STARTING, "-rA")
    assert "3 passed" in said and "ended with 1" in said and "Godot was started 3 times as games" in said
    assert "tests_of_tests: 3 starts of Godot as games, not 2 at most: 3 in tests_of_tests/test_some" in said


SHUFFLED = """
import pytest

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    items.insert(2, items.pop(0))
"""


def test_starts_are_only_told_where_the_tests_of_a_file_stand_apart(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a random order, what a file's tests share is made again and again."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "shuffled.py").write_text(SHUFFLED, "utf-8")
    (tmp_path / "tests_of_tests").mkdir()
    other = "import pytest\n@pytest.mark.engine\ndef test_something(): pass\n"
    (tmp_path / "tests_of_tests/test_other.py").write_text(other, "utf-8")
    said = run(STARTING)
    assert "4 passed" in said and "ended with 1" in said
    said = run(STARTING, "-p", "shuffled")
    assert "4 passed" in said and "ended with 0" in said
    assert "3 in tests_of_tests/test_some.py (no failure: tests of a file stood apart)" in said


# ---- several processes ---------------------------------------------------------------------------------

TWO = """
import pytest

@pytest.fixture(scope="module")
def imported(): return 1

@pytest.mark.parametrize("number", range(6))
@pytest.mark.xdist_group("ours")
def test_marked(number): pass

@pytest.mark.parametrize("number", range(6))
def test_shares(imported, number): pass
"""


def test_what_shares_a_fixture_stays_in_one_process(run) -> None:
    """By its marker, or by itself where the fixture is its module's; some releases of pytest-xdist break that."""
    ran = re.findall(r"\[(gw\d)\].* PASSED .*::test_(\w+)\[", run(TWO, "-n", "auto", "-vv"))
    assert len(ran) == 12
    assert len(set(ran)) == 2, "each of the two kinds ran in one process"


def test_a_few_files_start_no_other_process(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words, processes in (
        (["tests/test_suite.py::test_one", "tests/test_suite.py::test_two", "tests/test_docs.py"], 0),
        (["tests/test_suite.py", "tests/generator"], 3),
        ([f"tests/test_{number}.py" for number in range(4)], 3),
    ):
        monkeypatch.setattr(pytestconfig, "args", words)
        assert pytest_xdist_auto_num_workers(pytestconfig) == processes


# ---- folders ---------------------------------------------------------------------------------------

# Folders that GitHub's ignore file for Python leaves out of a repository, and those of usual tools.
IGNORED = {
    "build", "develop-eggs", "dist", "downloads", "eggs", ".eggs", "lib", "lib64", "parts", "sdist", "var",
    "wheels", "share", "htmlcov", ".tox", ".nox", "cover", "instance", ".scrapy", "target",
    "profile_default", ".pdm-build", "__pypackages__", ".venv", "env", "venv", "ENV", "env.bak", "venv.bak",
    ".spyderproject", "site", ".ropeproject", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis",
    "__pycache__", "cython_debug", ".idea", ".vscode", "node_modules", "bin", "obj", "out", "tmp", "temp",
}  # fmt: skip


def test_no_folder_has_a_name_that_usual_ignore_files_drop() -> None:
    """A project put into another repository loses no files."""
    folders = {part for path in files_of_the_project() for part in Path(path).parts[:-1]}
    assert not {folder for folder in folders if folder in IGNORED or folder.endswith(".egg-info")}
