"""Files on their way: begun beside their targets, and cleared away by the next run if theirs was killed.

    .undercroft-1f0c62a98e5b7d34.lock       held locked by a run as long as it writes into the folder
    .undercroft-1f0c62a98e5b7d34-0.tmp      its first file, until that is renamed over its target

The system gives a lock back when its run ends, however it ends. So whoever can take a lock knows that its run
is dead, also where process numbers say nothing: in another container, or on another machine that shares the
folder. Where a file system has no locks, nothing is cleared away.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

_NAME = re.compile(r"\.undercroft-([0-9a-f]{16})(\.lock|-[0-9]+\.tmp)")
_ALONE = re.compile(r"\.[0-9a-f]{16}\.tmp")
_CLEARED: set[Path] = set()  # folders: whoever writes thousands of levels does not search for ever
_MOST_TRIES = 8  # for a lock that somebody takes for a dead run's before it is locked


def is_begun(name: str) -> bool:
    """Whether a file's name is one that this module gives."""
    return bool(_NAME.fullmatch(name) or _ALONE.fullmatch(name))


class Begun:
    """The files that one run has begun, in any folders; those not renamed at the end are removed."""

    def __init__(self, alone_in: Path | None = None) -> None:
        """Begin files beside their targets, or all in a folder that its owner clears."""
        self._alone_in = alone_in
        self._locks: dict[Path, tuple[str, IO[bytes]]] = {}
        self._paths: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the files that were not renamed, and give the locks back."""
        for path in self._paths:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        for folder, (run, lock) in self._locks.items():
            lock.close()  # Windows removes no file that is open
            with suppress(OSError):
                _lock_path(folder, run).unlink(missing_ok=True)

    def clear(self, folder: Path) -> None:
        """Remove what dead runs left in a folder, once in a process; what cannot be removed stays."""
        place = folder.absolute()
        if place not in _CLEARED and not self._alone_in:
            _CLEARED.add(place)
            _clear(place)

    def path(self, folder: Path) -> Path:
        """A path for the next file of a folder. Raises OSError if no file can be made there."""
        if self._alone_in:
            path = self._alone_in / f".{_chance_name()}.tmp"  # no run takes that for a dead one's
        else:
            self.clear(folder)
            if folder not in self._locks:
                self._locks[folder] = _locked(folder)
            path = folder / f".undercroft-{self._locks[folder][0]}-{len(self._paths)}.tmp"
        self._paths.append(path)
        return path


def _clear(folder: Path) -> None:
    try:
        found = [(name, path) for path in folder.iterdir() if (name := _NAME.fullmatch(path.name))]
    except OSError:
        return
    for run in {name[1] for name, _ in found}:
        with suppress(OSError):
            _remove_if_dead(folder, run, [path for name, path in found if name[1] == run])


def _remove_if_dead(folder: Path, run: str, paths: list[Path]) -> None:
    """Remove a run's files if its lock can be taken. Raises OSError.

    A run makes its lock first and removes it last: files without one are dead too.
    """
    lock = _lock_path(folder, run)
    with suppress(FileNotFoundError), lock.open("r+b") as file:
        if not _take(file):
            return
        for path in paths:
            if path != lock:
                path.unlink(missing_ok=True)
        if sys.platform != "win32":  # while it is locked, so that nobody else believes in it
            lock.unlink(missing_ok=True)
    for path in paths:
        path.unlink(missing_ok=True)


def _locked(folder: Path) -> tuple[str, IO[bytes]]:
    """A new run in a folder and its lock, held. Raises OSError."""
    for _ in range(_MOST_TRIES):
        run = _chance_name()
        path = _lock_path(folder, run)
        file = path.open("xb")
        taken = True
        with suppress(OSError):  # a file system without locks
            taken = _take(file)
        if taken and path.exists():
            return run, file
        file.close()
        path.unlink(missing_ok=True)
    raise OSError(errno.EAGAIN, "no lock can be had in its folder", str(folder))


def _chance_name() -> str:
    """16 hexadecimal digits that nobody else has."""
    return os.urandom(8).hex()


def _lock_path(folder: Path, run: str) -> Path:
    return folder / f".undercroft-{run}.lock"


def _take(file: IO[bytes]) -> bool:
    """Lock an open file without waiting; whether nobody else has it. Raises OSError if there are no locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
