"""Work on many seeds over processes: in order, with bounded memory, by any executor of `concurrent.futures`.

Seeds are handed out in blocks. Each worker has only a few blocks under way at a time, and results come back
in the order of the seeds however many workers there are, so that nothing depends on their number.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures import wait as futures_wait
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Any, TypeVar

from generator.errors import BadInput, SpecError, UndercroftError, shown
from generator.garbage import collect_rarely
from generator.seeds import MAX_SEED, ReadSeed, count_of

T = TypeVar("T")
R = TypeVar("R")

_AHEAD, _MAX_AHEAD = 4, 64  # blocks under way: per worker, and for all workers beyond one each
MAX_JOBS = 256
_MAX_ON_WINDOWS = 61  # processes of a pool; Python refuses more there, as it cannot wait for them
KILLED = (
    "a worker process was killed more than once, perhaps because memory ran out; "
    "give fewer jobs, or run it where there is more memory"
)
UNGUARDED = (
    "each process that does the work begins with the main script, which would start processes again; "
    'put what the script does below `if __name__ == "__main__":`'
)
BROKEN = (
    "--executor: it takes no more work, because a worker was killed, perhaps because memory ran out; "
    "give fewer jobs and run this again"
)
_DASK_KILLED = "KilledWorker"  # Dask's error, by name: Dask may not be installed
_EXIT_UNGUARDED = 113  # status of a worker whose script starts processes as it is imported
_INTERRUPTS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]
_PATIENCE = 5  # seconds without a result before checking that all workers are alive


def seed_range(text: str) -> range:
    """Parse `A:B` as the seeds from A up to, but not including, B. Raises BadInput."""
    first, colon, last = text.partition(":")
    if not (colon and _is_number(first) and _is_number(last)):
        raise BadInput(
            f"--seeds: {shown(text)} is neither a range nor a file; give the first and one past the last, "
            "such as 0:1000, or a file with a seed a line"
        )
    seeds = range(int(first), int(last))
    if not seeds or seeds[-1] > MAX_SEED:
        remedy = "the first must be less than the end, such as 0:1000"
        if seeds:
            remedy = f"the last seed is {MAX_SEED}; give a lower end"
        raise BadInput(f"--seeds: {shown(text)} {'goes too far' if seeds else 'is empty'}; {remedy}")
    return seeds


def usable_range(seeds: range, read_seed: ReadSeed) -> range:
    """Return the seeds without the first, if a style has no such seed. Raises SpecError if that is all."""
    try:
        if seeds:
            read_seed(seeds[0])
    except SpecError:
        if not (seeds[1:] and 0 <= seeds[0] <= MAX_SEED):
            raise
        return seeds[1:]
    return seeds


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20


def blocks_of(seeds: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Split the seeds into blocks, made as they are consumed. The last one may be smaller."""
    for start in range(0, count_of(seeds), size):
        yield seeds[start : start + size]


