"""Waiting for something to come true: the one place where a test looks at the clock."""

from __future__ import annotations

import asyncio
import math
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


# So much more input takes 16 times as long if the time is linear, 256 times if it is quadratic.
_TIMES, _LIMIT = 16, 64
_MEASURABLE = 0.004  # s


def grows_as_its_input(work: Callable[[int], object], least: int = 250) -> bool:
    """Whether the processor's time grows as the input does, and not as its square.

    It is the ratio of two times that is judged, each the best of several: how fast or busy the machine is makes no
    difference. What grows too fast is measured again before it is said to.
    """
    while (few := _processor_time(work, least)) < _MEASURABLE:
        least *= 2
    many = math.inf
    for _ in range(3):
        many = min(many, _processor_time(work, _TIMES * least))
        if many < _LIMIT * few:
            return True
        few = min(few, _processor_time(work, least))
    return False


def _processor_time(work: Callable[[int], object], size: int) -> float:
    """The shorter of two, in seconds."""
    found = []
    for _ in range(2):
        begun = time.thread_time()
        work(size)
        found.append(time.thread_time() - begun)
    return min(found)
