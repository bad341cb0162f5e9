"""What commands import: a module more makes every start of a command slower, and nobody sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "imports.txt"
UPDATE = bool(os.environ.get("UNDERCROFT_UPDATE_GOLDENS"))

COMMANDS = {
    "help": ["--help"],
    "describe": ["describe"],
    "floorplan": ["show", "isaac", "--floorplan"],
    "json": ["generate", "isaac", "--to", "json", "--out", "levels"],
    "godot": ["generate", "isaac", "--to", "godot", "--out", "levels"],
}
OURS = ("generator", "exporters")
# Of other modules, which differ by version of Python, only those that take long to import.
HEAVY = {
    *("PIL", "asyncio", "concurrent.futures", "http", "importlib.metadata", "logging", "multiprocessing"),
    *("networkx", "numba", "numpy", "numpy.ma", "scipy", "shapely", "sqlite3", "tomllib", "xml"),
}
RUN = """if True:
    import contextlib, io, sys
    from generator.cli import main
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        main(sys.argv[1:])
    print(*sys.modules)
"""


def test_commands_import_what_they_need(tmp_path: Path) -> None:
    """`UNDERCROFT_UPDATE_GOLDENS=1 pytest tests/test_imports.py` renews the list, if a module is needed."""
    of_command = {name: imported(words, tmp_path) for name, words in COMMANDS.items()}
    lines = [
        f"{module:50}{' '.join(name for name, modules in of_command.items() if module in modules)}\n"
        for module in sorted(set().union(*of_command.values()))
    ]
    if UPDATE:
        KEPT.write_text("".join(lines), "utf-8")
    assert lines == KEPT.read_text("utf-8").splitlines(keepends=True), "UNDERCROFT_UPDATE_GOLDENS=1 renews it"


def test_what_lists_things_or_plans_needs_no_numpy_and_a_scene_no_scipy() -> None:
    """A dock asks what there is as soon as it opens, and the first level must come soon."""
    rows = [line.split() for line in KEPT.read_text("utf-8").splitlines()]
    needed = {name: HEAVY & {module for module, *names in rows if name in names} for name in COMMANDS}
    assert needed == {
        "help": {"tomllib"},  # its examples
        "describe": {"importlib.metadata", "tomllib"},  # formats and styles of other packages, and examples
        "floorplan": set(),
        "json": {"numpy", "sqlite3"},
        "godot": {"numpy", "sqlite3"},
    }


def test_the_other_floorplans_on_a_grid_need_no_numpy_either(tmp_path: Path) -> None:
    assert "numpy" not in imported(["show", "rebirth", "--floorplan"], tmp_path)


def imported(words: list[str], folder: Path) -> set[str]:
    """Run a command in a new Python, and return our modules that it imported, and heavy ones."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", RUN, *words], cwd=folder, capture_output=True, text=True, check=True, env=environment)  # fmt: skip
    return {name for name in done.stdout.split() if name in HEAVY or name.partition(".")[0] in OURS}
