"""The command `undercroft`, also `python -m undercroft`.

Until `main` is called, Ctrl-C gives Python's traceback, so nothing slow is imported before that.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in `typing`, which is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable

_INTERRUPTED = 130


def main() -> None:
    """Run the command line. If another package is in its way, say so in one line."""
    try:
        command_line = _command_line()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)  # the command line's own status for this
    command_line()


def _command_line() -> Callable[[], None]:
    """Import the command line. During the import, Ctrl-C ends the process at once.

    A KeyboardInterrupt in the middle of an import could print a traceback.
    """
    import os
    import signal

    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # False in the background
    if is_usual:
        signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    from undercroft.packages import own_packages

    try:
        own_packages()
    except ImportError as error:
        sys.exit(f"undercroft: {error}")
    from generator.garbage import collect_rarely_to_the_end

    collect_rarely_to_the_end()
    from generator.cli import main as command_line

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return command_line


if __name__ == "__main__":
    main()
