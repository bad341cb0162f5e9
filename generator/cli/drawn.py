"""What `undercroft import` does with a map or project that somebody drew without Undercroft."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common, progress, writing
from generator.cli.common import parted
from generator.errors import BadInput
from generator.files import file_name
from generator.named_tuple import NamedTuple


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
    common.formats_option("Of a level drawn by hand: also export it in these formats."),
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


def import_drawn(
    file: Path,
    of_drawings: DrawingOptions,
    settings: writing.ExportSettings,
    out: Path,
    name: str | None,
    output: writing.WriteOptions,
) -> None:
    """Write the level of a drawing. What people changed in its exports since the last import is kept."""
    from exporters.reading.drawings import last_read_with
    from exporters.reading.drawn import drawn_level
    from generator.checks import problems
    from generator.checks.told import told

    said = common.key_values(of_drawings.meanings, "--meaning")
    stem = common.own_name(name, file_name(file.stem))
    common.tell_of_name("--name" if name else str(file), name or file.stem)
    writer = writing.FileWriter(
        ("json", *of_drawings.formats),
        settings,
        out,
        output._replace(edits=output.edits or "merge"),
        as_before=True,
    )
    with progress.working("reading"):
        last = last_read_with(writer.before(stem), writer.given()[1])
        kept = {key: word for key, word in last.meanings.items() if key not in said}
        new = {key: word for key, word in said.items() if word or key not in last.meanings}
        read_with = last._replace(meanings={**kept, **new}, kit=str(of_drawings.kit or last.kit))
        made = drawn_level(file, *read_with)
    broken, allowed = parted(told(problems(made.level), made.level), output.allow)
    facts = {"original": "the drawing itself", "notes": [*made.notes, *allowed], "problems": broken}
    as_before = [f"--meaning {key}={word}" for key, word in kept.items()]
    as_before += [f"--kit {last.kit}"] if last.kit and not of_drawings.kit else []
    if as_before:
        common.tell(f"{file}: is read as before: {' '.join(as_before)}")
    writer.write(made.level, stem, facts, made.sources, read_with.row(out))
    if not output.as_json:
        about = f"{file}: "  # lines about one object begin with it already
        common.tell_all(f"{about}{line.removeprefix(about)}" for line in (*made.notes, *broken))
        common.tell_all(f"note: {file}: {line}" for line in allowed)
    if broken:
        raise SystemExit(1)
