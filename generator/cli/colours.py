"""Whether a command prints in colours, as its `--color`, the terminal and the usual variables say."""

from __future__ import annotations

import os
import sys

import click

color_option = click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    help="Print in colours. Default: auto, on a terminal unless NO_COLOR is set.",
)


def is_coloured(choice: str = "auto") -> bool:
    """Decide whether to print in colours.

    `auto` follows NO_COLOR (https://no-color.org), then FORCE_COLOR and CLICOLOR_FORCE, then CLICOLOR=0
    (https://bixense.com/clicolors) and a dumb terminal; without them a terminal has colours.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if os.environ.get("CLICOLOR") == "0" or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()
