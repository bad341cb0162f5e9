"""What stands in a folder, without the store that every command keeps there of what it wrote."""

from __future__ import annotations

import subprocess
from pathlib import Path

from exporters.edits.store import HOME
from tests.engines import HANG

ROOT = Path(__file__).parent.parent


def entries(folder: Path) -> list[Path]:
    """The files and folders in a folder, in the order of their names."""
    return sorted(path for path in folder.iterdir() if path.name != HOME)


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its path, and what it holds."""
    found = (path for path in sorted(folder.rglob("*")) if HOME not in path.parts and path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def files_of_the_project() -> list[str]:
    """The paths of all files that the project consists of; an unpacked sdist holds nothing else."""
    if not (ROOT / ".git").exists():
        return [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.rglob("*")) if path.is_file()]
    command = ["git", "ls-files"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=HANG)
    return done.stdout.splitlines()
