"""`undercroft export`: a saved level in other formats."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common
from generator.cli.writing import FileWriter, writes_levels
from generator.names import file_name


@click.command()
@click.argument("level_file", metavar="LEVEL.json", type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="The files' name. Default: that of the level's file.")
@common.accept_edits_option
@writes_levels(out_required=True)
def command(
    level_file: Path,
    name: str | None,
    accept_edits: bool,
    writer: FileWriter,
) -> None:
    """Export a level that was saved as level.json, with the same bytes as when it was made."""
    from generator.level_file import load_level

    level = load_level(level_file, accept_edits=accept_edits)
    stem = level_file.name.removesuffix(".json").removesuffix(".level")
    writer.write(level, file_name(name or stem), {})
