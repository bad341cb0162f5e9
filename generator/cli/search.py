"""`undercroft search`: seeds whose levels meet a condition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, runs
from generator.cli.helpful import HelpfulCommand
from generator.cli.progress import echo
from generator.cli.writing import bundle_of
from generator.errors import BadInput

if TYPE_CHECKING:
    from generator.batch.search import Hit, Search


@click.command(cls=HelpfulCommand)
@click.argument("spec", required=False, shell_complete=common.completes("specs"))
@common.set_option
@click.option("--where", metavar="CONDITION", help="Such as: rooms.boss.distance >= 9 and loops == 2")
@runs.seeds_option(required=False)
@click.option(
    "--first", type=click.IntRange(1), metavar="N", help="Stop after N seeds were found. Default: find all."
)
@runs.works_on_many
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep in FILE what was found and how far the search came; the same search goes on from there.",
)
@click.option(
    "--facts",
    "list_facts",
    is_flag=True,
    help="List the facts that a condition may name, with SPEC also those of its style.",
)
@common.json_option
def command(
    spec: str | None,
    values: tuple[str, ...],
    where: str | None,
    seeds: str | None,
    first: int | None,
    workers: runs.Workers,
    resume: Path | None,
    list_facts: bool,
    as_json: bool,
) -> None:
    """Print the seeds whose levels of SPEC meet a CONDITION, as they are found, with its facts.

    Only as much of a level is made as the condition needs. At the end, standard error says how many seeds
    were tried. The exit status is 1 if nothing was found.
    """
    if list_facts:
        _print_facts([common.spec_with(spec, values).style] if spec else [], as_json)
        return
    if spec is None or where is None or seeds is None:
        raise BadInput("search: give SPEC, --where CONDITION and --seeds A:B, or --facts")
    from generator.batch.condition import Slip
    from generator.batch.run import count_of
    from generator.batch.search import Query, Search, search_block

    level_spec = common.spec_with(spec, values)
    if resume:
        bundle_of(resume, b"")  # refuses a bad name before the work
    try:
        search = Search(Query(level_spec, where), runs.seeds_of(seeds, level_spec.style), resume)
    except Slip as slip:
        if slip.text:
            echo(slip.caret, err=True)
        raise
    for hit in search.hits[:first]:
        _tell(hit, as_json)
    search.prepare(workers.local)
    tasks = search.tasks() if first is None or len(search.hits) < first else ()
    for block in runs.over_blocks(search_block, tasks, count_of(search.left), workers, "searching"):
        for hit in block.hits[: None if first is None else first - len(search.hits)]:
            _tell(hit, as_json)
        search.add(block)
        if resume:
            bundle_of(resume, search.saved()).write(resume.parent, edits=None)
        if first is not None and len(search.hits) >= first:
            break
    _sum_up(search, first, as_json)
    if not search.hits:
        raise SystemExit(1)


def _sum_up(search: Search, first: int | None, as_json: bool) -> None:
    """Report how many of the seeds that were tried meet the condition, and how many gave no level.

    Seeds are tried in blocks, so a search for the first few tries more than it tells of. People then hear of
    the seeds up to the last hit: the share is right, and the same for blocks of any size.
    """
    count = len(search.hits[:first])
    if as_json:
        json_lines.emit("done", found=count, seeds=search.next, failed=search.failed)
        return
    if first is not None and count == first:
        tried = search.seeds.index(search.hits[first - 1].seed) + 1
        common.tell(f"{count:,} of the first {tried:,} seeds meet the condition; --first {first} stops there")
        return
    failed = f"; {search.failed:,} gave no level" if search.failed else ""
    common.tell(f"{count:,} of {search.next:,} seeds meet the condition{failed}")


def _tell(hit: Hit, as_json: bool) -> None:
    if as_json:
        json_lines.emit("hit", seed=str(hit.seed), facts=hit.facts)
    else:
        echo("  ".join([str(hit.seed), *(f"{name} = {answer}" for name, answer in hit.facts.items())]))


def _print_facts(styles: list[str], as_json: bool) -> None:
    from generator.batch.facts import facts_of

    facts = facts_of(styles).values()
    if as_json:
        for fact in facts:
            json_lines.emit(
                "fact", fact=fact.written(), help=fact.help, of=fact.of, needs_level=fact.needs_level
            )
        return
    for fact in facts:
        note = "; makes the whole level" if fact.needs_level else ""
        echo(f"{fact.written():22} {fact.help}{note}")
