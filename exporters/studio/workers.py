"""Worker processes, and who is served next: of the same tab and the same kind of request, the newest alone.

A worker is warm, does one task at a time, and is ended when what it does is no longer wanted. A pool of
Python's own cannot end a task that runs. Here a worker is a process at the other end of a pipe, and ending it
is all that it takes: a new one begins in its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any

from exporters.studio.requests import Reply, error_body
from generator.batch.run import begin_work, ctrl_c_held_back

LOST = Reply(
    503,
    error_body("lost", "the process that made this came to its end, perhaps for want of memory; try again"),
)


def _serve(pipe: Connection, folder: str, is_behind: bool) -> None:
    """Run in the worker: do the tasks that come through the pipe, until the other end is closed."""
    begin_work()
    if is_behind and hasattr(os, "nice"):
        os.nice(10)
    os.chdir(folder)  # where the command line would be started: paths count from here
    from exporters.studio.tasks import do

    with contextlib.suppress(EOFError, OSError):
        while True:
            name, arguments = pipe.recv()
            pipe.send(do(name, *arguments))


class Worker:
    """A process that does one task after the other. `call` blocks and is called in a thread.

    With `is_behind` all others go first where processors are short.
    """

    def __init__(self, folder: Path, is_behind: bool = False) -> None:
        context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, str(folder), is_behind), daemon=True)
        with ctrl_c_held_back():
            self._process.start()
        theirs.close()
        self._lock = Lock()
        self._is_lost = False

    def call(self, name: str, arguments: tuple[Any, ...]) -> Reply:
        """Run a task. Return its reply, or LOST if the process ends."""
        with self._lock:
            try:
                self._pipe.send((name, arguments))
                reply: Reply = self._pipe.recv()
            except (EOFError, OSError):
                self._is_lost = True
                return LOST
            return reply

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked for more: not if it was ended, by us or by the system."""
        return not self._is_lost and self._process.is_alive()

    def seconds(self) -> float:
        """Return the process's CPU time in seconds, or the clock's where the system does not tell.

        The clock is the one that Linux's clock_getcpuclockid() gives for a process.
        """
        try:
            return time.clock_gettime((~(self._process.pid or 0) << 3) | 2)
        except (AttributeError, OSError):  # another system, or the process is gone
            return time.monotonic()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._is_lost = True
        self._process.kill()

    def close(self) -> None:
        """End the process, and leave nothing of it."""
        self.end()
        self._process.join()
        with self._lock:  # who waits at the pipe hears of the end first
            self._pipe.close()

    @property
    def pid(self) -> int | None:
        """The process's number."""
        return self._process.pid


