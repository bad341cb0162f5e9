"""What the commands that write files share: their options, the writing itself, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from exporters.edits import EDITS
from generator.cli import common, json_lines, progress
from generator.errors import BadInput

if TYPE_CHECKING:
    from exporters import Bundle
    from exporters.again import Before, Given
    from exporters.edits.writing import WriteOutcome
    from exporters.stale_files import StaleFile
    from generator.level import Level


def edits_option(default: str | None = "keep", default_is: str = "") -> Callable[[common.F], common.F]:
    """Add `--edits`, which says what becomes of files that a person has changed."""
    return click.option(
        "--edits",
        type=click.Choice(EDITS),
        default=default,
        help="What to do with a file that somebody changed: keep it and put the new one beside it, merge the "
        "two, replace it and keep a copy, or fail and write nothing. "
        f"Default: {default_is or default}.",
    )


class WriteOptions(NamedTuple):
    """How a command was asked to write files: the values of the options that `writes_files` adds."""

    edits: str | None
    quiet: bool
    as_json: bool

    def write(
        self,
        bundle: Bundle,
        folder: Path,
        facts: Mapping[str, object],
        *,
        event: str = "written",
        **arguments: Any,
    ) -> WriteOutcome:
        """Write a bundle below a folder and report it. `arguments` is for `exporters.edits.writing.write`.

        Ends with exit status 1 if nothing may be written.
        """
        from exporters.edits.writing import write

        with progress.working("writing"):
            outcome = write(bundle, folder, self.edits, **arguments)
        stale_files = _stale_files(folder, outcome.begun, bundle)
        report_outcome(outcome, stale_files, facts, self.quiet, self.as_json, event=event)
        return outcome

    def write_file(
        self, path: Path, data: bytes, facts: Mapping[str, object], made_from: Iterable[Path] = ()
    ) -> None:
        """Write one file and report it. Raises BadInput if it is one of those that it was made from."""
        self.write(bundle_of(path, data, made_from), path.parent, facts)


def writes_files(default: str = "keep") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of writing files. They reach it as one `WriteOptions`, `output`."""
    shared = (edits_option(default), common.quiet_option, common.json_option)
    return with_record("output", WriteOptions, shared)


class FileWriter(NamedTuple):
    """How a command was asked to write levels: the values of the options that `writes_levels` adds."""

    formats: tuple[str, ...]
    theme: Path | None
    options: tuple[str, ...]
    options_file: Path | None
    out: Path
    edits: str
    quiet: bool
    as_json: bool
    shared_options: Mapping[str, object] = {}  # of a project; those given here go over them
    as_before: bool = False  # what is not given stays as the files were exported; always when they are merged

    def write(self, level: Level, name: str, facts: Mapping[str, object]) -> None:
        """Export a level, all in memory first, write it below `out`, and tell its files and `facts`."""
        from exporters.edits.other_case import refuse_other_case

        with progress.working(f"exporting {name}"):
            before = self._before(name)
            bundle = self._exported(level, before)
        if is_standard_output(self.out):
            from generator.cli.standard_output import print_bundle

            with progress.printing():
                print_bundle(bundle, self.as_json)
            return
        refuse_other_case(bundle, self.out)
        formats, settings = self._given()
        if kept := before.kept(formats, settings):
            common.tell(f"{self.out / name}: stays as it was exported: {kept}")
        event_facts = {"name": name, **facts, "fingerprint": level.fingerprint}
        WriteOptions(self.edits, self.quiet, self.as_json).write(bundle, self.out, event_facts)

    def refuse(self, levels: Iterable[tuple[Level, str]]) -> None:
        """End, with `--edits fail`, if a file of any of these levels was changed, before one is written."""
        from exporters.edits.writing import write

        if self.edits != "fail":
            return
        changed = [
            write(self._exported(level, self._before(name)), self.out, "fail", only_plan=True).changes
            for level, name in levels
        ]
        changes = {change.path: change for group in changed for change in group}
        common.tell_all(change.message() for change in changes.values())
        if changes:
            raise SystemExit(1)

    def _before(self, name: str) -> Before:
        from exporters.again import Before
        from exporters.edits.record import exported_before

        if is_standard_output(self.out) or not (self.as_before or self.edits == "merge"):
            return Before(self.out, name)
        return Before(self.out, name, exported_before(self.out, name))

    def _given(self) -> tuple[tuple[str, ...], Given]:
        """Return the formats to write, and the options and theme given for them."""
        import exporters
        from exporters.again import Given

        formats = self.formats or exporters.format_names()
        options = dict(self.shared_options)
        if self.options_file is not None:
            options |= exporters.load_options(self.options_file, formats)
        options |= common.key_values(self.options, "--option")
        return formats, Given(self.theme, options)

    def _exported(self, level: Level, before: Before) -> Bundle:
        from exporters.again import exported_again

        formats, settings = self._given()
        return exported_again(level, formats, before, settings)


