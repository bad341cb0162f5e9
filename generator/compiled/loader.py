"""Kernel modules, compiled by numba if it is installed (`pip install 'undercroft[fast]'`).

Nobody waits for that. Kernels are interpreted until a process beside, which work that lasts starts, has
compiled those of a style into the user's cache folder. It ends with the process that started it; what it has
compiled by then is kept, and the next one goes on there. The results are the same, so a work may change from
one form to the other between two blocks of seeds.

`UNDERCROFT_FAST=0` in the environment leaves everything interpreted. So it stays if numba is missing or
fails, or if nothing can be kept in the cache folder. In CI, whose machines keep nothing, nothing is compiled
beside unless UNDERCROFT_FAST=1 asks for it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from types import FunctionType, ModuleType
from typing import IO, Any

from generator.compiled import primitives
from generator.files import take_lock

SWITCH = "UNDERCROFT_FAST"


def is_fast() -> bool:
    """Check whether kernels would be compiled: numba is installed, and not switched off."""
    return os.environ.get(SWITCH, "1") != "0" and _has_numba()


@cache
def _has_numba() -> bool:
    return find_spec("numba") is not None  # looks through folders, and levels ask one by one


def bulk(module: ModuleType, style: str, *, pays: bool) -> Any:
    """Return a kernel module of a style: compiled if that is done and loading it `pays`, otherwise itself."""
    if not is_fast() or not (_compiles or is_ready(style)):
        return module
    if not pays and module.__name__ not in _loaded:
        return module
    return _compiled(module) or module


# --- compiling beside --------------------------------------------------------------------------------

_AFTER = 5  # seconds that work has to last
_PATIENCE = 900  # seconds after which another process tries what has failed in one
_PATIENCE_AT_END = 1  # second; then the system asks for the status of what has ended
_NICE = 10  # so that the work itself gets most of a busy processor
_MAX_CPU, _MAX_BYTES = 300, 1 << 30  # of such a process; the most that a style takes is 60 s and 424 MB
_PROGRAM = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); pickle.load(sys.stdin.buffer)()"


def is_ready(style: str) -> bool:
    """Check whether the kernels of a style are compiled and kept."""
    return style in _ready or _is_kept(style)


_ready: set[str] = set()


def _is_kept(style: str) -> bool:
    home = _home()
    try:
        kept = (home / style).read_text("ascii").split() if home else []
    except (OSError, UnicodeDecodeError):
        return False
    if kept and all((user_folder() / name).is_dir() for name in kept):
        _ready.add(style)
    return style in _ready


def compile_beside(style: str, work: Callable[[], object], *, lasts: bool = False) -> None:
    """Start a process that compiles the kernels of a style by doing some work, unless that is done.

    It is started once, when kernels have been asked for some seconds or for what `lasts` that long, and ends
    with this process at the latest. `work` can be pickled; it calls `compile_here`.
    """
    asked = _asked.setdefault(style, time.monotonic())
    is_soon_done = not lasts and time.monotonic() - asked < _AFTER
    if is_soon_done or style in _begun or _compiles or not is_fast():
        return
    if is_ready(style) or (os.environ.get("CI") and os.environ.get(SWITCH) != "1"):
        return
    _begun.add(style)
    home = _home()
    if home is None or _has_failed(home, style):
        return
    with suppress(OSError):  # no process can be had
        _start(work, home)


_asked: dict[str, float] = {}  # by this process, and since when
_begun: set[str] = set()


def _has_failed(home: Path, style: str) -> bool:
    with suppress(OSError):
        return time.time() - (home / f"{style}.failed").stat().st_mtime < _PATIENCE
    return False


def _start(work: Callable[[], object], home: Path) -> None:
    import pickle
    import subprocess

    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 - an empty path too
    given = pickle.dumps(paths) + pickle.dumps(work)
    nothing = subprocess.DEVNULL
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        cwd=home,  # not the folder that somebody may want to remove
        stdin=subprocess.PIPE,
        stdout=nothing,
        stderr=nothing,
        start_new_session=True,  # Ctrl-C is not for it
        creationflags=flags,
    )
    assert process.stdin
    process.stdin.write(given)
    process.stdin.flush()
    process.returncode = 0  # nobody asks for it
    reaping = Thread(target=_reap, args=(process.pid,), daemon=True)
    if hasattr(os, "fork"):  # elsewhere nothing is left of a process that has ended
        reaping.start()
    atexit.register(_end, process.stdin, reaping)


def _end(pipe: IO[bytes], reaping: Thread) -> None:
    """End the other process, which does so when the pipe is closed, as also after a kill of this one."""
    with suppress(OSError):
        pipe.close()
    if reaping.ident:
        reaping.join(_PATIENCE_AT_END)


def _reap(pid: int) -> None:
    with suppress(ChildProcessError):  # the program does so itself
        os.waitpid(pid, 0)


def _end_with_input(failed: Path) -> None:
    while os.read(sys.stdin.fileno(), 1):  # not through its buffer, whose lock Python wants at the end
        pass
    with suppress(OSError):
        failed.unlink()  # so that the next one goes on at once
    os._exit(0)


def _limit() -> None:
    """Bound what this process takes of the machine, where the system can."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    with suppress(ImportError, OSError, ValueError):
        import resource

        for kind, most in ((resource.RLIMIT_CPU, _MAX_CPU), (resource.RLIMIT_DATA, _MAX_BYTES)):
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def compile_here(style: str, work: Callable[[], object]) -> None:
    """Do work that compiles kernels, and note that those of a style are kept.

    For a process of its own, which ends when standard input does. Of a user's processes, one compiles at a
    time.
    """
    home = folder(_digest_of_all())
    with user_folder().with_suffix(".lock").open("ab") as lock:
        if not take_lock(lock):
            return
        failed = home / f"{style}.failed"
        failed.touch()  # until it is done, as the system may kill it; then nobody tries again soon
        Thread(target=_end_with_input, args=(failed,), daemon=True).start()
        _limit()
        compile_now(style, work)
        if is_ready(style):
            failed.unlink(missing_ok=True)


