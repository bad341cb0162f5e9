"""`undercroft import`: an exported file that somebody edited, as a level again."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common
from generator.errors import one_line


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--level",
    "level_file",
    type=click.Path(path_type=Path),
    metavar="LEVEL.json",
    help="The level that FILE was exported from. Default: NAME.level.json beside it, or generated again.",
)
@common.theme_option
@common.option_option
@common.options_option
@common.out_option(required=True)
@click.option("--name", metavar="NAME", help="The level's name. Default: that of FILE.")
@common.quiet_option
@common.json_option
def command(
    file: Path,
    level_file: Path | None,
    theme: Path | None,
    options: tuple[str, ...],
    options_file: Path | None,
    out: Path,
    name: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Bring a file back that was exported and then edited in Tiled, LDtk or Godot: writes NAME.level.json.

    FILE is a .tmj, .tmx, .world, .ldtk or .tscn. --theme and --option are those that it was exported with.
    Exit status 1 if an edit broke a rule of levels; the level is written, and each rule is told.
    """
    import exporters
    from exporters.reading.back import bring_back
    from generator.cli.writing import Written, tell_written
    from generator.names import file_name

    given: dict[str, object] = {}
    if options_file is not None:
        given |= exporters.load_options(options_file, exporters.format_names())
    given |= common.key_values(options, "--option")
    back = bring_back(file, level_file=level_file, theme=theme, options=given)
    stem = file_name(name or back.name)
    written = exporters.export(back.level, "json", name=stem).write(out)
    facts = {
        "name": stem,
        "original": back.original.source,
        "edited": dict(back.level.edited),
        "edits": back.said(),
        "notes": back.notes,
        "problems": back.problems,
        "fingerprint": back.level.fingerprint,
    }
    tell_written(Written(written, []), facts, quiet, as_json)
    if not as_json:
        click.echo(
            f"undercroft: {one_line(str(file))}: {back.said()}, against {back.original.source}", err=True
        )
        for line in back.notes:
            click.echo(f"undercroft: {one_line(f'{file}: {line}')}", err=True)
        for line in back.problems:
            click.echo(f"undercroft: {one_line(f'{file}: {line}')}", err=True)
    if back.problems:
        raise SystemExit(1)
