"""What the commands that write files share: their options, the writing itself, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exporters import format_names
from exporters.edits import EDITS
from generator.cli import common, json_lines, progress, streams
from generator.errors import BadInput
from generator.named_tuple import NamedTuple
from generator.value_words import how_many

if TYPE_CHECKING:
    from exporters import Bundle
    from exporters.edits.dry_run import DryRun
    from exporters.exported import Formats
    from exporters.exporting import Before, Given
    from exporters.stale_files import StaleFile
    from exporters.writing import WriteOutcome
    from generator.level import Level


def edits_option(default: str | None = "keep", default_is: str = "") -> Callable[[common.F], common.F]:
    """Add `--edits`, which says what becomes of files that a person has changed."""
    return click.option(
        "--edits",
        type=click.Choice(EDITS),
        default=default,
        help="What to do if somebody changed a file: keep all files of its level, merge the changes into "
        "the new level, replace the file and keep a copy, or fail and write nothing. "
        f"Default: {default_is or default}.",
    )


def _dry_run(ctx: click.Context, _: click.Parameter, is_dry: bool) -> DryRun | None:
    """Begin a dry run if one is asked for. It ends with the command, and says so."""
    if not is_dry:
        return None
    from exporters.edits.dry_run import DryRun

    dry_run = ctx.with_resource(DryRun())
    ctx.call_on_close(lambda: _tell_of(dry_run))
    return dry_run


def _tell_of(dry_run: DryRun) -> None:
    if dry_run.count:
        common.tell(f"dry run: nothing was written; {how_many(dry_run.count, 'file')} would change")
    elif dry_run.has_begun:
        common.tell("dry run: no file would change")


dry_run_option = click.option(
    "--dry-run",
    is_flag=True,
    callback=_dry_run,
    help="Say which files would change and how, and write nothing.",
)


class WriteOptions(NamedTuple):
    """How a command was asked to write files: the values of the options that `writes_files` adds."""

    edits: str | None = None
    quiet: bool = False
    as_json: bool = False
    dry_run: DryRun | None = None
    allow: tuple[str, ...] = ()  # rules that merged levels may break

    def write(
        self,
        bundle: Bundle,
        folder: Path,
        facts: Mapping[str, object],
        *,
        event: str = "written",
        **arguments: Any,
    ) -> WriteOutcome:
        """Write a bundle below a folder and report it. `arguments` is for `exporters.writing.write`.

        Ends with exit status 1 if nothing may be written.
        """
        with progress.working("writing"):
            outcome = self.put(bundle, folder, self.edits, **arguments)
        self.report(outcome, facts, _stale_files(folder, outcome.begun, bundle), event=event)
        return outcome

    def write_file(
        self,
        path: Path,
        data: bytes,
        facts: Mapping[str, object],
        made_from: Iterable[Path] = (),
        *,
        flag: str = "--out",
        printed_as: str = "",
    ) -> None:
        """Write one file and report it. Raises BadInput if it is one of those that it was made from.

        For `-`, which is the value of `flag`, print it. `printed_as` is a name for it in messages.
        """
        if streams.is_dash(path):
            streams.print_bundle({printed_as: data}, flag)
            return
        self.write(bundle_of(path, data, made_from), path.parent, facts)

    def write_quietly(self, bundle: Bundle, folder: Path) -> WriteOutcome:
        """Write a bundle and tell only what a person changed. Ends with status 1 if it may not be written."""
        outcome = self.put(bundle, folder, self.edits)
        common.tell_all([*outcome.notes, *(change.message() for change in outcome.changes)])
        if outcome.refused:
            raise SystemExit(1)
        return outcome

    def put(self, bundle: Bundle, folder: Path, edits: str | None, **arguments: Any) -> WriteOutcome:
        """Write a bundle below a folder and report nothing; write nothing in a dry run."""
        from exporters.writing import write

        return write(bundle, folder, edits, dry_run=self.dry_run, **arguments)

    def report(
        self,
        outcome: WriteOutcome,
        facts: Mapping[str, object],
        stale_files: Sequence[StaleFile] = (),
        *,
        event: str = "written",
    ) -> None:
        """Print which files there are now, and on standard error what somebody had changed.

        Ends with exit status 1 if nothing may be written.
        """
        problems, allowed = common.parted(outcome.problems, self.allow)
        if self.as_json:
            result = {
                **self.file_facts(outcome),
                "kept": [str(path) for path in outcome.kept],
                "misfits": [stale.facts() for stale in stale_files],
                "edits": [change.facts() for change in outcome.changes],
                **({"conflicts": outcome.conflicts} if outcome.conflicts else {}),
                **({"problems": problems} if problems else {}),
                **({"notes": allowed} if allowed else {}),
            }
            json_lines.emit(event, **{**facts, **result})
        elif not self.quiet:
            for line in self.lines(outcome):
                progress.echo(line)
        lines = [
            *outcome.conflicts,
            *common.not_told(outcome.notes),
            *(f"note: {line}" for line in allowed),
            *problems,
        ]
        common.tell_all(lines)
        begun = outcome.begun if outcome.written else []
        common.tell_all(f"{path}: was edited by hand and was not overwritten" for path in begun)
        common.tell_all(change.message() for change in outcome.changes)
        same = "was changed by hand, so it stays; --edits replace puts it aside and writes it again"
        common.tell_all(f"{path}: {same}" for path in outcome.same)
        common.tell_all(f"{stale.file}: {stale.message()}" for stale in stale_files)
        if outcome.refused or problems:
            raise SystemExit(1)

    def lines(self, outcome: WriteOutcome) -> list[str]:
        """Return the lines to print: the files that there are now, or in a dry run what would be done."""
        if self.dry_run is None:
            return [str(path) for path in outcome.paths]
        return dry_lines(outcome.written, outcome.removed)

    def file_facts(self, outcome: WriteOutcome) -> dict[str, object]:
        """Return the facts about files for JSON, with those that only a dry run has."""
        facts: dict[str, object] = {"files": [str(path) for path in outcome.paths]}
        return facts | (dry_facts(outcome.written, outcome.removed) if self.dry_run else {})


def dry_lines(written: Iterable[Path | str], removed: Iterable[Path | str]) -> list[str]:
    """Return a line for each file that would be written or removed."""
    return [*(f"would write {path}" for path in written), *(f"would remove {path}" for path in removed)]


def dry_facts(written: Iterable[Path | str], removed: Iterable[Path | str]) -> dict[str, object]:
    """Return the facts that an event of a dry run has besides those of a real write."""
    return {"dry_run": True, "would_write": [*map(str, written)], "would_remove": [*map(str, removed)]}


def writes_files(
    default: str | None = "keep", *, has_quiet: bool = True, default_is: str = ""
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of writing files. They reach it as one `WriteOptions`, `output`.

    `default_is` describes a default that the command decides itself.
    """
    quiet = (common.quiet_option,) if has_quiet else ()
    edits = (edits_option(default, default_is),) if default or default_is else ()
    return with_record("output", WriteOptions, (*edits, dry_run_option, *quiet, common.json_option))


