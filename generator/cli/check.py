"""`undercroft check`: every problem of a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common
from generator.errors import SpecError, UndercroftError

if TYPE_CHECKING:
    from generator.spec import LevelSpec

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
            found = sorted(one for one in path.rglob("*") if one.suffix.lower() in _ENDINGS and one.is_file())
            yield from found or [path]  # nothing to check is a finding
        else:
            yield path


def _problems(path: Path) -> list[str]:
    """One line a problem, each with the file's name in front."""
    try:
        match "" if path.is_dir() else path.suffix.lower():
            case ".json":
                from generator.checks import problems

                return [f"{path}: {problem}" for problem in problems(common.load_level_or_fail(path))]
            case ".txt":
                from generator.interiors.own_layouts import check_layout

                check_layout(path)
            case ".toml":
                _check_toml(path)
            case _:
                what = "holds" if path.is_dir() else "is"
                return [f"{path}: {what} none of .json, .txt and .toml, which is what can be checked"]
    except UndercroftError as error:
        return [str(error)]
    return []


def _check_toml(path: Path) -> None:
    """A TOML file with a `style` is a spec, checked with the layouts that it names; any other is a theme."""
    from generator.spec import load_spec

    try:
        _check_own_layouts(load_spec(path), path)
    except UndercroftError as error:
        if ": style: None" not in str(error):
            raise
        from exporters import load_theme
        from exporters.theme_image import atlas_pixels

        atlas_pixels(load_theme(path))


def _check_own_layouts(spec: LevelSpec, path: Path) -> None:
    from generator.interiors.own_layouts import own_layouts
    from generator.spec import IsaacSpec

    try:
        if isinstance(spec, IsaacSpec):
            own_layouts(spec)
    except SpecError as error:  # a LayoutError names a file of its own
        raise SpecError(f"{path}: {error}") from None
