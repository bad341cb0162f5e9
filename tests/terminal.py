"""A program as somebody at a terminal sees it."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

_VARIABLES = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES")


needs_terminal = pytest.mark.skipif(not hasattr(os, "openpty"), reason="Windows has no such terminals")


class OnTerminal(NamedTuple):
    """What a program printed on its terminal, and its exit status."""

    status: int
    text: str


def undercroft_on_terminal(*args: str, cwd: Path, columns: int = 80, **env: str) -> OnTerminal:
    """Run the command line with standard output and error on one terminal."""
    import fcntl  # Windows has none
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    usual = {name: value for name, value in os.environ.items() if name not in _VARIABLES}
    done = subprocess.Popen(
        [sys.executable, "-m", "generator.cli", *args],
        cwd=cwd,
        env={**usual, "TERM": "xterm", **env},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while part := _read(ours):
        said += part
    os.close(ours)
    return OnTerminal(done.wait(), said.decode("utf-8").replace("\r\n", "\n"))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the program has ended
        return b""
