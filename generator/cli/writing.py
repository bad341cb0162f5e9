"""What the commands that write files share: their options, the writing itself, and what is told of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from generator.cli import common
from generator.errors import BadInput, one_line

if TYPE_CHECKING:
    from exporters import Bundle
    from exporters.edits.writing import WriteOutcome
    from exporters.misfits import Misfit
    from generator.level import Level

EDITS = ("keep", "merge", "replace", "fail")  # as in `exporters.edits.policy`, which takes long to import


def edits_option(default: str | None = "keep", default_is: str = "") -> Callable[[common.F], common.F]:
    """`--edits`: what becomes of files that a person has changed."""
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

    def write(self, bundle: Bundle, folder: Path, facts: Mapping[str, object], **how: Any) -> WriteOutcome:
        """Write a bundle below a folder and tell it; `how` is for `exporters.edits.writing.write`.

        Ends with exit status 1 if nothing may be written.
        """
        from exporters.edits.writing import write

        outcome = write(bundle, folder, self.edits, **how)
        tell_outcome(outcome, _misfits(folder, outcome.begun, bundle), facts, self.quiet, self.as_json)
        return outcome


def writes_files(default: str = "keep") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of writing files; they reach it as one `WriteOptions`, `how`."""
    shared = (edits_option(default), common.quiet_option, common.json_option)
    return _with_record("how", WriteOptions, shared)


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

    def write(self, level: Level, name: str, facts: Mapping[str, object]) -> None:
        """Export a level, all in memory first, write it below `out`, and tell its files and `facts`."""
        bundle = self._exported(level, name)
        _refuse_other_case(bundle, self.out)
        told = {"name": name, **facts, "fingerprint": level.fingerprint}
        WriteOptions(self.edits, self.quiet, self.as_json).write(bundle, self.out, told)

    def refuse(self, levels: Iterable[tuple[Level, str]]) -> None:
        """With `--edits fail`: end if a file of any of these levels was changed, before one is written."""
        from exporters.edits.writing import write

        if self.edits != "fail":
            return
        found = [write(self._exported(*each), self.out, "fail", only_plan=True).changes for each in levels]
        changes = {change.path: change for some in found for change in some}
        _tell_lines(change.said() for change in changes.values())
        if changes:
            raise SystemExit(1)

    def _exported(self, level: Level, name: str) -> Bundle:
        import exporters

        given: dict[str, object] = {}
        if self.options_file is not None:
            given |= exporters.load_options(self.options_file, self.formats or exporters.format_names())
        given |= common.key_values(self.options, "--option")
        return exporters.export(level, self.formats or None, options=given, theme=self.theme, name=name)


def writes_levels(*, out_required: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of writing levels; they reach it as one `FileWriter`, `writer`."""
    shared = (
        common.to_option,
        common.theme_option,
        common.option_option,
        common.options_option,
        common.out_option(required=out_required),
        edits_option(),
        common.quiet_option,
        common.json_option,
    )
    return _with_record("writer", FileWriter, shared)


def _with_record(
    name: str, record: type[WriteOptions | FileWriter], options: Sequence[Callable[..., Any]]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Options that reach a command as one record."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_record(**given: Any) -> None:
            fields = {field: given.pop(field) for field in record._fields}
            command(**given, **{name: record(**fields)})

        for option in reversed(options):
            with_record = option(with_record)
        return with_record

    return decorated


def write_file(path: Path, data: bytes, made_from: Iterable[Path] = (), edits: str | None = "keep") -> Path:
    """Write one file in the way all are written, and tell what a person changed; where the new one is.

    BadInput if it is one of those that it was made from. Ends with exit status 1 if it may not be written.
    """
    from exporters.bundle import Bundle

    try:
        bundle = Bundle({path.name: data})
    except ValueError:
        raise BadInput(f"{path}: is no file's name; give another") from None
    bundle.guard(made_from)
    return write_quietly(bundle, path.parent, edits)[0]


def write_quietly(bundle: Bundle, folder: Path, edits: str | None) -> list[Path]:
    """Write a bundle and tell only what a person changed; where the new files are.

    Ends with exit status 1 if they may not be written.
    """
    from exporters.edits.writing import write

    outcome = write(bundle, folder, edits)
    _tell_lines([*outcome.notes, *(change.said() for change in outcome.changes)])
    if outcome.refused:
        raise SystemExit(1)
    return outcome.paths


def _refuse_other_case(bundle: Bundle, out: Path) -> None:
    """Refuse a new file that would be another one where the case of letters says nothing. Raises BadInput."""
    for folder in {(out / path).parent for path in bundle}:
        there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        folded = {name.casefold(): name for name in there}
        for new in (path for path in (out / path for path in bundle) if path.parent == folder):
            other = folded.get(new.name.casefold())
            if other and new.name not in there:
                what = f"would replace {other} on systems that ignore case; choose another name"
                raise BadInput(f"{new}: {what}")


def _misfits(out: Path, begun: Sequence[Path], bundle: Bundle) -> list[Misfit]:
    if not begun:
        return []
    from exporters.misfits import misfits

    return list(misfits(out, [path.relative_to(out).as_posix() for path in begun], bundle))


def tell_outcome(
    outcome: WriteOutcome, misfits: Sequence[Misfit], facts: Mapping[str, object], quiet: bool, as_json: bool
) -> None:
    """Say which files there are now, and on standard error what was found changed.

    Ends with exit status 1 if nothing may be written.
    """
    paths, kept = ([str(path) for path in some] for some in (outcome.paths, outcome.kept))
    if as_json:
        edits = [change.facts() for change in outcome.changes]
        told = {"files": paths, "kept": kept, "misfits": [each.facts() for each in misfits], "edits": edits}
        click.echo(json.dumps({**facts, **told}))
    elif not quiet:
        for path in paths:
            click.echo(path)
    _tell_lines(outcome.notes)
    _tell_lines(f"{path}: was edited by hand and was not overwritten" for path in outcome.begun)
    _tell_lines(change.said() for change in outcome.changes)
    _tell_lines(f"{each.file}: {each.said()}" for each in misfits)
    if outcome.refused:
        raise SystemExit(1)


def _tell_lines(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(f"undercroft: {one_line(line)}", err=True)
