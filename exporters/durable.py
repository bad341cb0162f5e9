"""Files that survive a power cut and a killed run: flushed before they are renamed, their folders after.

A rename is safe in itself. But without a flush before it, a power cut can keep the new name and lose the
bytes. Flushing takes most of the time of a write, but several flushes at once cost hardly more than one,
because the file system writes its journal once for all of them. So files that are written together are
flushed together, and each folder is flushed once.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from queue import SimpleQueue
from threading import Thread
from typing import IO, Self, TypeAlias

from generator.errors import UndercroftError
from generator.files import take_lock
from generator.pattern import pattern

_AT_ONCE = 8
_FULL = {errno.ENOSPC, errno.EDQUOT}
_NOT_OFFERED = {errno.EINVAL, errno.ENOTSUP}  # the file system cannot flush; the file is fine


class FullDiskError(UndercroftError):
    """The disk is full: no other file can be written either."""


def unwritable(path: object, error: OSError) -> UndercroftError:
    """Make the error to raise for a file that cannot be written."""
    kind = FullDiskError if error.errno in _FULL else UndercroftError
    return kind(f"{path}: cannot be written: {error.strerror}")


def make_folder(folder: Path) -> list[Path]:
    """Make a folder and its missing parents. Return every folder whose entries changed.

    Raises OSError.
    """
    missing = []
    above = folder
    while not above.exists():
        missing.append(above.parent)
        above = above.parent
    folder.mkdir(parents=True, exist_ok=True)
    return missing


_Done: TypeAlias = "SimpleQueue[Exception | None]"
_ASKED: SimpleQueue[tuple[Path, _Done]] = SimpleQueue()
_THREADS: list[Thread] = []  # they stay, since a build flushes thousands of levels, one after the other


def flush(paths: Sequence[Path]) -> None:
    """Flush the bytes of files to disk. Raises OSError, which names the file."""
    with suppress(RuntimeError):  # no thread can be started, as at the end of a program
        while len(_THREADS) < min(len(paths), _AT_ONCE) and len(paths) > 1:
            thread = Thread(target=_flush_asked, name="undercroft-flush", daemon=True)
            thread.start()
            _THREADS.append(thread)
    if not _THREADS or len(paths) < 2:
        for path in paths:
            _flush(path)
        return
    done: _Done = SimpleQueue()
    for path in paths:
        _ASKED.put((path, done))
    errors = [done.get() for _ in paths]  # of all, because after an error the caller removes the files
    for error in filter(None, errors):
        raise error


def _forget_threads() -> None:
    """Begin anew in a forked process: it has the list of its parent's threads, but not the threads."""
    global _ASKED  # noqa: PLW0603
    _ASKED = SimpleQueue()
    _THREADS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def _flush_asked() -> None:
    while True:
        path, done = _ASKED.get()
        try:
            _flush(path)
        except Exception as error:  # raised again for whoever waits
            done.put(error)
        else:
            done.put(None)


def flush_folders(folders: Iterable[Path]) -> None:
    """Flush folders, and so the names of their files. Raises OSError, which names the folder."""
    if sys.platform != "win32":  # Windows cannot open a folder, and its file system flushes names itself
        for folder in folders:
            _synced(folder, os.open(folder, os.O_RDONLY))


def _flush(path: Path) -> None:
    _synced(path, os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0)))


