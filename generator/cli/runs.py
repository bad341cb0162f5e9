"""What commands over many seeds share: options, blocks handed to workers, and progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


def seeds_option(*, required: bool, multiple: bool = False) -> Callable[[F], F]:
    """`--seeds A:B`, perhaps several times."""
    told = "The seeds from A up to B, B itself not among them."
    told += " May be given several times." if multiple else ""
    return click.option("--seeds", required=required, multiple=multiple, metavar="A:B", help=told)


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=0,
    metavar="N",
    help="Worker processes; 1 works in this one. Default: as many as there are cores.",
)


def over_blocks(
    work: Callable[[Any], R], tasks: Iterable[Any], total: int, jobs: int, what: str
) -> Iterator[R]:
    """`work` over tasks, each of which ends with its seeds, `total` in all; in order, with progress."""
    from generator.batch.run import in_order, workers

    shown = sys.stderr.isatty() and not sys.stdout.isatty()  # results would tear the bar apart
    with (
        workers(jobs) as (executor, number),
        click.progressbar(length=total, label=what, file=sys.stderr, show_pos=True, hidden=not shown) as bar,
    ):
        for task, result in in_order(work, tasks, executor, number):
            yield result
            bar.update(len(task[-1]))
