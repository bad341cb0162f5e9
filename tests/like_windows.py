"""Runs lines of commands in this process as Windows would: without what only POSIX has, and with its rules for files.

    python -m tests.like_windows 'generate isaac --seed 7' 'sync .'

It is no Windows. It takes away names that Windows lacks (`fcntl`, `os.getuid`, `signal.pthread_sigmask` and so on),
says `win32` where code asks, refuses to open a folder, and to replace or remove a file that is open. The libraries
are imported before: they are those of this system. Workers begin with this module too, so they are the same.
"""

from __future__ import annotations

import importlib
import os
import shlex
import shutil
import signal
import sys
import types
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_LIBRARIES = """click concurrent.futures.process ctypes fcntl gzip hashlib importlib.metadata importlib.resources
    multiprocessing.popen_spawn_posix multiprocessing.resource_tracker multiprocessing.synchronize numpy PIL.Image
    PIL.PngImagePlugin scipy.ndimage scipy.sparse.csgraph scipy.spatial shapely sqlite3 statistics subprocess tempfile
    xml.etree.ElementTree zipfile"""
_MISSING = {
    os: "chown fchmod fork forkpty getgid geteuid getpgid getuid getxattr lchown mkfifo nice O_DIRECTORY O_NOFOLLOW "
    "O_NONBLOCK posix_fallocate posix_spawn pread pwrite sched_getaffinity setsid statvfs sync sysconf uname wait3",
    signal: "alarm pthread_sigmask setitimer SIGALRM SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 sigwait",
}
_MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog")


def _locks() -> types.ModuleType:
    """`msvcrt`, with locks that this system keeps."""
    import fcntl

    module: Any = types.ModuleType("msvcrt")
    module.LK_NBLCK, module.LK_UNLCK = 2, 0

    def locking(descriptor: int, mode: int, _: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_UN if mode == 0 else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(13, "Permission denied") from None

    module.locking = locking
    return module  # type: ignore[no-any-return]


def _is_open(path: Any) -> bool:
    """Whether this process has a file open."""
    wanted = os.path.realpath(path)
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            if str(descriptor.readlink()) == wanted:
                return True
    return False


def _unless_open(work: Callable[..., None]) -> Callable[..., None]:
    def refusing(path: Any, *more: Any, **named: Any) -> None:
        for each in (path, *more):
            if _is_open(each):
                raise PermissionError(13, "The process cannot access the file", str(path), 32, str(each))
        work(path, *more, **named)

    return refusing


def _no_folders(work: Callable[..., int]) -> Callable[..., int]:
    def opening(path: Any, *more: Any, **named: Any) -> int:
        if os.path.isdir(path):  # noqa: PTH112 - as `os.open` takes it
            raise PermissionError(13, "Permission denied", str(path))
        return work(path, *more, **named)

    return opening


def _keep_for_processes() -> None:
    """Let Python's own start of a process work as this system has it."""
    tracker: Any = sys.modules["multiprocessing.resource_tracker"]
    tracker._HAVE_SIGMASK = False
    ours = types.SimpleNamespace(**vars(sys))
    for name, module in [*sys.modules.items()]:
        if name.startswith("multiprocessing.") and hasattr(module, "sys"):
            vars(module)["sys"] = ours


def become() -> None:
    """From now on, this process is like one on Windows."""
    for name in _LIBRARIES.split():
        importlib.import_module(name)
    _keep_for_processes()
    sys.modules["msvcrt"] = _locks()
    for name in _MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in _MISSING.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    os.unlink = os.remove = _unless_open(os.unlink)
    os.replace, os.rename = _unless_open(os.replace), _unless_open(os.rename)
    os.open = _no_folders(os.open)
    sys.platform = "win32"
    if sys.flags.warn_default_encoding:  # of the libraries, only ours is to name the encoding of each text
        warnings.simplefilter("error", EncodingWarning)


def _prove() -> None:
    """Refuse to go on if this process is not like Windows after all."""
    import msvcrt
    import tempfile

    assert msvcrt and not hasattr(os, "getuid")
    with tempfile.TemporaryDirectory() as folder:
        with (Path(folder) / "open").open("wb"), suppress(PermissionError):
            (Path(folder) / "open").unlink()
            raise AssertionError("an open file was removed")
        with suppress(PermissionError):
            os.open(folder, os.O_RDONLY)
            raise AssertionError("a folder was opened")


become()  # a worker imports this module before it works

if __name__ == "__main__":
    from generator.cli import main

    _prove()
    for line in sys.argv[1:]:
        try:
            main(shlex.split(line))
        except SystemExit as end:
            print(f"{line}: {end.code}", flush=True)
