"""The command line: one file for each command or few that belong together, which import what they need late.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 a check failed or
a level could not be made, 2 wrong use, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.cli.group import main

__all__ = ["main"]


def __getattr__(name: str) -> object:
    """Import `main` when it is asked for, so that Ctrl-C ends the program quietly during the import too."""
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from generator.cli.group import main
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    return main
