"""`undercroft audit`: what is wrong with a spec's levels."""

from __future__ import annotations

from collections.abc import Sequence

import click

from generator.cli import common, json_lines, runs
from generator.cli.helpful import HelpfulCommand
from generator.errors import UndercroftError
from generator.seeds import count_of
from generator.spec import LevelSpec
from generator.value_words import how_many


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(required=True)
@click.option(
    "--rules",
    metavar="NAME",
    help="Instead, try the rules of the documents that the styles come from (seeds) that apply to SPEC.",
)
@runs.works_on_many
@common.json_option
def command(
    spec: str, values: tuple[str, ...], seeds: str, rules: str | None, workers: runs.Workers, as_json: bool
) -> None:
    """Run every check on the levels of SPEC, and print the seeds that fail one. None should.

    The exit status is 1 if any does. With --rules, print for each rule how many levels keep it; a broken one
    is marked, with the first seed.
    """
    from generator.batch.audit import BLOCK, audit_block
    from generator.batch.run import blocks_of

    level_spec = common.spec_with(spec, values)
    seed_range = runs.seeds_of(seeds, level_spec.style)
    number = count_of(seed_range)
    if rules is not None:
        _audit_rules(level_spec, rules, seed_range, workers, as_json)
        return
    tasks = ((level_spec, block) for block in blocks_of(seed_range, BLOCK))
    bad = 0
    for audited in runs.over_blocks(audit_block, tasks, number, workers, "auditing"):
        for seed, problems in audited.problems.items():
            bad += 1
            for problem in problems:
                text = f"seed {seed}: {problem}"
                json_lines.tell(as_json, text, "problem", seed=str(seed), problem=problem)
    text = f"{how_many(number, 'level')}, {bad} with problems"
    json_lines.tell(as_json, text, "done", levels=number, with_problems=bad)
    if bad:
        raise SystemExit(1)


def _why_none(spec: LevelSpec, seeds: Sequence[int]) -> str:
    """Say why the first level of some seeds cannot be made. Empty if another one can."""
    from generator.errors import GenerationFailed
    from generator.pipeline import generate

    why_not = ""
    for seed in seeds:
        try:
            generate(spec, seed)
        except GenerationFailed as error:
            why_not = why_not or str(error)
        else:
            return ""
    return why_not


def _audit_rules(
    spec: LevelSpec, name: str, seeds: Sequence[int], workers: runs.Workers, as_json: bool
) -> None:
    """Say of each rule that applies to a spec how many of its levels keep it."""
    from generator.batch.audit import BLOCK
    from generator.batch.rules import held_block, merged, rules_of
    from generator.batch.run import blocks_of

    applying = [rule for rule in rules_of(name) if rule.is_measurable and rule.applies_to(spec)]
    number = count_of(seeds)
    tasks = ((spec, name, block) for block in blocks_of(seeds, BLOCK))
    counts, broken_by = merged(list(runs.over_blocks(held_block, tasks, number, workers, "auditing")))
    if not any(counts.values()) and (why_not := _why_none(spec, seeds)):
        raise UndercroftError(f"no level of these seeds can be made: {why_not}")
    broken = 0
    for rule in applying:
        held = counts[rule.name]
        is_broken = rule.is_broken(held, number)
        broken += is_broken
        text = f"{rule.name}: {held} of {number}"
        if is_broken:
            expected = (
                f"{rule.share[0]:.0%} to {rule.share[1]:.0%} expected"
                if rule.has_share
                else "expected of all"
            )
            seed, why_not = broken_by.get(rule.name, (None, ""))
            first = f"; seed {seed}: {why_not}" if why_not else ""
            text += f": broken, {expected} ({rule.sources[0]}){first}"
        elif rule.departs and not rule.has_share and held < number:
            text += f" (on purpose: {rule.departs})"
        json_lines.tell(
            as_json, text, "rule",
            rule=rule.name, levels=number, held=held, broken=is_broken, sources=list(rule.sources),
        )  # fmt: skip
    text = f"{how_many(number, 'level')}, {how_many(len(applying), 'rule')}, {broken} broken"
    json_lines.tell(as_json, text, "done", levels=number, rules=len(applying), broken=broken)
    if broken:
        raise SystemExit(1)
