"""`undercroft layouts check`: every problem of layout files and drawings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common
from generator.cli.helpful import HelpfulCommand
from generator.cli.recognise import kit_folder_of
from generator.errors import BadInput, one_line
from generator.files import open_file

if TYPE_CHECKING:
    from generator.interiors.problems import FileProblem
    from generator.kinds import Kit


@click.command("check", cls=HelpfulCommand)
@click.argument("paths", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@common.kit_option
@common.json_option
def command(paths: tuple[Path, ...], kit: Path | None, as_json: bool) -> None:
    """Print every problem of layouts (.txt) and of drawings (.tmj, .tmx, .ldtk), one per line with its place.

    The folder of a layout says which rooms it is for; a drawing says so itself. In a folder, each layout must
    be in a pool. Layouts in a kit's folder are read with that kit, unless --kit names another. Exit status 1
    if there is any problem.
    """
    named_kit = common.kit_in(kit) if kit else None
    places = [(path, _files(path)) for path in paths]
    problems = []
    for path, files in places:
        own = named_kit or common.kit_in(kit_folder_of(path))
        lines = list(_problems(path, files, own))
        unusable, notes = _too_narrow(files, path if path.is_dir() else path.parent, own)
        problems += [{"file": str(file), "problem": one_line(line)} for file, line in (*lines, *unusable)]
        for file, line in notes:
            common.tell_note(str(file), line, as_json)
    common.tell_problems(problems, as_json, sum(len(files) for _, files in places), "file")


def _problems(path: Path, files: Sequence[Path], kit: Kit) -> Iterator[FileProblem]:
    """Yield the problems of a file by itself, or of a folder as a whole."""
    from generator.interiors.problems import folder_problems

    if not path.is_dir():
        return folder_problems(files, path.parent, kit, alone=True)
    return folder_problems(files, path, kit)


def _too_narrow(
    files: Sequence[Path], root: Path, kit: Kit
) -> tuple[list[tuple[Path, str]], list[tuple[Path, str]]]:
    """Return the layouts with exits that no level can use, and those that only the preset cannot."""
    from generator.interiors.problems import checked_file
    from generator.spec import load_spec
    from generator.styles.gungeon.dealing import too_narrow
    from generator.styles.gungeon.furnishing.gungeon_layouts import images_of
    from generator.styles.gungeon.spec import GungeonSpec

    preset = load_spec(GungeonSpec.style)
    assert isinstance(preset, GungeonSpec)
    unusable, notes = [], []
    for file in files:
        checked = checked_file(file, root, kit)
        for layout in (
            entry.layout for entry in checked.layouts if entry.layout.exits and not checked.problems
        ):
            images = images_of(layout)
            if why := too_narrow(images, 1, 1):
                unusable.append((file, f"{layout.path}: no level can use it: {why}"))
            elif why := too_narrow(images, preset.hallway_width, preset.body):
                notes.append((file, f"{layout.path}: the preset {GungeonSpec.style} cannot use it: {why}"))
    return unusable, notes


def _files(path: Path) -> list[Path]:
    """Return a file itself, or all layouts and drawings of a folder. Raises BadInput if there is none."""
    from generator.interiors.problems import endings

    known = endings()
    if not path.is_dir():
        if not path.exists():
            raise BadInput(f"{path}: cannot be read: there is no such file or folder; check the name")
        if path.suffix.lower() not in known:
            raise BadInput(f"{path}: is not a layout; give {', '.join(known)}, or a folder")
        open_file(path, BadInput).close()
        return [path]
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in known and is_read(file, path))
    if not files:
        raise BadInput(f"{path}: contains no layouts; name a folder with {', '.join(known)} files in it")
    return files


def is_read(file: Path, top: Path) -> bool:
    """Check whether a file's path below `top` has no name that begins with a dot, such as .git."""
    return file.is_file() and not any(part.startswith(".") for part in file.relative_to(top).parts)
