"""`undercroft check`: every problem of a file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, progress
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, SpecError, ThemeError, UndercroftError, one_line
from generator.stages import enter_stage

if TYPE_CHECKING:
    from generator.spec import LevelSpec

_SKIPPED = ("__pycache__", "node_modules")  # folders of other programs, like those with a dot
_ENDINGS = (".json", ".txt", ".toml", ".ldtk", ".ucpack")
_MANIFEST_KEYS = {"group", "campaign"}
_THEME_KEYS = {"name", "image", "tile_size", "tileset"}  # what themes have, and no spec


@click.command(cls=HelpfulCommand)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@common.accept_edits_option
@common.json_option
def command(paths: tuple[Path, ...], accept_edits: bool, as_json: bool) -> None:
    """Print every problem of level files (.json), layouts (.txt), specs, manifests, flows and themes (.toml),
    LDtk projects (.ldtk), packs (.ucpack) and kits (folders with a kit.toml), one per line.

    In a folder, all files with one of these endings are checked, but no hidden ones: those whose names, or
    the names of their folders, begin with a dot, and those in __pycache__ and node_modules. Name such a file
    or folder to check it. The exit status is 1 if there is any problem.
    """
    with progress.working("checking"):
        found = [
            {"file": str(file), "problem": line}
            for path in paths
            for file, line in _problems_below(path, accept_edits)
        ]
    common.tell_problems(found, as_json)


def _problems_below(path: Path, accept_edits: bool) -> Iterator[tuple[Path, str]]:
    """The problems of a file, or of all files in a folder, whose layouts are looked at together."""
    if not _is_plain_folder(path):
        yield from ((path, line) for line in _problems(path, accept_edits))
        return
    from generator.interiors.folder_problems import folder_problems
    from generator.kinds import shipped_kit

    files = list(_files(path))
    layouts = [each for each in files if each.suffix.lower() == ".txt"]
    told: dict[Path, list[str]] = {}
    for file, line in folder_problems(layouts, path, shipped_kit()) if layouts else ():
        told.setdefault(file, []).append(one_line(line))
    for each in files:
        lines = told.get(each, []) if each in layouts else _problems(each, accept_edits)
        yield from ((each, line) for line in lines)


def _is_plain_folder(path: Path) -> bool:
    """Whether it is a folder, and not that of a kit."""
    return path.is_dir() and not (path / "kit.toml").is_file()


def _files(folder: Path) -> list[Path]:
    found = sorted(_below(folder))
    if not found:
        raise BadInput(
            f"{folder}: nothing to check; name a folder that contains files ending in {', '.join(_ENDINGS)}, "
            "or begin a kit with `undercroft kit new`"
        )
    return found


def _below(folder: Path) -> Iterator[Path]:
    """The files of a folder that may be checked, without those in folders of other programs."""
    for top, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED]
        for path in (Path(top) / name for name in names if not name.startswith(".")):
            if path.suffix.lower() in _ENDINGS and path.is_file():
                yield path


def _problems(path: Path, accept_edits: bool) -> list[str]:
    """One line for each problem, which begins with the file's name."""
    enter_stage(str(path))
    try:
        match ".toml" if path.is_dir() else path.suffix.lower():
            case ".json":
                from generator.level_file import level_problems

                return [one_line(line) for line in level_problems(path, accept_edits=accept_edits)]
            case ".txt":
                from generator.interiors.pool_rules import check_layout

                check_layout(path)
            case ".toml":
                return _toml_problems(path)
            case ".ldtk":
                from exporters.ldtk.checks.project import problems as ldtk_problems

                return [one_line(f"{path}: {problem}") for problem in ldtk_problems(path)]
            case ".ucpack":
                from exporters.pack.reader import problems as pack_problems

                return [one_line(f"{path}: {problem}") for problem in pack_problems(path)]
            case _ if not path.exists():
                raise BadInput(f"{path}: there is no such file or folder; check the name")
            case _:
                raise BadInput(f"{path}: cannot be checked; give a file that ends in {', '.join(_ENDINGS)}")
    except UndercroftError as error:
        return [str(error)]
    return []


def _kit_problems(folder: Path) -> list[str]:
    """The problems of a kit's rows, or else of its layouts, or else of levels that are made with it."""
    from generator.kinds.kit_problems import kit_problems

    found = kit_problems(folder)
    if not found:
        from generator.batch.kit_audit import kit_audit
        from generator.kinds import read_kit

        found = kit_audit(read_kit(folder))
    return [one_line(line) for line in found]


def _toml_problems(path: Path) -> list[str]:
    """The problems of a kit, a theme with its image, a flow, a manifest, or a spec with what it names."""
    if path.is_dir() or path.name == "kit.toml":
        return _kit_problems(path if path.is_dir() else path.parent)
    keys = _keys(path)
    if "style" not in keys and not _THEME_KEYS.isdisjoint(keys):
        from exporters.theme.loader import check_theme

        return check_theme(path)[1]
    if "style" not in keys and "flow" in keys:
        from generator.cli.flow.check import SEEDS, flow_problems

        return flow_problems(str(path), SEEDS)
    if is_manifest(path):
        from exporters.builder.manifest import load_manifest
        from exporters.builder.plan import BuildPlan

        BuildPlan(load_manifest(path))
        return []
    from generator.spec import load_spec

    _check_files(load_spec(path), path)
    return []


def is_manifest(path: Path) -> bool:
    """Whether a TOML file is a build's manifest."""
    return not _MANIFEST_KEYS.isdisjoint(_keys(path))


def _keys(path: Path) -> set[str]:
    """The keys at the top of a TOML file."""
    from exporters.theme.file import MOST_TOML_BYTES
    from generator.files import read_text

    try:
        return set(tomllib.loads(read_text(path, MOST_TOML_BYTES, ThemeError)))
    except (ValueError, RecursionError):  # whoever reads it next says what is wrong
        return set()


def _check_files(spec: LevelSpec, path: Path) -> None:
    try:
        spec.files_digest()
    except SpecError as error:  # a LayoutError names a file of its own
        raise SpecError(f"{path}: {error}") from None
