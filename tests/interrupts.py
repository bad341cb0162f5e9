"""Programs that hear Ctrl-C, whoever started the tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_is_heard() -> Iterator[None]:
    """What is started in this block hears Ctrl-C, as everything does that a person starts at a terminal.

    Shells have their background jobs ignore it, and so would all that these start.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
