"""Where compiled kernels are kept: in the user's folder for caches, one folder for each state of the sources.

What lies there is run as it is: a folder that others may write to is not used. A folder in the system's
place for temporary files stands in for one that cannot be used, and is gone at the end.
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

_MOST_KEPT = 6  # two or three for each state of the sources


def folder(digest: str) -> Path:
    """The folder for what belongs to that digest; it is made if it is not there."""
    place = user_folder() / digest
    try:
        _make_private(place.parent)
        place.mkdir(mode=0o700, exist_ok=True)
        _check_private(place)
        os.utime(place)  # it is in use; the one that is longest out of use goes first
    except OSError:
        place = Path(tempfile.mkdtemp(prefix="undercroft-kernels-"))
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        return place
    _prune(place.parent)
    _drop_damaged(place)
    return place


def user_folder() -> Path:
    """The folder of all kernels, as the system has it; it need not exist."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "undercroft" / "kernels"  # noqa: PTH111 - no home is no error


def _make_private(place: Path) -> None:
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_private(place)


def _check_private(place: Path) -> None:
    """Raise OSError for a folder that is somebody else's, or that others may write to."""
    if not hasattr(os, "getuid"):
        return  # Windows gives the user's folder to the user alone
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PermissionError(f"{place}: is not the user's own")
    if not os.access(place, os.W_OK):
        raise PermissionError(f"{place}: is read-only")


def _drop_damaged(place: Path) -> None:
    """Remove the files that end too early, as after the power failed: numba fails on them for ever.

    They are pickles, whose last byte is a full stop. What is missing is compiled again.
    """
    for path in place.rglob("*.nb[ci]"):
        with suppress(OSError):
            if path.read_bytes()[-1:] != b".":
                path.unlink()


def _prune(parent: Path) -> None:
    """Remove the folders that are longest out of use."""
    with suppress(OSError):
        newest_first = sorted(parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
        for old in newest_first[_MOST_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
