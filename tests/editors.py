"""Taplo, the checker that editors of TOML ask, which comes with the test requirements."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.engines import HANG

TAPLO = Path(sys.executable).with_name("taplo.exe" if sys.platform == "win32" else "taplo")
_HEAD = re.compile(r"^error: (.*)\n\s*┌─ (.*):\d+:\d+$", re.MULTILINE)


def marked(folder: Path) -> dict[str, set[str]]:
    """What it marks in the TOML files of a folder that name their schemas: messages by the file's path."""
    done = subprocess.run(
        [TAPLO, "lint", "--colors", "never"], cwd=folder, capture_output=True, text=True, encoding="utf-8",
        check=False, timeout=HANG,
    )  # fmt: skip
    found: dict[str, set[str]] = defaultdict(set)
    for message, path in _HEAD.findall(done.stderr):
        found[Path(path).relative_to(folder.resolve()).as_posix()].add(message)
    assert bool(found) == bool(done.returncode), done.stderr
    return dict(found)
