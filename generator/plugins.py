"""What other packages add: styles and formats, each an entry point of a group of ours.

A name that is built in stays what it is. Of two packages with one name neither is taken: which one it is
would depend on the order in which they were installed.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import ParamSpec, TypeVar

from generator.errors import BadInput, UndercroftError, shown

P = ParamSpec("P")
R = TypeVar("R")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")  # it may stand in a file's name


def names(group: str, built_in: Collection[str]) -> tuple[str, ...]:
    """The names that other packages add, sorted, usable or not."""
    return tuple(sorted(set(_entries(group)) - set(built_in)))


def load(group: str, name: str) -> tuple[object, str] | None:
    """What a package adds under a name, and where it is, as MODULE:OBJECT; None if no package does.

    Raises BadInput if it cannot be imported, or if two packages add something else each.
    """
    found = dict(_entries(group).get(name, ()))
    if not found:
        return None
    if len(found) > 1:
        raise BadInput(f"{shown(name)}: {' and '.join(sorted(found))} both have that name; uninstall one")
    ((value, get),) = found.items()
    if not _NAME.fullmatch(name):
        raise BadInput(f"{shown(name)}: {value} has a bad name; use up to 64 of A-Za-z0-9._-")
    try:
        return get(), value
    except (Exception, SystemExit) as error:  # whatever a package does when it is imported
        raise BadInput(f"{shown(name)}: {value} cannot be loaded: {_said(error)}") from error


def usable(
    group: str, built_in: Collection[str], get: Callable[[str], R], tell: Callable[[str], object]
) -> Iterator[R]:
    """What `get` makes of each name that other packages add. `tell` gets a line for each that is left out."""
    for name in sorted(_entries(group)):
        if name in built_in:
            values = " and ".join(sorted(dict(_entries(group)[name])))
            tell(f"{shown(name)}: {values} is left out: Undercroft has its own of that name")
            continue
        try:
            yield get(name)
        except BadInput as error:
            tell(str(error))


def guarded(whose: str, function: Callable[P, R]) -> Callable[P, R]:
    """A function of another package, whose mistakes are told in one line, as UndercroftError."""

    def call(*given: P.args, **named: P.kwargs) -> R:
        try:
            return function(*given, **named)
        except UndercroftError:
            raise
        except (Exception, SystemExit) as error:  # whatever it does
            steps = [
                step for step in traceback.extract_tb(error.__traceback__) if not _is_ours(step.filename)
            ]
            where = f" ({steps[-1].filename}, line {steps[-1].lineno})" if steps else ""
            raise UndercroftError(f"{whose} failed: {_said(error)}{where}; tell its authors") from error

    return call


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(Path(__file__).parent)


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def _entries(group: str) -> dict[str, list[tuple[str, Callable[[], object]]]]:
    """By name: where each package's object is, and what imports it."""
    from importlib.metadata import entry_points  # slow, and seldom needed

    found: dict[str, list[tuple[str, Callable[[], object]]]] = {}
    for entry in entry_points(group=group):
        found.setdefault(entry.name, []).append((entry.value, entry.load))
    return found
