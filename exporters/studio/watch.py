"""Tells open pages which files of the project changed: a level is drawn anew when its layout is saved.

The files are looked at by their time and size, a few times a second while somebody listens: no system tells
of all changes, and editors replace files in many ways. A large project is looked at less often.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from exporters.studio.project import PARTS, entries
from exporters.studio.requests import packed

_PAUSE = 0.3  # seconds between two looks
_SHARE = 20  # a look takes at most so much of a processor's time, one in
_ALIVE = 15.0  # seconds after which a line shows that the server is there
_MAX_TOLD = 200  # files

_MAX_NOTED = 32  # tabs that were told of the files, and do not listen yet

FileStamps = dict[str, str]


def stamp_of(status: os.stat_result) -> str:
    """Format time and size of a file as a text, since JavaScript's numbers cannot hold such a time."""
    return f"{status.st_mtime_ns}-{status.st_size}"


def stamps_below(folder: Path) -> FileStamps:
    """Read time and size of each file that a level may be made from."""
    stamps: FileStamps = {}
    for entry in entries(folder):
        if entry.name.lower().endswith(PARTS) and not entry.name.endswith(".level.json"):
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            stamps[Path(entry.path).relative_to(folder).as_posix()] = stamp_of(status)
    return stamps


def _stamps_and_time(folder: Path) -> tuple[FileStamps, float]:
    begun = time.thread_time()
    return stamps_below(folder), time.thread_time() - begun


def changed(before: FileStamps, after: FileStamps) -> list[str]:
    """List the files that were added, removed or changed."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def pause_after(took: float, spent: float) -> float:
    """Return the seconds until the next look after one that took so long, with so much processor time.

    On a busy machine, or a slow disk, a look takes long without being much work: then it is as rare as it is
    slow, and no more.
    """
    return max(_PAUSE, took, _SHARE * spent)


class Watch:
    """Looks for changes as long as somebody listens."""

    def __init__(self, folder: Path, stopping: asyncio.Event) -> None:
        self._folder, self._stopping = folder, stopping
        self._stamps: FileStamps = {}  # of the last look
        self._noted: dict[str, FileStamps] = {}  # by tab, until it listens
        self._listeners: dict[asyncio.Event, str] = {}  # what wakes each, and its tab
        self._task: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()
        self._is_ready = asyncio.Event()  # what changes from now on is told

    async def note(self, tab: str) -> None:
        """Remember the files as they are now: once the tab listens, it is told what has changed since."""
        if tab in self._listeners.values():
            return
        await self._look()
        self._noted.pop(tab, None)
        self._noted[tab] = self._stamps
        if len(self._noted) > _MAX_NOTED:
            del self._noted[next(iter(self._noted))]

    async def events(self, tab: str) -> AsyncIterator[bytes]:
        """Yield server-sent events: `changed` with the files, and comment lines in between."""
        news = asyncio.Event()
        self._listeners[news] = tab
        if self._task is None:
            self._is_ready.clear()
            self._task = asyncio.create_task(self._keep_looking())
        stopped = asyncio.ensure_future(self._stopping.wait())
        wanted: asyncio.Future[Any] | None = None
        try:
            await self._is_ready.wait()
            seen = self._noted.pop(tab, self._stamps)
            yield b": here\n\n"
            while not self._stopping.is_set():
                news.clear()
                files, seen = changed(seen, self._stamps)[:_MAX_TOLD], self._stamps
                if files:
                    message = {"files": files, "stamps": {path: seen.get(path) for path in files}}
                    yield b"event: changed\ndata: " + packed(message) + b"\n\n"
                wanted = asyncio.ensure_future(news.wait())
                await asyncio.wait([wanted, stopped], timeout=_ALIVE, return_when=asyncio.FIRST_COMPLETED)
                if not wanted.done():
                    wanted.cancel()
                    yield b": here\n\n"
        finally:
            stopped.cancel()
            if wanted:
                wanted.cancel()
            del self._listeners[news]
            if not self._listeners and self._task:
                self._task.cancel()
                self._task = None

    async def _look(self) -> float:
        """Check all files, one check at a time, so that none is older than the one before.

        Returns the processor time in seconds.
        """
        async with self._looking:
            stamps, spent = await asyncio.to_thread(_stamps_and_time, self._folder)
            if stamps != self._stamps:
                self._stamps = stamps
                for news in self._listeners:
                    news.set()
        return spent

    async def _keep_looking(self) -> None:
        while True:
            begun = time.monotonic()
            spent = await self._look()
            self._is_ready.set()
            await asyncio.sleep(pause_after(time.monotonic() - begun, spent))
