"""What commands over many seeds share: options, blocks handed to workers, and progress on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator.cli import common, progress
from generator.errors import BadInput, SpecError, UndercroftError
from generator.named_tuple import NamedTuple
from generator.value_words import how_many

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from generator.batch.search import Found, Query
    from generator.spec import LevelSpec

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


def seeds_option(*, required: bool, multiple: bool = False) -> Callable[[F], F]:
    """Add `--seeds A:B`, perhaps several times."""
    help_text = "The seeds from A up to, but not including, B."
    help_text += " May be given several times." if multiple else ""
    return click.option("--seeds", required=required, multiple=multiple, metavar="A:B", help=help_text)


def where_option(help_text: str) -> Callable[[F], F]:
    """Add `--where CONDITION`, perhaps several times."""
    help_text += " If given several times, a level has to meet all of them."
    return click.option("--where", "conditions", multiple=True, metavar="CONDITION", help=help_text)


def first_option(help_text: str) -> Callable[[F], F]:
    """Add `--first N`, how many levels are enough."""
    return click.option("--first", type=click.IntRange(1), metavar="N", help=help_text)


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    default=0,
    metavar="N",
    help="How many processes do the work; with 1, no others are started. Default: one for each core.",
)


class Workers(NamedTuple):
    """Who does the work: the values of the options that `works_on_many` adds."""

    jobs: int
    executor: str
    scheduler: str | None

    def opened(self) -> AbstractContextManager[tuple[Executor | None, int]]:
        """Open the executor, or None to work in this process, with its number of workers. Raises BadInput."""
        from generator.batch.run import executor_of

        return executor_of(self.executor, self.jobs, self.scheduler)

    @property
    def local(self) -> int:
        """How many processes on this machine share what is compiled ahead, 1 if they work elsewhere."""
        return self.jobs if self.executor == "processes" else 1


def works_on_many(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options `--jobs`, `--executor` and `--scheduler`, as its parameter `workers`."""
    from generator.cli.writing import with_record

    executor = click.option(
        "--executor",
        metavar="NAME",
        default="processes",
        show_default=True,
        help="Who does the work: processes, dask, or MODULE:NAME of an executor of concurrent.futures.",
    )
    scheduler = click.option(
        "--scheduler", metavar="ADDRESS", help="That of a Dask cluster, such as tcp://10.0.0.1:8786."
    )
    return with_record("workers", Workers, (jobs_option, executor, scheduler))(command)


def seeds_of(text: str, style: str) -> range:
    """Parse the seeds of `A:B`, without the first if the style has no such seed. Raises BadInput."""
    from generator.batch.run import count_of, seed_range
    from generator.styles.registry import style as style_of

    seeds = seed_range(text)
    try:
        style_of(style).read_seed(seeds[0])
    except SpecError:
        if count_of(seeds) == 1:
            raise BadInput(f"--seeds: {text}: {style} has no seed {seeds[0]}; give others") from None
        seeds = range(seeds.start + 1, seeds.stop)
        common.tell(f"--seeds: {style} has no seed {seeds.start - 1}; beginning at {seeds.start}")
    return seeds


def over_blocks(
    work: Callable[[Any], R], tasks: Iterable[Any], total: int, workers: Workers | int, label: str
) -> Iterator[R]:
    """Run `work` over tasks that end with their seeds, `total` in all, in order and with progress.

    `workers` may be a number of processes.
    """
    for _, result in over_tasks(work, tasks, total, workers, label):
        yield result


def over_tasks(
    work: Callable[[Any], R], tasks: Iterable[Any], total: int, workers: Workers | int, label: str
) -> Iterator[tuple[Any, R]]:
    """Do the same, and yield each task with its result."""
    from generator.batch.run import in_order
    from generator.batch.run import workers as processes

    opened = processes(workers) if isinstance(workers, int) else workers.opened()
    with opened as (executor, number), progress.working(label, total) as bar:
        for task, result in in_order(work, tasks, executor, number):
            yield task, result
            bar.update(len(task[-1]))


# --- levels that meet a condition --------------------------------------------------------------------


@contextmanager
def pointing_at_slips() -> Iterator[None]:
    """Show where a condition that cannot be read has its slip."""
    from generator.batch.condition import Slip

    try:
        yield
    except Slip as slip:
        if slip.text:
            progress.echo(slip.caret, err=True)
        raise


def query_of(spec: LevelSpec, conditions: Sequence[str]) -> Query:
    """Return what `--where` asks of a spec's levels. Raises Slip."""
    from generator.batch.condition import joined
    from generator.batch.search import Query

    with pointing_at_slips():
        query = Query(spec, joined(conditions))
        query.condition()
    return query


def chosen(
    query: Query, seeds: Sequence[int | str], first: int | None, place: str, *, workers: Workers | int
) -> Sequence[int | str]:
    """Return the first seeds, or all, whose levels meet a condition. Says how many gave no level.

    Only as much of a level is made as needed. `place` is where the condition is. Raises UndercroftError if
    no level meets it.
    """
    found: list[int | str] = []
    tried = failed = 0
    for block, hits in _searched(query, seeds, first, workers):
        found += hits
        tried += len(block.seeds)
        failed += block.failed
        if first and len(found) >= first:
            break
    if failed:
        common.tell(f"{how_many(failed, 'seed')} gave no level")
    if not found:
        problem = f"none of {how_many(tried, 'seed')} has a level that meets it"
        raise UndercroftError(f"{place}: {problem}; give more seeds, or ask for less")
    if first and len(found) < first:
        common.tell(f"{place}: {how_many(len(found), 'level')} found of {first:,}; no other seed has one")
    return found[:first]


def _searched(
    query: Query, seeds: Sequence[int | str], first: int | None, workers: Workers | int
) -> Iterator[tuple[Found, list[int | str]]]:
    """Yield blocks of a search, and their hits as they stand among the seeds: as numbers or texts."""
    from generator.batch.run import count_of
    from generator.batch.search import search_block, search_blocks
    from generator.styles.registry import style

    given: dict[int, int | str] = {}
    if isinstance(seeds, range):
        numbers: Sequence[int] = seeds
        total = count_of(seeds)
    else:
        given = {style(query.spec.style).read_seed(seed)[0]: seed for seed in seeds}
        numbers, total = [*given], len(given)
    tasks = search_blocks(query, numbers, first)
    for block in over_blocks(search_block, tasks, total, workers, "searching"):
        yield block, [given.get(hit.seed, hit.seed) for hit in block.hits]
