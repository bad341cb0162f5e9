"""What did I break? Style, types, architecture, and the tests near the changed files, in about a minute.

    python -m tests.changed                 # what differs from the last commit, new files included
    python -m tests.changed --since main~3  # from an older one
    python -m tests.changed --engines       # with the tests that run Godot, Tiled or Chromium

Near a changed module are the tests that import it, and those in the file that mirrors it; near a page, the tests of the
docs and those that name it. A helper of the tests is followed to the tests that use it. Nearly everything imports nearly
everything else in the end, so further arrows are not followed: the whole suite tells what they carry.
"""

from __future__ import annotations

import ast
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
    """The files that differ from a commit, those that git does not know yet included; paths from the root."""
    lists = (("diff", "--name-only", since), ("ls-files", "--others", "--exclude-standard"))
    lines = [subprocess.check_output(("git", *each), cwd=ROOT, text=True).splitlines() for each in lists]
    return sorted({line for each in lines for line in each})


def nearest_tests(files: Iterable[str]) -> set[str]:
    """The test files near changed files: those that mirror them, and those that import them."""
    near: set[str] = set()
    left = [place for file in files for place in _modules_for(file)]
    seen = set(left)
    while left:
        module = left.pop()
        if _is_test(module):
            near.add(module)
            continue
        users = _users().get(module, set())
        # From a helper of the tests on to whatever uses it; from the product's modules only one step.
        followed = {user for user in users if user.startswith("tests/")} | _mirrored(module)
        left += followed - seen
        seen |= followed
    return near


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_")


def _modules_for(file: str) -> Iterator[str]:
    """The module itself; for a page the tests of the docs; for any other file the modules that lie beside it."""
    path = PurePosixPath(file)
    if path.suffix == ".py":
        yield file
        if path.name == "conftest.py" and len(path.parts) > 2:  # that of all tests is tried by `test_suite`
            yield from (each.relative_to(ROOT).as_posix() for each in (ROOT / path.parent).glob("test_*.py"))
    elif path.suffix == ".md":
        yield "tests/test_docs.py"
        yield "tests/test_stated_numbers.py"
        if path.parts[0] == "docs":
            yield from (test for test, text in _texts().items() if path.name in text)
    elif path.parts[0] == "godot_addon":
        yield "tests/godot_addon/test_style.py"
        yield "tests/godot_addon/test_versions.py"
    else:
        beside = next((folder for folder in path.parents if any((ROOT / folder).glob("*.py"))), None)
        yield from (
            (each.relative_to(ROOT).as_posix() for each in (ROOT / beside).glob("*.py")) if beside else ()
        )


@cache
def _texts() -> dict[str, str]:
    """The files of tests, and what stands in them."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def _mirrored(module: str) -> set[str]:
    """`tests/exporters/tiled/test_wangsets.py` of `exporters/tiled/wangsets.py`, if there is such a file."""
    path = PurePosixPath(module)
    test = PurePosixPath("tests") / path.with_name(f"test_{path.name}")
    return {str(test)} if (ROOT / test).is_file() else set()


@cache
def _users() -> dict[str, set[str]]:
    """Which modules import a module, late imports included; paths from the root."""
    users: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            user = path.relative_to(ROOT)
            with no_collections():
                names = {*_imported(path, ".".join(user.parent.parts))}
            for used in filter(None, map(_file_of, names)):
                users.setdefault(used, set()).add(user.as_posix())
    return users


def _imported(path: Path, package: str) -> Iterator[str]:
    """The dotted names that a module imports, each perhaps a module and perhaps something in one."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            home = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{home}.{alias.name}" for alias in node.names)


@cache
def _file_of(name: str) -> str | None:
    """The file of a dotted name, or of the module that it is in."""
    parts = name.split(".")
    if parts[0] not in PACKAGES:
        return None
    for end in (len(parts), len(parts) - 1):
        place = ROOT.joinpath(*parts[:end])
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if end and file.is_file():
                return file.relative_to(ROOT).as_posix()
    return None


if __name__ == "__main__":
    main()
