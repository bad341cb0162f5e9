"""What the usual run leaves out: the tests marked `soak`, and most examples of properties. A case is a file's.

A fact that only they hold is dear to prove, and a change that breaks it is rare. Examples are new ones each time.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
_SETTINGS = TESTS.parent / "pyproject.toml"
_WORDS = ("-m", "pytest", "-n", "0", "-m", "soak or hypothesis", "-p", "no:cacheprovider", "-c", _SETTINGS)


def case(seed: int, _: Path) -> None:
    """The file whose turn it is."""
    files = marked_files()
    run_marked(files[seed % len(files)])


@cache
def marked_files(tests: Path = TESTS) -> tuple[Path, ...]:
    """Those that have such tests, in the order of their names."""
    told = _pytest(tests, tests, "--collect-only")
    assert not told.returncode, told.stdout + told.stderr
    names = {line.partition("::")[0] for line in told.stdout.splitlines() if "::" in line}
    return tuple(tests.parent / name for name in sorted(names))


def run_marked(file: Path, tests: Path = TESTS) -> None:
    """Raises with the names of those that fail, or if the file has none."""
    told = _pytest(tests, file)
    failed = [line for line in told.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    assert not told.returncode, "\n".join(failed) or f"{file}: {told.stdout[-200:]}{told.stderr[-200:]}"


def _pytest(tests: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *_WORDS, "--rootdir", tests.parent, *words]
    return subprocess.run(command, cwd=tests.parent, capture_output=True, text=True, check=False)
