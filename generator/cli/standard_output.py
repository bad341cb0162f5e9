"""`--out -`: the one file of an export on standard output."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import click

from generator.errors import BadInput


def print_bundle(bundle: Mapping[str, bytes], as_json: bool, flag: str = "--out") -> None:
    """Print the one file of a bundle as it is, as `flag` asks for.

    Raises BadInput if there are several, and if a terminal cannot show it.
    """
    if as_json:
        raise BadInput(f"{flag}: does not go with --json, which prints events there; leave one out")
    if len(bundle) != 1:
        names = ", ".join(bundle)
        remedy = "give --to with a format of one file, such as json or png, or a folder"
        raise BadInput(f"--out: - prints one file, and these are {len(bundle)} ({names}); {remedy}")
    ((name, data),) = bundle.items()
    if sys.stdout.isatty() and not _is_text(data):
        raise BadInput(
            f"{flag}: {name} is not text, which a terminal could show; send it to a file: > {name}"
        )
    click.echo(data, nl=False)


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in data
