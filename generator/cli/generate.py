"""`undercroft generate`, `export` and `run`: a level, a saved one in other formats, all stages of a seed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from exporters import format_names
from generator.cli import common, json_lines, progress, runs, streams
from generator.cli.helpful import HelpfulCommand
from generator.cli.writing import FileWriter, require_ending, writes_levels
from generator.errors import BadInput, GenerationFailed, shown
from generator.files import file_name
from generator.pattern import pattern
from generator.seeds import count_of
from generator.value_words import how_many

if TYPE_CHECKING:
    from generator.level import Level, Property
    from generator.runs import Run, RunSummary
    from generator.spec import LevelSpec

# --- generate ----------------------------------------------------------------------------------------

T = TypeVar("T")

_MOST_TRIED = 10_000  # seeds from --seed on, for a level that meets a condition
_MANIFEST = "undercroft.toml"  # a project's, in the current folder


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.seed_option
@runs.seeds_option("Make a level of each of several seeds, instead of --seed. ")
@runs.where_option(
    "Only levels that meet it, see `search --facts`; without --seeds, the first from --seed on."
)
@runs.first_option("With --where, stop after N levels. Default: all of --seeds, or one.")
@common.set_option
@click.option(
    "--only-layout",
    metavar="NAME",
    help="Give this layout to every room that it fits, to see it in place; such as boss/colosseum.",
)
@common.no_check_option
@click.option(
    "--name",
    metavar="NAME",
    help="The name of the files. Default: SPEC-SEED and the values set. With --seeds, NAME-SEED.",
)
@writes_levels
def generate_command(
    spec: str,
    seed: str | None,
    seeds: str | None,
    conditions: tuple[str, ...],
    first: int | None,
    values: tuple[str, ...],
    only_layout: str | None,
    unchecked: bool,
    name: str | None,
    writer: FileWriter,
) -> None:
    """Generate the level of SPEC, the name of a preset or style or a TOML file, and write it.

    Without --to it is written in every format, so that you can open it in whatever you use. In a project,
    the undercroft.toml in the current folder decides: its formats, theme and options hold here too.

    A level of your own kit, layouts or flow that breaks a rule is not written, and the row at fault is named.
    With --seeds, the other levels follow, and the exit status is 1.
    """
    if only_layout:
        values = (*values, f"only_layout={json.dumps(only_layout)}")
    writer, taken = _as_in_project(writer)
    writer.refuse_on_terminal()
    common.tell_of_name("--name", name)
    level_spec = common.spec_with(spec, values)
    is_one = seeds is None and first in (None, 1)
    among = seed if seeds is None else _seeds(seeds, seed, level_spec.style)
    wanted: Sequence[int | str | None] = [among] if among is None or isinstance(among, str) else among
    found: dict[int, Level] = {}
    if conditions or first:
        wanted = _chosen(level_spec, conditions, among, 1 if is_one else first, found)
    count = count_of(wanted)
    writer = writer.of_many() if count > 1 else writer

    def made(seed: str | int | None) -> tuple[Level, str]:
        from generator.pipeline import generate

        known = found.pop(seed, None) if isinstance(seed, int) else None
        level = known or generate(level_spec, seed)
        _require_layout(level, level_spec)
        if not unchecked:
            _check_made(level, level_spec, writer.output.allow)
        own = name if name is None or is_one else f"{name}-{seed}"
        return level, common.own_name(own, common.default_name(spec, str(seed or level.seed), values))

    if not is_one:
        writer.refuse(_as_far_as_made(made, wanted, []))
    failed: list[str] = []
    with progress.working("generating", None if is_one else count) as bar:
        for level, level_name in _as_far_as_made(made, wanted, None if is_one else failed):
            writer.write(level, level_name, {"seed": str(level.seed)})
            bar.update()
    common.tell_all(failed)
    if taken:
        common.tell(f"{_MANIFEST}: sets {taken}")
    if failed:
        raise SystemExit(1)


def _as_far_as_made(
    made: Callable[[T], tuple[Level, str]], asked: Iterable[T], failed: list[str] | None = None
) -> Iterator[tuple[Level, str]]:
    """Yield each level that can be made, and its name, and say in `failed` why others cannot.

    Without such a list, the first that cannot raises its GenerationFailed.
    """
    for one in asked:
        try:
            yield made(one)
        except GenerationFailed as error:
            if failed is None:
                raise
            failed.append(str(error))


def _check_made(level: Level, spec: LevelSpec, allowed: Sequence[str]) -> None:
    if spec.is_of_own_files:  # the checks take time to import, and do not look at any other level
        from generator.checks import check_made

        check_made(level, spec, allowed)


def _seeds(text: str, seed: str | None, style: str) -> Sequence[int | str]:
    """Return the seeds of `--seeds`, one for each level. Raises BadInput."""
    if seed is not None:
        raise BadInput("--seed: does not go with --seeds, which names the seeds; leave one out")
    return runs.own_seeds_of(text, style)


def _chosen(
    spec: LevelSpec,
    conditions: Sequence[str],
    among: str | Sequence[int | str] | None,
    first: int | None,
    made: dict[int, Level],
) -> Sequence[int | str]:
    """Return the first seeds, or all, whose levels meet the conditions: among some, or from one on.

    Some of their levels, as far as they were made to find them, are put into `made`.
    """
    from generator.seeds import MAX_SEED
    from generator.styles.registry import style

    query = runs.query_of(spec, conditions)
    seeds: Sequence[int | str]
    if among is None or isinstance(among, str):
        number, text = style(spec.style).read_seed(among)
        seeds = range(number, min(number + _MOST_TRIED, MAX_SEED + 1))
        seeds = seeds if text is None else [text, *seeds[1:]]
    else:
        seeds = among
    return runs.chosen(query, seeds, first, "--where", workers=1, made=made)


def _as_in_project(writer: FileWriter) -> tuple[FileWriter, str]:
    """Fill in the writer's theme, formats and options from the project's manifest where none are given.

    Returns also what was taken from there.
    """
    manifest = Path(_MANIFEST)
    if not manifest.is_file():
        return writer, ""
    from exporters.builder.manifest import shared_by_all

    shared = shared_by_all(manifest)
    taken = {}
    if shared.formats and not writer.formats:
        writer = writer._replace(formats=shared.formats)
        taken["formats"] = ", ".join(shared.formats)
    if shared.theme and not writer.settings.theme:
        writer = writer._replace(settings=writer.settings._replace(theme=shared.theme))
        taken["theme"] = shared.theme.name
    formats = writer.formats or format_names()
    options = {key: value for key, value in shared.options.items() if key.partition(".")[0] in formats}
    if options:
        writer = writer._replace(shared_options=options)
        taken["options"] = ", ".join(options)
    return writer, "; ".join(f"{key}: {value}" for key, value in taken.items())


def _require_layout(level: Level, spec: LevelSpec) -> None:
    """Raise BadInput unless a room of the level has the `only_layout` of its spec, if that has one."""
    name = getattr(spec, "only_layout", "")
    if not name or any(room.layout.partition("+")[0] == name for room in level.rooms):
        return
    from generator.batch.drawn_layouts import layouts_of
    from generator.errors import meant
    from generator.interiors.layouts import OWN

    known = sorted(layouts_of(spec))
    kind = name.removeprefix(OWN).partition("/")[0]
    if name not in known:
        near = meant(name, known)
        remedy = f"did you mean {near}?" if near else "`undercroft layouts show normal` shows some"
        reason = f"is not a layout of this spec; {remedy}"
    elif not any(room.kind == kind for room in level.rooms):
        reason = f"this level has no {kind} room; try another --seed"
    else:
        other = ", or --set stage" if hasattr(spec, "stage") else ""
        reason = f"fits no room of this level; try another --seed{other}"
    raise BadInput(f"only_layout: {shown(name)}: {reason}")


# --- export ------------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@common.level_argument
@click.option("--name", metavar="NAME", help="The name of the files. Default: that of the level's file.")
@common.accept_edits_option
@writes_levels
def export_command(level_file: Path, name: str | None, accept_edits: bool, writer: FileWriter) -> None:
    """Export a level that was saved as level.json. The bytes are those that `generate` would write.

    If DIR already has files of the level, they keep their options and theme, except for those given here.
    For -, export the level on standard input, or each of them if it has one a line.
    """
    from generator.level_file import level_from_bytes

    common.tell_of_name("--name", name)
    texts = streams.level_texts(level_file)
    first = list(islice(texts, 2))
    are_many = len(first) > 1
    writer = (writer.of_many() if are_many else writer)._replace(as_before=True)
    own = "" if streams.is_dash(level_file) else level_file.name.removesuffix(".json").removesuffix(".level")
    made: set[str] = set()
    for text in chain(first, texts):
        level = level_from_bytes(*text, accept_edits=accept_edits)
        given = f"{name}-{common.seed_of(level)}" if name and are_many else name
        stem = common.own_name(given, file_name(*([own] if own else [level.style, common.seed_of(level)])))
        stem = file_name(stem, level.fingerprint[:8]) if stem in made else stem
        made.add(stem)
        writer.write(level, stem, {})


# --- run ---------------------------------------------------------------------------------------------

_STAGES = pattern(r"([0-9]{1,3}):([0-9]{1,3})", re.ASCII)
_ROW = "{:>5} {:11} {:>5} {:>4} {:>5} {:>10} {:>5} {:>5}  {}"


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.seed_option
@common.set_option
@click.option("--stages", metavar="A:B", help="Only the stages from A up to, but not including, B.")
@common.file_option("--player", "A TOML or JSON file: what the player did on stages, row by row.")
@common.flag("--stats", "Print what the run is like instead of writing levels.", "as_stats")
@common.no_check_option
@common.file_option("--html", "Write one HTML page of all stages, or - to print it, instead of the levels.")
@writes_levels
def run_command(
    spec: str,
    seed: str | None,
    values: tuple[str, ...],
    stages: str | None,
    player: Path | None,
    as_stats: bool,
    unchecked: bool,
    html: Path | None,
    writer: FileWriter,
) -> None:
    """Generate a run: the stage of SPEC and all stages after it, with one seed, and write their levels.

    Each stage prefers layouts and bosses that the run has shown least, and is made for the state that the
    player is likely to have by then. All of this is in the spec of its level, so that it can be made alone.
    """
    from generator.runs import run, run_summary

    if html:
        require_ending("--html", html, ".html", ".htm")
    if html or as_stats:
        _refuse_unused("--html" if html else "--stats")
    planned = run(common.spec_with(spec, values), seed, player=player)
    places = _places(planned, stages)
    title = common.default_name(spec, seed or str(planned.seed(1)), values)
    if html:
        with progress.working("generating"):
            levels = [planned.level(place) for place in places]
        _write_page(html, title, levels, writer, (spec, *values))
    if as_stats:
        with progress.working("generating"):
            summary = run_summary(planned.level(place) for place in places)
        _tell(summary, writer.output.as_json)
    if html or as_stats:
        return
    writer = writer.of_many() if len(places) > 1 else writer

    named = {file_name(title, f"{planned.number(place):02}"): place for place in places}

    def stage(name: str) -> tuple[Level, str]:
        level = planned.level(named[name])
        if not unchecked:
            _check_made(level, planned.spec(named[name]), writer.output.allow)
        return level, name

    writer.refuse(_as_far_as_made(stage, named, []))
    made: dict[str, Level] = {}
    failed: list[str] = []
    with progress.working("stages", len(named)) as bar:
        for level, name in _as_far_as_made(stage, named, failed):
            made[name] = level
            writer.write(level, name, {"stage": planned.number(named[name]), "seed": str(level.seed)})
            bar.update()
    common.tell_all(failed)
    if failed:
        raise SystemExit(1)
    if len(made) > 1:
        writer.write_run(title, made)


def _refuse_unused(flag: str) -> None:
    """Raise BadInput for an option that is about levels where none are written."""
    of_pages = ("theme",) if flag == "--stats" else ()
    if unused := common.first_given("formats", "options", "options_file", "out", *of_pages):
        raise BadInput(f"{unused}: does not go with {flag}, which writes no levels; leave it out")


def _places(planned: Run, stages: str | None) -> range:
    """Return the places of the stages asked for, or of all if none are. Raises BadInput."""
    numbers = [planned.number(place) for place in range(1, len(planned) + 1)]
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

    theme = writer.settings.theme
    dressed = load_theme(theme)
    spec, *values = words
    page = run_page(levels, theme, title, common.words_for("run", spec, values, theme))
    facts = {"levels": len(levels), "bytes": len(page)}
    writer.output.write_file(path, page, facts, dressed.sources, flag="--html", printed_as="run.html")


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
