"""`undercroft stats`: the distributions of facts over many levels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator.cli import common, runs, writing
from generator.errors import BadInput

if TYPE_CHECKING:
    from generator.batch.stats import Stats

_BAR = 30  # characters
_PLOTS = (".png", ".svg")
_MOST_ROWS = 24  # of one fact; more are put together


@click.command()
@click.argument("spec")
@common.set_option
@runs.seeds_option(required=True)
@click.option("--fact", "names", multiple=True, metavar="NAME", help="A fact to count; repeat as needed.")
@runs.jobs_option
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A baseline, made with --json: tell which distributions moved.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.02,
    show_default=True,
    help="How far a distribution may move: half the sum of the differences of shares.",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a page with plots instead of printing a table; needs matplotlib.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write all plots as one picture, .png or .svg; needs matplotlib.",
)
@writing.edits_option()
@common.json_option
def command(
    spec: str,
    values: tuple[str, ...],
    seeds: str,
    names: tuple[str, ...],
    jobs: int,
    against: Path | None,
    threshold: float,
    html: Path | None,
    plot: Path | None,
    edits: str,
    as_json: bool,
) -> None:
    """Count what the levels of SPEC are like: rooms, kinds, distances, sizes, failures and more.

    With --against the exit status is 1 if a distribution moved beyond the threshold.
    """
    from generator.batch.run import blocks_of, count_of, seed_range
    from generator.batch.stats import (
        asked_for,
        block_size,
        count_block,
        load_stats,
        merged,
        moved,
        prepare,
        usual_facts,
    )

    if html or plot:
        _check_plots(plot)
    level_spec = common.spec_with(spec, values)
    names = names or usual_facts([level_spec.style])
    asked = asked_for(names, [level_spec.style], [level_spec.load_kit().kinds])
    baseline = load_stats(against) if against else None
    every = seed_range(seeds)
    prepare(level_spec, asked, count_of(every), jobs)
    size = block_size(asked, count_of(every))
    tasks = ((level_spec, names, block) for block in blocks_of(every, size))
    stats = merged(runs.over_blocks(count_block, tasks, count_of(every), jobs, "counting"))
    apart = moved(stats, baseline, threshold) if baseline else []
    title = ", ".join([spec, *values, f"seeds {seeds}"])
    page = Page(html, title, level_spec.style)
    files = _write_pictures(stats, baseline, dict(apart), page, plot, [against] if against else [], edits)
    if as_json:
        more = {"moved": dict(apart)} if baseline else {}
        click.echo(json.dumps({**stats.to_dict(), **more}))
    else:
        for path in files:
            click.echo(path)
        if not files:
            _print_table(stats)
        for name, distance in apart:
            click.echo(f"{name} moved by {distance:.3f}")
    if apart:
        raise SystemExit(1)


class Page(NamedTuple):
    """A page with plots: where it is written, what it is called, and the style of its levels."""

    path: Path | None
    title: str
    style: str


def _check_plots(plot: Path | None) -> None:
    """Before many levels are made: whether the plots can be drawn, and their file's kind is known."""
    from exporters.pages.plots import need_matplotlib

    if plot and plot.suffix.lower() not in _PLOTS:
        raise BadInput(f"--plot: {plot}: is no picture's name; end it in {' or '.join(_PLOTS)}")
    need_matplotlib()


def _write_pictures(
    stats: Stats,
    baseline: Stats | None,
    moved: dict[str, float],
    page: Page,
    plot: Path | None,
    made_from: list[Path],
    edits: str,
) -> list[Path]:
    """Write what was asked for, and return where."""
    files = {}
    if page.path:
        from exporters.pages.statistics import statistics

        files[page.path] = statistics(stats, page.title, baseline, moved, [page.style])
    if plot:
        from exporters.pages.plots import sheet

        files[plot] = sheet(stats, baseline, plot.suffix[1:].lower())
    return [writing.write_file(path, data, made_from, edits) for path, data in files.items()]


def _print_table(stats: Stats) -> None:
    """A line an answer: its share of the levels, and a bar."""
    from generator.batch.stats import ordered, summary

    for name, counts in stats.facts.items():
        total = sum(counts.values())
        rows = ordered(counts)
        click.echo(f"{name}: {summary(counts)}")
        if len(rows) > _MOST_ROWS:
            continue
        most = max(counts.values())
        for answer, count in rows:
            bar = "#" * round(_BAR * count / most)
            click.echo(f"  {'-' if answer is None else answer:>12} {count / total:7.2%} {bar}")
