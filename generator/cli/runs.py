"""What commands over many seeds share: options, blocks handed to workers, and progress on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator.cli import common, progress, streams
from generator.errors import BadInput, SpecError, UndercroftError, shown
from generator.files import parsed_json
from generator.named_tuple import NamedTuple
from generator.pattern import pattern
from generator.seeds import MAX_TEXT, count_of
from generator.value_words import how_many

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from generator.batch.search import Hit, Query, Search
    from generator.level import Level
    from generator.spec import LevelSpec

_SEEDS_HELP = (
    "The seeds from A up to, but not including, B; or a FILE, or - for standard input, with a seed a line or "
    "what `search` prints."
)
_MAX_LINES = 1_000_001  # of a file of seeds: a million, and the last of `search --json`
MAX_LINE = 1 << 16  # bytes
_RANGE = pattern(r"[0-9]*:[0-9]*")  # never a file's name
_HIT = pattern(r"([0-9]+)  \S.* = ")  # what `search` prints for people
_HEADER = pattern(r'(?:seed|"seed")(?:([,;\t])\S.*)?')  # of its tables, also as spreadsheets save them

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


def seeds_option(help_text: str = "", *, multiple: bool = False, **attributes: Any) -> Callable[[F], F]:
    """Add `--seeds`, perhaps several times, with a help that begins with this text."""
    help_text += _SEEDS_HELP + " May be given several times." * multiple
    return click.option("--seeds", multiple=multiple, metavar="A:B|FILE", help=help_text, **attributes)


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


def seeds_of(text: str, style: str) -> Sequence[int]:
    """Read the seeds of `--seeds` as numbers. Raises BadInput."""
    from generator.styles.registry import style as style_of

    seeds = own_seeds_of(text, style)
    if isinstance(seeds, range):
        return seeds
    return [style_of(style).read_seed(seed)[0] for seed in seeds]


def own_seeds_of(text: str, style: str) -> range | Sequence[int | str]:
    """Read the seeds of `--seeds`: a range, or those of a file as they are there, each once.

    A range begins with the second seed if the style has no such first one. Raises BadInput.
    """
    from generator.batch.run import seed_range, usable_range
    from generator.styles.registry import style as style_of

    read_seed = style_of(style).read_seed
    if _is_of_file(text):
        found: dict[int | str, None] = {}
        for seed, line in _seed_lines(text).items():
            try:
                number, own = read_seed(seed)
            except SpecError as error:
                raise BadInput(f"{streams.name_of(text)}:{line}: {error}") from None
            found[number if own is None else own] = None
        return [*found]
    seeds = seed_range(text)
    try:
        usable = usable_range(seeds, read_seed)
    except SpecError:
        raise BadInput(f"--seeds: {text}: {style} has no seed {seeds[0]}; give others") from None
    if usable != seeds:
        common.tell(f"--seeds: {style} has no seed {seeds[0]}; beginning at {usable[0]}")
    return usable


def _is_of_file(text: str) -> bool:
    if _RANGE.fullmatch(text):
        return False
    with suppress(OSError, ValueError):  # of what cannot be a path
        return streams.is_dash(text) or Path(text).exists()
    return False


def _seed_lines(text: str) -> dict[str, int]:
    """Return the seeds in a file or on standard input, as they are there, with the line of each."""
    read: dict[str, dict[str, int]] = click.get_current_context().meta.setdefault(__name__, {})
    if text in read:  # several specs of a command have them
        return read[text]
    name = streams.name_of(text)
    seeds = seeds_in(streams.lines_of(streams.path_of(text), MAX_LINE, BadInput), name)
    if not seeds:
        raise BadInput(f"{name}: has no seeds; give one a line, or a range such as 0:1000")
    return read.setdefault(text, seeds)


def seeds_in(lines: Iterable[bytes], name: str) -> dict[str, int]:
    """Return the seeds in lines of a file or a stream of this name, with the line of each.

    Lines that begin with # are comments.
    """
    seeds: dict[str, int] = {}
    again = 0
    separator = ""  # of a table
    for number, line in enumerate(lines, 1):
        if number > _MAX_LINES:
            raise BadInput(f"{name}: has more than {_MAX_LINES} lines; give fewer, or a range")
        text = _text_of(line, f"{name}:{number}")
        if text.startswith("#"):
            continue
        if (header := _HEADER.fullmatch(text)) and (separator or not seeds):
            separator = header[1] or ","
            continue
        if seed := _seed_in(text, separator, f"{name}:{number}"):
            again += seed in seeds
            seeds.setdefault(seed, number)
    if again:
        common.tell(f"{name}: {how_many(again, 'seed')} came again; each counts once")
    return seeds


def is_hit(text: str) -> bool:
    """Check whether a text begins with a line of what `search` prints for people."""
    return _HIT.match(text) is not None


def _text_of(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8").strip()
    except UnicodeDecodeError as reason:
        raise BadInput(f"{where}: is not UTF-8 at byte {reason.start}; give UTF-8") from None


def _seed_in(text: str, separator: str, where: str) -> str:
    """Return the seed that a line is, or that an event, a row of a table or a line of `search` has.

    Empty if there is none. Raises BadInput, also for the event of a command that failed.
    """
    if separator:
        seed = _first_cell(text, separator, where)
    elif text.startswith("{"):
        seed = _seed_of_event(text, where)
    else:
        found = _HIT.match(text)
        seed = found[1] if found else text
    if len(seed) > MAX_TEXT:
        raise BadInput(
            f"{where}: seed: {shown(seed)} is longer than {MAX_TEXT} characters; give a shorter one"
        )
    return seed


def _first_cell(row: str, separator: str, where: str) -> str:
    import csv

    try:
        return next(csv.reader([row], delimiter=separator, strict=True), [""])[0].strip()
    except csv.Error as reason:
        raise BadInput(f"{where}: is not a row of CSV: {reason}; give one line a row") from None


def _seed_of_event(text: str, where: str) -> str:
    event = parsed_json(text.encode(), where, BadInput)
    if event.get("event") == "error":
        message = shown(event.get("message"), 300)
        raise BadInput(f"{where}: is of a command that failed, with {message}; mend that first")
    seed = event.get("seed", "")
    if type(seed) not in (str, int):
        raise BadInput(f"{where}: seed: {shown(seed)} is not a seed; give a number or a text")
    return str(seed)


def over_blocks(
    work: Callable[[Any], R], tasks: Iterable[Any], total: int, workers: Workers | int, label: str
) -> Iterator[R]:
    """Run `work` over tasks that end with their seeds, `total` in all, in order and with progress.

    `workers` may be a number of processes. Whoever has enough leaves the loop, which ends them.
    """
    for _, result in over_tasks(work, tasks, total, workers, label):
        yield result


def over_tasks(
    work: Callable[[Any], R], tasks: Iterable[Any], total: int, workers: Workers | int, label: str
) -> Iterator[tuple[Any, R]]:
    """Do the same for all of them, and yield each task with its result."""
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
    """Return what `--where` asks of a spec's levels. Raises Slip, and BadInput for `--first` alone."""
    from generator.batch.condition import joined
    from generator.batch.search import ALONE, Query

    if not conditions:
        raise BadInput(f"--first: {ALONE}; give --where too")
    with pointing_at_slips():
        query = Query(spec, joined(conditions))
        query.condition()
    return query


