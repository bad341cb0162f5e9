"""The command `undercroft`, also `python -m undercroft`."""

from __future__ import annotations

import sys

from undercroft.packages import own_packages


def main() -> None:
    """Run the command line; in one line, which other package is in its way if one is."""
    try:
        own_packages()
    except ImportError as error:
        sys.exit(f"undercroft: {error}")
    except KeyboardInterrupt:
        sys.exit(130)  # as the command line itself, which says why
    from generator.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