def writes_levels(*, out_required: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of writing levels. They reach it as one `FileWriter`, `writer`."""
    shared = (
        common.to_option,
        common.theme_option,
        common.option_option,
        common.options_option,
        common.out_option(required=out_required, or_standard_output=True),
        edits_option(),
        common.quiet_option,
        common.json_option,
    )
    return with_record("writer", FileWriter, shared)


def with_record(
    name: str, record: type[Any], options: Sequence[Callable[..., Any]]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command options that reach it as one record, a NamedTuple with their names."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def takes_record(**values: Any) -> None:
            fields = {field: values.pop(field) for field in record._fields if field in values}
            command(**values, **{name: record(**fields)})

        for option in reversed(options):
            takes_record = option(takes_record)
        return takes_record

    return decorated


def is_standard_output(path: Path) -> bool:
    """Check whether `-` was given as the place to write to."""
    return str(path) == "-"


def write_file(path: Path, data: bytes, made_from: Iterable[Path] = (), edits: str | None = "keep") -> Path:
    """Write a file as all are, tell what a person changed, and return the path of the new one.

    Raises BadInput if it is one of those that it was made from. Ends with status 1 if it may not be written.
    """
    return write_quietly(bundle_of(path, data, made_from), path.parent, edits)[0]


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
    """Raise BadInput unless a file to write has a name for every system, with an ending such as `.html`."""
    if path.suffix.lower() not in endings:
        raise BadInput(f"{flag}: {path}: the file name must end in {' or '.join(endings)}")
    bundle_of(path, b"")


def write_quietly(bundle: Bundle, folder: Path, edits: str | None) -> list[Path]:
    """Write a bundle, tell only what a person changed, and return the paths of the new files.

    Ends with exit status 1 if they may not be written.
    """
    from exporters.edits.writing import write

    outcome = write(bundle, folder, edits)
    common.tell_all([*outcome.notes, *(change.message() for change in outcome.changes)])
    if outcome.refused:
        raise SystemExit(1)
    return outcome.paths


def _stale_files(out: Path, begun: Sequence[Path], bundle: Bundle) -> list[StaleFile]:
    if not begun:
        return []
    from exporters.stale_files import stale_files

    return list(stale_files(out, [path.relative_to(out).as_posix() for path in begun], bundle))


def report_outcome(
    outcome: WriteOutcome,
    stale_files: Sequence[StaleFile],
    facts: Mapping[str, object],
    quiet: bool,
    as_json: bool,
    *,
    event: str = "written",
) -> None:
    """Print which files there are now, and on standard error what somebody had changed.

    Ends with exit status 1 if nothing may be written.
    """
    paths, kept = ([str(path) for path in group] for group in (outcome.paths, outcome.kept))
    if as_json:
        edits = [change.facts() for change in outcome.changes]
        result = {
            "files": paths,
            "kept": kept,
            "misfits": [stale.facts() for stale in stale_files],
            "edits": edits,
        }
        json_lines.emit(event, **{**facts, **result})
    elif not quiet:
        for path in paths:
            progress.echo(path)
    common.tell_all(outcome.notes)
    common.tell_all(f"{path}: was edited by hand and was not overwritten" for path in outcome.begun)
    common.tell_all(change.message() for change in outcome.changes)
    common.tell_all(f"{stale.file}: {stale.message()}" for stale in stale_files)
    if outcome.refused:
        raise SystemExit(1)