class WorkerPool:
    """So many workers at most. Each begins when it is first needed, and again if it was ended."""

    def __init__(self, size: int, folder: Path, is_behind: bool = False) -> None:
        self._given = folder, is_behind
        self._free: asyncio.Queue[Worker | None] = asyncio.Queue()
        for _ in range(size):
            self._free.put_nowait(None)
        self._threads = ThreadPoolExecutor(
            size + 1, "undercroft-studio"
        )  # one more: to begin a worker meanwhile
        self.workers: set[Worker] = set()
        self._is_closed = False

    async def warm(self) -> None:
        """Begin all workers."""
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(self._free.qsize()):
                await stack.enter_async_context(self.worker())

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[Worker]:
        """Yield a worker that nobody else uses meanwhile."""
        free = await self._free.get()
        if free is None or not free.is_alive:
            begun = asyncio.ensure_future(self._begun(free))
            try:
                free = await asyncio.shield(begun)
            except BaseException:  # it will be ready for the next one, or cannot be had
                begun.add_done_callback(self._put_back)
                raise
        try:
            yield free
        finally:
            self._free.put_nowait(free)

    def _put_back(self, begun: asyncio.Future[Worker]) -> None:
        is_there = not begun.cancelled() and begun.exception() is None
        self._free.put_nowait(begun.result() if is_there else None)

    async def _begun(self, old: Worker | None) -> Worker:
        loop = asyncio.get_running_loop()
        if old is not None:
            self.workers.discard(old)
            await loop.run_in_executor(self._threads, old.close)
        worker = await loop.run_in_executor(self._threads, Worker, *self._given)
        self.workers.add(worker)
        if self._is_closed:
            worker.end()
        await self.run(worker, "warm", ())  # or its first task would take long, and be ended for that
        return worker

    async def run(self, worker: Worker, name: str, arguments: tuple[Any, ...]) -> Reply:
        """Run a task in a worker."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, worker.call, name, arguments)

    def close(self) -> None:
        """End all workers."""
        self._is_closed = True
        for worker in self.workers:
            worker.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


# --- who is served next ------------------------------------------------------------------------------

# A slider that is moved sends a request for each step. One of them is worked on, the newest waits, and those
# between are answered at once with `superseded`. What is worked on for longer than two seconds while a newer
# one waits, such as a level of a thousand rooms, is ended with its process. The processor's time counts: what
# a busy machine keeps waiting would only wait longer in a new process.

PATIENCE = 2.0  # seconds of a processor that something out of date may still take
LIMIT = 120.0  # seconds that anything may take
_MAX_LINES = 64  # requests of other tabs and kinds at a time

SUPERSEDED = Reply(409, error_body("superseded", "a newer request of the same tab took its place"))
TOO_LONG = Reply(504, error_body("too_long", f"took longer than {LIMIT:.0f} seconds; ask for fewer rooms"))
BUSY = Reply(503, error_body("busy", "too many requests wait already; close a tab, and try again"))

QueueKey = tuple[str, ...]


class Superseded(Exception):  # noqa: N818  # nothing is wrong
    """A newer request came."""


class _KeyQueue:
    """The requests of one tab and kind: one that is worked on, and one that waits."""

    def __init__(self) -> None:
        self.is_busy = False
        self.waiting: asyncio.Future[None] | None = None
        self.worker: Worker | None = None  # that works on it
        self.turns = 0


class WorkQueue:
    """Hands requests to the workers of a pool."""

    def __init__(self, pool: WorkerPool, limit: float = LIMIT) -> None:
        """Set up the desk. `limit` is how many seconds any task may take."""
        self._pool, self._limit = pool, limit
        self._lines: dict[QueueKey, _KeyQueue] = {}

    async def warm(self) -> None:
        """Start the workers."""
        await self._pool.warm()

    def close(self) -> None:
        """End the workers."""
        self._pool.close()

    def is_outdated(self, key: QueueKey) -> bool:
        """Check whether a newer request waits for the one that has its turn."""
        line = self._lines.get(key)
        return bool(line and line.waiting)

    async def ask(self, key: QueueKey, name: str, *arguments: Any) -> Reply:
        """Run a task. Return its reply, SUPERSEDED if a newer one of the same key came, or TOO_LONG.

        If it is cancelled, because who asked is gone, so is the task.
        """
        if key not in self._lines and len(self._lines) >= _MAX_LINES:
            return BUSY
        try:
            async with self.turn(key) as worker:
                reply = await self.run(worker, name, *arguments)
                return SUPERSEDED if reply is LOST and self.is_outdated(key) else reply
        except Superseded:
            return SUPERSEDED
        except OSError:  # no process can be begun
            return BUSY

    @asynccontextmanager
    async def turn(self, key: QueueKey) -> AsyncIterator[Worker]:
        """Wait for the request's turn and yield a worker. Raises Superseded."""
        line = self._lines.setdefault(key, _KeyQueue())
        if line.is_busy:
            await self._wait(key, line)
        line.is_busy = True
        try:
            async with self._pool.worker() as worker:
                if line.waiting:
                    raise Superseded
                line.worker = worker
                line.turns += 1
                yield worker
        finally:
            line.worker = None
            self._next(key, line)

    async def _wait(self, key: QueueKey, line: _KeyQueue) -> None:
        if line.waiting and not line.waiting.done():
            line.waiting.set_exception(Superseded())
        mine = line.waiting = asyncio.get_running_loop().create_future()
        self._hurry(line)
        try:
            await mine
        except asyncio.CancelledError:
            if line.waiting is mine:
                line.waiting = None
            if not mine.cancelled() and mine.exception() is None:  # its turn had come just now
                self._next(key, line)
            raise

    def _next(self, key: QueueKey, line: _KeyQueue) -> None:
        line.is_busy = False
        if line.waiting and not line.waiting.done():
            line.is_busy = True  # nobody comes between
            line.waiting.set_result(None)
            line.waiting = None
        else:
            self._lines.pop(key, None)

    def _hurry(self, line: _KeyQueue) -> None:
        """End what is worked on, if it is the same a little later and something newer still waits."""
        worker, turn = line.worker, line.turns
        if worker is None:
            return
        loop, begun = asyncio.get_running_loop(), worker.seconds()

        def look() -> None:
            if line.worker is not worker or line.turns != turn or not line.waiting:
                return
            left = PATIENCE - (worker.seconds() - begun)
            if left > 0:
                loop.call_later(left, look)
            else:
                worker.end()

        loop.call_later(PATIENCE, look)

    async def run(self, worker: Worker, name: str, *arguments: Any) -> Reply:
        """Run a task. Return its reply, LOST if its process ended, or TOO_LONG if it takes too long."""
        work = asyncio.ensure_future(self._pool.run(worker, name, arguments))
        try:
            done, _ = await asyncio.wait([work], timeout=self._limit)
            if done:
                return work.result()
            worker.end()
            await work
            return TOO_LONG
        except asyncio.CancelledError:  # nobody waits for it any more
            with suppress(asyncio.CancelledError):  # said again
                begun = worker.seconds()
                while not work.done() and (left := PATIENCE - (worker.seconds() - begun)) > 0:
                    await asyncio.wait([work], timeout=left)
            if not work.done():
                worker.end()  # nobody else may get it while it works
            raise
