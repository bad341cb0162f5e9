"""What came into a level, and why other rows did not: noted where the choice is made, if somebody asks.

    with noted() as notes:
        generate(spec, 7)
    notes.came                                # {("arrangement", "camp"), ...}
    notes.passed_over["enemy", "ghoul"]       # {"is not of this chapter": 12}

A function that notes is cached with `cached_unless_noted`: else only its first call would note anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

RowName = tuple[str, str]
"""A table of a kit, such as `special_room`, and a name in it."""


class ChoiceNotes:
    """The rows that came, and how often each row was passed over, by reason."""

    def __init__(self) -> None:
        self.came: set[RowName] = set()
        self.passed_over: dict[RowName, Counter[str]] = defaultdict(Counter)


_notes: ContextVar[ChoiceNotes | None] = ContextVar("notes", default=None)


@contextmanager
def noted() -> Iterator[ChoiceNotes]:
    """Note what is chosen within this block."""
    notes = ChoiceNotes()
    before = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(before)


def are_noted() -> bool:
    """Check whether somebody asks for what is chosen."""
    return _notes.get() is not None


def came(table: str, name: str) -> None:
    """Note that a row came into the level."""
    if notes := _notes.get():
        notes.came.add((table, name))


def passed_over(table: str, name: str, reason: str) -> bool:
    """Note why a row was not chosen. Always False, so that a filter can end with it."""
    if notes := _notes.get():
        notes.passed_over[table, name][reason] += 1
    return False


def cached_unless_noted(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache so many results of a function. While somebody asks for notes, it is called each time."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        cached = cast("Callable[P, R]", lru_cache(most)(function))

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return (function if are_noted() else cached)(*args, **kwargs)

        return call

    return decorated
