"""Which faults the tests notice: known small faults, each tried on a copy of the project.

    python -m tests.mutants                      # all of the list, against the tests near each
    python -m tests.mutants --only kits,flows    # those whose module has one of these words in its path
    python -m tests.mutants --whole              # what survives there, against all tests without an engine
    python -m tests.mutants choose --number 150  # a new list

A row of `mutants.toml` names the function and the line, not its number, so that code may move. A row whose line is gone
is reported as lost; choose another one in its place. Exits with 1 if a mutant lives or is lost.
"""

from __future__ import annotations

import ast
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import click

from tests.changed import ROOT, nearest_tests
from tests.folders import files_of_the_project
from tests.mutants.operators import changes_of, functions_of

LIST = Path(__file__).parent / "mutants.toml"
MOST_CPU = 900  # s of processor time of one mutant's tests: one that loops for ever counts as noticed
_PACKAGES = ("generator", "exporters")


class Mutant(NamedTuple):
    """A fault: a line of a function, and what it becomes."""

    module: str
    function: str
    before: str
    after: str


def mutants() -> list[Mutant]:
    """The rows of the list."""
    return [Mutant(**row) for row in tomllib.loads(LIST.read_text("utf-8"))["mutant"]]


def with_fault(source: str, mutant: Mutant) -> str | None:
    """The source with the fault in it; None if its line is no longer there, or stands there more than once."""
    lines = source.split("\n")
    functions = dict(functions_of(ast.parse(source)))
    if (function := functions.get(mutant.function)) is None:
        return None
    rows = range(function.lineno - 1, function.end_lineno or 0)
    found = [row for row in rows if lines[row].strip() == mutant.before]
    if len(found) != 1:
        return None
    row = found[0]
    lines[row] = lines[row].replace(mutant.before, mutant.after)
    return "\n".join(lines)


@click.group(invoke_without_command=True)
@click.option(
    "--only", default="", help="Words, with commas between them, one of which is in the module's path."
)
@click.option("--whole", is_flag=True, help="Try what survives against all tests that need no engine.")
@click.pass_context
def main(context: click.Context, only: str, whole: bool) -> None:
    """Try the mutants of the list."""
    if context.invoked_subcommand:
        return
    words = [word for word in only.split(",") if word]
    tried = [each for each in mutants() if not words or any(word in each.module for word in words)]
    outcomes = Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory(prefix="undercroft-mutants-") as folder:
        copy_of_the_project(Path(folder))
        for number, mutant in enumerate(tried, 1):
            outcome = outcome_of(mutant, Path(folder), whole)
            outcomes[part_of(mutant), outcome] += 1
            click.echo(
                f"{number}/{len(tried)} {outcome}: {mutant.module}: {mutant.function}: {mutant.before}",
                err=True,
            )
            if outcome != "killed":
                click.echo(f"    {mutant.after}", err=True)
    click.echo(table(outcomes))
    sys.exit(any(outcome != "killed" for _, outcome in outcomes))


def copy_of_the_project(folder: Path) -> None:
    """All files that git knows or would add, to change at will."""
    for name in files_of_the_project():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)


def outcome_of(mutant: Mutant, folder: Path, whole: bool) -> str:
    """`killed`, `lives` or `lost`."""
    path = folder / mutant.module
    source = path.read_text("utf-8") if path.is_file() else ""
    changed = with_fault(source, mutant) if source else None
    if changed is None:
        return "lost"
    path.write_text(changed, "utf-8")
    try:
        stages = [nearest_files(mutant.module), *([["tests"]] if whole else [])]
        return "killed" if any(tests and not passes(tests, folder) for tests in stages) else "lives"
    finally:
        path.write_text(source, "utf-8")


def nearest_files(module: str) -> list[str]:
    """The tests near a module: its mirror, the folder that mirrors its folder, then those that import it."""
    mirror = PurePosixPath("tests") / PurePosixPath(module).parent
    near = nearest_tests([module])
    beside = {each.relative_to(ROOT).as_posix() for each in (ROOT / mirror).glob("test_*.py")}
    own = str(mirror / f"test_{PurePosixPath(module).name}")
    return sorted(near | beside, key=lambda test: (test != own, test not in beside, test))


def passes(tests: list[str], folder: Path) -> bool:
    """Whether the tests pass on the copy."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-m",
        "not engine",
    ]
    without_lints = ["--deselect", "tests/test_architecture.py::test_style_and_types"]
    paths = f"{folder}:{folder / 'exporters' / 'public'}"
    env = {**_environment(), "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*command, *without_lints, *tests],
        cwd=folder,
        env=env,
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU, MOST_CPU)),
    )
    return done.returncode in (0, 5)  # 5: there was no test


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}


def part_of(mutant: Mutant) -> str:
    """The package that a mutant is in, for the table."""
    return "/".join(PurePosixPath(mutant.module).parts[:2]).removesuffix(".py")


def table(outcomes: Counter[tuple[str, str]]) -> str:
    """How many of each part were noticed."""
    parts = sorted({part for part, _ in outcomes})
    rows = [f"{'part':32} killed  lives  lost"]
    for part in [*parts, "all"]:
        counts = [
            sum(count for (of, what), count in outcomes.items() if what == outcome and part in (of, "all"))
            for outcome in ("killed", "lives", "lost")
        ]
        rows.append(f"{part:32} {counts[0]:6} {counts[1]:6} {counts[2]:5}")
    return "\n".join(rows)


@main.command()
@click.option("--number", default=150, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--seed", default=0, show_default=True, type=int)
def choose(number: int, seed: int) -> None:
    """Write a new list: one change in each of a random sample of functions."""
    by_function: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in _possible():
        by_function.setdefault((mutant.module, mutant.function), []).append(mutant)
    chance = random.Random(seed)
    functions = chance.sample(sorted(by_function), min(number, len(by_function)))
    chosen = sorted(chance.choice(by_function[function]) for function in functions)
    LIST.write_text("\n".join(_row(mutant) for mutant in chosen), "utf-8")
    click.echo(f"{len(chosen)} mutants from {len(by_function)} functions")


def _possible() -> Iterator[Mutant]:
    for package in _PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = path.relative_to(ROOT).as_posix()
            yield from (Mutant(module, *change) for change in changes_of(path.read_text("utf-8")))


def _row(mutant: Mutant) -> str:
    values = (f"{key} = {json.dumps(value)}" for key, value in mutant._asdict().items())
    return "\n".join(["[[mutant]]", *values, ""])


if __name__ == "__main__":
    main()
