"""Packages that add to Undercroft, installed for a test."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.styles import registry
from tests import commands
from tests.engines import HANG

ROOT = Path(__file__).parent.parent
CAVES = ROOT / "docs" / "examples" / "caves"


def install(source: Path, target: Path) -> Path:
    """Install a package as a person would, but into a folder, from which nobody has to remove it."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    command += ["--disable-pip-version-check", "--target", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG)
    assert done.returncode == 0, done.stderr
    return target


def fake(target: Path, name: str, code: str, group: str, *entries: str) -> Path:
    """A package as if it were installed: a module of that name, and its entry points, as NAME=MODULE:OBJECT."""
    (target / f"{name}-1.0.dist-info").mkdir(parents=True)
    (target / f"{name}.py").write_text(code, "utf-8")
    (target / f"{name}-1.0.dist-info" / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8"
    )
    points = "\n".join([f"[{group}]", *entries])
    (target / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(points, "utf-8")
    return target


def undercroft(packages: Path, cwd: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the command, with the packages of a folder installed."""
    with installed_here(packages):
        return commands.undercroft(*args, cwd=cwd)


@contextmanager
def installed_here(packages: Path) -> Iterator[None]:
    """In this process too, for as long as it lasts."""
    before = set(sys.modules)
    sys.path.insert(0, str(packages))
    importlib.invalidate_caches()
    registry._other.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(packages))
        registry._other.cache_clear()
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(packages)):
                del sys.modules[name]
