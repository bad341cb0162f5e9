"""The wheel and the sdist, made by what `pyproject.toml` names for it; pip would do the same, and take longer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.engines import HANG

ROOT = Path(__file__).parent.parent


def wheel(folder: Path, source: Path = ROOT) -> Path:
    return _built("wheel", folder, source)


def sdist(folder: Path) -> Path:
    return _built("sdist", folder, ROOT)


def _built(kind: str, folder: Path, source: Path) -> Path:
    code = f"import sys, hatchling.build as of; print(of.build_{kind}(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=True, timeout=HANG)
    return folder / done.stdout.strip()
