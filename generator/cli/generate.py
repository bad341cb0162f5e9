"""`undercroft generate`: a level from a spec and a seed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from generator.cli import common
from generator.cli.writing import FileWriter, writes_levels
from generator.errors import BadInput, shown
from generator.names import file_name

if TYPE_CHECKING:
    from generator.level import Level


@click.command()
@click.argument("spec")
@common.seed_option
@common.set_option
@click.option(
    "--only-layout",
    metavar="NAME",
    help="Give every room this layout that it fits, to see it in place; such as boss/colosseum.",
)
@click.option("--name", metavar="NAME", help="The files' name. Default: SPEC-SEED and the values set.")
@writes_levels(out_required=False)
def command(
    spec: str,
    seed: str | None,
    values: tuple[str, ...],
    only_layout: str | None,
    name: str | None,
    writer: FileWriter,
) -> None:
    """Generate the level of SPEC, the name of a preset or style or a TOML file, and write it."""
    from generator.pipeline import generate

    if only_layout:
        values = (*values, f"only_layout={json.dumps(only_layout)}")
    level = generate(common.spec_with(spec, values), seed)
    if only_layout:
        _require(level, only_layout)
    name = file_name(name) if name else common.default_name(spec, seed or str(level.seed), values)
    writer.write(level, name, {"seed": str(level.seed)})


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
            what = f"is no shipped layout; {remedy}"
        raise BadInput(f"--only-layout: {shown(layout)}: {what}")
