"""`undercroft run`: all stages of a seed, each made for what the player has met by then."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from generator.cli import common, json_lines, progress
from generator.cli.helpful import HelpfulCommand
from generator.cli.writing import (
    FileWriter,
    is_standard_output,
    require_ending,
    writes_levels,
)
from generator.errors import BadInput, shown
from generator.names import file_name
from generator.value_words import how_many

if TYPE_CHECKING:
    from generator.level import Level, Property
    from generator.run_summary import RunSummary
    from generator.runs import Run

_STAGES = re.compile(r"([0-9]{1,3}):([0-9]{1,3})", re.ASCII)
_ROW = "{:>5} {:11} {:>5} {:>4} {:>5} {:>10} {:>5} {:>5}  {}"


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.seed_option
@common.set_option
@click.option("--stages", metavar="A:B", help="Only the stages from A up to, but not including, B.")
@click.option(
    "--stats", "as_stats", is_flag=True, help="Print what the run is like instead of writing levels."
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write one HTML page that shows all stages, instead of the levels.",
)
@writes_levels(out_required=False)
def command(
    spec: str,
    seed: str | None,
    values: tuple[str, ...],
    stages: str | None,
    as_stats: bool,
    html: Path | None,
    writer: FileWriter,
) -> None:
    """Generate a run: the stage of SPEC and all stages after it, with one seed, and write their levels.

    Each stage prefers layouts and bosses that the run has shown least, and is made for the state that the
    player is likely to have by then. All of this is in the spec of its level, so that it can be made alone.
    """
    from generator.run_summary import run_summary
    from generator.runs import run

    if html:
        require_ending("--html", html, ".html", ".htm")
    if html or as_stats:
        _refuse_unused("--html" if html else "--stats")
    planned = run(common.spec_with(spec, values), seed)
    places = _places(planned, stages)
    title = common.default_name(spec, seed or str(planned.seed(1)), values)
    if html:
        with progress.working("generating"):
            levels = [planned.level(place) for place in places]
        _write_page(html, title, levels, writer, (spec, *values))
    if as_stats:
        with progress.working("generating"):
            summary = run_summary(planned.level(place) for place in places)
        _tell(summary, writer.as_json)
    if html or as_stats:
        return
    if is_standard_output(writer.out) and len(places) > 1:
        raise BadInput(f"--out: - prints one level, and these are {len(places)}; give a folder, or --stages")
    named = [(place, file_name(title, f"{_number(planned, place):02}")) for place in places]
    writer.refuse((planned.level(place), name) for place, name in named)
    with progress.working("stages", len(named)) as bar:
        for place, name in named:
            level = planned.level(place)
            stage = _number(planned, place)
            writer.write(level, name, {"stage": stage, "seed": str(level.seed)})
            bar.update()


def _refuse_unused(flag: str) -> None:
    """Raise BadInput for an option that is about levels where none are written."""
    context = click.get_current_context()
    unused = {"formats": "--to", "options": "--option", "options_file": "--options", "out": "--out"}
    if flag == "--stats":
        unused["theme"] = "--theme"
    for name, option in unused.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise BadInput(f"{option}: does not go with {flag}, which writes no levels; leave it out")


def _number(planned: Run, place: int) -> int:
    """Return the stage at a place, or the place itself for a style whose specs have no stage."""
    return int(planned.stages[place - 1].spec.to_dict().get("stage", place))


def _places(planned: Run, stages: str | None) -> range:
    """Return the places of the stages asked for, or of all if none are. Raises BadInput."""
    numbers = [_number(planned, place) for place in range(1, len(planned) + 1)]
    if stages is None:
        return range(1, len(planned) + 1)
    match = _STAGES.fullmatch(stages)
    first, end = (int(match[1]), int(match[2])) if match else (0, 0)
    if not numbers[0] <= first < end <= numbers[-1] + 1:
        remedy = f"give A:B within {numbers[0]} to {numbers[-1] + 1}, such as {numbers[0]}:{numbers[-1] + 1}"
        raise BadInput(f"--stages: {shown(stages)} is not a part of this run; {remedy}")
    return range(first - numbers[0] + 1, end - numbers[0] + 1)


def _write_page(
    path: Path, title: str, levels: list[Level], writer: FileWriter, words: tuple[str, ...]
) -> None:
    from exporters.pages.gallery import run_page
    from exporters.theme.loader import load_theme

    theme = writer.theme
    dressed = load_theme(theme)
    spec, *values = words
    command = ["undercroft", "run", spec, *(word for value in values for word in ("--set", value))]
    command += ["--theme", str(theme)] if theme else []
    page = run_page(levels, theme, title, command)
    facts = {"levels": len(levels), "bytes": len(page)}
    writer.output.write_file(path, page, facts, dressed.sources)


def _tell(summary: RunSummary, as_json: bool) -> None:
    if as_json:
        json_lines.emit("run", **summary.to_dict())
        return
    click.echo(_ROW.format("stage", "chapter", "rooms", "new", "foes", "hearts", "keys", "coins", "bosses"))
    for stage in summary.stages:
        hearts = f"{_hearts(stage.state, 'red_hearts')}/{_hearts(stage.state, 'heart_containers')}"
        soul = stage.state.get("soul_hearts", 0)
        hearts += f"+{_hearts(stage.state, 'soul_hearts')}" if soul else ""
        keys, coins = (stage.state.get(name, 0) for name in ("keys", "coins"))
        bosses = ", ".join((*stage.bosses, *(f"({name})" for name in stage.mini_bosses)))
        row = (stage.stage, stage.chapter, stage.rooms, stage.new, stage.enemies, hearts, keys, coins, bosses)
        click.echo(_ROW.format(*row))
    kinds = sum((Counter(stage.special_rooms) for stage in summary.stages), Counter[str]())
    click.echo(f"special rooms: {', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}")
    repeats = f"{summary.repeats:.1%} of the rooms repeat one, {summary.most} times at most"
    click.echo(f"{how_many(summary.rooms, 'room')}, {how_many(len(summary.layouts), 'layout')}: {repeats}")


def _hearts(state: Mapping[str, Property], name: str) -> str:
    """Convert half hearts to hearts."""
    return f"{int(state.get(name, 0)) / 2:g}"
