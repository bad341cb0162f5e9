"""Styles and formats that other packages add through our groups of entry points.

Built-in names cannot be replaced. If two packages have the same name, neither is used: which one is found
first would depend on the order in which they were installed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import ParamSpec, TypeVar

from generator.errors import BadInput, UndercroftError, shown
from generator.pattern import pattern

P = ParamSpec("P")
R = TypeVar("R")
Entries = dict[str, list[tuple[str, Callable[[], object]]]]

_NAME = pattern(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")  # it may become part of a file's name


def names(group: str, built_in: Collection[str]) -> tuple[str, ...]:
    """Return the sorted names that other packages add, usable or not."""
    return tuple(sorted(set(_entries(group)) - set(built_in)))


def load(group: str, name: str) -> tuple[object, str] | None:
    """Load what a package adds under a name, with its place as MODULE:OBJECT. None if no package has it.

    Raises BadInput if it cannot be imported, or if two packages add different objects.
    """
    objects = dict(_entries(group).get(name, ()))
    if not objects:
        return None
    if len(objects) > 1:
        raise BadInput(f"{shown(name)}: {' and '.join(sorted(objects))} both have that name; uninstall one")
    ((value, get),) = objects.items()
    if not _NAME.fullmatch(name):
        raise BadInput(f"{shown(name)}: {value} has a bad name; use up to 64 of A-Za-z0-9._-")
    try:
        return get(), value
    except (Exception, SystemExit) as error:  # whatever a package raises when it is imported
        raise BadInput(f"{shown(name)}: {value} cannot be loaded: {_said(error)}") from error


def usable(
    group: str, built_in: Collection[str], get: Callable[[str], R], tell: Callable[[str], object]
) -> Iterator[R]:
    """Yield the result of `get` for each name that other packages add. `tell` gets a line per failure."""
    for name in sorted(_entries(group)):
        if name in built_in:
            values = " and ".join(sorted(dict(_entries(group)[name])))
            tell(f"{shown(name)}: {values} is ignored: Undercroft has one of that name")
            continue
        try:
            yield get(name)
        except BadInput as error:
            tell(str(error))


def guarded(owner: str, function: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function of another package so that its errors become one line, as UndercroftError."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except UndercroftError:
            raise
        except (Exception, SystemExit) as error:  # whatever it raises
            import traceback

            steps = [
                step for step in traceback.extract_tb(error.__traceback__) if not _is_ours(step.filename)
            ]
            where = f" ({steps[-1].filename}, line {steps[-1].lineno})" if steps else ""
            raise UndercroftError(
                f"{owner} failed: {_said(error)}{where}; report this to its authors"
            ) from error

    return call


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(Path(__file__).parent)


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _entries(group: str) -> Entries:
    """Return, by name, where each package's object is, and a function that imports it."""
    return _read(group, tuple(map(_state, sys.path)))


def _state(folder: str) -> tuple[str, int]:
    """Return a folder of packages and when one was last added or removed."""
    try:
        return folder, Path(folder).stat().st_mtime_ns
    except OSError:  # it does not exist, which Python does not mind
        return folder, 0


@lru_cache(maxsize=8)
def _read(group: str, _path: tuple[tuple[str, int], ...]) -> Entries:
    """Read a group of all installed packages, which takes long and is asked for again and again."""
    from importlib.metadata import entry_points  # slow to import

    by_name: Entries = {}
    for entry in entry_points(group=group):
        by_name.setdefault(entry.name, []).append((entry.value, entry.load))
    return by_name
