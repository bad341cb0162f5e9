"""`undercroft stats`: the distributions of facts over many levels."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator.cli import common, json_lines, runs, writing
from generator.cli.helpful import HelpfulCommand
from generator.cli.progress import echo

if TYPE_CHECKING:
    from exporters.writing import WriteOutcome
    from generator.batch.stats import Stats

_BAR = 30  # characters
_PLOTS = (".png", ".svg")
_MAX_ROWS = 24  # of one fact; with more, only the summary is printed


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(required=True)
@click.option("--fact", "names", multiple=True, metavar="NAME", help="A fact to count; repeat as needed.")
@runs.works_on_many
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A baseline, made with --json: say which distributions moved.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    default=0.02,
    show_default=True,
    help="How far a distribution may move: half the sum of the differences between the shares.",
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
@writing.writes_files(has_quiet=False)
def command(
    spec: str,
    values: tuple[str, ...],
    seeds: str,
    names: tuple[str, ...],
    workers: runs.Workers,
    against: Path | None,
    threshold: float,
    html: Path | None,
    plot: Path | None,
    output: writing.WriteOptions,
) -> None:
    """Count what the levels of SPEC are like: rooms, kinds, distances, sizes, failures and more.

    With --against the exit status is 1 if a distribution moved beyond the threshold.
    """
    from generator.batch.run import blocks_of, count_of
    from generator.batch.stats import (
        asked_for,
        block_size,
        count_block,
        load_stats,
        merged,
        moved,
        only,
        prepare,
        usual_facts,
        without_failed,
    )

    _check_pictures(html, plot)
    level_spec = common.spec_with(spec, values)
    is_usual = not names
    names = names or usual_facts([level_spec.style])
    questions = asked_for(names, [level_spec.style], [level_spec.load_kit().kinds])
    baseline = load_stats(against) if against else None
    if baseline and not is_usual:
        baseline = only(baseline, questions)
    seed_range = runs.seeds_of(seeds, level_spec.style)
    prepare(level_spec, questions, count_of(seed_range), workers.local)
    size = block_size(questions, count_of(seed_range))
    tasks = ((level_spec, names, block) for block in blocks_of(seed_range, size))
    stats = merged(runs.over_blocks(count_block, tasks, count_of(seed_range), workers, "counting"))
    apart = moved(stats, baseline, threshold) if baseline else []
    title = ", ".join([spec, *values, f"seeds {seeds}"])
    page = Page(html, title, level_spec.style)
    shown = stats if is_usual else without_failed(stats)
    made_from = [against] if against else []
    outcome = _write_pictures(shown, baseline, dict(apart), page, plot, made_from, output)
    if output.as_json:
        extra: dict[str, object] = {"moved": dict(apart)} if baseline else {}
        extra |= output.file_facts(outcome) if outcome else {}
        json_lines.emit("stats", **stats.to_dict(), **extra)
    else:
        for line in output.lines(outcome) if outcome else []:
            echo(line)
        if not outcome:
            _print_table(shown)
        for name, distance in apart:
            echo(f"{name}: the distribution moved by {distance:.3f}, more than {threshold:g}")
        if not is_usual and stats.failed:
            common.tell(f"{stats.failed} of {stats.levels} seeds gave no level")
    if apart:
        raise SystemExit(1)


class Page(NamedTuple):
    """A page with plots: its path, its title, and the style of its levels."""

    path: Path | None
    title: str
    style: str


def _check_pictures(html: Path | None, plot: Path | None) -> None:
    """Refuse what cannot be drawn or written as a picture, before many levels are made."""
    if html:
        writing.require_ending("--html", html, ".html", ".htm")
    if plot:
        writing.require_ending("--plot", plot, *_PLOTS)
    if html or plot:
        from exporters.pages.statistics import need_matplotlib

        need_matplotlib()


def _write_pictures(
    stats: Stats,
    baseline: Stats | None,
    moved: dict[str, float],
    page: Page,
    plot: Path | None,
    made_from: list[Path],
    output: writing.WriteOptions,
) -> WriteOutcome | None:
    """Write the pictures that were asked for, if any."""
    files = {}
    if page.path:
        from exporters.pages.statistics import statistics

        files[page.path] = statistics(stats, page.title, baseline, moved, [page.style])
    if plot:
        from exporters.pages.statistics import sheet

        files[plot] = sheet(stats, baseline, plot.suffix[1:].lower())
    from exporters.writing import WriteOutcome

    outcomes = [
        output.write_quietly(writing.bundle_of(path, data, made_from), path.parent)
        for path, data in files.items()
    ]
    return reduce(WriteOutcome.joined, outcomes) if outcomes else None


def _print_table(stats: Stats) -> None:
    """Print one line for each answer: its share of the levels, and a bar."""
    from generator.batch.stats import ordered, summary

    for name, counts in stats.facts.items():
        total = sum(counts.values())
        rows = ordered(counts)
        echo(f"{name}: {summary(counts)}")
        if len(rows) > _MAX_ROWS:
            continue
        most = max(counts.values())
        for answer, count in rows:
            bar = "#" * round(_BAR * count / most)
            echo(f"  {'-' if answer is None else answer:>12} {count / total:7.2%} {bar}")
