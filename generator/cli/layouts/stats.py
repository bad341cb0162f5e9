"""`undercroft layouts stats`: how often each layout is drawn, and why some never are."""

from __future__ import annotations

import click

from generator.cli import common, json_lines, runs
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, shown
from generator.value_words import how_many

_BAR = 30  # characters


@click.command("stats", cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(required=True)
@click.option("--pool", metavar="POOL", default="", help="Only the layouts of this pool.")
@click.option("--never", is_flag=True, help="Only layouts that are never used.")
@runs.works_on_many
@common.json_option
def command(
    spec: str,
    values: tuple[str, ...],
    seeds: str,
    pool: str,
    never: bool,
    workers: runs.Workers,
    as_json: bool,
) -> None:
    """Count how often levels use each layout, out of the rooms that it fits, and why some are never used."""
    from generator.batch.drawn_layouts import count_layouts, fates, merged_counts
    from generator.batch.run import blocks_of, count_of
    from generator.batch.stats import BLOCK

    level_spec = common.spec_with(spec, values)
    pool = pool.strip("/")
    if not any(_is_in(fate.name, pool) for fate in fates(level_spec, merged_counts([]))):
        raise BadInput(f"--pool: no layout of this spec is in {shown(pool)}; give one such as normal or shop")
    seed_range = runs.seeds_of(seeds, level_spec.style)
    tasks = ((level_spec, block) for block in blocks_of(seed_range, BLOCK))
    counts = merged_counts(runs.over_blocks(count_layouts, tasks, count_of(seed_range), workers, "counting"))
    chosen = [fate for fate in fates(level_spec, counts) if _is_in(fate.name, pool)]
    chosen = [fate for fate in chosen if not (never and fate.drawn)]
    chosen.sort(key=lambda fate: (-fate.drawn, fate.name))
    if as_json:
        rows = [fate._asdict() for fate in chosen]
        json_lines.emit("layouts", levels=counts.levels, rooms=counts.forms.total(), layouts=rows)
        return
    most = max((fate.drawn for fate in chosen), default=1)
    widest = max((len(fate.name) for fate in chosen), default=0)
    parts = {"level": counts.levels, "room": counts.forms.total(), "layout": len(chosen)}
    click.echo(", ".join(how_many(count, noun) for noun, count in parts.items()))
    for fate in chosen:
        bar = "#" * round(_BAR * fate.drawn / max(most, 1))
        usage = f"{fate.drawn:6} of {fate.fitting:6} {bar}" if fate.drawn else f" never: {fate.why}"
        click.echo(f"  {fate.name:{widest}} {usage}".rstrip())


def _is_in(name: str, pool: str) -> bool:
    """Check whether a layout is in the pool, or in one below it. Every layout is in that without a name."""
    return not pool or f"{name}/".startswith(f"{pool}/")
