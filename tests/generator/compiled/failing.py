"""Works of a process beside that fail, each in its own way."""

from __future__ import annotations

import os
import signal

from generator.compiled import loader


def out_of_memory() -> None:
    """Fail as work does that asks for more than a process may have."""
    raise MemoryError


def killed() -> None:
    """End as a process does that the system ends."""
    os.kill(os.getpid(), signal.SIGKILL)


def without_kernels() -> None:
    """Compile nothing, as with a numba that does not work."""


WAYS = {out_of_memory: 1, killed: -9, without_kernels: 0}  # and the exit status


def begin(number: int) -> None:
    """Do the work of this number, as that of a style of its name."""
    work = [*WAYS][number]
    loader.compile_here(work.__name__, work)
