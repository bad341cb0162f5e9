"""`undercroft check`: every problem of a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from generator.cli import common
from generator.errors import UndercroftError

_ENDINGS = (".json", ".txt", ".toml")


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@common.json_option
def command(paths: tuple[Path, ...], as_json: bool) -> None:
    """Print every problem of level files (.json), layouts (.txt), specs and themes (.toml), one a line.

    Of a folder, all files in it that have one of these endings are checked. The exit status is 1 if there
    is any problem.
    """
    found = [{"file": str(path), "problem": line} for path in _files(paths) for line in _problems(path)]
    if as_json:
        click.echo(json.dumps(found))
    else:
        for problem in found:
            click.echo(problem["problem"])
    if found:
        raise SystemExit(1)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(one for one in path.rglob("*") if one.suffix in _ENDINGS and one.is_file())
        else:
            yield path


def _problems(path: Path) -> list[str]:
    """One line a problem, each with the file's name in front."""
    try:
        match path.suffix:
            case ".json":
                from generator.checks import problems

                return [f"{path}: {problem}" for problem in problems(common.load_level_or_fail(path))]
            case ".txt":
                from generator.interiors.layouts import load_layout

                load_layout(path)
            case ".toml":
                _check_toml(path)
            case _:
                return [f"{path}: is none of .json, .txt and .toml, which is what can be checked"]
    except UndercroftError as error:
        return [str(error)]
    return []


def _check_toml(path: Path) -> None:
    """A TOML file with a `style` is a spec, any other a theme."""
    from generator.spec import load_spec

    try:
        load_spec(path)
    except UndercroftError as error:
        if ": style: None" not in str(error):
            raise
        from exporters import load_theme

        load_theme(path)
