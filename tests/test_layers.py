"""Which folder imports which: what `layers.toml` says, and nothing else."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("generator", "exporters")
TABLE = {
    folder: {name if name.startswith((*PACKAGES, "*")) else f"generator/{name}" for name in may}
    for folder, may in tomllib.loads((ROOT / "tests" / "layers.toml").read_text("utf-8")).items()
}
EVERYTHING = {folder for folder, may in TABLE.items() if "*" in may}
FREE = {*PACKAGES, "generator/kinds"}  # may be imported from anywhere


def folder_of(path: Path) -> str:
    """The row that a module or a package belongs to; empty for modules beside the folders."""
    names = path.relative_to(ROOT).as_posix()
    return max((folder for folder in TABLE if f"{names}/".startswith(f"{folder}/")), key=len, default="")


def imports(path: Path) -> Iterator[str]:
    """The folders that a module imports when it runs, now or later."""
    yield from _imports(ast.parse(path.read_text("utf-8")))


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.partition(".")[0] in PACKAGES:
                yield folder_of(ROOT / name.replace(".", "/"))
        if not isinstance(node, ast.expr):  # which holds no statement
            yield from _imports(node)


def folders() -> list[str]:
    return sorted(
        path.parent.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("__init__.py")
    )


@pytest.mark.parametrize("folder", sorted(TABLE.keys() - EVERYTHING))
def test_a_folder_imports_what_its_row_names(folder: str) -> None:
    found = {
        other
        for path in (ROOT / folder).rglob("*.py")
        if folder_of(path) == folder
        for other in imports(path)
        if other not in ("", folder)
    }
    assert found == TABLE[folder]


def test_every_folder_of_code_has_a_row() -> None:
    for folder in folders():
        assert folder in FREE or folder_of(ROOT / folder), folder
