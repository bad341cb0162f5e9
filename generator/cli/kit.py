"""`undercroft kit`: begin your own kit."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common, json_lines, writing
from generator.cli.helpful import HelpfulGroup
from generator.errors import BadInput


@click.group(cls=HelpfulGroup)
def command() -> None:
    """Begin a kit: your own room kinds, special rooms, doors, decor and enemies, as data."""


@command.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@writing.writes_files("fail")
def new(folder: Path, output: writing.WriteOptions) -> None:
    """Write a small kit with notes into a new folder. A spec uses it with `kit = "DIR"`."""
    from exporters.bundle import Bundle
    from exporters.schemas import directive_for
    from generator.kinds.new_kit import new_kit_files

    if folder.is_symlink() and not folder.exists():
        raise BadInput(f"{folder}: is a link that leads nowhere; name another folder")
    files = new_kit_files(folder.resolve().name, directive_for(folder, "kit"))
    output.write(Bundle({name: text.encode() for name, text in files.items()}), folder, {}, inert=True)


@command.command()
@common.json_option
def keys(as_json: bool) -> None:
    """Print what every key of a kit means, as Markdown."""
    from generator.kinds.reference import key_tables, reference

    if as_json:
        for table in key_tables():
            json_lines.emit("table", **table._asdict())
    else:
        click.echo(reference(), nl=False)
