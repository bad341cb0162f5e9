"""What did I break? Style, types, architecture, and the tests near the changed files, in a minute or two.

    python -m tests.changed                 # what differs from the last commit, new files included
    python -m tests.changed --since main~3  # from an older one
    python -m tests.changed --engines       # with the tests that run Godot, Tiled or Chromium

Near a changed module are the tests that import it, and those in the folder that mirrors its own; near a page, the tests
of the docs and those that name it. A helper of the tests is followed to the tests that use it. Nearly everything imports
nearly everything else in the end, so further arrows are not followed: the whole suite tells what they carry.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import click

from generator.garbage import no_collections
from tests import lints

ROOT = Path(__file__).parent.parent
PACKAGES = ("generator", "exporters", "tests")
ALWAYS = ("tests/test_architecture.py", "tests/test_suite.py")


@click.command()
@click.option("--since", default="HEAD", show_default=True, help="The commit to compare the files with.")
@click.option("--engines", is_flag=True, help="Run the tests that need an engine, too.")
def main(since: str, engines: bool) -> None:
    """Check what the changed files may have broken; say all that is wrong, not only the first thing."""
    files = changed_files(since)
    tests = nearest_tests(files)
    click.echo(f"{len(files)} changed files; {len(tests)} test files near them", err=True)
    marks = () if engines else ("-m", "not engine")
    without_lints = ("--deselect", "tests/test_architecture.py::test_style_and_types")
    run_tests = ("pytest", *marks, *without_lints, *sorted({*tests, *ALWAYS}))
    has_lints = lints.main()
    failed = subprocess.run((sys.executable, "-m", *run_tests), cwd=ROOT, check=False).returncode
    sys.exit(has_lints or failed)


def changed_files(since: str) -> list[str]:
    """The files that differ from a commit, new ones and those that are gone included; paths from the root."""
    lists = (("diff", "--name-only", "--no-renames", since), ("ls-files", "--others", "--exclude-standard"))
    lines = [subprocess.check_output(("git", *each), cwd=ROOT, text=True).splitlines() for each in lists]
    return sorted({line for each in lines for line in each})


def nearest_tests(files: Iterable[str]) -> set[str]:
    """The test files near changed files: those beside their mirrors, and those that import them."""
    near: set[str] = set()
    left = [place for file in files for place in _modules_for(file)]
    seen = set(left)
    while left:
        module = left.pop()
        if _is_test(module):
            near |= {module} if (ROOT / module).is_file() else set()
            continue
        users = _users().get(module, set())
        # From a helper of the tests on to whatever uses it; from the product's modules only one step.
        followed = {user for user in users if user.startswith("tests/")} | tests_beside(module)
        left += followed - seen
        seen |= followed
    return near


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_")


def _modules_for(file: str) -> Iterator[str]:
    """The module itself; for a page the tests of the docs; for any other file the modules or tests that may read it."""
    path = PurePosixPath(file)
    is_in_package = path.parts[0] in PACKAGES
    if path.suffix == ".py" and is_in_package:
        yield file
        if path.name == "conftest.py" and len(path.parts) > 2:  # that of all tests is tried by `test_suite`
            yield from (each.relative_to(ROOT).as_posix() for each in (ROOT / path.parent).glob("test_*.py"))
    elif path.suffix == ".md":
        yield "tests/test_docs.py"
        yield "tests/test_stated_numbers.py"
        if path.parts[0] == "docs":
            yield from (test for test, text in _texts().items() if path.name in text)
    elif path.parts[0] == "godot_addon":
        yield from _tests_of_addon(path)
    elif is_in_package:
        folders = (sorted((ROOT / folder).glob("*.py")) for folder in path.parents)
        beside = next(filter(None, folders))
        naming = [each for each in beside if path.name in each.read_text("utf-8")]
        yield from (each.relative_to(ROOT).as_posix() for each in naming or beside)
        yield from (test for test, text in _texts().items() if path.name in text)
    else:
        if path.parts[0] == "docs":
            yield "tests/test_site.py"
        named = "|".join(map(re.escape, path.parts[1:] or path.parts))
        yield from (test for test, text in _texts().items() if re.search(rf'["/]({named})"', text))


def _tests_of_addon(path: PurePosixPath) -> Iterator[str]:
    """Those in the folder that is named like one of the path's; if there is none, all."""
    home = PurePosixPath("tests/godot_addon")
    folder = next((home / part for part in path.parts[1:-1] if (ROOT / home / part).is_dir()), home)
    tests = {*(ROOT / home).glob("test_*.py"), *(ROOT / folder).rglob("test_*.py")}
    yield from (test.relative_to(ROOT).as_posix() for test in tests)


@cache
def _texts() -> dict[str, str]:
    """The files of tests, and what stands in them."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def tests_beside(module: str) -> set[str]:
    """The tests in the folder that mirrors that of a module of the product, or in the next one above that holds any."""
    path = PurePosixPath(module)
    if path.parts[0] == "tests":
        return set()
    folders = (ROOT / "tests" / folder for folder in path.parents)
    found = (set(folder.glob("test_*.py")) for folder in folders)
    return {test.relative_to(ROOT).as_posix() for test in next(filter(None, found), set())}


@cache
def _users() -> dict[str, set[str]]:
    """Which modules import a module, late imports included; paths from the root."""
    users: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            user = path.relative_to(ROOT)
            with no_collections():
                names = {*_imported(path, ".".join(user.parent.parts))}
            for used in {file for name in names for file in _files_of(name)}:
                users.setdefault(used, set()).add(user.as_posix())
    return users


def _imported(path: Path, package: str) -> Iterator[str]:
    """The dotted names that a module imports, each perhaps a module and perhaps something in one."""
    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            home = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{home}.{alias.name}" for alias in node.names)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements of a module, however deep. Most nodes are expressions, which hold none."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.expr):
            yield node
            yield from statements(node)


@cache
def _files_of(name: str) -> list[str]:
    """The file of a dotted name, or of the module that it is in, after those that might have been it and are gone."""
    parts = name.split(".")
    if parts[0] not in PACKAGES:
        return []
    places = ["/".join(parts[:end]) for end in (len(parts), len(parts) - 1) if end]
    files = [f"{place}{end}" for place in places for end in (".py", "/__init__.py")]
    there = next((number for number, file in enumerate(files) if (ROOT / file).is_file()), len(files))
    return files[: there + 1]


if __name__ == "__main__":
    main()
