"""Which stage of a level is being made, for progress displays only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_watcher: ContextVar[Callable[[str], object] | None] = ContextVar("watcher", default=None)


def enter_stage(name: str) -> None:
    """Announce that a stage begins. Without a listener this does nothing."""
    if report := _watcher.get():
        report(name)


@contextmanager
def reporting_stages(report: Callable[[str], object]) -> Iterator[None]:
    """Call `report` with the name of each stage that begins within this context."""
    before = _watcher.set(report)
    try:
        yield
    finally:
        _watcher.reset(before)
