"""`undercroft kit`: begin a kit of a team's own."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import writing
from generator.errors import BadInput


@click.group()
def command() -> None:
    """Begin a kit: room kinds, special rooms, doors, decor and enemies of your own, by data."""


def _named(_: click.Context, __: click.Parameter, folder: Path | str) -> Path:
    """The folder of that name, which must have one: an empty text would stand for the current folder."""
    if not str(folder):
        raise BadInput("DIR: '' is not a folder's name; give one, such as our-kit, or . for this folder")
    return Path(folder)


@command.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False), callback=_named)
@writing.writes_files("fail")
def new(folder: Path, how: writing.WriteOptions) -> None:
    """Write a small kit with notes into a new folder. A spec names it with `kit = "DIR"`."""
    from exporters.bundle import Bundle
    from generator.kinds.new_kit import begun

    if folder.is_symlink() and not folder.exists():
        raise BadInput(f"{folder}: is a link that leads nowhere; name another folder")
    files = begun(folder.resolve().name)
    how.write(Bundle({name: text.encode() for name, text in files.items()}), folder, {}, inert=True)


@command.command()
def keys() -> None:
    """Print what every key of a kit means, as Markdown."""
    from generator.kinds.reference import reference

    click.echo(reference(), nl=False)
