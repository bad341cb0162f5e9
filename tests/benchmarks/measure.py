"""Measuring side by side: processor time, in turns, so that a busy machine treats all alike.

Each turn also times the yardstick, a loop of plain Python that never changes. A figure in yardsticks can be
compared with one of another day or machine; one in seconds cannot.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

ROUNDS = 5
_STEPS = 60_000  # of the yardstick: some milliseconds

Work = Callable[[], object]
Clock = Callable[[], float]  # does a peer's work and gives the processor time that it took, in seconds


class Measured(NamedTuple):
    """Medians over rounds: how often ours fits into the time of the peer's, and how many yardsticks it takes."""

    ratio: float | None
    yardsticks: float


class Row(NamedTuple):
    """A line of the table; all figures are ratios of times that were measured in turns.

    `yardsticks` is how much ours does in a yardstick's time, or, if `less`, how many yardsticks it takes.
    `ratio` is how many times as fast as the peer it is, or, if `less`, how many times as long it takes. The
    target is one of yardsticks, or one of the ratio if it is `of_peer`.
    """

    work: str
    yardsticks: float
    target: float | None = None
    peer: str = "–"
    ratio: float | None = None
    of_peer: bool = False
    less: bool = False

    @property
    def is_reached(self) -> bool | None:
        """Whether the target is; None without one."""
        figure = self.ratio if self.of_peer else self.yardsticks
        if self.target is None or figure is None:
            return None
        return figure <= self.target if self.less else figure >= self.target


def yardstick() -> int:
    """Whole numbers mixed, as random words are."""
    word = 1
    for step in range(_STEPS):
        word = (word * 0xBF58476D1CE4E5B9 + step) & 0xFFFFFFFFFFFFFFFF
    return word


def cpu_seconds(work: Work) -> float:
    """Processor time that a call takes in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def timed(work: Work) -> Clock:
    """The clock of work in this process."""
    return lambda: cpu_seconds(work)


def in_turns(ours: Work, peer: Clock | None = None, rounds: int = ROUNDS) -> Measured:
    """Time ours and a peer's work in turns, after each was done once."""
    ours()
    if peer is not None:
        peer()
    turns = []
    for _ in range(rounds):
        stick, mine = cpu_seconds(yardstick), cpu_seconds(ours)
        turns.append((stick, mine, peer() if peer is not None else None))
    ratios = [their / mine for _, mine, their in turns if their is not None]
    return Measured(
        statistics.median(ratios) if ratios else None,
        statistics.median(mine / stick for stick, mine, _ in turns),
    )


def rate_row(
    work: str,
    ours: Work,
    times: int,
    *,
    target: float | None = None,
    of_peer: float | None = None,
    peer: tuple[str, Clock, int] | None = None,
    rounds: int = ROUNDS,
) -> Row:
    """The row of a rate: `ours` does its work `times` times, `peer` (name, clock, times) as often as it says.

    The target is how much is done in a yardstick's time, or `of_peer`: how many times as fast as the peer.
    """
    found = in_turns(ours, peer[1] if peer else None, rounds)
    rate = times / found.yardsticks
    if peer is None or found.ratio is None:
        return Row(work, rate, target)
    return Row(work, rate, of_peer or target, peer[0], found.ratio * times / peer[2], of_peer is not None)


def child_cpu(args: Sequence[str]) -> float:
    """Processor time of a Python process with these arguments, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def child_peak(code: str) -> float:
    """MiB that a Python process takes at most while it runs a text."""
    code += "\nprint(open('/proc/self/status').read())"  # ru_maxrss counts the memory of who started it
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return int(done.stdout.split("VmHWM:")[1].split()[0]) / 1024
