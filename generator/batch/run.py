"""Work on many seeds over processes: in order, with bounded memory, by any executor of `concurrent.futures`.

Seeds are handed out in blocks. Of each worker only a few blocks are on their way at a time, and results come
back in the order of the seeds however many workers there are, so that nothing depends on their number.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures import wait as futures_wait
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

from generator.errors import BadInput, UndercroftError, shown
from generator.garbage import collect_rarely
from generator.seeds import MOST_SEED

T = TypeVar("T")
R = TypeVar("R")

_AHEAD, _MOST_AHEAD = 4, 64  # blocks on their way, for each worker, and for all beyond one each
MOST_JOBS = 256
_PATIENCE = 5  # seconds without a result, before somebody looks whether all workers live


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


def count_of(seeds: range) -> int:
    """How many seeds; `len` cannot tell of more than 2^63."""
    return max(0, seeds.stop - seeds.start)


def blocks_of(seeds: range, size: int) -> Iterator[range]:
    """The seeds in blocks, the last one perhaps smaller; made as they are asked for."""
    for start in range(seeds.start, seeds.stop, size):
        yield range(start, min(start + size, seeds.stop))


def cores() -> int:
    """How many cores this process may use, where the system tells."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Processes(Executor):
    """A pool of processes that can be begun anew, as it must be when one of them is killed."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = self._begun()

    def _begun(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
        return ProcessPoolExecutor(self._jobs, mp_context=context, initializer=_begin_work)

    def submit(self, work: Callable[..., R], /, *args: Any, **more: Any) -> Future[R]:
        """As any executor; a pool that broke meanwhile is begun anew."""
        with _ctrl_c_held_back():  # the first time, it starts the processes
            try:
                return self._pool.submit(work, *args, **more)
            except BrokenExecutor:
                self.renew()
                return self._pool.submit(work, *args, **more)

    def result(self, future: Future[R]) -> R:
        """What the future gives. Raises what its work raised, and BrokenExecutor if its worker was killed.

        If a worker is killed in the middle of a long message, Python's pool waits for its end for ever.
        """
        while not futures_wait([future], _PATIENCE).done:
            self._end_half_a_message()
        return future.result()

    def _end_half_a_message(self) -> None:
        """If a worker is dead and the pool has not noticed, end the others and their pipe: it breaks then."""
        pool: Any = self._pool
        processes = list((getattr(pool, "_processes", None) or {}).values())
        if processes and not all(process.is_alive() for process in processes):
            for process in processes:
                process.kill()
            with suppress(AttributeError, OSError):
                pool._result_queue._writer.close()

    def renew(self) -> None:
        """Begin a new pool; what the old one has not done yet is lost."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._begun()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Ctrl-C is heard at the end of this, and never by a process that starts meanwhile.

    Until `_begin_work` runs, a worker would end with a traceback. Windows has no such mask.
    """
    mask = getattr(signal, "pthread_sigmask", None)
    before = mask(signal.SIG_BLOCK, [signal.SIGINT]) if mask else None
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, before)


def _begin_work() -> None:
    """In a new worker: Ctrl-C is for the parent to hear, and without a parent there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    parent = multiprocessing.parent_process()
    assert parent
    Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def workers(jobs: int) -> Iterator[tuple[Executor | None, int]]:
    """`jobs` worker processes, 0 for as many as there are cores; none for 1, which works in this process."""
    jobs = jobs or cores()
    if jobs == 1:
        yield None, 1
        return
    with Processes(jobs) as executor:
        try:
            yield executor, jobs
        finally:
            executor.shutdown(cancel_futures=True)


def in_order(
    work: Callable[[T], R],
    items: Iterable[T],
    executor: Executor | None,
    jobs: int,
    lost: Callable[[T, Exception], R] | None = None,
) -> Iterator[tuple[T, R]]:
    """Each item and what `work` makes of it, in the order of the items, a few ahead of what is asked for.

    What a worker had that was killed is done again; what kills a worker each time, or fails, is what `lost`
    makes of it. Without `lost` the failure is raised, UndercroftError for a killed worker.
    """
    if executor is None:
        for item in items:
            yield item, work(item)
        return
    waiting: deque[tuple[T, Future[R]]] = deque()
    most = min(jobs * _AHEAD, jobs + _MOST_AHEAD)

    def first() -> tuple[T, R]:
        item, future = waiting.popleft()
        try:
            try:
                return item, executor.result(future) if isinstance(executor, Processes) else future.result()
            except BrokenExecutor:
                if not isinstance(executor, Processes):
                    raise
                return item, _again(work, item, executor, waiting)
        except UndercroftError:  # not this item's: whoever works cannot go on
            raise
        except Exception as error:
            if lost is not None:
                return item, lost(item, error)
            if not isinstance(error, BrokenExecutor):
                raise
            why = "a worker was killed more than once, perhaps for want of memory; try fewer --jobs"
            raise UndercroftError(why) from None

    for item in items:
        waiting.append((item, executor.submit(work, item)))
        if len(waiting) >= most:
            yield first()
    while waiting:
        yield first()


def _again(work: Callable[[T], R], item: T, executor: Processes, waiting: deque[tuple[T, Future[R]]]) -> R:
    """The result of an item whose worker was killed, alone, so that the culprit is known; then the rest."""
    executor.renew()
    alone = executor.submit(work, item)
    try:
        return executor.result(alone)
    finally:
        if alone.exception():
            executor.renew()
        for place, (other, future) in enumerate(waiting):
            if not future.done() or future.cancelled() or future.exception():
                waiting[place] = other, executor.submit(work, other)