class ExportSettings(NamedTuple):
    """What exporters are given: the values of the options that `export_settings` adds."""

    theme: Path | None
    options: tuple[str, ...]
    options_file: Path | None

    def values(self, formats: Sequence[str] = ()) -> dict[str, object]:
        """Return the options of these formats, or of all built in. Single ones go over those of the file."""
        import exporters

        values: dict[str, object] = {}
        if self.options_file is not None:
            values |= exporters.load_options(self.options_file, formats or exporters.format_names())
        return values | common.key_values(self.options, "--option")


def export_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of exporters. They reach it as one `ExportSettings`, `settings`."""
    options = (common.theme_option, common.option_option, common.options_option)
    return with_record("settings", ExportSettings, options)(command)


class FileWriter(NamedTuple):
    """How a command was asked to write levels: the values of the options that `writes_levels` adds."""

    formats: tuple[str, ...]
    settings: ExportSettings
    out: Path
    output: WriteOptions
    shared_options: Mapping[str, object] = {}  # of a project; those given here go over them
    in_lines: bool = False  # levels are printed as JSON Lines
    as_before: bool = False  # what is not given stays as the files were exported; always when they are merged

    def write(
        self,
        level: Level,
        name: str,
        facts: Mapping[str, object],
        made_from: Iterable[Path] = (),
        read_with: Formats | None = None,
    ) -> None:
        """Export a level, all in memory first, write it below `out`, and tell its files and `facts`.

        `read_with` is noted beside what the files are exported with. Raises BadInput if it would replace one
        of the files that it was made from.
        """
        from exporters.edits.other_case import refuse_other_case

        if self.in_lines:
            with progress.printing():
                streams.print_level(level)
            return
        with progress.working(f"exporting {name}"):
            before = self.before(name)
            bundle = self._exported(level, before)
        done = bundle.exported[name]
        bundle.exported[name] = done._replace(formats={**done.formats, **(read_with or {})})
        bundle.guard(made_from)
        if streams.is_dash(self.out):
            with progress.printing():
                streams.print_bundle(bundle)
            return
        refuse_other_case(bundle, self.out)
        if any(self.settings) and (kept := before.kept(*self.given())):
            common.tell(f"{self.out / name}: stays as it was exported: {kept}")
        event_facts = {"name": name, **facts, "fingerprint": level.fingerprint}
        self.output.write(bundle, self.out, event_facts)

    def write_run(self, name: str, levels: Mapping[str, Level]) -> None:
        """Write what shows the levels of a run together, in the formats that have such a file."""
        from exporters.exporting import export_run

        formats, given = self.given()
        with progress.working(f"exporting {name}"):
            bundles = export_run(name, levels, formats, given)
        for bundle in bundles:
            self.output.write(bundle, self.out, {"name": name})

    def refuse_on_terminal(self) -> None:
        """Raise BadInput, before the work, if a terminal would get a format's one file and cannot show it."""
        if streams.is_dash(self.out) and len(self.formats) == 1:
            from exporters import exporter

            streams.refuse_on_terminal("--out", f"{streams.STEM}{exporter(self.formats[0]).suffixes[0]}")

    def of_many(self) -> FileWriter:
        """Return the writer of several levels. Raises BadInput if `-` cannot print them."""
        if not streams.is_dash(self.out):
            return self
        if self.formats != ("json",):
            raise BadInput(
                "--out: - prints several levels only as JSON, one a line; give --to json, or a folder"
            )
        return self._replace(in_lines=True)

    def refuse(self, levels: Iterable[tuple[Level, str]]) -> None:
        """End, with `--edits fail`, if a file of any of these levels was changed, before one is written."""
        from exporters.edits.dry_run import DryRun
        from exporters.writing import write

        if self.output.edits != "fail" or streams.is_dash(self.out):
            return
        with DryRun() as dry_run:
            changed = [
                write(self._exported(level, self.before(name)), self.out, "fail", dry_run=dry_run).changes
                for level, name in levels
            ]
        changes = {change.path: change for group in changed for change in group}
        common.tell_all(change.message() for change in changes.values())
        if changes:
            raise SystemExit(1)

    def before(self, name: str) -> Before:
        """Return what the files of a level in `out` were exported with, if that is to stay."""
        from exporters.edits.record import exported_before
        from exporters.exporting import Before

        if streams.is_dash(self.out) or not (self.as_before or self.output.edits == "merge"):
            return Before(self.out, name)
        record = exported_before(self.out, name, self.output.dry_run, common.tell)
        return Before(self.out, name, record)

    def given(self) -> tuple[tuple[str, ...], Given]:
        """Return the formats to write, and the options and theme given for them."""
        from exporters.exporting import Given

        formats = self.formats or format_names()
        given = self.settings.values(formats)
        return formats, Given(self.settings.theme, {**self.shared_options, **given})

    def _exported(self, level: Level, before: Before) -> Bundle:
        from exporters.exporting import exported_again

        formats, settings = self.given()
        return exported_again(level, formats, before, settings)


