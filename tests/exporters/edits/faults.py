"""A disk that fails at its n-th call: every open, write, fsync, rename, unlink, mkdir and copy below a folder.

The calls are taken where Python makes them. What SQLite does by itself cannot be reached there: of it each
statement that writes fails, as it does when the disk does; that a half-done statement leaves no trace is its
own promise.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

# As SQLite tells the same.
TOLD = {
    errno.ENOSPC: ("database or disk is full", sqlite3.SQLITE_FULL),
    errno.EIO: ("disk I/O error", sqlite3.SQLITE_IOERR),
    errno.EACCES: ("attempt to write a readonly database", sqlite3.SQLITE_READONLY),
}
_WRITES = ("BEGIN", "COMMIT", "INSERT", "DELETE", "UPDATE", "CREATE")


class Call(NamedTuple):
    """What was asked of the disk, and of which file."""

    what: str
    path: str


class FailingDisk:
    """Counts the calls below a folder, and fails the n-th, from 0, if it is given."""

    def __init__(self, root: Path, number: int = -1, code: int = errno.EIO) -> None:
        self.root, self.number, self.code = str(root), number, code
        self.calls: list[Call] = []
        self._lock = threading.Lock()  # files are flushed by several threads

    def meet(self, what: str, path: object) -> None:
        """Take note of a call. Raises OSError or sqlite3.OperationalError if it is to fail."""
        if not isinstance(path, (str, os.PathLike)):
            return
        place = str(Path(path).absolute())
        if not place.startswith(self.root):
            return
        with self._lock:
            self.calls.append(Call(what, place))
            is_failing = len(self.calls) - 1 == self.number
        if is_failing and what == "statement":
            said, code = TOLD[self.code]
            error = sqlite3.OperationalError(said)
            error.sqlite_errorcode = code  # type: ignore[misc]
            raise error
        if is_failing:
            raise OSError(self.code, os.strerror(self.code), os.fspath(path))

    @property
    def failed(self) -> Call | None:
        """The call that failed, if it came to that."""
        return self.calls[self.number] if 0 <= self.number < len(self.calls) else None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Have every call met."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("replace", "rename", "unlink", "mkdir", "rmdir", "link"):
                patch.setattr(os, name, self._met(name, getattr(os, name)))
            patch.setattr(shutil, "copyfile", self._met("copy", shutil.copyfile))
            self._watch_descriptors(patch)
            self._watch_files(patch)
            self._watch_databases(patch)
            yield

    def _met(self, what: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def met(path: Any, *rest: Any, **more: Any) -> Any:
            self.meet(what, path)
            return call(path, *rest, **more)

        return met

    def _watch_descriptors(self, patch: pytest.MonkeyPatch) -> None:
        opened, synced = os.open, os.fsync
        paths: dict[int, Any] = {}

        def opens(path: Any, *rest: Any, **more: Any) -> int:
            self.meet("open", path)
            descriptor = opened(path, *rest, **more)
            paths[descriptor] = path
            return descriptor

        def syncs(descriptor: int) -> None:
            self.meet("fsync", paths.get(descriptor))
            synced(descriptor)

        patch.setattr(os, "open", opens)
        patch.setattr(os, "fsync", syncs)

    def _watch_files(self, patch: pytest.MonkeyPatch) -> None:
        disk, opened = self, io.open

        class Watched:
            def __init__(self, path: Any, file: Any) -> None:
                self._path, self._file = path, file

            def write(self, data: Any) -> Any:
                try:
                    disk.meet("write", self._path)
                except OSError:
                    self._file.write(data[: len(data) // 2])  # a full disk takes some of it
                    raise
                return self._file.write(data)

            def __enter__(self) -> Watched:
                return self

            def __exit__(self, *rest: object) -> None:
                self._file.close()

            def __iter__(self) -> Any:
                return iter(self._file)

            def __getattr__(self, name: str) -> Any:
                return getattr(self._file, name)

        def opens(path: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
            self.meet("open", path)
            file = opened(path, mode, *rest, **more)
            return Watched(path, file) if set(mode) & set("wxa+") else file

        patch.setattr(io, "open", opens)
        patch.setattr(builtins, "open", opens)

    def _watch_databases(self, patch: pytest.MonkeyPatch) -> None:
        disk, connect = self, sqlite3.connect

        class WatchedConnection(sqlite3.Connection):
            path = ""

            def execute(self, sql: str, *rest: Any) -> Any:
                if sql.startswith(_WRITES):
                    disk.meet("statement", self.path)
                return super().execute(sql, *rest)

            def executemany(self, sql: str, *rest: Any) -> Any:
                disk.meet("statement", self.path)
                return super().executemany(sql, *rest)

        def connects(path: Any, **more: Any) -> sqlite3.Connection:
            disk.meet("statement", path)
            made: WatchedConnection = connect(path, factory=WatchedConnection, **more)
            made.path = os.fspath(path)
            return made

        patch.setattr(sqlite3, "connect", connects)