def cores() -> int:
    """Count the cores this process may use, or how many there are if the system does not say."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Processes(Executor):
    """A pool of processes that can be started again, which is needed after one of them is killed."""

    def __init__(self, jobs: int) -> None:
        if getattr(multiprocessing.current_process(), "_inheriting", False):  # a worker imports its script
            raise SystemExit(_EXIT_UNGUARDED)  # multiprocessing would fail, with a long traceback
        self._jobs = min(jobs, _MAX_ON_WINDOWS) if sys.platform == "win32" else jobs
        self._pool = self._begun()

    def _begun(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
        with ctrl_c_held_back():  # the tracker of semaphores outlives a closed terminal, too
            pool: Any = ProcessPoolExecutor(self._jobs, mp_context=context, initializer=begin_work)
        if sys.version_info < (3, 12, 1):
            # Before that, a pool that breaks while it starts a process prints a traceback and may leave that
            # process behind. So all processes start with the first submit, before anything can break.
            pool._safe_to_dynamically_spawn_children = False
        return pool  # type: ignore[no-any-return]

    def submit(self, work: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Submit work as to any executor. A broken pool is started again."""
        with ctrl_c_held_back():  # it may start processes
            try:
                return self._pool.submit(work, *args, **kwargs)
            except BrokenExecutor:
                self.renew()
                return self._pool.submit(work, *args, **kwargs)

    def result(self, future: Future[R]) -> R:
        """Return the future's result. Raises what its work raised, and BrokenExecutor if its worker died.

        If a worker is killed in the middle of a long message, Python's pool would wait for the rest for ever.
        """
        while not futures_wait([future], _PATIENCE).done:
            processes = self._processes()
            if processes and not all(process.is_alive() for process in processes):
                self.kill()
        return future.result()

    def _processes(self) -> list[Any]:
        return list((getattr(self._pool, "_processes", None) or {}).values())

    def kill(self) -> None:
        """End the processes at once, and their pipe: half a message may be in it."""
        for process in self._processes():
            process.kill()
        pool: Any = self._pool
        with suppress(AttributeError, OSError):
            pool._result_queue._writer.close()

    def renew(self) -> None:
        """Start a new pool. What the old one has not finished is lost.

        Raises UndercroftError if its processes could not begin, as those of a new one could not either.
        """
        pool: Any = self._pool
        processes = self._processes()
        if pool._broken and (ends_them := pool._executor_manager_thread):
            ends_them.join(_PATIENCE)
        pool.shutdown(wait=False, cancel_futures=True)
        if any(process.exitcode == _EXIT_UNGUARDED for process in processes):
            raise UndercroftError(UNGUARDED)
        self._pool = self._begun()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


@contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Hold back Ctrl-C, SIGTERM and SIGHUP in this block. Processes started meanwhile never get Ctrl-C.

    Until `begin_work` runs, a worker would end with a traceback: if it got a signal itself, or if its parent
    did and told it only half of its task. Windows has no mask for the former.
    """
    mask = getattr(signal, "pthread_sigmask", None)
    before = mask(signal.SIG_BLOCK, _INTERRUPTS) if mask else None
    try:
        with _noted():
            yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, before)


@contextmanager
def _noted() -> Iterator[None]:
    """Let signals that come to the program in this block do what they do when it ends.

    The mask is that of one thread, and any other one may take a signal, such as those of numpy.
    """
    heard: set[int] = set()
    handlers = {}
    if current_thread() is main_thread():  # the only one that is interrupted
        handlers = {number: signal.getsignal(number) for number in _INTERRUPTS}
    changed = {number: kept for number, kept in handlers.items() if kept not in (None, signal.SIG_IGN)}
    for number in changed:
        signal.signal(number, lambda told, _: heard.add(told))
    try:
        yield
    finally:
        for number, kept in changed.items():
            signal.signal(number, kept)
        for told in heard:
            signal.raise_signal(told)


def begin_work() -> None:
    """Prepare a new worker: leave Ctrl-C to the parent, and end if the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if mask := getattr(signal, "pthread_sigmask", None):
        mask(signal.SIG_UNBLOCK, {*_INTERRUPTS} - {signal.SIGINT})
    collect_rarely()
    parent = multiprocessing.parent_process()
    assert parent
    Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def workers(jobs: int) -> Iterator[tuple[Executor | None, int]]:
    """Start `jobs` worker processes: 0 means one per core, 1 none (the work is done in this process)."""
    jobs = jobs or cores()
    if jobs == 1:
        yield None, 1
        return
    with Processes(jobs) as executor:
        try:
            yield executor, jobs
        except BaseException:  # nobody wants the rest
            executor.kill()
            raise
        finally:
            executor.shutdown(cancel_futures=True)


