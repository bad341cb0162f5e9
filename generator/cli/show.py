"""`undercroft show`: a level as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from click.core import ParameterSource

from generator.cli import colours, common, json_lines, progress
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput

_OF_PACKS = ("group", "style", "stage", "rooms", "loops", "rooms.boss.distance", "curse")
_FOR_SPECS = {"seed": "--seed", "values": "--set", "plan_only": "--floorplan"}


@click.command(cls=HelpfulCommand)
@click.argument(
    "source", metavar="SPEC|LEVEL.json|PACK.ucpack", shell_complete=common.completes("levels_and_specs")
)
@common.seed_option
@common.set_option
@click.option(
    "--floorplan", "plan_only", is_flag=True, help="Only the floorplan: which rooms there are, and where."
)
@common.accept_edits_option
@colours.color_option
@common.json_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    seed: str | None,
    values: tuple[str, ...],
    plan_only: bool,
    accept_edits: bool,
    color: str,
    as_json: bool,
) -> None:
    """Print a level as text: the level of SPEC, the name of a preset or style or a TOML file, or a saved one.

    Of a pack, print its levels, one per line, with their facts. --seed, --set and --floorplan are for a SPEC.
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
        kinds = spec.load_kit().kinds
        rows, legend = floorplan_rows(plan, kinds)
        lines = []
    else:
        with progress.working("generating"):
            level = (
                load_level(Path(source), accept_edits=accept_edits)
                if saved
                else generate(common.spec_with(source, values), seed)
            )
        kinds = level.kinds
        rows, legend = level_rows(level)
        lines = room_lines(level)
    if as_json:
        json_lines.emit("picture", rows=rows, legend=legend)
        return
    paint = _plain
    if is_coloured := colours.is_coloured(color):
        from generator.cli.glyph_colours import GlyphColours

        paint = GlyphColours(legend, kinds, of_rooms=plan_only).painted
    click.echo("\n".join([*map(paint, rows), *lines, *_columns(legend, paint)]), color=is_coloured)


def _plain(text: str) -> str:
    return text


def _show_pack(path: Path, as_json: bool) -> None:
    """Print a line for each level: its index, seed and facts. People see only the foremost."""
    from exporters.formats.pack.reader import load_pack

    pack = load_pack(path)
    for level in range(pack.count):
        facts = pack.facts(level)
        seed = str(pack.seed(level))
        if as_json:
            about = {"index": level, "seed": seed, "fingerprint": pack.fingerprint(level)}
            json_lines.emit("level", **about, facts=facts)
        else:
            pairs = [f"{name} = {facts[name]}" for name in _OF_PACKS if name in facts]
            click.echo("  ".join([f"{level:5}", f"{seed:>12}", *pairs]))


def _refuse_options_for_specs(ctx: click.Context, source: str) -> None:
    for name, flag in _FOR_SPECS.items():
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise BadInput(f"{source}: {flag} is for a spec, and this level is made already; leave it out")


def _columns(legend: dict[str, str], paint: Callable[[str], str]) -> list[str]:
    """Lay out four glyphs per line, each with what it stands for."""
    cells = [f"{paint(glyph)} {name:20}" for glyph, name in legend.items()]
    return ["  ".join(cells[i : i + 4]).rstrip() for i in range(0, len(cells), 4)]
