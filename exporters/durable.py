"""Files that survive a power cut: flushed before they are renamed, and their folders flushed after.

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
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

from generator.errors import UndercroftError

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
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    folder.mkdir(parents=True, exist_ok=True)
    return [path.parent for path in missing]


def flush(paths: Sequence[Path]) -> None:
    """Flush the bytes of files to disk. Raises OSError, which names the file."""
    if len(paths) < 2:
        for path in paths:
            _flush(path)
        return
    from concurrent.futures import wait  # takes as long to import as all of what writes one level

    begun = [_pool().submit(_flush, path) for path in paths]
    wait(begun)  # for all, because after an error the caller removes the files
    for task in begun:
        task.result()


@cache
def _pool() -> ThreadPoolExecutor:
    """Keep threads for later calls, since a build flushes thousands of levels, one after the other."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(_AT_ONCE, "undercroft-flush")


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