def in_order(
    work: Callable[[T], R],
    items: Iterable[T],
    executor: Executor | None,
    jobs: int,
    lost: Callable[[T, Exception], R] | None = None,
) -> Iterator[tuple[T, R]]:
    """Yield each item and its result of `work`, in the order of the items, a few ahead of the consumer.

    A killed worker's items are done again if the executor can go on. For an item that kills a worker each
    time, or fails, `lost` gives the result. Without `lost` the failure is raised: UndercroftError for a
    killed worker, and in any case for an executor that takes no more work.
    """
    if executor is None:
        for item in items:
            yield item, work(item)
        return
    waiting: deque[tuple[T, Future[R]]] = deque()
    most = min(jobs * _AHEAD, jobs + _MAX_AHEAD)

    def first() -> tuple[T, R]:
        item, future = waiting.popleft()
        try:
            try:
                return item, executor.result(future) if isinstance(executor, Processes) else future.result()
            except BrokenExecutor:
                if not isinstance(executor, Processes):  # it cannot be restarted from here
                    raise UndercroftError(BROKEN) from None
                return item, _again(work, item, executor, waiting)
        except UndercroftError:  # not this item's fault: the executor cannot go on
            raise
        except Exception as error:
            if lost is not None:
                return item, lost(item, error)
            if not is_of_killed_worker(error):
                raise
            raise UndercroftError(KILLED) from None

    for item in items:
        waiting.append((item, _submitted(executor, work, item)))
        if len(waiting) >= most:
            yield first()
    while waiting:
        yield first()


def is_of_killed_worker(error: Exception) -> bool:
    """Check whether an error means that the worker was killed, with any executor."""
    return isinstance(error, (BrokenExecutor, CancelledError)) or type(error).__name__ == _DASK_KILLED


def _submitted(executor: Executor, work: Callable[[T], R], item: T) -> Future[R]:
    """Hand an item to the executor. Raises UndercroftError if it takes no more work."""
    try:
        return executor.submit(work, item)
    except BrokenExecutor:
        raise UndercroftError(BROKEN) from None


def _again(work: Callable[[T], R], item: T, executor: Processes, waiting: deque[tuple[T, Future[R]]]) -> R:
    """Run an item whose worker was killed again, alone to find the culprit, and then resubmit the rest."""
    executor.renew()
    alone = executor.submit(work, item)
    try:
        return executor.result(alone)
    finally:
        if alone.exception():
            executor.renew()
        for index, (later, future) in enumerate(waiting):
            if not future.done() or future.cancelled() or future.exception():
                waiting[index] = later, executor.submit(work, later)


# --- executors by name -------------------------------------------------------------------------------


@contextmanager
def executor_of(name: str, jobs: int, scheduler: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Open the executor of a name, and yield it with its number of tasks at a time. None: this process.

    The name is `processes`, `dask` with its scheduler's address, or `MODULE:NAME` of an executor, or of what
    makes one when it is called, such as `mpi4py.futures:MPIPoolExecutor`. Raises BadInput.
    """
    if (name == "dask") != (scheduler is not None):
        raise BadInput("--executor dask and --scheduler ADDRESS go together; give both or neither")
    if name == "processes":
        with workers(jobs) as pool:
            yield pool
    elif scheduler is not None:
        from generator.batch.cluster import dask_cluster

        with dask_cluster(scheduler, jobs) as cluster:
            yield cluster
    else:
        with _made_by(name) as executor:
            yield executor, jobs or cores()


def _made_by(name: str) -> Executor:
    """Create the executor that `MODULE:NAME` stands for. Modules of the current folder are found first."""
    module, colon, attribute = name.partition(":")
    if not (colon and module and attribute):
        raise BadInput(f"--executor: unknown executor {shown(name)}; give processes, dask, or MODULE:NAME")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)  # as `python -m` does; processes of a pool get the same path
    try:
        target = getattr(importlib.import_module(module), attribute)
        executor = target if isinstance(target, Executor) else target()
    except ModuleNotFoundError as error:
        problem = (
            f"there is no module {shown(error.name)}; install its package, or put the file into this folder"
        )
        raise BadInput(f"--executor: {shown(name)}: {problem}") from None
    except Exception as error:  # whatever a package raises when it is imported or called
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise BadInput(f"--executor: {shown(name)} cannot be made: {reason}") from None
    if not isinstance(executor, Executor):
        raise BadInput(f"--executor: {shown(name)} is not an executor of concurrent.futures; name one")
    return executor
