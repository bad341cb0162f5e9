"""`undercroft show`: a level as text."""

from __future__ import annotations

import json
from pathlib import Path

import click
from click.core import ParameterSource

from generator.cli import common
from generator.errors import BadInput

_OF_PACKS = ("group", "style", "stage", "rooms", "loops", "rooms.boss.distance", "curse")
_FOR_SPECS = {"seed": "--seed", "values": "--set", "plan_only": "--floorplan"}


@click.command()
@click.argument("source", metavar="SPEC|LEVEL.json|PACK.ucpack")
@common.seed_option
@common.set_option
@click.option(
    "--floorplan", "plan_only", is_flag=True, help="Only the floorplan: which rooms there are, and where."
)
@common.accept_edits_option
@common.json_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    seed: str | None,
    values: tuple[str, ...],
    plan_only: bool,
    accept_edits: bool,
    as_json: bool,
) -> None:
    """Print a level as text: of SPEC, the name of a preset or style or a TOML file, or of a saved level.

    Of a pack, print its levels, one a line, with their facts. The options but --json are for a SPEC only.
    """
    from generator.level_file import load_level
    from generator.picture import floorplan_rows, level_rows, room_lines
    from generator.pipeline import generate

    saved = source.lower().endswith((".json", ".ucpack"))
    if saved:
        _refuse_options_for_specs(ctx, source)
    elif accept_edits:
        raise BadInput(f"{source}: --accept-edits is for a saved level, and this is a spec; leave it out")
    if source.lower().endswith(".ucpack"):
        _show_pack(Path(source), as_json)
        return
    if plan_only:
        spec = common.spec_with(source, values)
        plan = generate(spec, seed, until="floorplan")
        rows, legend = floorplan_rows(plan, spec.load_kit().kinds)
        rooms = []
    else:
        level = (
            load_level(Path(source), accept_edits=accept_edits)
            if saved
            else generate(common.spec_with(source, values), seed)
        )
        rows, legend = level_rows(level)
        rooms = room_lines(level)
    if as_json:
        click.echo(json.dumps({"rows": rows, "legend": legend}))
    else:
        click.echo("\n".join([*rows, *rooms, *_columns(legend)]))


def _show_pack(path: Path, as_json: bool) -> None:
    """A line for each level: its index, seed and facts; for people only the foremost."""
    from exporters.pack.reader import load_pack

    pack = load_pack(path)
    for level in range(pack.count):
        facts = pack.facts(level)
        seed = str(pack.seed(level))
        if as_json:
            about = {"index": level, "seed": seed, "fingerprint": pack.fingerprint(level)}
            click.echo(json.dumps({**about, "facts": facts}))
        else:
            told = [f"{name} = {facts[name]}" for name in _OF_PACKS if name in facts]
            click.echo("  ".join([f"{level:5}", f"{seed:>12}", *told]))


def _refuse_options_for_specs(ctx: click.Context, source: str) -> None:
    for name, flag in _FOR_SPECS.items():
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise BadInput(f"{source}: {flag} is for a spec, and this level is made already; leave it out")


def _columns(legend: dict[str, str]) -> list[str]:
    """Four glyphs a line, each with what it stands for."""
    cells = [f"{glyph} {name:20}" for glyph, name in legend.items()]
    return ["  ".join(cells[i : i + 4]).rstrip() for i in range(0, len(cells), 4)]
