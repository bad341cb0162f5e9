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

_MOST_KEPT = 6  # folders; each state of the sources has two or three


def folder(digest: str) -> Path:
    """Return the folder for this digest, created if need be."""
    place = user_folder() / digest
    try:
        _make_private(place.parent)
        place.mkdir(mode=0o700, exist_ok=True)
        _check_private(place)
        os.utime(place)  # marks it as used; the one unused for longest is removed first
    except OSError:
        place = Path(tempfile.mkdtemp(prefix="undercroft-kernels-"))
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        return place
    _prune(place.parent)
    _drop_damaged(place)
    return place


def user_folder() -> Path:
    """Return the folder of all kernels, by the system's convention. It need not exist."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "undercroft" / "kernels"  # noqa: PTH111 - a missing home must not raise


def _make_private(place: Path) -> None:
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_private(place)


def _check_private(place: Path) -> None:
    """Raise OSError for a folder that belongs to somebody else, or that others may write to."""
    if not hasattr(os, "getuid"):
        return  # on Windows only the user may write to the user's folder
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PermissionError(f"{place}: does not belong to this user")
    if not os.access(place, os.W_OK):
        raise PermissionError(f"{place}: is read-only")


def _drop_damaged(place: Path) -> None:
    """Remove truncated files, as after a power failure: numba would fail on them for ever.

    The files are pickles, whose last byte is a full stop. What is missing is compiled again.
    """
    for path in place.rglob("*.nb[ci]"):
        with suppress(OSError):
            if path.read_bytes()[-1:] != b".":
                path.unlink()


def _prune(parent: Path) -> None:
    """Remove the folders that have been unused for longest."""
    with suppress(OSError):
        newest_first = sorted(parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
        for old in newest_first[_MOST_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
