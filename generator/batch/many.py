"""The library's functions over many seeds: levels, the seeds that meet a condition, and statistics.

    for level in levels("isaac", range(1000), jobs=4, stage=3): ...
    for hit in search("rebirth", "rooms.boss.distance >= 9", range(1, 100_000), jobs=4): ...
    stats("gungeon", range(1000)).facts["rooms"]

All three take what `generate` takes as a spec, and any whole numbers as seeds, also an endless sequence if
results come one by one; `levels` takes texts too. Results come in the order of the seeds, and are the same
for any number of jobs. A range may begin with a seed that the style does not have, such as seed 0 of
`rebirth`: it is left out, with a warning.

With `jobs` other than 1 the work is done in that many processes; 0 means one per core. They import the main
module again, as Python's processes do, so a script keeps its work below `if __name__ == "__main__":`. Only a
few blocks of seeds are under way at a time, so memory stays bounded however many seeds there are. Leaving the
loop early, or `close()`, ends the processes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence, Sized
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, Unpack

from generator.batch.many_seeds import block_size, level_in_turn, seed_number, usable_seeds
from generator.batch.run import MAX_JOBS, in_order, workers
from generator.batch.search import FLOORPLANS_A_BLOCK, LEVELS_A_BLOCK, Found, Hit, Query, search_block
from generator.batch.stats import BLOCK, Stats, count_block, is_in_columns, merged, questions_of, usual_facts
from generator.errors import BadInput, GenerationFailed, SpecError, shown
from generator.level import Level
from generator.seeds import plain
from generator.spec import LevelSpec, spec_of

if TYPE_CHECKING:
    from generator.keywords import SpecKeywords

R = TypeVar("R")
Seeds = Sequence[Any]

_FEW = 8  # levels in a block: enough to make handing it over cheap, and few enough to keep in memory


def levels(
    spec: LevelSpec | str | Path,
    seeds: Iterable[SupportsIndex | str],
    *,
    jobs: int = 1,
    failed: Callable[[GenerationFailed], object] | None = None,
    **values: Unpack[SpecKeywords],
) -> Generator[Level, None, None]:
    """Yield the levels of many seeds in order, those that `generate` makes, as they are consumed.

    `seeds` are whole numbers and texts; `values` replace values of the spec, as in `generate`. Memory does
    not grow with the number of seeds. For a seed without a level GenerationFailed is raised, which ends the
    iterator; if `failed` is given, it is called with the error instead (such as a list's `append`), and the
    next seed follows. Raises what `generate` raises, and BadInput for an invalid number of jobs; a bad spec
    at once, a bad seed when its turn comes.
    """
    chosen = spec_of(spec, values)
    if isinstance(seeds, str):
        raise SpecError(f"seeds: {shown(seeds)} is one text; give a list of seeds, such as [{shown(seeds)}]")
    size = 1 if _jobs(jobs) == 1 else _FEW
    tasks = ((chosen, block) for block in _blocks(usable_seeds(chosen, seeds), size, read=_text_or_number))
    return _levels(_results(_make_block, tasks, jobs), failed)


generate_many = levels  # its only name in 0.2.0


def _levels(
    blocks: Generator[list[Level | GenerationFailed], None, None],
    failed: Callable[[GenerationFailed], object] | None,
) -> Generator[Level, None, None]:
    with closing(blocks):
        for block in blocks:
            for result in block:
                if isinstance(result, Level):
                    yield result
                elif failed is None:
                    raise result
                else:
                    failed(result)


def _text_or_number(seed: SupportsIndex | str) -> int | str:
    return seed if isinstance(seed, str) else seed_number(seed)


def _make_block(task: tuple[LevelSpec, Seeds]) -> list[Level | GenerationFailed]:
    """Make a block. Runs in a worker."""
    spec, seeds = task
    results: list[Level | GenerationFailed] = []
    for seed in seeds:
        try:
            results.append(level_in_turn(spec, seed))
        except GenerationFailed as error:
            results.append(error)
    return results


def search(
    spec: LevelSpec | str | Path,
    where: str,
    seeds: Iterable[SupportsIndex],
    *,
    jobs: int = 1,
    **values: Unpack[SpecKeywords],
) -> Generator[Hit, None, None]:
    """Yield the seeds whose levels meet a condition, in order, each with the facts that the condition names.

    `where` is a condition as `undercroft search --where` takes it, such as `rooms.boss.distance >= 9 and
    loops == 2`; only as much of a level is made as it needs. A seed without a level does not meet it. Raises
    SpecError for a bad spec, and BadInput for a condition that cannot be read, or an invalid number of jobs.
    """
    query = Query(spec_of(spec, values), where)
    condition = query.condition()
    size = 1 if _jobs(jobs) == 1 else LEVELS_A_BLOCK if condition.needs_level else FLOORPLANS_A_BLOCK
    in_bulk = query.spec if condition.in_columns else None
    tasks = ((query, block) for block in _blocks(usable_seeds(query.spec, seeds), size, in_bulk))
    return _hits(_results(search_block, tasks, jobs))


def _hits(blocks: Generator[Found, None, None]) -> Generator[Hit, None, None]:
    with closing(blocks):
        for block in blocks:
            yield from block.hits


def stats(
    spec: LevelSpec | str | Path,
    seeds: Iterable[SupportsIndex],
    *,
    facts: Iterable[str] | str | None = None,
    jobs: int = 1,
    **values: Unpack[SpecKeywords],
) -> Stats:
    """Count how often each fact had each value over these seeds' levels: `stats(...).facts["loops"][2]`.

    `facts` is a name or several, as `undercroft search --facts` lists them, by default those that `undercroft
    stats` counts; one that takes a word is counted for every word, or as `count("shop")` for one. `failed`
    counts the seeds without a level. Raises SpecError for a bad spec, and BadInput for an unknown fact or an
    invalid number of jobs.
    """
    chosen = spec_of(spec, values)
    requested = [facts] if isinstance(facts, str) else facts
    asked = () if requested is None else tuple(requested)
    names = usual_facts([chosen.style]) if requested is None else asked
    questions = questions_of(chosen, names)
    in_bulk = chosen if is_in_columns(questions) else None
    tasks = ((chosen, names, block) for block in _blocks(usable_seeds(chosen, seeds), BLOCK, in_bulk))
    return merged(_results(count_block, tasks, jobs), asked)


def _known_length(seeds: Iterable[object]) -> int:
    """Return how many seeds there are, if known, otherwise 0."""
    if isinstance(seeds, range):
        return max(0, (seeds.stop - seeds.start) // seeds.step)  # `len` fails above 2^63
    return len(seeds) if isinstance(seeds, Sized) else 0


def _blocks(
    seeds: Iterable[object],
    size: int,
    in_bulk: LevelSpec | None = None,
    read: Callable[[Any], object] = seed_number,
) -> Iterator[Seeds]:
    """Yield the seeds, each as `read` returns it, in blocks. Raises SpecError for an invalid seed.

    Blocks are larger where compiled kernels help with the floorplans of a spec `in_bulk`.
    """
    rest, number = iter(seeds), _known_length(seeds)

    def block() -> Seeds:
        most = block_size(in_bulk, number, size) if in_bulk else size
        return [read(seed) for seed in islice(rest, most)]

    return iter(block, [])


def _jobs(jobs: object) -> int:
    number = plain(jobs)
    if type(number) is not int or not 0 <= number <= MAX_JOBS:
        raise BadInput(f"jobs: {shown(jobs)} is not a whole number from 0 to {MAX_JOBS}")
    return number


def _results(work: Callable[[Any], R], tasks: Iterable[Any], jobs: int) -> Generator[R, None, None]:
    """Yield the result of `work` for each task, in order, from this process or several."""
    with workers(_jobs(jobs)) as (executor, number):
        for _, result in in_order(work, tasks, executor, number):
            yield result
