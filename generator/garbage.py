"""Python's garbage collector, in processes that generate levels or merge large files.

A level has many objects and hardly any cycles, so searching for cycles every few hundred objects is a waste.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_RARE = (200_000, 50, 50)  # instead of (700, 10, 10)


def collect_rarely() -> None:
    """Make the collector run more rarely, unless it already does or is switched off."""
    if 0 < gc.get_threshold()[0] < _RARE[0]:
        gc.set_threshold(*_RARE)


def collect_rarely_to_the_end() -> None:
    """In a process of our own: collect rarely, and nothing of what is left when Python ends."""
    collect_rarely()
    atexit.register(gc.freeze)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Run a block in which `collect_rarely` holds."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def no_collections() -> Iterator[None]:
    """Run a block without the search for cycles.

    It takes half of the time of reading a huge file, and a tenth of that of making a level.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
