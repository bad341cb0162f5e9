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
    if not any(_is_in(each.name, pool) for each in fates(level_spec, merged_counts([]))):
        raise BadInput(f"--pool: no layout of this spec is in {shown(pool)}; give one such as normal or shop")
    every = runs.seeds_of(seeds, level_spec.style)
    tasks = ((level_spec, block) for block in blocks_of(every, BLOCK))
    counts = merged_counts(runs.over_blocks(count_layouts, tasks, count_of(every), workers, "counting"))
    found = [each for each in fates(level_spec, counts) if _is_in(each.name, pool)]
    found = [each for each in found if not (never and each.drawn)]
    found.sort(key=lambda each: (-each.drawn, each.name))
    if as_json:
        rows = [each._asdict() for each in found]
        json_lines.emit("layouts", levels=counts.levels, rooms=counts.forms.total(), layouts=rows)
        return
    most = max((each.drawn for each in found), default=1)
    widest = max((len(each.name) for each in found), default=0)
    parts = {"level": counts.levels, "room": counts.forms.total(), "layout": len(found)}
    click.echo(", ".join(how_many(count, noun) for noun, count in parts.items()))
    for each in found:
        bar = "#" * round(_BAR * each.drawn / max(most, 1))
        said = f"{each.drawn:6} of {each.fitting:6} {bar}" if each.drawn else f" never: {each.why}"
        click.echo(f"  {each.name:{widest}} {said}".rstrip())


def _is_in(name: str, pool: str) -> bool:
    """Check whether a layout is in the pool, or in one below it. Every layout is in that without a name."""
    return not pool or f"{name}/".startswith(f"{pool}/")
