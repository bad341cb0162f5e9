"""Waiting for something to come true: the one place where a test looks at the clock."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.engines import HANG


def until(condition: Callable[[], object], what: str) -> None:
    """Ask again and again, and go on as soon as the answer is true.

    Raises AssertionError with the text after `HANG`, by which only what hangs is not done.
    """
    end = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)
