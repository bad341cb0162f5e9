"""`undercroft why`: in how many levels each row of a kit comes, and why it does not."""

from __future__ import annotations

import click

from generator.cli import common, json_lines, runs, tables
from generator.cli.helpful import HelpfulCommand
from generator.cli.progress import echo
from generator.errors import GenerationFailed
from generator.seeds import count_of
from generator.value_words import how_many

_SEEDS = "1:201"


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(default=_SEEDS, show_default=True)
@common.flag("--never", "Print only the rows that never came.")
@runs.works_on_many
@tables.csv_option
@common.json_option
def command(
    spec: str,
    values: tuple[str, ...],
    seeds: str,
    never: bool,
    workers: runs.Workers,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Say in how many levels of SPEC each layout, special room, enemy, thing of a decor table, arrangement
    and flow rule comes, and if that is never or seldom, why.

    The rows are those of the spec's own kit, or the shipped ones if it has none. The reason is the one that
    turned a row down most often, where it could have been chosen.
    """
    from generator.batch.run import blocks_of
    from generator.batch.why import BLOCK, merged, row_fates, see_block

    tables.refuse_both(as_csv, as_json)
    level_spec = common.spec_with(spec, values)
    seed_range = runs.seeds_of(seeds, level_spec.style)
    number = count_of(seed_range)
    tasks = ((level_spec, block) for block in blocks_of(seed_range, BLOCK))
    seen = merged(runs.over_blocks(see_block, tasks, number, workers, "generating"))
    if seen.failed == seen.levels:
        raise GenerationFailed(
            "level", seen.levels, "none could be made; try `undercroft generate`", seed_range[0]
        )
    fates = row_fates(level_spec, seen)
    made, absent = seen.levels - seen.failed, sum(not fate.came for fate in fates)
    shown = [fate for fate in fates if not (never and fate.came)]
    if as_json:
        for fate in shown:
            json_lines.emit("row", table=fate.table, name=fate.name, levels=fate.came, why=fate.why)
        json_lines.emit("done", levels=made, failed=seen.failed, rows=len(fates), never=absent)
        return
    if as_csv:
        tables.print_csv(["table", "name", "levels", "why"], shown)
    else:
        rows = [(fate.table, fate.name, f"{fate.came} of {made}", fate.why) for fate in shown]
        for line in tables.columns(rows, "<<><"):
            echo(line)
    text = f"{how_many(made, 'level')}, {how_many(len(fates), 'row')}, {absent} never came"
    (common.tell if as_csv else echo)(text)
