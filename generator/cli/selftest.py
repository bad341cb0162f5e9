"""`undercroft selftest`: does this machine make what every other one makes?"""

from __future__ import annotations

import click

from generator.cli import common, json_lines, progress
from generator.cli.helpful import HelpfulCommand
from generator.errors import UndercroftError


@click.command(cls=HelpfulCommand)
@click.option("--quiet", is_flag=True, help="Print nothing if everything is equal.")
@common.json_option
def command(quiet: bool, as_json: bool) -> None:
    """Make hundreds of levels and some exports, and compare them with those of this version of Undercroft.

    The same spec, seed and version must give the same bytes on every machine; pictures are compared by their
    pixels. What differs is printed as the command that makes it, and the exit status is 1.
    """
    from exporters import selftest
    from generator.version import VERSION

    try:
        kept = selftest.kept()
        version = kept["version"]
    except (ValueError, TypeError, KeyError):
        raise UndercroftError(f"{selftest.NAME}: is damaged: install Undercroft again") from None
    if version != VERSION:
        raise UndercroftError(f"{selftest.NAME}: is of {version}, not of {VERSION}: install Undercroft again")
    total = len(kept["levels"]) + len(kept["exports"])
    levels = files = differ = 0
    with progress.working("comparing", total) as bar:
        for result in selftest.made():
            bar.update()
            levels += result.part == "levels"
            files += result.files
            if kept[result.part].get(result.words) == result.digest:
                continue
            differ += 1
            made_by = f"undercroft generate {result.words}"
            if as_json:
                json_lines.emit("difference", made_by=made_by)
            else:
                progress.echo(f"differs: {made_by}")
    if as_json:
        json_lines.emit("done", version=VERSION, levels=levels, files=files, different=differ)
    elif differ:
        progress.echo(f"{differ} of {total} levels and exports differ from those of {VERSION}")
    elif not quiet:
        progress.echo(f"{levels} levels and {files} files are equal to those of {VERSION}")
    if differ:
        raise SystemExit(1)
