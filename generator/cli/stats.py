"""`undercroft stats`: the distributions of facts over many levels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, runs

if TYPE_CHECKING:
    from generator.batch.stats import Stats

_BAR = 30  # characters
_MOST_ROWS = 24  # of one fact; more are put together


@click.command()
@click.argument("spec")
@common.set_option
@runs.seeds_option(required=True)
@click.option("--fact", "names", multiple=True, metavar="NAME", help="A fact to count; repeat as needed.")
@runs.jobs_option
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A baseline, made with --json: tell which distributions moved.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.02,
    show_default=True,
    help="How far a distribution may move: half the sum of the differences of shares.",
)
@common.json_option
def command(
    spec: str,
    values: tuple[str, ...],
    seeds: str,
    names: tuple[str, ...],
    jobs: int,
    against: Path | None,
    threshold: float,
    as_json: bool,
) -> None:
    """Count what the levels of SPEC are like: rooms, kinds, distances, sizes, failures and more.

    With --against the exit status is 1 if a distribution moved beyond the threshold.
    """
    from generator.batch.run import blocks_of, seed_range
    from generator.batch.stats import BLOCK, USUAL, asked_for, count_block, load_stats, merged, moved

    level_spec, names = common.spec_with(spec, values), names or USUAL
    asked_for(names)
    baseline = load_stats(against) if against else None
    tasks = [(level_spec, names, block) for block in blocks_of(seed_range(seeds), BLOCK)]
    stats = merged(runs.over_blocks(count_block, tasks, jobs, "counting"))
    apart = moved(stats, baseline, threshold) if baseline else []
    if as_json:
        more = {"moved": dict(apart)} if baseline else {}
        click.echo(json.dumps({**stats.to_dict(), **more}))
    else:
        _print_table(stats)
        for name, distance in apart:
            click.echo(f"{name} moved by {distance:.3f}")
    if apart:
        raise SystemExit(1)


def _print_table(stats: Stats) -> None:
    """A line an answer: its share of the levels, and a bar."""
    from generator.batch.stats import ordered

    for name, counts in stats.facts.items():
        total = sum(counts.values())
        rows = ordered(counts)
        click.echo(f"{name}: {_summary(rows, total)}")
        if len(rows) > _MOST_ROWS:
            continue
        most = max(counts.values())
        for answer, count in rows:
            bar = "#" * round(_BAR * count / most)
            click.echo(f"  {'-' if answer is None else answer:>12} {count / total:7.2%} {bar}")


def _summary(rows: Sequence[tuple[object, int]], total: int) -> str:
    """Least, middle, mean and greatest of the numbers."""
    numbers = [(answer, count) for answer, count in rows if isinstance(answer, (int, float))]
    if not numbers:
        return f"{total} levels"
    told = sum(count for _, count in numbers)
    mean = sum(answer * count for answer, count in numbers) / told
    seen = accumulate(count for _, count in numbers)
    median = next(answer for (answer, _), until in zip(numbers, seen, strict=True) if 2 * until >= told)
    return f"{numbers[0][0]} to {numbers[-1][0]}, median {median}, mean {mean:.2f}"
