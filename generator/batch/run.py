"""Work on many seeds over processes: in order, with bounded memory, by any executor of `concurrent.futures`.

Seeds are handed out in blocks. Of each worker only a few blocks are on their way at a time, and results come
back in the order of the seeds however many workers there are, so that nothing depends on their number.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from generator.errors import BadInput, shown
from generator.seeds import MOST_SEED

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4  # blocks on their way, for each worker
MOST_JOBS = 256


def seed_range(text: str) -> range:
    """`A:B` as the seeds from A up to B, B itself not among them. Raises BadInput."""
    first, colon, last = text.partition(":")
    if not (colon and _is_number(first) and _is_number(last)):
        raise BadInput(
            f"--seeds: {shown(text)} is no range; give the first and one past the last, such as 0:1000"
        )
    seeds = range(int(first), int(last))
    if not seeds or seeds[-1] > MOST_SEED:
        raise BadInput(f"--seeds: {shown(text)} is empty or goes beyond {MOST_SEED}; give FIRST:END")
    return seeds


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20


def blocks_of(seeds: range, size: int) -> Iterator[range]:
    """The seeds in blocks, the last one perhaps smaller."""
    for start in range(0, len(seeds), size):
        yield seeds[start : start + size]


def cores() -> int:
    """How many cores this process may use, where the system tells."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@contextmanager
def workers(jobs: int) -> Iterator[tuple[Executor | None, int]]:
    """`jobs` worker processes, 0 for as many as there are cores; none for 1, which works in this process."""
    jobs = jobs or cores()
    if jobs == 1:
        yield None, 1
        return
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
    with ProcessPoolExecutor(jobs, mp_context=context) as executor:
        try:
            yield executor, jobs
        finally:
            executor.shutdown(cancel_futures=True)


def in_order(
    work: Callable[[T], R], items: Iterable[T], executor: Executor | None, jobs: int
) -> Iterator[tuple[T, R]]:
    """Each item and what `work` makes of it, in the order of the items, a few ahead of what is asked for."""
    if executor is None:
        for item in items:
            yield item, work(item)
        return
    waiting: deque[tuple[T, Future[R]]] = deque()
    for item in items:
        waiting.append((item, executor.submit(work, item)))
        if len(waiting) >= jobs * _AHEAD:
            item, future = waiting.popleft()
            yield item, future.result()
    while waiting:
        item, future = waiting.popleft()
        yield item, future.result()
