"""TOML that a command prints, with the line that names its schema if it goes to a file of a project."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import click


def print_toml(text: str, schema: str) -> None:
    """Print a file of TOML. In `undercroft presets NAME > FILE` editors find the schema of FILE."""
    if file := _redirected_to():
        from exporters.schemas import directive_for

        text = directive_for(file.parent, schema) + text
    click.echo(text, nl=False)


def _redirected_to() -> Path | None:
    """Return the file that standard output goes to, if it is one and the system tells which."""
    try:
        number = sys.stdout.fileno()
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode) or status.st_size:  # with a size, it is added to
            return None
        if sys.platform == "linux":
            return Path(f"/proc/self/fd/{number}").readlink()
        if sys.platform == "darwin":
            from fcntl import F_GETPATH, fcntl

            return Path(os.fsdecode(fcntl(number, F_GETPATH, bytes(1024)).rstrip(b"\0")))
    except (OSError, ValueError):  # ValueError: standard output is no file of the system's
        pass
    return None
