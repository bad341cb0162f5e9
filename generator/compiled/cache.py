"""Where compiled kernels are kept: in the user's cache folder, a few folders for each state of the sources.

Its files are executed unchecked, so a folder that others may write to is not used. If a folder cannot be
used, a temporary one replaces it, which is deleted at the end.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_MAX_KEPT = 6  # folders; each state of the sources has two or three


def folder(digest: str) -> Path:
    """Return the folder for this digest, created if need be."""
    path = user_folder() / digest
    try:
        _make_private(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
        _check_private(path)
        os.utime(path)  # marks it as used; the one unused for longest is removed first
    except OSError:
        path = Path(tempfile.mkdtemp(prefix="undercroft-kernels-"))
        atexit.register(shutil.rmtree, path, ignore_errors=True)
        return path
    _prune(path.parent)
    _drop_damaged(path)
    return path


def user_folder() -> Path:
    """Return the folder of all kernels, by the system's convention. It need not exist."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "undercroft" / "kernels"  # noqa: PTH111 - a missing home must not raise


def _make_private(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_private(path)


def _check_private(path: Path) -> None:
    """Raise OSError for a folder that belongs to somebody else, or that others may write to."""
    if not hasattr(os, "getuid"):
        return  # on Windows only the user may write to the user's folder
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{path}: does not belong to this user")
    if not os.access(path, os.W_OK):
        raise PermissionError(f"{path}: is read-only")


def _drop_damaged(directory: Path) -> None:
    """Remove truncated files, as after a power failure: numba would fail on them for ever.

    The files are pickles, whose last byte is a full stop. What is missing is compiled again.
    """
    for path in directory.rglob("*.nb[ci]"):
        with suppress(OSError):
            if path.read_bytes()[-1:] != b".":
                path.unlink()


def _prune(parent: Path) -> None:
    """Remove the folders that have been unused for longest."""
    with suppress(OSError):
        newest_first = sorted(parent.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
        for old in newest_first[_MAX_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
