"""`undercroft search` and `stats`: seeds whose levels meet a condition, and the distributions of facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, runs, streams, tables, writing
from generator.cli.helpful import HelpfulCommand
from generator.cli.progress import echo
from generator.cli.writing import bundle_of
from generator.errors import BadInput

if TYPE_CHECKING:
    from exporters.writing import WriteOutcome
    from generator.batch.expressive_range import ExpressiveRange
    from generator.batch.search import Hit, Search
    from generator.batch.stats import Stats

# --- search ------------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@click.argument("spec", required=False, shell_complete=common.completes("specs"))
@common.set_option
@runs.where_option("Such as: rooms.boss.distance >= 9 and loops == 2.")
@runs.seeds_option()
@runs.first_option("Stop after N seeds were found. Default: find all.")
@runs.works_on_many
@common.file_option(
    "--resume", "Keep in FILE what was found and how far the search came; the same search goes on from there."
)
@common.flag(
    "--facts", "List the facts that a condition may name, with SPEC also those of its style.", "list_facts"
)
@tables.csv_option
@common.json_option
def search_command(
    spec: str | None,
    values: tuple[str, ...],
    conditions: tuple[str, ...],
    seeds: str | None,
    first: int | None,
    workers: runs.Workers,
    resume: Path | None,
    list_facts: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print the seeds whose levels of SPEC meet a CONDITION, as they are found, with its facts.

    Only as much of a level is made as the condition needs. At the end, standard error says how many seeds
    were tried. The exit status is 1 if nothing was found.
    """
    tables.refuse_both(as_csv, as_json)
    if list_facts:
        _print_facts([common.spec_with(spec, values).style] if spec else [], as_csv, as_json)
        return
    if spec is None or not conditions or seeds is None:
        raise BadInput("search: give SPEC, --where CONDITION and --seeds A:B, or --facts")
    from generator.batch.search import Search

    level_spec = common.spec_with(spec, values)
    if resume:
        bundle_of(resume, b"")  # refuses a bad name before the work
    query = runs.query_of(level_spec, conditions)
    search = Search(query, runs.seeds_of(seeds, level_spec.style), first, resume)

    def keep() -> None:
        if resume:
            bundle_of(resume, search.saved()).write(resume.parent, edits=None)

    hits = runs.hits_of(search, workers, keep)
    if as_csv:
        names = [question.name for question in search.condition.facts]
        rows = ([hit.seed, *(hit.facts[name] for name in names)] for hit in hits)
        tables.print_csv(["seed", *names], rows)
    else:
        for hit in hits:
            _tell_hit(hit, as_json)
    pairs = common.key_values(values, "--set")
    about = {"spec": spec, "set": {key: common.toml_value(text) for key, text in pairs.items()}}
    _sum_up(search, about if as_json else None)
    if not search.hits:
        raise SystemExit(1)


def _sum_up(search: Search, about: Mapping[str, object] | None) -> None:
    """Report how many of the seeds that were tried meet the condition, and how many gave no level.

    For machines, `about` says what the levels are of.
    """
    count, failed = len(search.hits), len(search.failed)
    if about is not None:
        json_lines.emit("done", found=count, seeds=search.next, failed=failed, **about)
        return
    of = "of the first" if search.has_enough else "of"
    stop = f"; --first {count} stops there" if search.has_enough else ""
    without = f"; {failed:,} gave no level" if failed else ""
    common.tell(f"{count:,} {of} {search.next:,} seeds meet the condition{without}{stop}")


def _tell_hit(hit: Hit, as_json: bool) -> None:
    text = "  ".join([str(hit.seed), *(f"{name} = {answer}" for name, answer in hit.facts.items())])
    json_lines.tell(as_json, text, "hit", seed=str(hit.seed), facts=hit.facts)


def _print_facts(styles: list[str], as_csv: bool, as_json: bool) -> None:
    from generator.batch.facts import facts_of

    facts = facts_of(styles).values()
    if as_csv:
        rows = ([fact.written(), fact.help, " ".join(fact.of), fact.needs_level] for fact in facts)
        tables.print_csv(["fact", "help", "of", "needs_level"], rows)
        return
    for fact in facts:
        text = f"{fact.written():22} {fact.help}{'; makes the whole level' * fact.needs_level}"
        json_lines.tell(as_json, text, "fact", **fact.told())


# --- stats -------------------------------------------------------------------------------------------

