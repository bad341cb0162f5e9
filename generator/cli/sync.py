"""`undercroft sync`: what was painted in one export of a level goes into the others."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common, json_lines, progress, writing
from generator.cli.allow import allow_option, parted
from generator.cli.bring_back import exporter_options
from generator.cli.helpful import HelpfulCommand


@click.command(cls=HelpfulCommand)
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@common.theme_option
@common.option_option
@common.options_option
@allow_option
@writing.writes_files("merge")
def command(
    path: Path,
    theme: Path | None,
    options: tuple[str, ...],
    options_file: Path | None,
    allow: tuple[str, ...],
    output: writing.WriteOptions,
) -> None:
    """Bring back what was edited in any export of a folder's levels, and write their other exports again.

    PATH is the folder, or a file of one level in it. If two files of a level disagree about a place, nothing
    of that level is written. The exit status is 1 for such a conflict, and for a level that breaks a rule.

    All files keep the options and the theme that they were exported with; --option and --theme change them.
    """
    from exporters.edits.record import folder_record
    from exporters.reading.back import summary_of
    from exporters.reading.sync import folder_of, synced

    settings = exporter_options(options, options_file)
    folder, _ = folder_of(path)
    with progress.working("comparing"), folder_record(folder, dry_run=output.dry_run) as record:
        levels = synced(path, theme=theme, options=settings, record=record)
    is_bad = False
    for item in levels:
        problems, allowed = parted(item.problems, allow)
        is_bad = is_bad or bool(item.conflicts or problems)
        changed = {str(path): summary_of(file_edits.edits) for path, file_edits in item.edits.items()}
        lines = [*item.conflicts, *item.notes, *(f"note: {item.name}: {line}" for line in allowed)]
        lines += [f"{item.name}: {line}" for line in problems]
        facts = {"name": item.name, "changed": changed, "conflicts": item.conflicts}
        facts |= {"problems": problems, "notes": [*item.notes, *allowed]}
        if not output.as_json:
            lines = [*(f"{path}: {summary}" for path, summary in changed.items()), *lines]
            common.tell_all(lines or ([] if output.quiet else [f"{item.name}: nothing was edited"]))
        if item.level:
            given_files = {"known": item.is_ours, "theirs": item.theirs, "bases": item.bases}
            output.write(item.bundle, folder, facts, event="synced", **given_files)
        elif output.as_json:
            json_lines.emit("synced", **facts, files=[])
    if is_bad:
        raise SystemExit(1)
