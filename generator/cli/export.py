"""`undercroft export`: a saved level in other formats."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common
from generator.names import distinct_name, safe_name


@click.command()
@click.argument("level_file", metavar="LEVEL.json", type=click.Path(path_type=Path))
@common.to_option
@common.theme_option
@common.option_option
@common.options_option
@common.out_option(required=True)
@click.option("--name", metavar="NAME", help="The files' name. Default: that of the level's file.")
@common.quiet_option
@common.json_option
def command(
    level_file: Path,
    formats: tuple[str, ...],
    theme: Path | None,
    options: tuple[str, ...],
    options_file: Path | None,
    out: Path,
    name: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Export a level that was saved as level.json, with the same bytes as when it was made."""
    from generator.level_file import load_level

    level = load_level(level_file)
    stem = level_file.name.removesuffix(".json").removesuffix(".level")
    name = safe_name(name) if name else distinct_name(stem)
    written = common.write_level(level, formats, options, options_file, theme, out, name)
    common.tell_written(written, {"name": name, "fingerprint": level.fingerprint}, quiet, as_json)
