"""`undercroft audit`: every check on many levels."""

from __future__ import annotations

import json

import click

from generator.cli import common, runs


@click.command()
@click.argument("spec")
@common.set_option
@runs.seeds_option(required=True)
@runs.jobs_option
@common.json_option
def command(spec: str, values: tuple[str, ...], seeds: str, jobs: int, as_json: bool) -> None:
    """Run every check on the levels of SPEC, and print the seeds that fail one; none is expected to.

    The exit status is 1 if any does.
    """
    from generator.batch.audit import BLOCK, audit_block
    from generator.batch.levels import compile_for_levels
    from generator.batch.run import blocks_of, count_of, seed_range

    level_spec, every = common.spec_with(spec, values), seed_range(seeds)
    number = count_of(every)
    compile_for_levels(level_spec, number, jobs)
    tasks = ((level_spec, number, block) for block in blocks_of(every, BLOCK))
    bad = 0
    for audited in runs.over_blocks(audit_block, tasks, number, jobs, "auditing"):
        for seed, problems in audited.problems.items():
            bad += 1
            for problem in problems:
                line = json.dumps({"seed": str(seed), "problem": problem})
                click.echo(line if as_json else f"seed {seed}: {problem}")
    if not as_json:
        click.echo(f"{number} levels, {bad} with problems")
    if bad:
        raise SystemExit(1)
