"""`undercroft search`: seeds whose levels meet a condition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, runs
from generator.errors import BadInput

if TYPE_CHECKING:
    from generator.batch.search import Hit


@click.command()
@click.argument("spec", required=False)
@common.set_option
@click.option("--where", metavar="CONDITION", help="Such as: rooms.boss.distance >= 9 and loops == 2")
@runs.seeds_option(required=False)
@click.option("--first", type=click.IntRange(1), metavar="N", help="Stop after so many. Default: all.")
@runs.jobs_option
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep what was found and how far it came in FILE; the same search goes on from there.",
)
@click.option(
    "--facts",
    "list_facts",
    is_flag=True,
    help="List the facts that a condition may name; with SPEC those of its style too.",
)
@common.json_option
def command(
    spec: str | None,
    values: tuple[str, ...],
    where: str | None,
    seeds: str | None,
    first: int | None,
    jobs: int,
    resume: Path | None,
    list_facts: bool,
    as_json: bool,
) -> None:
    """Print the seeds whose levels of SPEC meet a CONDITION, as they are found, with its facts.

    Only as much of a level is made as the condition asks about. The exit status is 1 if nothing was found.
    """
    if list_facts:
        _print_facts([common.spec_with(spec, values).style] if spec else [], as_json)
        return
    if spec is None or where is None or seeds is None:
        raise BadInput("search: give SPEC, --where CONDITION and --seeds A:B, or --facts")
    from exporters.bundle import Bundle
    from generator.batch.condition import Slip
    from generator.batch.run import count_of, seed_range
    from generator.batch.search import Query, Search, search_block

    try:
        search = Search(Query(common.spec_with(spec, values), where), seed_range(seeds), resume)
    except Slip as slip:
        click.echo(slip.caret, err=True)
        raise
    for hit in search.hits[:first]:
        _tell(hit, as_json)
    search.prepare(jobs)
    tasks = search.tasks() if first is None or len(search.hits) < first else ()
    for found in runs.over_blocks(search_block, tasks, count_of(search.left), jobs, "searching"):
        for hit in found.hits[: None if first is None else first - len(search.hits)]:
            _tell(hit, as_json)
        search.add(found)
        if resume:
            Bundle({resume.name: search.saved()}).write(resume.parent, edits=None)
        if first is not None and len(search.hits) >= first:
            break
    if search.failed:
        click.echo(f"undercroft: no level was found for {search.failed} seeds", err=True)
    if not search.hits:
        raise SystemExit(1)


def _tell(hit: Hit, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"seed": str(hit.seed), **hit.facts}))
    else:
        click.echo("  ".join([str(hit.seed), *(f"{name} = {answer}" for name, answer in hit.facts.items())]))


def _print_facts(styles: list[str], as_json: bool) -> None:
    from generator.batch.asked import facts_of

    facts = facts_of(styles).values()
    if as_json:
        rows = [
            {"fact": fact.written(), "help": fact.help, "of": fact.of, "needs_level": fact.needs_level}
            for fact in facts
        ]
        click.echo(json.dumps(rows))
        return
    for fact in facts:
        more = "; makes the whole level" if fact.needs_level else ""
        click.echo(f"{fact.written():22} {fact.help}{more}")
