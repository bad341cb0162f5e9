"""Programs that hear Ctrl-C, whoever started the tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_HEARD: dict[signal.Signals, Any] = {signal.SIGINT: signal.default_int_handler}
if hasattr(signal, "SIGHUP"):  # Windows has none
    _HEARD[signal.SIGHUP] = signal.SIG_DFL


@contextmanager
def ctrl_c_is_heard() -> Iterator[None]:
    """What is started in this block hears Ctrl-C, as everything does that a person starts at a terminal.

    Shells have their background jobs ignore it, and `nohup` has them ignore that the terminal is closed; so would all that
    these start.
    """
    before = {number: signal.getsignal(number) for number in _HEARD}
    for number, heard in _HEARD.items():
        if before[number] is signal.SIG_IGN:
            signal.signal(number, heard)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
