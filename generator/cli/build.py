"""`undercroft build`: the levels that a manifest asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, runs
from generator.errors import one_line

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from exporters.build.run import Event

_MOST_TOLD = 20  # lines of a kind


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
@runs.jobs_option
@click.option(
    "--executor",
    metavar="NAME",
    default="processes",
    show_default=True,
    help="Who works: processes, dask, or MODULE:NAME of any executor of concurrent.futures.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Of Dask, such as tcp://10.0.0.1:8786.")
@common.quiet_option
@common.json_option
def command(
    manifest: Path,
    out: Path | None,
    check: bool,
    prune: bool,
    force: bool,
    jobs: int,
    executor: str,
    scheduler: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Build the levels of MANIFEST (undercroft.toml): those that changed, and nothing else.

    The exit status is 1 if a level could not be made, or with --check if anything differs.
    """
    from exporters.build.manifest import load_manifest
    from exporters.build.plan import Plan
    from exporters.build.run import Build
    from exporters.build.store import Store

    plan = Plan(load_manifest(manifest))
    root = out or plan.manifest.out
    with Store(root, plan.manifest.sources) as store:
        from generator.batch.run import workers

        build = Build(plan, store, force=force, prune=prune)
        with workers(jobs) as (pool, number):
            for event in build.events(pool, number):
                click.echo(json.dumps({"event": event.what, **event.facts}))
    click.echo(str(build.counts))
    if any(counts["failed"] for counts in build.counts.values()):
        raise SystemExit(1)
