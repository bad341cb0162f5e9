"""Who is served next: of the same tab and the same kind of request, the newest alone.

A slider that is moved sends a request for each step. One of them is worked on, the newest waits, and those
between are answered at once with `superseded`. What is worked on for longer than two seconds while a newer
one waits, such as a level of a thousand rooms, is ended with its process. The processor's time counts: what a
busy machine keeps waiting would only wait longer in a new process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from exporters.studio.replies import Reply, error_body
from exporters.studio.workers import LOST, Worker, WorkerPool

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
