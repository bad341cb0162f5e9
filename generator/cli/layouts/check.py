"""`undercroft layouts check`: every problem of layout files and drawings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, one_line

if TYPE_CHECKING:
    from generator.interiors.folder_problems import FileProblem
    from generator.kinds import Kit


@click.command("check", cls=HelpfulCommand)
@click.argument("paths", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@common.kit_option
@common.json_option
def command(paths: tuple[Path, ...], kit: Path | None, as_json: bool) -> None:
    """Print every problem of layouts (.txt) and of drawings (.tmj, .tmx, .ldtk), one per line with its place.

    The folder of a layout says which rooms it is for; a drawing says so itself. In a folder, each layout must
    be in a pool. Exit status 1 if there is any problem.
    """
    own = common.kit_in(kit)
    found = [
        {"file": str(file), "problem": one_line(line)}
        for path in paths
        for file, line in _problems(path, own)
    ]
    common.tell_problems(found, as_json)


def _problems(path: Path, kit: Kit) -> Iterator[FileProblem]:
    """Those of a file by itself, or of a folder as a whole."""
    from generator.interiors.folder_problems import folder_problems
    from generator.interiors.problems import ENDINGS

    if not path.is_dir():
        if not path.exists():
            raise BadInput(f"{path}: cannot be read: there is no such file or folder; check the name")
        if path.suffix.lower() not in ENDINGS:
            raise BadInput(f"{path}: is not a layout; give {', '.join(ENDINGS)}, or a folder")
        return folder_problems([path], path.parent, kit, alone=True)
    found = sorted(one for one in path.rglob("*") if one.suffix.lower() in ENDINGS and is_read(one, path))
    if not found:
        raise BadInput(f"{path}: contains no layouts; name a folder with {', '.join(ENDINGS)} files in it")
    return folder_problems(found, path, kit)


def is_read(file: Path, top: Path) -> bool:
    """Whether it is a file whose path below `top` has no name that begins with a dot, such as .git."""
    return file.is_file() and not any(part.startswith(".") for part in file.relative_to(top).parts)
