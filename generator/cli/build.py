"""`undercroft build`: the levels that a manifest asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from generator.cli import common, json_lines, runs, streams, tables, writing
from generator.cli.helpful import DeletingOption, HelpfulCommand
from generator.cli.progress import echo, working
from generator.errors import BadInput
from generator.named_tuple import NamedTuple
from generator.value_words import how_many

if TYPE_CHECKING:
    from exporters.builder.check import BuildCheck
    from exporters.builder.plan import BuildPlan
    from exporters.builder.run import Build, Event
    from exporters.edits.dry_run import DryRun

_BAD = (
    "failed",
    "refused",
    "problem",
    "missing",
    "differs",
    "clashes",
    "unasked",
)  # what sets the exit status to 1
_COLUMNS = ("unchanged", "edited", "built", "generated", "same", "differs", "failed")
_SAID = {
    "failed": "{level}: {reason}",
    "missing": "{file}: is missing; build again",
    "differs": "{file}: differs from what the manifest gives; build again, or see --edits if it was changed "
    "by hand",
    "clashes": "{file}: several levels need it with different content; give them different folders",
    "refused": "{said}",
    "edited": "{said}",
    "note": "{level}: {said}",
    "problem": "{level}: {said}",
    "misfit": "{file}: {said}",
    "unasked": "{file}: {said}",
    "leftover": "{file}: {said}",
    "removed": "{file}: removed",
    "kept": "{file}: the manifest no longer asks for it, but {said}",
}
_SAID_DRY = {kind: line for kind, line in _SAID.items() if kind != "removed"}  # told on standard output


class _HowToBuild(NamedTuple):
    """The options that say what a build does."""

    check: bool
    prune: bool
    force: bool
    keep_levels: bool
    edits: str | None
    allow: tuple[str, ...]
    unchecked: bool
    dry_run: DryRun | None

    @property
    def allowed(self) -> tuple[str, ...] | None:
        """The rules that a new level may break, None for all of them."""
        return None if self.unchecked else self.allow

    def refuse_contradictions(self) -> None:
        """Raise BadInput for what does not go with `--check`."""
        if self.keep_levels and self.force:
            raise BadInput("--force: makes all levels again, and --keep-levels does not; leave one out")
        if not self.check:
            return
        if self.prune or self.force or self.dry_run:
            flag = "--prune" if self.prune else "--force" if self.force else "--dry-run"
            raise BadInput(f"{flag}: does not go with --check, which writes nothing; leave it out")
        if self.edits not in (None, "fail"):
            raise BadInput(
                f"--edits: {self.edits} does not go with --check, which writes nothing; leave it out"
            )


_how_to_build = writing.with_record(
    "how",
    _HowToBuild,
    (
        common.flag("--check", "Build in memory, and fail if a file in the folder differs."),
        click.option(
            "--prune",
            cls=DeletingOption,
            is_flag=True,
            help="Remove unchanged files that the manifest no longer asks for.",
        ),
        common.flag("--force", "Build everything again, up to date or not."),
        common.flag(
            "--keep-levels",
            "Export the levels that were built before as they are, also after an upgrade, instead of "
            "generating them again.",
        ),
        writing.edits_option(None, default_is="keep; with --check it is fail"),
        common.allow_option,
        common.no_check_option,
        writing.dry_run_option,
    ),
)


@click.command(cls=HelpfulCommand)
@click.argument("manifest", type=common.ANY_PATH, default="undercroft.toml")
@common.folder_option("--out", "The folder to build. Default: the manifest's.", callback=common.no_dash)
@_how_to_build
@runs.works_on_many
@common.quiet_option
@common.json_option
def command(
    manifest: Path, out: Path | None, how: _HowToBuild, workers: runs.Workers, quiet: bool, as_json: bool
) -> None:
    """Build the levels of MANIFEST (default: undercroft.toml) that changed, and nothing else.

    For -, the manifest is on standard input. What `search --json` prints is one, too, of the levels that it
    found. They go to the folder found, with the formats, theme and options of the undercroft.toml here.

    The exit status is 1 if a level could not be made, if a merged edit breaks a rule, or with --check if
    anything differs.
    """
    from exporters.builder.chosen import FoundSeeds, with_chosen
    from exporters.builder.manifest import load_manifest
    from exporters.builder.plan import BuildPlan
    from generator.cli.manifest_input import manifest_of_input

    how.refuse_contradictions()
    wanted = manifest_of_input(out) if streams.is_dash(manifest) else load_manifest(manifest, out)
    root = (out or wanted.out).absolute()
    found = FoundSeeds(
        root,
        is_trusted=how.keep_levels or not (how.check or how.force),
        any_version=how.keep_levels,
    )
    wanted = with_chosen(wanted, partial(runs.chosen, workers=workers), found)
    asked = tuple(replace(group, allowed=how.allowed) for group in wanted.groups)
    plan = BuildPlan(wanted._replace(groups=asked))
    with workers.opened() as (executor, number), _work(plan, root, how) as work:
        if not (how.check or how.dry_run):
            found.save()
        done = _with_allowed(work.events(executor, number), how.allow)
        if how.dry_run:
            events = _run(_as_dry_run(done, quiet or as_json), work, plan.steps, as_json, _SAID_DRY)
        else:
            events = _run(done, work, plan.steps, as_json)
    if as_json:
        groups = {name: dict(counts) for name, counts in work.counts.items()}
        dry = {"dry_run": True} if how.dry_run else {}
        json_lines.emit("done", folder=str(root), levels=plan.levels, groups=groups, **dry)
    elif not (quiet or events["refused"]):
        _print_table(work.counts)
    if any(events[kind] for kind in _BAD):
        raise SystemExit(1)


@contextmanager
def _work(plan: BuildPlan, root: Path, how: _HowToBuild) -> Iterator[Build | BuildCheck]:
    """Yield the work to do. A build has the folder for itself while it lasts."""
    if how.check:
        from exporters.builder.check import BuildCheck

        yield BuildCheck(plan, root, keep_levels=how.keep_levels)
        return
    from exporters.builder.run import Build
    from exporters.builder.store import Store

    with Store(root, plan.sources, how.edits or "keep", how.dry_run) as store:
        if store.state.lost:
            why = "its state was damaged or of another version; everything is built again"
            common.tell(f"{root}: {why}")
        try:
            yield Build(
                plan,
                store,
                force=how.force,
                prune=how.prune,
                refuses=how.edits == "fail",
                keep_levels=how.keep_levels,
            )
        except KeyboardInterrupt:
            raise click.Abort(
                "interrupted; what is built stays, and the next build continues there"
            ) from None


def _with_allowed(events: Iterator[Event], allow: Sequence[str]) -> Iterator[Event]:
    """Make notes of the problems of merged levels whose rules are allowed."""
    for is_problem, group in groupby(events, lambda event: event.what == "problem"):
        if not is_problem:
            yield from group
            continue
        found = {str(event.facts["said"]): event for event in group}  # of one level
        problems, allowed = common.parted(found, allow)
        yield from (found[line]._replace(what="note") for line in allowed)
        yield from (found[line] for line in problems)


def _as_dry_run(events: Iterator[Event], quiet: bool) -> Iterator[Event]:
    """Say in each event that nothing was written, and print what would be."""
    from exporters.builder.inputs import is_of_other_version

    levels: Counter[bool] = Counter()  # of another version, by whether they stay the same
    for event in events:
        facts = event.facts
        files, removed = (cast("list[str]", facts.get(key, [])) for key in ("files", "removed"))
        if event.what == "removed":
            removed = [str(facts["file"])]
        if is_of_other_version(str(facts.get("why", ""))):
            levels[True] += cast("int", facts.get("same_levels", facts.get("same_level") is True))
            levels[False] += len(_others(facts)) + (facts.get("same_level") is False)
        if not quiet:
            for line in _would_build(event):
                echo(line)
            for line in writing.dry_lines(files, removed):
                echo(f"  {line}" if files else line)
        dry_facts = writing.dry_facts(files, removed)
        if event.what not in ("built", "packed", "removed"):
            dry_facts = {"dry_run": True}
        yield event._replace(facts={**facts, **dry_facts})
    if levels.total() and not quiet:
        change = how_many(levels[False], "level")
        echo(f"made by another version: {change} would change, {levels[True]} would stay the same")


def _would_build(event: Event) -> Iterator[str]:
    """Say which level or pack would be built, and why."""
    from exporters.builder.inputs import is_of_other_version

    facts = event.facts
    if event.what == "packed":
        levels = how_many(cast("int", facts["levels"]), "level")
        yield f"would pack {facts['group']}, {levels}: {facts['why']}"
        yield from (f"  {name}: another level" for name in _others(facts))
    elif event.what == "built":
        is_same = facts.get("same_level")
        says_it = is_same is False or (is_same and is_of_other_version(str(facts["why"])))
        level = f"; {'the same' if is_same else 'another'} level" if says_it else ""
        yield f"would build {facts['level']}: {facts['why']}{level}"


def _others(facts: Mapping[str, object]) -> list[str]:
    """Return the levels of a pack that are other ones than before."""
    return cast("list[str]", facts.get("other_levels", []))


def _run(
    events: Iterator[Event],
    work: Build | BuildCheck,
    steps: int,
    as_json: bool,
    said: Mapping[str, str] = _SAID,
) -> Counter[str]:
    """Do the work. Machines get each event as it comes, and people get a bar, and the events at the end."""
    counts: Counter[str] = Counter()
    kept: list[str] = []
    lines: dict[str, list[str]] = {kind: [] for kind in said}
    try:
        with working("building", steps) as bar:
            work.on_level = bar.update
            for event in events:
                counts[event.what] += 1
                if event.what in ("built", "packed"):
                    kept += cast("list[str]", event.facts["kept"])
                if as_json:
                    json_lines.emit(event.what, **event.facts)
                elif event.what in lines and counts[event.what] <= _most_told(event.what):
                    lines[event.what].append(said[event.what].format(**event.facts))
    finally:  # if the disk is full too
        _tell(counts, lines, kept, as_json)
    return counts


def _tell(counts: Counter[str], lines: Mapping[str, list[str]], kept: list[str], as_json: bool) -> None:
    """Say what happened, and how many more events of a kind there were."""
    for kind, shown in lines.items():
        for line in shown:
            common.tell(line)
        if counts[kind] > len(shown) and not as_json:
            common.tell(f"and {counts[kind] - len(shown)} more {kind}; --json lists all")
    if kept and not as_json:
        common.tell(_stays([*dict.fromkeys(kept)]))  # levels share files


def _stays(files: Sequence[str]) -> str:
    """Tell people of their files that stay though nothing new is put beside them."""
    if len(files) == 1:
        return (
            f"{files[0]}: has changed since it was built, and was left alone; --edits replace puts it aside"
        )
    names = f"{files[0]} and {len(files) - 1} more"
    return (
        f"{names}: have changed since they were built, and were left alone; --edits replace puts them aside"
    )


def _most_told(kind: str) -> int:
    """Return how many events of a kind people are shown: nearly all that make the build fail."""
    return 100 if kind in (*_BAD, "edited", "misfit") else 5


def _print_table(counts: Mapping[str, Counter[str]]) -> None:
    """Print one row for each group: how many levels were unchanged, built and so on."""
    columns = [heading for heading in _COLUMNS if any(row[heading] for row in counts.values())]
    rows = [("group", *columns)]
    rows += [(name, *(str(row[heading]) for heading in columns)) for name, row in counts.items()]
    rows += [("all", *(str(sum(row[heading] for row in counts.values())) for heading in columns))]
    for line in tables.columns(rows):
        echo(line)
