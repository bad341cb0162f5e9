"""Waiting for something to come true: the one place where a test looks at the clock."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from tests.engines import HANG

TraceFunction = Callable[[FrameType, str, object], object]


def until(condition: Callable[[], object], what: str) -> None:
    """Ask again and again, and go on as soon as the answer is true.

    Raises AssertionError with the text after `HANG`, by which only what hangs is not done.
    """
    end = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Return whether a process of Linux has not ended, whether or not its parent has asked for its status."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


async def as_a_hand_moves() -> None:
    """The time between two moves of a slider. It paces what a test does; the test waits for nothing by it."""
    await asyncio.sleep(1 / 60)


_MIN = 50  # pieces of input
_TIMES = 32  # so much more input is 32 times the work if that is linear, and 1,024 times if it is quadratic
_MAX_STEPS = 2 * _TIMES
_MAX_TIME = 6 * _TIMES  # memory, caches and other programs may make six times as much of it
_MEASURABLE = 0.004  # s


def steps_grow_as_the_input(work: Callable[[int], object]) -> bool:
    """Whether the lines of Python that run grow as the input does, and not as its square. They are counted."""
    return _steps(work, _TIMES * _MIN) < _MAX_STEPS * _steps(work, _MIN)


def _steps(work: Callable[[int], object], size: int) -> int:
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(size)
    finally:
        sys.settrace(before)
    return count


def time_grows_as_the_input(work: Callable[[int], object]) -> bool:
    """The same of the processor's time, for what runs inside of one line, such as a regular expression.

    It is the ratio of two times that is judged, the best of three, so neither a slow nor a busy machine makes a
    difference.
    """
    least = _MIN
    while (few := _processor_time(work, least)) < _MEASURABLE:
        least *= 2
    return any(_processor_time(work, _TIMES * least) < _MAX_TIME * few for _ in range(3))


def _processor_time(work: Callable[[int], object], size: int) -> float:
    """In seconds."""
    begun = time.thread_time()
    work(size)
    return time.thread_time() - begun
