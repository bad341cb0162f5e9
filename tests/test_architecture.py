"""How the code is laid out: the arrow between the packages, late imports, sizes, style and types."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(path for package in ("generator", "exporters") for path in (ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module(path: Path) -> None:
    """It says what it is, is short, and the generator knows no exporter but in its command line."""
    text = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 310
    if path.is_relative_to(ROOT / "generator") and not path.is_relative_to(ROOT / "generator" / "cli"):
        assert not [name for name in imported(path) if name.split(".")[0] == "exporters"]


def modules_after(code: str) -> set[str]:
    probe = f"{code}\nimport sys\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_a_floorplan_needs_no_more_than_numpy() -> None:
    found = modules_after("import generator\ngenerator.generate('isaac', until='floorplan')")
    assert not {"scipy", "shapely", "PIL", "click", "exporters"} & found
    later = (
        "generator.interiors",
        "generator.tiles",
        "generator.cli",
        "generator.picture",
        "generator.checks",
    )
    assert not [name for name in found if name.startswith(later)]


def test_a_scene_needs_neither_scipy_nor_pillow() -> None:
    found = modules_after(
        "import generator, exporters\nexporters.export(generator.generate('isaac'), ['godot'])"
    )
    assert "shapely" in found
    assert not {"scipy", "PIL", "click"} & found


@pytest.mark.parametrize(
    "tool",
    [
        ["ruff", "check", "--quiet", "."],
        ["ruff", "format", "--check", "--quiet", "."],
        ["mypy"],
        ["mypy", "--strict", "docs/art", "tests/engines.py", "tests/browser.py"],
    ],
    ids=lambda tool: " ".join(tool[:2]),
)
@pytest.mark.xdist_group("tools")
def test_style_and_types(tool: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
