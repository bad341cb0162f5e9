"""What the commands that write levels share: their options, the export itself, and what is told of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from generator.cli import common
from generator.errors import BadInput, one_line

if TYPE_CHECKING:
    from exporters import Bundle
    from exporters.misfits import Misfit
    from generator.level import Level


class Written(NamedTuple):
    """The files that were written, people's own that were left as they are, and which of these do not fit."""

    paths: list[Path]
    kept: list[Path]
    misfits: Sequence[Misfit] = ()


class FileWriter(NamedTuple):
    """How a command was asked to write levels: the values of the options that `writes_levels` adds."""

    formats: tuple[str, ...]
    theme: Path | None
    options: tuple[str, ...]
    options_file: Path | None
    out: Path
    quiet: bool
    as_json: bool

    def write(self, level: Level, name: str, facts: Mapping[str, object]) -> None:
        """Export a level, all in memory first, write it below `out`, and tell its files and `facts`."""
        import exporters

        given: dict[str, object] = {}
        if self.options_file is not None:
            given |= exporters.load_options(self.options_file, self.formats or exporters.format_names())
        given |= common.key_values(self.options, "--option")
        bundle = exporters.export(level, self.formats or None, options=given, theme=self.theme, name=name)
        _refuse_other_case(bundle, self.out)
        kept = bundle.kept(self.out)
        misfits = _misfits(self.out, kept, bundle) if kept else []
        written = Written(bundle.write(self.out), kept, misfits)
        told = {"name": name, **facts, "fingerprint": level.fingerprint}
        tell_written(written, told, self.quiet, self.as_json)
        for note in bundle.notes:
            click.echo(f"undercroft: {one_line(note)}", err=True)


def writes_levels(*, out_required: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of writing levels; they reach it as one `FileWriter`, `writer`."""
    shared = (
        common.to_option,
        common.theme_option,
        common.option_option,
        common.options_option,
        common.out_option(required=out_required),
        common.quiet_option,
        common.json_option,
    )

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_writer(**given: Any) -> None:
            fields = {field: given.pop(field) for field in FileWriter._fields}
            command(**given, writer=FileWriter(**fields))

        for option in reversed(shared):
            with_writer = option(with_writer)
        return with_writer

    return decorated


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


def _misfits(out: Path, kept: Sequence[Path], bundle: Bundle) -> list[Misfit]:
    from exporters.misfits import misfits

    return list(misfits(out, [path.relative_to(out).as_posix() for path in kept], bundle))


def tell_written(written: Written, facts: Mapping[str, object], quiet: bool, as_json: bool) -> None:
    """Say which files there are now, and on standard error which of them are older than this run."""
    paths, kept = ([str(path) for path in some] for some in (written.paths, written.kept))
    if as_json:
        gone = [each.facts() for each in written.misfits]
        click.echo(json.dumps({**facts, "files": paths, "kept": kept, "misfits": gone}))
    elif not quiet:
        for path in paths:
            click.echo(path)
    for path in kept:
        click.echo(f"undercroft: {one_line(path)}: was edited by hand and was not overwritten", err=True)
    for each in written.misfits:
        click.echo(f"undercroft: {one_line(f'{each.file}: {each.said()}')}", err=True)
