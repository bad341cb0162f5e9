"""`undercroft why`: in how many levels each row of a kit comes, and why it does not."""

from __future__ import annotations

import click

from generator.cli import common, json_lines, runs
from generator.cli.helpful import HelpfulCommand
from generator.errors import GenerationFailed
from generator.value_words import how_many

_SEEDS = "1:201"


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@click.option(
    "--seeds",
    default=_SEEDS,
    show_default=True,
    metavar=common.SEEDS_METAVAR,
    help=common.SEEDS_HELP,
)
@common.flag("--never", "Print only the rows that never came.")
@runs.works_on_many
@common.json_option
def command(
    spec: str, values: tuple[str, ...], seeds: str, never: bool, workers: runs.Workers, as_json: bool
) -> None:
    """Say in how many levels of SPEC each layout, special room, enemy, thing of a decor table, arrangement
    and flow rule comes, and if that is never or seldom, why.

    The rows are those of the spec's own kit, or the shipped ones if it has none. The reason is the one that
    turned a row down most often, where it could have been chosen.
    """
    from generator.batch.run import blocks_of, count_of
    from generator.batch.why import BLOCK, merged, row_fates, see_block

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
    made, absent = seen.levels - seen.failed, 0
    for fate in fates:
        absent += not fate.came
        if not (never and fate.came):
            json_lines.tell(
                as_json,
                fate.text(made),
                "row",
                table=fate.table,
                name=fate.name,
                levels=fate.came,
                why=fate.why,
            )
    text = f"{how_many(made, 'level')}, {how_many(len(fates), 'row')}, {absent} never came"
    json_lines.tell(as_json, text, "done", levels=made, failed=seen.failed, rows=len(fates), never=absent)
