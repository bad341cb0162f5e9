"""Tells open pages which files of the project changed: a level is drawn anew when its layout is saved.

The files are looked at by their time and size, a few times a second while somebody listens: no system tells
of all changes, and editors replace files in many ways. A large project is looked at less often.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

from exporters.studio.project import PARTS, entries
from exporters.studio.replies import packed

_PAUSE = 0.3  # seconds between two looks
_SHARE = 20  # a look takes at most so much of the time, one in
_ALIVE = 15.0  # seconds after which a line shows that the server is there
_MOST_TOLD = 200  # files

FileStamps = dict[str, tuple[int, int]]


def stamps_below(folder: Path) -> FileStamps:
    """Time and size of each file that a level may be made from."""
    found: FileStamps = {}
    for entry in entries(folder):
        if entry.name.lower().endswith(PARTS) and not entry.name.endswith(".level.json"):
            try:
                there = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            found[Path(entry.path).relative_to(folder).as_posix()] = there.st_mtime_ns, there.st_size
    return found


def changed(before: FileStamps, after: FileStamps) -> list[str]:
    """The files that came, went or are others now."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


class Watch:
    """Looks for changes as long as somebody listens."""

    def __init__(self, folder: Path, stopping: asyncio.Event) -> None:
        self._folder, self._stopping = folder, stopping
        self._listeners: set[asyncio.Queue[list[str]]] = set()
        self._task: asyncio.Task[None] | None = None
        self._is_ready = asyncio.Event()  # what changes from now on is told

    async def events(self) -> AsyncIterator[bytes]:
        """Server-sent events: `changed` with the files, and lines of nothing in between."""
        queue: asyncio.Queue[list[str]] = asyncio.Queue(16)
        self._listeners.add(queue)
        if self._task is None:
            self._is_ready.clear()
            self._task = asyncio.create_task(self._look())
        stopped = asyncio.ensure_future(self._stopping.wait())
        wanted: asyncio.Future[list[str]] | None = None
        try:
            await self._is_ready.wait()
            yield b": here\n\n"
            while not self._stopping.is_set():
                wanted = asyncio.ensure_future(queue.get())
                await asyncio.wait([wanted, stopped], timeout=_ALIVE, return_when=asyncio.FIRST_COMPLETED)
                if wanted.done():
                    yield (
                        b"event: changed\ndata: " + packed({"files": wanted.result()[:_MOST_TOLD]}) + b"\n\n"
                    )
                else:
                    wanted.cancel()
                    yield b": here\n\n"
        finally:
            stopped.cancel()
            if wanted:
                wanted.cancel()
            self._listeners.discard(queue)
            if not self._listeners and self._task:
                self._task.cancel()
                self._task = None

    async def _look(self) -> None:
        before = await asyncio.to_thread(stamps_below, self._folder)
        self._is_ready.set()
        while True:
            begun = time.monotonic()
            after = await asyncio.to_thread(stamps_below, self._folder)
            files, before = changed(before, after), after
            if files:
                for queue in self._listeners:
                    if not queue.full():
                        queue.put_nowait(files)
            took = time.monotonic() - begun
            await asyncio.sleep(max(_PAUSE, _SHARE * took))
