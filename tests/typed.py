"""mypy for tests: it keeps what it found out in the checkout, as for a person who runs it there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.engines import HANG

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".mypy_cache"


def mypy(*words: str | Path, cwd: Path = ROOT, cache: Path = CACHE) -> subprocess.CompletedProcess[str]:
    """Ask it. Tests that do are of the group `types`, so that each goes on with what the others found out."""
    command = [sys.executable, "-m", "mypy", "--cache-dir", cache, *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=HANG)