def compile_now(style: str, work: Callable[[], object]) -> None:
    """Do work that uses all kernels of a style, compiled, and note that they are kept."""
    with compiling():
        work()
    home = _home()
    if home and _kept:  # numba works
        with suppress(OSError):
            (home / style).write_text(" ".join(_kept), "ascii")


@contextmanager
def compiling() -> Iterator[None]:
    """Let `bulk` compile at once in this block, as in processes that only compile, and in tests."""
    global _compiles  # noqa: PLW0603
    before, _compiles = _compiles, True
    try:
        yield
    finally:
        _compiles = before


_compiles = False


_kept: set[str] = set()  # the names of the folders whose kernels this process has loaded


@cache
def _home() -> Path | None:
    """Return the folder that says which styles are ready. None if it cannot be used."""
    try:
        return folder(_digest_of_all())
    except OSError:
        return None


_loaded: set[str] = set()  # the names of modules whose compiled form this process has


@cache
def _compiled(module: ModuleType) -> Any:
    """Return the module's compiled form, or None if numba is missing or does not work."""
    try:
        numba = import_module("numba")
        modules = list(dict.fromkeys(_reached(module)))
        place = folder(_digest(modules))
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(place)
        try:
            copies = {
                kernel.__name__: _copy(kernel, numba, is_inner=kernel is not module) for kernel in modules
            }
        finally:
            numba.config.CACHE_DIR = before
        _kept.add(place.name)
    except (ImportError, AttributeError, RuntimeError, OSError):
        return None
    for space in copies.values():
        _link(space, copies)
    _loaded.add(module.__name__)
    return _CompiledModule(copies[module.__name__])


