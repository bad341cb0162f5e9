"""`undercroft build`: the levels that a manifest asks for."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, runs, writing
from generator.errors import BadInput, one_line

if TYPE_CHECKING:
    from exporters.builder.check import BuildCheck
    from exporters.builder.plan import BuildPlan
    from exporters.builder.run import Build, Event

_BAD = ("failed", "refused", "missing", "differs", "clashes", "unasked")  # what sets the exit status to 1
_COLUMNS = ("unchanged", "built", "generated", "same", "differs", "failed")
_SAID = {
    "failed": "{level}: {reason}",
    "missing": "{file}: is missing",
    "differs": "{file}: is not what is built",
    "clashes": "{file}: is needed by several levels with different content; give those different folders",
    "refused": "{said}",
    "edited": "{said}",
    "misfit": "{file}: {said}",
    "unasked": "{file}: was built once, and is no longer asked for",
    "leftover": "{file}: is no longer asked for; remove it with --prune",
    "removed": "{file}: removed",
    "kept": "{file}: is no longer asked for, and was changed by hand; remove it yourself",
}


@click.command()
@click.argument("manifest", type=click.Path(path_type=Path), default="undercroft.toml")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder to build, instead of the manifest's.",
)
@click.option("--check", is_flag=True, help="Build in memory, and fail if a file in the folder differs.")
@click.option("--prune", is_flag=True, help="Remove files that are no longer asked for and are unchanged.")
@click.option("--force", is_flag=True, help="Build everything anew, done or not.")
@writing.edits_option(None, default_is="keep; with --check it is fail")
@runs.jobs_option
@click.option(
    "--executor",
    metavar="NAME",
    default="processes",
    show_default=True,
    help="Who works: processes, dask, or MODULE:NAME of any executor of concurrent.futures.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster, such as tcp://10.0.0.1:8786.")
@common.quiet_option
@common.json_option
def command(
    manifest: Path,
    out: Path | None,
    check: bool,
    prune: bool,
    force: bool,
    edits: str | None,
    jobs: int,
    executor: str,
    scheduler: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Build the levels of MANIFEST (default: undercroft.toml): those that changed, and nothing else.

    The exit status is 1 if a level could not be made, or with --check if anything differs.
    """
    from exporters.builder.manifest import load_manifest
    from exporters.builder.plan import BuildPlan

    if check and (prune or force):
        raise BadInput("--check writes nothing: leave out --prune and --force")
    if check and edits not in (None, "fail"):
        raise BadInput("--edits: --check writes nothing, so it is always fail; leave --edits out")
    from generator.batch.executors import executor_of

    plan = BuildPlan(load_manifest(manifest))
    root = (out or plan.manifest.out).absolute()
    with (
        executor_of(executor, jobs, scheduler) as (workers, number),
        _work(plan, root, check, prune, force, edits or "keep") as work,
    ):
        told = _run(work.events(workers, number), work, plan.steps, as_json)
    if as_json:
        groups = {name: dict(counts) for name, counts in work.counts.items()}
        click.echo(
            json.dumps({"event": "done", "folder": str(root), "levels": plan.levels, "groups": groups})
        )
    elif not quiet:
        _print_table(work.counts)
    if any(told[what] for what in _BAD):
        raise SystemExit(1)


@contextmanager
def _work(
    plan: BuildPlan, root: Path, check: bool, prune: bool, force: bool, edits: str
) -> Iterator[Build | BuildCheck]:
    """What is to be done; a build has the folder for itself as long as it lasts."""
    if check:
        from exporters.builder.check import BuildCheck

        yield BuildCheck(plan, root)
        return
    from exporters.builder.run import Build
    from exporters.builder.store import Store

    with Store(root, plan.sources, edits) as store:
        if store.state.lost:
            why = "its state was damaged or of another version; all is built anew"
            click.echo(f"undercroft: {one_line(str(root))}: {why}", err=True)
        yield Build(plan, store, force=force, prune=prune, refuses=edits == "fail")


def _run(events: Iterator[Event], work: Build | BuildCheck, steps: int, as_json: bool) -> Counter[str]:
    """Do it, with a bar on a terminal; events as they come for machines, at the end for people."""
    told: Counter[str] = Counter()
    lines: dict[str, list[str]] = {what: [] for what in _SAID}
    shown = sys.stderr.isatty() and not (as_json and sys.stdout.isatty())

    def rate(done: int | None) -> str:
        return f"{1 / bar.time_per_iteration:.1f}/s" if done and bar.time_per_iteration else ""

    with click.progressbar(
        length=steps, label="building", file=sys.stderr, show_pos=True, item_show_func=rate, hidden=not shown
    ) as bar:
        work.on_level = lambda: bar.update(1, bar.pos + 1)
        for event in events:
            told[event.what] += 1
            if as_json:
                click.echo(json.dumps({"event": event.what, **event.facts}))
            elif event.what in lines and told[event.what] <= _most_told(event.what):
                lines[event.what].append(_SAID[event.what].format(**event.facts))
    for what, some in lines.items():
        for line in some:
            click.echo(f"undercroft: {one_line(line)}", err=True)
        if told[what] > len(some) and not as_json:
            click.echo(f"undercroft: and {told[what] - len(some)} more {what}; --json tells all", err=True)
    return told


def _most_told(what: str) -> int:
    """How many lines of a kind people are told; what fails the build is what they came for."""
    return 100 if what in (*_BAD, "edited", "misfit") else 5


def _print_table(counts: Mapping[str, Counter[str]]) -> None:
    """A row a group: how many levels were what."""
    columns = [what for what in _COLUMNS if any(row[what] for row in counts.values())]
    rows = [("group", *columns)]
    rows += [(name, *(str(row[what]) for what in columns)) for name, row in counts.items()]
    rows += [("all", *(str(sum(row[what] for row in counts.values())) for what in columns))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        told = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        click.echo("  ".join([f"{name:{widths[0]}}", *told]))
