"""Which faults the tests notice: known small faults, each tried on a copy of the project.

    python -m tests.mutants                      # all of the list, against the tests near each
    python -m tests.mutants --only kinds,flows   # those whose module has one of these words in its path
    python -m tests.mutants --keep FOLDER        # what was tried is kept there, and a later run goes on
    python -m tests.mutants --again --keep FOLDER  # all again, first against the test that noticed the last time
    python -m tests.mutants --whole              # what survives there, against all tests without an engine
    python -m tests.mutants reach --keep FOLDER  # run all tests once, so that each mutant meets those that reach it
    python -m tests.mutants choose --number 150  # a new list

A row of `mutants.toml` names the function and the line, not its number, so that code may move. A row whose line is gone
is reported as lost; choose another one in its place. Exits with 1 if a mutant lives or is lost, or if a test that
noticed one fails without it, too.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path, PurePosixPath
from queue import SimpleQueue

import click

from tests.changed import ROOT
from tests.mutants import reach
from tests.mutants.operators import changes_of
from tests.mutants.trial import LIST, Copy, Mutant, Outcome, mutants, stages_of

_PACKAGES = ("generator", "exporters")
_REACHED, _TRIED = "reached.json", "tried.jsonl"
_kept = click.option(
    "--keep", type=click.Path(file_okay=False, path_type=Path), help="A folder for what is found out."
)
_jobs = click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 64))


@click.group(invoke_without_command=True)
@click.option(
    "--only", default="", help="Words, with commas between them, one of which is in the module's path."
)
@click.option("--whole", is_flag=True, help="Try what survives against all tests that need no engine.")
@click.option(
    "--again", is_flag=True, help="Try all again, first against the test that noticed the last time."
)
@_kept
@_jobs
@click.pass_context
def main(context: click.Context, only: str, whole: bool, again: bool, keep: Path | None, jobs: int) -> None:
    """Try the mutants of the list."""
    if context.invoked_subcommand:
        return
    words = [word for word in only.split(",") if word]
    wanted = [each for each in mutants() if not words or any(word in each.module for word in words)]
    with tempfile.TemporaryDirectory(prefix="undercroft-mutants-") as place:
        keep = keep or Path(place, "kept")
        keep.mkdir(parents=True, exist_ok=True)
        found = tried_before(keep)
        left = [mutant for mutant in wanted if again or mutant not in found]
        copies = [Copy(Path(place, str(number)), Path(place, "caches")) for number in range(jobs)]
        for number, (mutant, outcome) in enumerate(try_all(left, copies, keep, found, whole), 1):
            found[mutant] = outcome
            _tell(f"{number}/{len(left)}", mutant, outcome)
        outcomes = {mutant: found[mutant] for mutant in wanted}
        noticed = sorted({each.by for each in outcomes.values() if each.by.startswith("tests/")})
        fails_anyway, _ = copies[0].failures(noticed)
    for test in fails_anyway:
        click.echo(f"fails without any fault: {test}")
    click.echo(table(outcomes))
    sys.exit(bool(fails_anyway) or any(each.what != "killed" for each in outcomes.values()))


def try_all(
    left: list[Mutant], copies: list[Copy], keep: Path, before: dict[Mutant, Outcome], whole: bool
) -> Iterator[tuple[Mutant, Outcome]]:
    """Try each mutant on a copy that is free, and keep the outcome; `before` are earlier ones."""
    reached_file = keep / _REACHED
    reached = json.loads(reached_file.read_text("utf-8")) if reached_file.is_file() else {}
    free = SimpleQueue[Copy]()
    for copy in copies:
        free.put(copy)

    def tried(mutant: Mutant) -> tuple[Mutant, Outcome]:
        copy = free.get()
        try:
            by = before[mutant].by if mutant in before else ""
            known = [by] if by.startswith("tests/") else []
            return mutant, copy.outcome_of(mutant, [known, *stages_of(mutant, reached, whole=whole)])
        finally:
            free.put(copy)

    pool = ThreadPoolExecutor(len(copies))
    with (keep / _TRIED).open("a", encoding="utf-8") as ledger:
        try:
            for future in as_completed([pool.submit(tried, mutant) for mutant in left]):
                print(
                    json.dumps({"mutant": future.result()[0], "outcome": future.result()[1]}),
                    file=ledger,
                    flush=True,
                )
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def tried_before(keep: Path) -> dict[Mutant, Outcome]:
    """The outcomes that a folder keeps; the latest of each mutant."""
    ledger = keep / _TRIED
    lines = ledger.read_text("utf-8").splitlines() if ledger.is_file() else []
    rows = [json.loads(line) for line in lines]
    return {Mutant(*row["mutant"]): Outcome(*row["outcome"]) for row in rows}


def _tell(number: str, mutant: Mutant, outcome: Outcome) -> None:
    by = f", by {outcome.by}" if outcome.by else ""
    click.echo(
        f"{number} {outcome.what}: {mutant.place}: {mutant.before}{by} ({outcome.cpu:.0f} s)", err=True
    )
    if outcome.what != "killed":
        click.echo(f"    {mutant.after}", err=True)


def table(outcomes: dict[Mutant, Outcome]) -> str:
    """How many of each package were noticed."""
    parts = sorted({part_of(mutant) for mutant in outcomes})
    counts = Counter((part_of(mutant), outcome.what) for mutant, outcome in outcomes.items())
    rows = [f"{'part':32} killed  lives  lost"]
    for part in parts:
        killed, lives, lost = (counts[part, what] for what in ("killed", "lives", "lost"))
        rows.append(f"{part:32} {killed:6} {lives:6} {lost:5}")
    killed, lives, lost = (sum(counts[part, what] for part in parts) for what in ("killed", "lives", "lost"))
    cpu = sum(outcome.cpu for outcome in outcomes.values())
    return "\n".join(
        [*rows, f"{'all':32} {killed:6} {lives:6} {lost:5}", f"{cpu / 60:.1f} min of processor time"]
    )


def part_of(mutant: Mutant) -> str:
    """The package that a mutant is in, for the table."""
    parts = PurePosixPath(mutant.module).parts
    return "/".join(parts[: 3 if parts[1] == "formats" else 2]).removesuffix(".py")


@main.command(name="reach")
@_kept
@_jobs
def find_reached(keep: Path, jobs: int) -> None:
    """Run all tests once that need no engine, and keep which of them reach the functions of the list."""
    keep.mkdir(parents=True, exist_ok=True)
    functions: dict[str, set[str]] = {}
    for mutant in mutants():
        functions.setdefault(mutant.module, set()).add(mutant.function)
    with tempfile.TemporaryDirectory(prefix="undercroft-mutants-") as place:
        copy = Copy(Path(place, "copy"), Path(place, "caches"))
        for module, names in functions.items():
            if not reach.is_compiled(module):
                path = copy.folder / module
                path.write_text(reach.with_notes(path.read_text("utf-8"), module, names), "utf-8")
        notes = Path(place, "notes")
        copy.failures(
            ["tests/exporters", "tests/generator"], "-n", str(jobs), environment={reach.NOTES: str(notes)}
        )
        found = reach.reached(notes.read_text("utf-8"))
    (keep / _REACHED).write_text(json.dumps(found, indent=0), "utf-8")
    click.echo(f"{len(found)} functions are reached", err=True)


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
