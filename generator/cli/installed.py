"""`undercroft --version`: the version, what it runs on, and whether another distribution is in its way."""

from __future__ import annotations

import click

from generator.installed import EXTRAS, clashes, missing_of
from generator.version import VERSION


def print_version(as_json: bool) -> None:
    """Print the version, or an event with what it runs on. Clashes are notes, or in the event."""
    if not as_json:
        click.echo(f"undercroft, version {VERSION}")
        for line in clashes():
            click.echo(f"undercroft: note: {line}", err=True)
        return
    import platform
    import sys

    from generator.cli import json_lines

    json_lines.emit(
        "version",
        version=VERSION,
        python=platform.python_version(),
        platform=sys.platform,
        extras={extra: not missing_of(extra) for extra in EXTRAS},
        clashes=clashes(),
    )
