"""`undercroft undo`: the last write into a folder taken back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, progress, writing
from generator.cli.helpful import HelpfulCommand

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun


@click.command(cls=HelpfulCommand)
@click.argument("folder", metavar="FOLDER", type=common.ANY_PATH)
@click.option(
    "--edits",
    type=click.Choice(("fail", "replace")),
    default="fail",
    help="What to do with a file that somebody changed since: fail and take nothing back, or put it aside. "
    "Default: fail.",
)
@writing.dry_run_option
@common.quiet_option
@common.json_option
def command(folder: Path, edits: str, dry_run: DryRun | None, quiet: bool, as_json: bool) -> None:
    """Take the last write into FOLDER back: files that it replaced or removed return, new ones are removed.

    A write is all that one command wrote into the folder. Run it again to take back the write before.
    """
    from exporters.edits.undo import undo

    with progress.working("taking back"):
        done = undo(folder, edits, dry_run)
    if as_json:
        facts: dict[str, object] = {
            "folder": str(folder),
            "restored": [*map(str, done.restored)],
            "removed": [*map(str, done.removed)],
            "aside": {str(path): str(name) for path, name in done.aside.items()},
        }
        dry = writing.dry_facts(done.restored, done.removed) if dry_run else {}
        json_lines.emit("undone", **facts, **dry)
    elif dry_run:
        for line in writing.dry_lines(done.restored, done.removed):
            progress.echo(line)
    elif not quiet:
        for word, paths in (("restored", done.restored), ("removed", done.removed)):
            for path in paths:
                progress.echo(f"{word} {path}")
    common.tell_all(
        f"{path}: was changed by hand and is put aside; it is now {name.name}"
        for path, name in done.aside.items()
    )
