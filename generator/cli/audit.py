"""`undercroft audit`: every check on many levels."""

from __future__ import annotations

import click

from generator.cli import common, json_lines, runs
from generator.cli.helpful import HelpfulCommand
from generator.cli.progress import echo
from generator.value_words import how_many


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(required=True)
@runs.works_on_many
@common.json_option
def command(spec: str, values: tuple[str, ...], seeds: str, workers: runs.Workers, as_json: bool) -> None:
    """Run every check on the levels of SPEC, and print the seeds that fail one; none should.

    The exit status is 1 if any does.
    """
    from generator.batch.audit import BLOCK, audit_block
    from generator.batch.many_seeds import compile_for_levels
    from generator.batch.run import blocks_of, count_of

    level_spec = common.spec_with(spec, values)
    seed_range = runs.seeds_of(seeds, level_spec.style)
    number = count_of(seed_range)
    compile_for_levels(level_spec, number, workers.local)
    tasks = ((level_spec, number, block) for block in blocks_of(seed_range, BLOCK))
    bad = 0
    for audited in runs.over_blocks(audit_block, tasks, number, workers, "auditing"):
        for seed, problems in audited.problems.items():
            bad += 1
            for problem in problems:
                if as_json:
                    json_lines.emit("problem", seed=str(seed), problem=problem)
                else:
                    echo(f"seed {seed}: {problem}")
    if as_json:
        json_lines.emit("done", levels=number, with_problems=bad)
    else:
        echo(f"{how_many(number, 'level')}, {bad} with problems")
    if bad:
        raise SystemExit(1)
