"""`undercroft import`: an exported file that somebody edited, as a level again."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common, progress, writing
from generator.cli.allow import allow_option, parted
from generator.cli.helpful import HelpfulCommand

level_option = click.option(
    "--level",
    "level_file",
    type=click.Path(path_type=Path),
    metavar="LEVEL.json",
    help="The level that FILE was exported from. Default: NAME.level.json beside it, or generated again.",
)


@click.command(cls=HelpfulCommand)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@level_option
@common.theme_option
@common.option_option
@common.options_option
@allow_option
@common.out_option(required=True)
@click.option("--name", metavar="NAME", help="The level's name. Default: that of FILE.")
@writing.writes_files()
def command(
    file: Path,
    level_file: Path | None,
    theme: Path | None,
    options: tuple[str, ...],
    options_file: Path | None,
    allow: tuple[str, ...],
    out: Path,
    name: str | None,
    output: writing.WriteOptions,
) -> None:
    """Bring back a file that was exported and then edited in Tiled, LDtk or Godot: write NAME.level.json.

    FILE is a .tmj, .tmx, .world, .ldtk or .tscn. If DIR is the folder of FILE, FILE is then merged with a new
    export, so that you can go on working in it. Give --theme and --option only if nothing in the folder of
    FILE says what it was exported with.

    The exit status is 1 if an edit broke a rule of levels. The level is still written, and each broken rule
    is reported.
    """
    import exporters
    from exporters.reading.back import brought_back
    from exporters.reading.forms import main_file
    from generator.files import file_name, real_path

    settings = exporter_options(options, options_file)
    with progress.working("reading"):
        back = brought_back(file, level_file, theme, settings, output.dry_run)
    problems, allowed = parted(back.problems, allow)
    stem = file_name(name or back.name)
    bundle = exporters.export(back.level, "json", name=stem)
    is_original = real_path(out / f"{stem}.level.json") == back.original.path
    # All that was in the original is in the new level. It is a person's: `generate` does not write over it.
    outcome = output.put(bundle, out, None if is_original else output.edits, record=False)
    beside = back.in_place() if real_path(out) == real_path(main_file(file).parent) else None
    if beside and stem == back.name and not outcome.refused and not outcome.kept:

        def is_new(path: str, _: Path) -> bool:
            return path in bundle  # in a dry run, the old one is there

        mode, bases = "replace" if output.edits == "replace" else "merge", back.bases()
        theirs = back.theirs(bases, beside)
        of_file = output.put(beside, out, mode, known=is_new, theirs=theirs, bases=bases)
        outcome = outcome.joined(of_file)
    facts = {
        "name": stem,
        "original": back.original.source,
        "changed": back.said(),
        "edited": dict(back.level.edited),
        "notes": [*back.notes, *allowed],
        "problems": problems,
        "fingerprint": back.level.fingerprint,
    }
    output.report(outcome, facts)
    if not output.as_json:
        lines = [f"{back.said()}, against {back.original.source}", *back.notes]
        common.tell_all(f"{file}: {line}" for line in lines)
        common.tell_all(f"note: {file}: {line}" for line in allowed)
        common.tell_all(f"{file}: {line}" for line in problems)
    if problems:
        raise SystemExit(1)


def exporter_options(options: tuple[str, ...], options_file: Path | None) -> dict[str, object]:
    """Return the values of `--options` and `--option`."""
    import exporters

    settings: dict[str, object] = {}
    if options_file is not None:
        settings |= exporters.load_options(options_file, exporters.format_names())
    return settings | common.key_values(options, "--option")