def hits_of(
    search: Search,
    workers: Workers | int,
    keep: Callable[[], object] = list,
    made: dict[int, Level] | None = None,
) -> Iterator[Hit]:
    """Yield the hits of a search, as they are found. `keep` is called after each block.

    Some levels that this process made are put into `made`.
    """
    from generator.batch.search import search_block

    yield from [*search.hits]
    work = search_block if made is None else partial(search_block, made=made)
    tasks, left = search.tasks(), count_of(search.left)
    for block in over_blocks(work, tasks, left, workers, "searching"):
        yield from search.add(block)
        keep()
        if search.has_enough:
            break


def chosen(
    query: Query,
    seeds: Sequence[int | str],
    first: int | None,
    place: str,
    *,
    workers: Workers | int,
    made: dict[int, Level] | None = None,
) -> Sequence[int | str]:
    """Return the first seeds, or all, whose levels meet a condition. Says how many gave no level.

    Only as much of a level is made as needed. `place` is where the condition is, and `made` as for `hits_of`.
    Raises UndercroftError if no level meets it.
    """
    from generator.batch.search import Search
    from generator.styles.registry import style

    given: dict[int, int | str] = {}  # as they stand among the seeds: as numbers or texts
    if not isinstance(seeds, range):
        given = {style(query.spec.style).read_seed(seed)[0]: seed for seed in seeds}
    search = Search(query, seeds if isinstance(seeds, range) else [*given], first)
    found = [given.get(hit.seed, hit.seed) for hit in hits_of(search, workers, made=made)]
    if search.failed:
        common.tell(f"{how_many(len(search.failed), 'seed')} gave no level")
    if not found:
        problem = f"none of {how_many(search.next, 'seed')} has a level that meets it"
        raise UndercroftError(f"{place}: {problem}; give more seeds, or ask for less")
    if first and len(found) < first:
        common.tell(f"{place}: {how_many(len(found), 'level')} found of {first:,}; no other seed has one")
    return found
