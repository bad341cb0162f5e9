"""Waiting for something to come true: the one place where a test looks at the clock."""

from __future__ import annotations

import asyncio
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


async def as_a_hand_moves() -> None:
    """The time between two moves of a slider. It paces what a test does; the test waits for nothing by it."""
    await asyncio.sleep(1 / 60)
