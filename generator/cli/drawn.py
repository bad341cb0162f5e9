"""What `undercroft import` does with a map or project that somebody drew without Undercroft."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from generator.cli import common, progress, writing
from generator.cli.common import parted
from generator.errors import BadInput
from generator.files import file_name


class DrawingOptions(NamedTuple):
    """The options of `import` that are only for files that were drawn by hand."""

    formats: tuple[str, ...]
    meanings: tuple[str, ...]
    kit: Path | None

    def refuse(self) -> None:
        """Raise BadInput for an option that a file of ours does not need."""
        for flag, value in zip(("--to", "--meaning", "--kit"), self, strict=True):
            if value:
                raise BadInput(
                    f"{flag}: is for a level drawn by hand, and this one was exported; leave it out"
                )


_OPTIONS = (
    click.option(
        "--to",
        "formats",
        metavar="FORMAT",
        multiple=True,
        shell_complete=common.completes("formats"),
        help="Of a level drawn by hand: also export it in this format. Can be repeated.",
    ),
    click.option(
        "--meaning",
        "meanings",
        metavar="NAME=WORD",
        multiple=True,
        help="Of a level drawn by hand: what tiles are that say nothing themselves, such as wall or floor. "
        "NAME is a layer, or TILESET:NUMBER. Can be repeated.",
    ),
    click.option(
        "--kit",
        type=common.ANY_PATH,
        metavar="DIR",
        help="Of a level drawn by hand: the folder of your own kit, whose kinds it has.",
    ),
)


drawing_options = writing.with_record("of_drawings", DrawingOptions, _OPTIONS)
"""Gives a command these options. They reach it as one `DrawingOptions`, `of_drawings`."""


def is_drawn(file: Path) -> bool:
    """Check whether a file is a map or project that Undercroft never wrote.

    A generated level beside it, of the same name, says that it is an export that has lost its properties.
    """
    from exporters.reading.files import ExportFiles
    from exporters.reading.forms import form_of, main_file
    from exporters.registry import level_readers
    from generator.level_file import load_any_level
    from generator.styles.registry import DRAWN

    is_whole = file.suffix.lower() in level_readers() and main_file(file) == file
    if not is_whole or not file.is_file():
        return False
    beside = file.with_name(f"{file.stem}.level.json")
    if beside.is_file() and load_any_level(beside)[0].style != DRAWN:
        return False
    return not form_of(file).identity(file.name, ExportFiles(file.parent)).get("fingerprint")


def import_drawn(
    file: Path,
    of_drawings: DrawingOptions,
    settings: writing.ExportSettings,
    out: Path,
    name: str | None,
    output: writing.WriteOptions,
) -> None:
    """Write the level of a drawing. What people changed in its exports since the last import is kept."""
    from exporters.reading.drawn import drawn_level
    from generator.checks import problems

    said = {key: str(word) for key, word in common.key_values(of_drawings.meanings, "--meaning").items()}
    with progress.working("reading"):
        made = drawn_level(file, said, "" if of_drawings.kit is None else str(of_drawings.kit))
    broken, allowed = parted([str(problem) for problem in problems(made.level)], output.allow)
    writer = writing.FileWriter(
        ("json", *of_drawings.formats),
        *settings,
        out,
        output.edits or "merge",
        output.quiet,
        output.as_json,
        output.dry_run,
        output.allow,
        as_before=True,
    )
    facts = {"original": "the drawing itself", "notes": [*made.notes, *allowed], "problems": broken}
    writer.write(made.level, common.own_name(name, file_name(file.stem)), facts, made.sources)
    if not output.as_json:
        about = f"{file}: "  # lines about one object begin with it already
        common.tell_all(f"{about}{line.removeprefix(about)}" for line in (*made.notes, *broken))
        common.tell_all(f"note: {file}: {line}" for line in allowed)
    if broken:
        raise SystemExit(1)
