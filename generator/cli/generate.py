"""`undercroft generate`: a level from a spec and a seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, progress
from generator.cli.helpful import HelpfulCommand
from generator.cli.writing import FileWriter, writes_levels
from generator.errors import BadInput, shown

if TYPE_CHECKING:
    from generator.level import Level

_MANIFEST = "undercroft.toml"  # a project's, in the current folder


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.seed_option
@common.set_option
@click.option(
    "--only-layout",
    metavar="NAME",
    help="Give this layout to every room that it fits, to see it in place; such as boss/colosseum.",
)
@click.option("--name", metavar="NAME", help="The name of the files. Default: SPEC-SEED and the values set.")
@writes_levels(out_required=False)
def command(
    spec: str,
    seed: str | None,
    values: tuple[str, ...],
    only_layout: str | None,
    name: str | None,
    writer: FileWriter,
) -> None:
    """Generate the level of SPEC, the name of a preset or style or a TOML file, and write it.

    Without --to it is written in every format, so that you can open it in whatever you use. In a project,
    the undercroft.toml in the current folder decides: its formats, theme and options hold here too.
    """
    from generator.pipeline import generate

    if only_layout:
        values = (*values, f"only_layout={json.dumps(only_layout)}")
    writer, taken = _as_in_project(writer)
    with progress.working("generating"):
        level = generate(common.spec_with(spec, values), seed)
        if only_layout:
            _require(level, only_layout)
        name = common.name_of(name, spec, seed or str(level.seed), values)
        writer.write(level, name, {"seed": str(level.seed)})
    if taken:
        common.tell(f"{_MANIFEST}: sets {taken}")


def _as_in_project(writer: FileWriter) -> tuple[FileWriter, str]:
    """The writer with the theme, formats and options of the project's manifest where none are given.

    And what was taken from there.
    """
    manifest = Path(_MANIFEST)
    if not manifest.is_file():
        return writer, ""
    from exporters import format_names
    from exporters.builder.manifest import shared_by_all

    shared = shared_by_all(manifest)
    taken = {}
    if shared.formats and not writer.formats:
        writer = writer._replace(formats=shared.formats)
        taken["formats"] = ", ".join(shared.formats)
    if shared.theme and not writer.theme:
        writer = writer._replace(theme=shared.theme)
        taken["theme"] = shared.theme.name
    formats = writer.formats or format_names()
    options = {key: value for key, value in shared.options.items() if key.partition(".")[0] in formats}
    if options:
        writer = writer._replace(shared_options=options)
        taken["options"] = ", ".join(options)
    return writer, "; ".join(f"{key}: {value}" for key, value in taken.items())


def _require(level: Level, layout: str) -> None:
    """Raise BadInput unless a room of the level has the layout."""
    from difflib import get_close_matches

    from generator.interiors.named import shipped_names

    if not any(room.layout.partition("+")[0] == layout for room in level.rooms):
        known = [name.removeprefix(f"{level.style}/") for name in shipped_names()]
        what = "fits no room of this level; try another --seed, or --set stage"
        if layout not in known and not layout.startswith("own/"):
            near = get_close_matches(layout[:80], known, 1)
            remedy = f"did you mean {near[0]}?" if near else "`undercroft layouts show normal` shows some"
            what = f"is not a shipped layout; {remedy}"
        raise BadInput(f"--only-layout: {shown(layout)}: {what}")
