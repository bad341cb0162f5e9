"""A plugin of pytest: no test goes on for ever because of a fault. Whoever started pytest sees the signal."""

from __future__ import annotations

import resource
import signal

import pytest

from tests.engines import HANG

MAX_CPU = 120  # s of processor time of one test; compiling all kernels takes up to a minute


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> None:
    """Begin anew for each test."""
    limit()


def limit() -> None:
    """End this process, and programs that it starts from now on, after some more time."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = int(usage.ru_utime + usage.ru_stime)
    resource.setrlimit(resource.RLIMIT_CPU, (used + MAX_CPU, resource.RLIM_INFINITY))
    signal.alarm(int(HANG))


limit()  # what tests import may loop as well
