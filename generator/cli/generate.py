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
    from generator.spec import LevelSpec

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
        level_spec = common.spec_with(spec, values)
        level = generate(level_spec, seed)
        _require_layout(level, level_spec)
        name = common.name_of(name, spec, seed or str(level.seed), values)
        writer.write(level, name, {"seed": str(level.seed)})
    if taken:
        common.tell(f"{_MANIFEST}: sets {taken}")


def _as_in_project(writer: FileWriter) -> tuple[FileWriter, str]:
    """Fill in the writer's theme, formats and options from the project's manifest where none are given.

    Returns also what was taken from there.
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


def _require_layout(level: Level, spec: LevelSpec) -> None:
    """Raise BadInput unless a room of the level has the `only_layout` of its spec, if that has one."""
    name = getattr(spec, "only_layout", "")
    if not name or any(room.layout.partition("+")[0] == name for room in level.rooms):
        return
    from generator.batch.drawn_layouts import layouts_of
    from generator.errors import meant

    known = sorted(layouts_of(spec))
    kind = name.removeprefix("own/").partition("/")[0]
    if name not in known:
        near = meant(name, known)
        remedy = f"did you mean {near}?" if near else "`undercroft layouts show normal` shows some"
        reason = f"is not a layout of this spec; {remedy}"
    elif not any(room.kind == kind for room in level.rooms):
        reason = f"this level has no {kind} room; try another --seed"
    else:
        reason = "fits no room of this level; try another --seed, or --set stage"
    raise BadInput(f"only_layout: {shown(name)}: {reason}")