def _synced(path: Path, descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_OFFERED:
            raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        os.close(descriptor)


# --- temporary files beside their targets; if a run is killed, the next one removes what it left -----
#
#     .undercroft-1f0c62a98e5b7d34.lock       locked by a run while it writes into the folder
#     .undercroft-1f0c62a98e5b7d34-0.tmp      its first file, until it is renamed over its target
#
# The system releases a lock when its run ends, however it ends. So if a lock is free, its run is dead. This
# also works where process ids do not: from another container, or another machine that shares the folder. On
# a file system without locks, nothing is removed.

_NAME = pattern(r"\.undercroft-([0-9a-f]{16})(\.lock|-[0-9]+\.tmp)")
_ALONE = pattern(r"\.[0-9a-f]{16}\.tmp")
_CLEARED: set[Path] = set()  # folders already searched; a folder is searched once per process
_MAX_TRIES = 8  # another run may mistake a new lock file for a dead run's before we lock it


def is_begun(name: str) -> bool:
    """Check whether a file has a name made by this module."""
    return bool(_NAME.fullmatch(name) or _ALONE.fullmatch(name))


class TemporaryFiles:
    """The temporary files of one run, in any folders. Those not renamed are removed at the end."""

    def __init__(self, alone_in: Path | None = None) -> None:
        """Put the files beside their targets, or all into `alone_in`, a folder that the caller clears."""
        self._alone_in = alone_in
        self._locks: dict[Path, tuple[str, IO[bytes]]] = {}
        self._paths: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the files that were not renamed, and release the locks."""
        for path in self._paths:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        for folder, (run, lock) in self._locks.items():
            lock.close()  # Windows cannot remove an open file
            with suppress(OSError):
                _lock_path(folder, run).unlink(missing_ok=True)

    def path(self, folder: Path) -> Path:
        """Reserve a path for the next file of a folder, which is made if missing. Raises OSError."""
        if self._alone_in:
            path = self._alone_in / f".{_chance_name()}.tmp"  # a name that other runs do not look for
        else:
            folder.mkdir(parents=True, exist_ok=True)
            clear(folder)
            if folder not in self._locks:
                self._locks[folder] = _locked(folder)
            path = folder / f".undercroft-{self._locks[folder][0]}-{len(self._paths)}.tmp"
        self._paths.append(path)
        return path


def clear(folder: Path) -> None:
    """Remove what dead runs left in a folder, once per process. Files that cannot be removed stay."""
    absolute = folder.absolute()
    if absolute in _CLEARED:
        return
    _CLEARED.add(absolute)
    try:
        leftovers = [(name, path) for path in absolute.iterdir() if (name := _NAME.fullmatch(path.name))]
    except OSError:
        return
    for run in {name[1] for name, _ in leftovers}:
        with suppress(OSError):
            _remove_if_dead(absolute, run, [path for name, path in leftovers if name[1] == run])


def clear_folders(root: Path, paths: Iterable[str]) -> None:
    """Clear the folders of some files below `root`, and those above them up to `root` itself."""
    for folder in {folder for path in paths for folder in PurePath(path).parents}:
        clear(root / folder)


def remove_begun(folder: Path) -> None:
    """Remove all files of a folder that are named as here. Nobody else may use it. Raises OSError."""
    for path in folder.iterdir():
        if is_begun(path.name):
            path.unlink()


def _remove_if_dead(folder: Path, run: str, paths: list[Path]) -> None:
    """Remove a run's files if its lock can be taken. Raises OSError.

    A run makes its lock first and removes it last: files without one are dead too.
    """
    lock = _lock_path(folder, run)
    with suppress(FileNotFoundError), lock.open("r+b") as file:
        if not take_lock(file):
            return
        for path in paths:
            if path != lock:
                path.unlink(missing_ok=True)
        if sys.platform != "win32":  # while still locked, so that no other run can take it
            lock.unlink(missing_ok=True)
    for path in paths:
        path.unlink(missing_ok=True)


def _locked(folder: Path) -> tuple[str, IO[bytes]]:
    """Begin a run in a folder. Return its id and its lock file, locked. Raises OSError."""
    for _ in range(_MAX_TRIES):
        run = _chance_name()
        path = _lock_path(folder, run)
        file = path.open("xb")
        taken = True
        with suppress(OSError):  # a file system without locks
            taken = take_lock(file)
        if taken and path.exists():
            return run, file
        file.close()
        path.unlink(missing_ok=True)
    raise OSError(errno.EAGAIN, "its folder cannot be locked", str(folder))


def _chance_name() -> str:
    """Draw 16 random hexadecimal digits."""
    return os.urandom(8).hex()


def _lock_path(folder: Path, run: str) -> Path:
    return folder / f".undercroft-{run}.lock"