def writes_levels(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of writing levels. They reach it as one `FileWriter`, `writer`."""
    of_writing = (
        edits_option(),
        common.allow_option,
        dry_run_option,
        common.quiet_option,
        common.json_option,
    )
    writes = with_record("output", WriteOptions, of_writing)(with_record("writer", FileWriter, ())(command))
    out = common.out_option("the one file of a format such as json or png, or levels as JSON, one a line")
    return common.to_option(export_settings(out(writes)))


def with_record(
    name: str, record: type[Any], options: Sequence[Callable[..., Any]]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command options that reach it as one record, a NamedTuple with their names."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def takes_record(**values: Any) -> None:
            from exporters.edits.steps import one_step

            fields = {field: values.pop(field) for field in record._fields if field in values}
            with one_step():
                command(**values, **{name: record(**fields)})

        for option in reversed(options):
            takes_record = option(takes_record)
        return takes_record

    return decorated


def bundle_of(path: Path, data: bytes, made_from: Iterable[Path] = ()) -> Bundle:
    """Create a bundle of one file. Raises BadInput for a name that not every system takes."""
    from exporters.bundle import Bundle

    try:
        bundle = Bundle({path.name: data})
    except ValueError:
        raise BadInput(f"{path}: is not a name for a file; give another") from None
    bundle.guard(made_from)
    return bundle


def require_ending(flag: str, path: Path, *endings: str) -> None:
    """Raise BadInput unless a file to write has a name for every system, with an ending such as `.html`.

    `-`, which stands for standard output, needs none, but no terminal gets what is not text.
    """
    if streams.is_dash(path):
        streams.refuse_on_terminal(flag, f"{click.get_current_context().info_name}{endings[0]}")
        return
    if path.suffix.lower() not in endings:
        raise BadInput(f"{flag}: {path}: the file name must end in {' or '.join(endings)}")
    bundle_of(path, b"")


def _stale_files(out: Path, begun: Sequence[Path], bundle: Bundle) -> list[StaleFile]:
    if not begun:
        return []
    from exporters.stale_files import stale_files

    return list(stale_files(out, [path.relative_to(out).as_posix() for path in begun], bundle))