class _CompiledModule:
    """The functions of a compiled module, as attributes."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.__dict__.update(space)


def is_kernel(name: str) -> bool:
    """Check whether a module of this name is compiled as a whole."""
    return name.endswith("kernel") or name == primitives.__name__


def _reached(module: ModuleType) -> Iterator[ModuleType]:
    """Yield the kernel modules that a module takes functions from, then the module itself."""
    for value in vars(module).values():
        is_other = isinstance(value, FunctionType) and value.__module__ != module.__name__
        if is_other and is_kernel(value.__module__):
            yield from _reached(sys.modules[value.__module__])
    yield module


def _digest(modules: list[ModuleType]) -> str:
    """Digest what the compiled form depends on: sources, constants of other modules, Python, numba."""
    digest = hashlib.blake2b(digest_size=12)
    for module in modules:
        digest.update(Path(str(module.__file__)).read_bytes())
        names = vars(module).items()
        constants = [(name, value) for name, value in names if isinstance(value, int | bytes | tuple)]
        digest.update(repr(constants).encode())
    digest.update(repr(_versions()).encode())
    return digest.hexdigest()


def _digest_of_all() -> str:
    """Digest what any kernel depends on: numba compiles again if a file has another place or time."""
    digest = hashlib.blake2b(repr(_versions()).encode(), digest_size=12)
    package = Path(__file__).parent
    for path in sorted([*package.glob("*.py"), *package.parent.rglob("*kernel.py")]):
        status = path.stat()
        digest.update(f"{path} {status.st_mtime_ns} {status.st_size}\n".encode())
    return digest.hexdigest()


def _versions() -> list[object]:
    python = [sys.version_info[:3], sys.implementation.cache_tag]
    try:
        return [*python, *(version(name) for name in ("numba", "llvmlite", "numpy"))]
    except PackageNotFoundError:
        return list(python)


def _copy(module: ModuleType, numba: Any, *, is_inner: bool) -> dict[str, Any]:
    """Return the names of a second copy of a module. Its functions are compiled when they are called.

    Those of an inner module are called only by kernels: without wrappers for Python and C, they take half the
    time to compile.
    """
    loader: Any = module.__spec__ and module.__spec__.loader
    space: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(loader.get_code(module.__name__), space)
    own = {
        name: value
        for name, value in space.items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    }
    if module is primitives:
        own |= space["COMPILED"]
        space["np"] = import_module("numpy")
    compile_later = numba.njit(cache=True, nogil=True, no_cpython_wrapper=is_inner, no_cfunc_wrapper=is_inner)
    return space | {name: compile_later(function) for name, function in own.items()}


def _link(space: dict[str, Any], copies: dict[str, dict[str, Any]]) -> None:
    """Let the functions of a compiled module call compiled ones, its own and those of other modules."""
    for name, value in list(space.items()):
        if isinstance(value, FunctionType) and value.__module__ in copies:
            space[name] = copies[value.__module__][value.__name__]
    for value in space.values():
        own = getattr(value, "py_func", None)
        if own is not None and own.__module__ == space["__name__"]:
            own.__globals__.update(space)


# Where compiled kernels are kept: in the user's cache folder, a few folders for each state of the sources.
#
# Its files are executed unchecked, so a folder that others may write to is not used.

_MAX_KEPT = 12  # folders; each state of the sources has up to five


def folder(digest: str) -> Path:
    """Return the folder for this digest, created if need be. Raises OSError if it cannot be used."""
    path = user_folder() / digest
    for each in (path.parent, path):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_private(each)
    os.utime(path)  # marks it as used; the one unused for longest is removed first
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
        base = os.environ.get("XDG_CACHE_HOME", "")
        base = base if os.path.isabs(base) else "~/.cache"  # noqa: PTH117 - XDG: ignore relative paths
    return Path(os.path.expanduser(base)) / "undercroft" / "kernels"  # noqa: PTH111 - a missing home must not raise


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