_PLOTS = (".png", ".svg")


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(required=True)
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    metavar="KEY=LIST",
    help="Count all seeds with each value of a list, such as rooms=[8,16]; repeat for all combinations.",
)
@click.option("--fact", "names", multiple=True, metavar="NAME", help="A fact to count; repeat as needed.")
@click.option(
    "--range",
    "axes",
    nargs=2,
    metavar="X Y",
    help="Count how often two facts come together, in 20 by 20 cells: the expressive range.",
)
@runs.works_on_many
@common.file_option("--against", "A baseline, made with --json: say which distributions moved.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    default=0.02,
    show_default=True,
    help="How far a distribution may move: half the sum of the differences between the shares.",
)
@common.file_option(
    "--html", "Write a page with plots, or - to print it, instead of printing a table; needs matplotlib."
)
@common.file_option(
    "--plot",
    "Write all plots, or with --range its cells, as one picture, .png or .svg, or - to print a .png; "
    "needs matplotlib.",
)
@tables.csv_option
@writing.writes_files(has_quiet=False)
def stats_command(
    spec: str,
    values: tuple[str, ...],
    seeds: str,
    sweeps: tuple[str, ...],
    names: tuple[str, ...],
    axes: tuple[str, str] | None,
    workers: runs.Workers,
    against: Path | None,
    threshold: float,
    html: Path | None,
    plot: Path | None,
    as_csv: bool,
    output: writing.WriteOptions,
) -> None:
    """Count what the levels of SPEC are like: rooms, kinds, distances, sizes, failures and more.

    With --against the exit status is 1 if a distribution moved beyond the threshold.
    """
    from generator.batch import stats
    from generator.batch.expressive_range import axes_of
    from generator.cli.tally import counted_apart, counted_together, print_csv, print_table, swept

    tables.refuse_both(as_csv, output.as_json)
    if axes and names:
        raise BadInput("--fact: does not go with --range, which counts its two facts; leave one out")
    _check_pictures(html, plot)
    level_spec = common.spec_with(spec, values)
    variants = swept(level_spec, sweeps)
    is_usual = not names and not axes
    names = names or stats.usual_facts([level_spec.style])
    questions = axes_of(level_spec, axes) if axes else stats.questions_of(level_spec, names)
    baseline = stats.load_stats(against) if against else None
    if baseline and not is_usual:
        baseline = stats.only(baseline, questions)
    seed_range = runs.seeds_of(seeds, level_spec.style)
    if axes:
        tally = counted_together(variants, questions, seed_range, workers)
    else:
        tally = counted_apart(variants, names, questions, seed_range, workers, usual=is_usual)
    counted = tally.whole
    same = stats.compared(counted, baseline) if baseline and is_usual else counted
    apart = stats.moved(same, baseline, threshold) if baseline else []
    title = ", ".join([spec, *values, *sweeps, f"seeds {streams.name_of(seeds)}"])
    listed = counted if is_usual else stats.without_failed(counted)
    pictures: dict[Path, bytes] = {}
    if html:
        from exporters.pages.statistics import statistics

        parts = {part.variant.label: part.stats for part in tally.parts} if tally.is_swept else {}
        style = level_spec.style
        pictures[html] = statistics(listed, title, baseline, dict(apart), [style], tally.cells, parts)
    if plot:
        pictures[plot] = _plotted(listed, baseline, tally.cells, title, plot.suffix[1:].lower() or "png")
    outcome = _written(pictures, [against] if against else [], output)
    if output.as_json:
        extra: dict[str, object] = {"moved": dict(apart)} if baseline else {}
        extra |= tally.told() | (output.file_facts(outcome) if outcome else {})
        json_lines.emit("stats", **counted.to_dict(), **extra)
    else:
        is_printed = any(map(streams.is_dash, pictures))
        lines = output.lines(outcome) if outcome else ()
        if as_csv or not pictures:
            (print_csv if as_csv else print_table)(listed, tally)
        moves = (f"{name}: the distribution moved by {by:.3f}, more than {threshold:g}" for name, by in apart)
        for line in (*lines, *moves):
            echo(line, err=as_csv or is_printed)
        if not is_usual and counted.failed:
            common.tell(f"{counted.failed} of {counted.levels} seeds gave no level")
    if apart:
        raise SystemExit(1)


def _plotted(
    stats: Stats, baseline: Stats | None, cells: ExpressiveRange | None, title: str, kind: str
) -> bytes:
    from exporters.pages.statistics import range_sheet, sheet

    return range_sheet(cells, title, kind) if cells else sheet(stats, baseline, kind)


def _check_pictures(html: Path | None, plot: Path | None) -> None:
    """Refuse what cannot be drawn or written as a picture, before many levels are made."""
    if html is not None and html == plot:
        raise BadInput(f"--plot: {plot} is already what --html writes to; name another file")
    if html:
        writing.require_ending("--html", html, ".html", ".htm")
    if plot:
        writing.require_ending("--plot", plot, *_PLOTS)
    if html or plot:
        from exporters.pages.statistics import need_matplotlib

        need_matplotlib()


def _written(
    files: Mapping[Path, bytes], made_from: Sequence[Path], output: writing.WriteOptions
) -> WriteOutcome | None:
    """Write the pictures that were asked for, if any."""
    from exporters.writing import WriteOutcome

    outcomes = []
    for path, data in files.items():
        if streams.is_dash(path):
            streams.print_bundle({"stats.png": data}, "--plot")
        else:
            outcomes.append(output.write_quietly(writing.bundle_of(path, data, made_from), path.parent))
    return reduce(WriteOutcome.joined, outcomes) if outcomes else None
