"""`undercroft sync`: what was painted in one export of a level goes into the others."""

from __future__ import annotations

import json
from pathlib import Path

import click

from generator.cli import common


@click.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@common.theme_option
@common.option_option
@common.options_option
@common.quiet_option
@common.json_option
def command(
    folder: Path,
    theme: Path | None,
    options: tuple[str, ...],
    options_file: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Bring back what was edited in any export of the levels in FOLDER, and write their other exports anew.

    Nothing of a level is written if two of its files say different things of one place. --theme and --option
    are those that the levels were exported with. Exit status 1 for such a conflict, and for a broken rule.
    """
    import exporters
    from exporters.reading.back import said_of
    from exporters.reading.sync import lines, synced, write

    given: dict[str, object] = {}
    if options_file is not None:
        given |= exporters.load_options(options_file, exporters.format_names())
    given |= common.key_values(options, "--option")
    failed, told = False, []
    for one in synced(folder, theme=theme, options=given):
        paths = [str(path) for path in write(folder, one)] if one.level else []
        edits = {str(path): said_of(found.edits) for path, found in one.edits.items()}
        failed = failed or bool(one.conflicts or one.problems)
        table = {"name": one.name, "edits": edits, "files": paths, "conflicts": one.conflicts}
        told.append({**table, "problems": one.problems, "notes": one.notes})
        if as_json:
            continue
        for path in () if quiet else paths:
            click.echo(path)
        for path, what in edits.items():
            click.echo(f"undercroft: {path}: {what}", err=True)
        for line in lines(one):
            click.echo(f"undercroft: {line}", err=True)
        if not edits and not quiet and not one.conflicts:
            click.echo(f"undercroft: {one.name}: nothing was edited", err=True)
    if as_json:
        click.echo(json.dumps(told))
    if failed:
        raise SystemExit(1)
