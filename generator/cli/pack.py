"""`undercroft pack`: many levels in one file, for a game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from exporters import exporter
from generator.cli import common, runs, streams, writing
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, UndercroftError

if TYPE_CHECKING:
    from exporters.builder.groups import PlannedRun
    from exporters.builder.pack_sources import PackSource
    from generator.spec import LevelSpec

_MAX_TOLD = 20  # levels that could not be made


@click.command(cls=HelpfulCommand)
@click.argument(
    "specs", metavar="SPEC...|MANIFEST", nargs=-1, required=True, shell_complete=common.completes("specs")
)
@common.set_option
@runs.seeds_option(multiple=True)
@runs.where_option("Only levels that meet it; `search --facts` lists the facts.")
@runs.first_option("With --where, how many levels of each SPEC are enough. Default: all.")
@common.flag("--run", "Make a run of each seed, with the SPECs as its stages, in their order.", "as_run")
@writing.export_settings
@common.file_option(
    "--out",
    "The pack, NAME.ucpack, beside which the theme's TileSet and image are written; or - to print the pack. "
    "Default: levels.ucpack.",
    default="levels.ucpack",
)
@common.flag("--web", "Also write undercroft-pack.js beside the pack, which reads it in browsers.", "for_web")
@common.no_check_option
@runs.works_on_many
@writing.writes_files()
def command(
    specs: tuple[str, ...],
    values: tuple[str, ...],
    seeds: tuple[str, ...],
    conditions: tuple[str, ...],
    first: int | None,
    as_run: bool,
    settings: writing.ExportSettings,
    out: Path,
    for_web: bool,
    unchecked: bool,
    workers: runs.Workers,
    output: writing.WriteOptions,
) -> None:
    """Pack the levels of each SPEC and all seeds into one file that a game reads, in Godot or in browsers.

    Given a MANIFEST, packs all its groups and campaigns with its seeds, theme and options.

    Options are those of the format godot. The exit status is 1 if a level could not be made; the others are
    packed.
    """

    from exporters.builder.pack_sources import came_with_packs, check_sources, make_block, tasks, theme_files
    from exporters.durable import TemporaryFiles
    from exporters.formats.pack.file import SUFFIX, PackWriter
    from exporters.formats.pack.web import NAME, web_reader

    writing.require_ending("--out", out, SUFFIX)
    if for_web and streams.is_dash(out):
        raise BadInput("--web: writes a file beside the pack, and --out - none; leave one out")
    if len(specs) == 1 and _is_manifest(Path(specs[0])):
        given = (values, seeds, conditions, first, as_run, *settings)
        sources = _sources_of_manifest(Path(specs[0]), given, workers)
    else:
        sources = _sources(specs, values, seeds, settings, as_run=as_run)
        if conditions or first:
            sources = _chosen(sources, conditions, first, workers)
    if unchecked:
        sources = [source._replace(allowed=None) for source in sources]
    total = check_sources(sources)
    failed: list[str] = []
    with ExitStack() as stack:
        alone = output.dry_run.folder if output.dry_run else None
        if streams.is_dash(out):
            alone = Path(stack.enter_context(TemporaryDirectory()))
        begun = stack.enter_context(TemporaryFiles(alone))
        with PackWriter(out, begun) as writer:
            for block in runs.over_blocks(make_block, tasks(sources), total, workers, "packing"):
                writer.add(block)
                failed += [f"{missing.level}: {missing.reason}" for missing in block.failed]
            if not writer.count:
                _tell(failed)
                raise UndercroftError(f"{out}: not written, because none of its levels could be made")
            bundle = theme_files(sources, writer.looks)
            writer.finish(bundle)
        if streams.is_dash(out):
            streams.print_file(writer.ready)
        else:
            if for_web:
                bundle.add(NAME, web_reader())
            bundle.move(out.name, writer.ready)
            facts = {"levels": writer.count, "failed": failed}
            output.write(bundle, out.parent, facts, known=came_with_packs(out.parent))
    _tell(failed)
    if failed:
        raise SystemExit(1)


def _tell(failed: list[str]) -> None:
    for line in failed[:_MAX_TOLD]:
        common.tell(line)
    if len(failed) > _MAX_TOLD:
        common.tell(f"and {len(failed) - _MAX_TOLD} more; --json lists all")


def _sources_of_manifest(path: Path, given: tuple[object, ...], workers: runs.Workers) -> list[PackSource]:
    """Return what a manifest asks for. Raises BadInput if options were given too."""
    from exporters.builder.chosen import with_chosen
    from exporters.builder.manifest import load_manifest
    from exporters.builder.pack_sources import sources_of_groups

    flags = ("--set", "--seeds", "--where", "--first", "--run", "--theme", "--option", "--options")
    if unused := [flag for flag, value in zip(flags, given, strict=True) if value]:
        raise BadInput(f"{path}: {unused[0]} does not go with a manifest, which says it itself; leave it out")
    return sources_of_groups(with_chosen(load_manifest(path), partial(runs.chosen, workers=workers)).groups)


def _chosen(
    sources: list[PackSource], conditions: tuple[str, ...], first: int | None, workers: runs.Workers
) -> list[PackSource]:
    """Return the sources with the first levels, or all, that meet the conditions."""
    queries = [runs.query_of(source.spec, conditions) for source in sources]
    if sources[0].run:
        raise BadInput("--where: does not go with --run, whose stages belong together; leave one out")
    if len(sources) > len({source.place for source in sources}):
        raise BadInput("--seeds: is given several times, and with --where it is once; give one range")
    chosen = []
    for source, query in zip(sources, queries, strict=True):
        seeds = runs.chosen(query, source.seeds, first, f"--where: {source.group}", workers=workers)
        chosen.append(source._replace(seeds=seeds))
    return chosen


def _sources(
    specs: tuple[str, ...],
    values: tuple[str, ...],
    seeds: tuple[str, ...],
    settings: writing.ExportSettings,
    *,
    as_run: bool,
) -> list[PackSource]:
    from exporters.builder.pack_sources import source_of
    from exporters.registry import options_of

    if not seeds:
        raise BadInput("--seeds: is missing; give the first and one past the last, such as 0:1000")
    chosen = options_of([exporter("godot")], settings.values(["godot"]))["godot"]
    loaded = [(common.stem_of(name), common.spec_with(name, values)) for name in specs]
    asked = {spec.style: [runs.own_seeds_of(text, spec.style) for text in seeds] for _, spec in loaded}
    for found in asked.values():
        _check_apart(found)
    run = _run([spec for _, spec in loaded]) if as_run else None
    return [
        source_of(name, spec, numbers, settings.theme, chosen)._replace(run=run, place=position)
        for position, (name, spec) in enumerate(loaded, 1)
        for numbers in asked[spec.style]
    ]


def _run(specs: list[LevelSpec]) -> PlannedRun:
    """Plan the run of these stages, with the seed of whichever level is asked for. Raises BadInput."""
    from exporters.builder.groups import planned_run
    from generator.runs import RunStage
    from generator.styles.registry import style

    for spec in specs:
        if style(spec.style).run_rules is None:
            raise BadInput(f"--run: the style {spec.style} has no stages; pack its levels without --run")
    return planned_run([RunStage(spec, None) for spec in specs])


def _check_apart(asked: Sequence[range | Sequence[int | str]]) -> None:
    """Raise BadInput if two ranges, or others, have a seed in common."""
    ranges = [seeds for seeds in asked if isinstance(seeds, range)]
    for first, second in pairwise(sorted(ranges, key=lambda span: span.start)):
        if second.start < first.stop:
            lower, upper = (f"{span.start}:{span.stop}" for span in (first, second))
            raise BadInput(f"--seeds: {lower} and {upper} overlap; give each seed once")
    known: set[int | str] = set()
    for seed in chain(*(seeds for seeds in asked if not isinstance(seeds, range))):
        if seed in known or any(seed in span for span in ranges):
            raise BadInput(f"--seeds: {seed} is given twice; give each seed once")
        known.add(seed)


def _is_manifest(path: Path) -> bool:
    from generator.cli.recognise import is_manifest

    return path.is_dir() or (path.suffix.lower() == ".toml" and path.is_file() and is_manifest(path))
