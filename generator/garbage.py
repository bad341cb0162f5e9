"""Python's garbage collector, in processes that make levels, and where files of many values are merged.

A level is many objects and hardly a cycle, so the search for cycles need not come every few hundred.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_RARE = (20_000, 50, 50)  # in place of (700, 10, 10)


def collect_rarely() -> None:
    """Let the collector come more rarely; one that does already, or is switched off, stays as it is."""
    if 0 < gc.get_threshold()[0] < _RARE[0]:
        gc.set_threshold(*_RARE)


@contextmanager
def rare_collections() -> Iterator[None]:
    """`collect_rarely`, and as before at the end."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def no_collections() -> Iterator[None]:
    """No search for cycles: among a million values of a file there is none, and it takes half the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
