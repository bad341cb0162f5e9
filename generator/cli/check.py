"""`undercroft check`: every problem of a file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common
from generator.errors import BadInput, SpecError, ThemeError, UndercroftError, one_line

if TYPE_CHECKING:
    from generator.spec import LevelSpec

_ENDINGS = (".json", ".txt", ".toml", ".ldtk", ".ucpack")
_MANIFEST_KEYS = {"group", "campaign"}
_THEME_KEYS = {"name", "image", "tile_size", "tileset"}  # what themes have, and no spec


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@common.json_option
def command(paths: tuple[Path, ...], as_json: bool) -> None:
    """Print every problem of level files (.json), layouts (.txt), specs and themes (.toml), LDtk projects
    (.ldtk) and packs (.ucpack), one a line.

    Of a folder, all files in it that have one of these endings are checked; one without any is refused.
    The exit status is 1 if there is any problem.
    """
    files = list(_files(paths))
    found = [{"file": str(path), "problem": line} for path in files for line in _problems(path)]
    if as_json:
        click.echo(json.dumps(found))
    else:
        for problem in found:
            click.echo(problem["problem"])
    if found:
        raise SystemExit(1)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(one for one in path.rglob("*") if one.suffix.lower() in _ENDINGS and one.is_file())
        if not found:
            raise BadInput(f"{path}: nothing to check; name a folder with {', '.join(_ENDINGS)} files in it")
        yield from found


def _problems(path: Path) -> list[str]:
    """One line a problem, each with the file's name in front."""
    try:
        match path.suffix.lower():
            case ".json":
                from generator.checks import problems
                from generator.level_file import load_level

                return [one_line(f"{path}: {problem}") for problem in problems(load_level(path))]
            case ".txt":
                from generator.interiors.own_layouts import check_layout

                check_layout(path)
            case ".toml":
                return _toml_problems(path)
            case ".ldtk":
                from exporters.ldtk.checks.project import problems as ldtk_problems

                return [one_line(f"{path}: {problem}") for problem in ldtk_problems(path)]
            case ".ucpack":
                from exporters.pack.reader import problems as pack_problems

                return [one_line(f"{path}: {problem}") for problem in pack_problems(path)]
            case _:
                raise BadInput(f"{path}: is none of {', '.join(_ENDINGS)}, which is what can be checked")
    except UndercroftError as error:
        return [str(error)]
    return []


def _toml_problems(path: Path) -> list[str]:
    """Those of a theme with its image, of a build's manifest, or of a spec with the layouts that it names."""
    keys = _keys(path)
    if "style" not in keys and not _THEME_KEYS.isdisjoint(keys):
        from exporters.theme.loader import check_theme

        return check_theme(path)[1]
    if is_manifest(path):
        from exporters.build.manifest import load_manifest
        from exporters.build.plan import Plan

        Plan(load_manifest(path))
        return []
    from generator.spec import load_spec

    _check_own_layouts(load_spec(path), path)
    return []


def is_manifest(path: Path) -> bool:
    """Whether a TOML file is a build's manifest."""
    return not _MANIFEST_KEYS.isdisjoint(_keys(path))


def _keys(path: Path) -> set[str]:
    """Those at the top of a TOML file."""
    from exporters.theme.file import MOST_TOML_BYTES
    from generator.files import read_text

    try:
        return set(tomllib.loads(read_text(path, MOST_TOML_BYTES, ThemeError)))
    except (ValueError, RecursionError):  # whoever reads it next says what is wrong
        return set()


def _check_own_layouts(spec: LevelSpec, path: Path) -> None:
    from generator.interiors.own_layouts import own_layouts
    from generator.spec import GridSpec

    try:
        if isinstance(spec, GridSpec):
            own_layouts(spec)
    except SpecError as error:  # a LayoutError names a file of its own
        raise SpecError(f"{path}: {error}") from None
