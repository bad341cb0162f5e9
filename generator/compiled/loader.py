"""Kernel modules, compiled by numba if it is installed (`pip install 'undercroft[fast]'`).

`UNDERCROFT_FAST=0` in the environment leaves everything interpreted. If numba is missing or fails, the
interpreted form gives the same results, more slowly.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from generator.compiled import primitives

SWITCH = "UNDERCROFT_FAST"
FEW = 2000  # seeds: for fewer it is not worth the second or so that loading numba and kernels takes
_NEWS = "undercroft: compiling the kernels, once; this takes up to a minute"


def is_fast() -> bool:
    """Check whether kernels would be compiled: numba is installed, and not switched off."""
    return os.environ.get(SWITCH, "1") != "0" and find_spec("numba") is not None


def bulk(module: ModuleType, seeds: int, few: int = FEW) -> Any:
    """Return a kernel module for this many seeds: compiled if possible and worthwhile, otherwise itself."""
    if seeds < few or not is_fast():
        return module
    return _compiled(module) or module


def compile_ahead(name: str, work: Callable[[], object]) -> None:
    """Do work that compiles kernels, unless work of this name was already done with the same sources.

    For a process whose workers would otherwise each compile the same kernels.
    """
    if not is_fast():
        return
    cache = folder(_digest_of_all())
    if not (cache / name).exists():
        work()
        (cache / name).touch()


@cache
def _compiled(module: ModuleType) -> Any:
    """Return the module's compiled form, or None if numba is missing or does not work."""
    try:
        numba = import_module("numba")
        modules = list(dict.fromkeys(_reached(module)))
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder(_digest(modules)))
        try:
            copies = {
                kernel.__name__: _copy(kernel, numba, is_inner=kernel is not module) for kernel in modules
            }
        finally:
            numba.config.CACHE_DIR = before
        _listener().has_reported = False  # once per loaded module
    except (ImportError, AttributeError, RuntimeError, OSError):
        return None
    for space in copies.values():
        _link(space, copies)
    return _CompiledModule(copies[module.__name__])


@cache
def _listener() -> Any:
    """Register a listener that is called when numba compiles a kernel's function that is not cached."""
    event: Any = import_module("numba.core.event")

    class FirstCompilation(event.Listener):  # type: ignore[misc]  # numba has no types
        has_reported = False

        def on_start(self, event: Any) -> None:
            if not self.has_reported and is_kernel(event.data["dispatcher"].py_func.__module__):
                self.has_reported = True
                _tell(_NEWS)

        def on_end(self, event: Any) -> None:
            """Do nothing."""

    listener = FirstCompilation()
    event.register("numba:compile", listener)
    return listener


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
        digest.update(repr(_constants(module)).encode())
    digest.update(repr(_versions()).encode())
    return digest.hexdigest()


def _digest_of_all() -> str:
    """Digest what any kernel of this package depends on."""
    digest = hashlib.blake2b(repr(_versions()).encode(), digest_size=12)
    package = Path(__file__).parent
    for path in sorted([*package.glob("*.py"), *package.parent.rglob("*kernel.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _constants(module: ModuleType) -> list[tuple[str, object]]:
    return [(name, value) for name, value in vars(module).items() if isinstance(value, int | bytes | tuple)]


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
    own = {name: value for name, value in space.items() if _is_of(value, module.__name__)}
    if module is primitives:
        own |= space["COMPILED"]
    compile_later = numba.njit(cache=True, nogil=True, no_cpython_wrapper=is_inner, no_cfunc_wrapper=is_inner)
    return space | {name: compile_later(function) for name, function in own.items()}


def _is_of(value: object, module: str) -> bool:
    return isinstance(value, FunctionType) and value.__module__ == module


def _link(space: dict[str, Any], copies: dict[str, dict[str, Any]]) -> None:
    """Let the functions of a compiled module call compiled ones, its own and those of other modules."""
    for name, value in list(space.items()):
        if isinstance(value, FunctionType) and value.__module__ in copies:
            space[name] = copies[value.__module__][value.__name__]
    for value in space.values():
        own = getattr(value, "py_func", None)
        if own is not None and own.__module__ == space["__name__"]:
            own.__globals__.update(space)


def _tell(line: str) -> None:
    """Print a line, on a terminal only, like all progress."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)


# Where compiled kernels are kept: in the user's cache folder, a few folders for each state of the sources.
#
# Its files are executed unchecked, so a folder that others may write to is not used. If a folder cannot be
# used, a temporary one replaces it, which is deleted at the end.

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
