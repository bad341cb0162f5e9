"""`undercroft export`: a saved level in other formats."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common
from generator.cli.helpful import HelpfulCommand
from generator.cli.writing import FileWriter, writes_levels
from generator.files import file_name


@click.command(cls=HelpfulCommand)
@common.level_argument
@click.option("--name", metavar="NAME", help="The name of the files. Default: that of the level's file.")
@common.accept_edits_option
@writes_levels(out_required=True)
def command(
    level_file: Path,
    name: str | None,
    accept_edits: bool,
    writer: FileWriter,
) -> None:
    """Export a level that was saved as level.json. The bytes are those that `generate` would write.

    If DIR already has files of the level, they keep their options and theme, except for those given here.
    """
    from generator.level_file import load_level

    level = load_level(level_file, accept_edits=accept_edits)
    stem = level_file.name.removesuffix(".json").removesuffix(".level")
    writer._replace(as_before=True).write(
        level, common.own_name(name) if name is not None else file_name(stem), {}
    )
