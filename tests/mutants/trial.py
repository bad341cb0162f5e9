"""One fault, tried on a copy of the project."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from tests.changed import ROOT, nearest_tests, tests_beside
from tests.folders import files_of_the_project
from tests.mutants.operators import functions_of

LIST = Path(__file__).parent / "mutants.toml"
_LONG_AGO = 10**9  # s: from this time on, each fault gives its file a time of change of its own
_NO_TESTS, _NOT_FOUND = 5, 4  # pytest's exit statuses
_WITHOUT_LINTS = ("--deselect", "tests/test_architecture.py::test_style_and_types")
_OPTIONS = ("-n", "0", "-p", "no:cacheprovider", "--tb=no", "-m", "not engine")
_FOR_FAULTS = ("-x", "-p", "tests.mutants.limits")


class Mutant(NamedTuple):
    """A fault: a line of a function, and what it becomes."""

    module: str
    function: str
    before: str
    after: str

    @property
    def place(self) -> str:
        """The module and the function, as `reach` names them."""
        return f"{self.module}:{self.function}"


class Outcome(NamedTuple):
    """What became of a mutant: `killed`, `lives` or `lost`; the first test that noticed it; processor time in s."""

    what: str
    by: str = ""
    cpu: float = 0.0


def mutants() -> list[Mutant]:
    """The rows of the list."""
    return [Mutant(**row) for row in tomllib.loads(LIST.read_text("utf-8"))["mutant"]]


def with_fault(source: str, mutant: Mutant) -> str | None:
    """The source with the fault in it; None if its line is no longer there, or stands there more than once."""
    lines = source.split("\n")
    functions = dict(functions_of(ast.parse(source)))
    if (function := functions.get(mutant.function)) is None:
        return None
    rows = range(function.lineno - 1, function.end_lineno or 0)
    found = [row for row in rows if lines[row].strip() == mutant.before]
    if len(found) != 1:
        return None
    row = found[0]
    lines[row] = lines[row].replace(mutant.before, mutant.after)
    return "\n".join(lines)


class Copy:
    """A copy of the project, to change at will."""

    def __init__(self, folder: Path, caches: Path) -> None:
        self.folder, self.caches = folder, caches
        self._tried = 0
        for name in files_of_the_project():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)

    def outcome_of(self, mutant: Mutant, stages: list[list[str]]) -> Outcome:
        """Whether the tests of any stage notice the fault."""
        path = self.folder / mutant.module
        source = path.read_text("utf-8") if path.is_file() else ""
        changed = with_fault(source, mutant) if source else None
        if changed is None:
            return Outcome("lost")
        path.write_text(changed, "utf-8")
        # What Python and numba keep of a file is known by its size and time: no other state has this time.
        self._tried += 1
        os.utime(path, (_LONG_AGO + self._tried,) * 2)
        cpu = 0.0
        try:
            for tests in stages:
                failed, used = self.failures(tests, *_FOR_FAULTS)
                cpu += used
                if failed:
                    return Outcome("killed", failed[0], cpu)
            return Outcome("lives", cpu=cpu)
        finally:
            shutil.copy2(ROOT / mutant.module, path)

    def failures(
        self, tests: list[str], *options: str, environment: dict[str, str] | None = None
    ) -> tuple[list[str], float]:
        """The tests that fail, or how pytest ended if none is named; processor time in s."""
        if not tests:
            return [], 0.0
        with tempfile.TemporaryDirectory() as place:
            (names := Path(place, "names")).write_text("\n".join(tests), "utf-8")
            with Path(place, "printed").open("w+b") as printed:
                command = [sys.executable, "-m", "pytest", *_OPTIONS, *options, *_WITHOUT_LINTS, f"@{names}"]
                status, cpu = self._ended(command, printed.fileno(), environment or {})
                printed.seek(0)
                lines = printed.read().decode("utf-8", "replace").splitlines()
        if status in (0, _NO_TESTS):
            return [], cpu
        told = (line.split(" ", 1) for line in lines if line.startswith(("FAILED ", "ERROR ")))
        named = [rest.partition(" - ")[0] for _, rest in told if rest.startswith("tests/")]
        if not named and status == _NOT_FOUND and any("::" in test for test in tests):
            return self.failures(sorted({test.partition("::")[0] for test in tests}), *options)
        return named or [f"status {status}: {lines[-1] if lines else ''}"], cpu

    def _ended(self, command: list[str], output: int, environment: dict[str, str]) -> tuple[int, float]:
        """The exit status of a program; its processor time, and that of programs that it waited for."""
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self._environment() | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what the tests left running
        return process.returncode, usage.ru_utime + usage.ru_stime

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        return {
            "UNDERCROFT_ENGINES": str(Path.home() / ".cache" / "undercroft-engines"),
            **kept,
            "PYTHONPATH": f"{self.folder}:{self.folder / 'exporters' / 'public'}",
            "PYTHONPYCACHEPREFIX": str(self.caches / "python"),
            "XDG_CACHE_HOME": str(self.caches),  # kernels with a fault push no others out
        }


def stages_of(mutant: Mutant, reached: dict[str, list[str]], *, whole: bool = False) -> list[list[str]]:
    """What to run for a mutant, in this order until something fails.

    The tests of the whole project come only with `whole`: they take longest, and see least of one line.
    """
    own, beside, users = nearest_files(mutant.module)
    all_tests = [["tests"]] if whole else []
    if mutant.place in reached:
        return [in_order(reached[mutant.place], own, beside), own, *all_tests]
    return [own, beside, users, *all_tests]


def in_order(tests: list[str], own: list[str], beside: list[str]) -> list[str]:
    """The module's own tests first, then those beside them, then the files with few tests; a file stays together."""
    files = Counter(test.partition("::")[0] for test in tests)
    whole = {test for test in tests if "::" not in test}

    def turn(test: str) -> tuple[bool, bool, int, str]:
        file = test.partition("::")[0]
        return file not in own, file not in beside, files[file], file

    return sorted((test for test in tests if test in whole or test.partition("::")[0] not in whole), key=turn)


def nearest_files(module: str) -> tuple[list[str], list[str], list[str]]:
    """The tests near a module: its mirror, others in the same folder, and others that import the module.

    The folder is the one that mirrors the module's, or else the next one above that holds tests.
    """
    path = PurePosixPath("tests", module)
    beside = tests_beside(module)
    own = {str(path.with_name(f"test_{path.name}"))} & beside
    near = nearest_tests([module])
    project = {test for test in near if test.count("/") == 1}
    users = near - beside
    return sorted(own), sorted(beside - own), sorted(users - project or users)
