"""Files that survive a power cut: the disk has their bytes before they are renamed, and their folders after.

A rename is safe in itself; but without a flush before it, the new name may stand after a power cut while the
bytes behind it do not. Flushing costs most of the time that writing takes, and several flushes at once cost
hardly more than one, for the file system writes its journal once for all of them. So the files that are
written together are flushed together, and each folder once.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path

_AT_ONCE = 8
_NOT_OFFERED = {errno.EINVAL, errno.ENOTSUP}  # by a file system: nothing is wrong with the file


def make_folder(folder: Path) -> list[Path]:
    """Make a folder and those above it that are missing: every folder whose entries that changes.

    Raises OSError.
    """
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    folder.mkdir(parents=True, exist_ok=True)
    return [each.parent for each in missing]


def flush(paths: Sequence[Path]) -> None:
    """Have the disk take the bytes of files. Raises OSError, which names the file."""
    if len(paths) < 2:
        for path in paths:
            _flush(path)
        return
    begun = [_pool().submit(_flush, path) for path in paths]
    wait(begun)  # all of them: who is told of an error goes on to remove the files
    for each in begun:
        each.result()


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads that stay: a build flushes the files of thousands of levels, one level after the other."""
    return ThreadPoolExecutor(_AT_ONCE, "undercroft-flush")


def flush_folders(folders: Iterable[Path]) -> None:
    """Have the disk take the names of what is in some folders. Raises OSError, which names the folder."""
    if sys.platform != "win32":  # there a folder cannot be opened, and the file system flushes names itself
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
