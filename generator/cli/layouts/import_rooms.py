"""`undercroft layouts import`: rooms drawn in Tiled and LDtk, written as layout files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, writing
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, LayoutError, one_line, shown
from generator.files import real_path

if TYPE_CHECKING:
    from generator.interiors.editor_room import EditorRoom
    from generator.kinds import Kit


@click.command("import", cls=HelpfulCommand)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pool", metavar="POOL", help="The pool to write to. Default: the one that each room names.")
@click.option(
    "--replace",
    is_flag=True,
    help="Replace layout files that differ; short for --edits replace.",
)
@common.kit_option
@common.out_option(required=False)
@writing.writes_files("fail")
def command(
    files: tuple[Path, ...],
    pool: str | None,
    replace: bool,
    kit: Path | None,
    out: Path,
    output: writing.WriteOptions,
) -> None:
    """Write the rooms of Tiled maps (.tmj, .tmx) and LDtk projects (.ldtk) as layout files.

    A room goes to the pool that its kind, chapter and difficulty name. All rooms are read and checked before
    anything is written; every problem is printed, one per line.
    """
    from exporters.bundle import Bundle

    own = common.kit_in(kit)
    texts: dict[str, bytes] = {}
    names: set[str] = set()  # in small letters, for some systems tell `Pond` from `pond`, others do not
    problems: list[str] = []
    for file in files:
        for path, text, problem in _layouts(file, pool, own):
            if problem:
                problems.append(problem)
            elif path.lower() in names:
                problems.append(f"{file}: {path}: two rooms have this name; rename one of them")
            else:
                texts[path] = text.encode()
                names.add(path.lower())
    problems += [
        f"{neighbour}: has the same name as {out / path}; rename the room, or remove that file"
        for path in texts
        for neighbour in _same_names(out / path)
    ]
    if replace:
        output = output._replace(edits="replace")
    elif output.edits == "fail":
        problems += [
            f"{out / path}: exists already and differs; --replace replaces it"
            for path, data in texts.items()
            if (out / path).exists() and (out / path).read_bytes() != data
        ]
    if problems:
        for problem in problems[:-1]:
            click.echo(f"undercroft: {one_line(problem)}", err=True)
        raise LayoutError(problems[-1])
    bundle = Bundle(texts)
    bundle.guard(files)
    output.write(bundle, out, {"layouts": len(texts)}, inert=True)


def _same_names(path: Path) -> list[Path]:
    """Return the files beside a path whose names are the same for a system that ignores case."""
    if not path.parent.is_dir():
        return []
    return [
        sibling
        for sibling in path.parent.iterdir()
        if sibling.name != path.name and sibling.name.lower() == path.name.lower()
    ]


def _layouts(file: Path, pool: str | None, kit: Kit) -> Iterator[tuple[str, str, str]]:
    """Yield for each room of a file its path, its text, and what is wrong with it, if anything is."""
    from generator.interiors.drawings import DrawnFiles, drawn_rooms, is_drawn, suffixes

    if not is_drawn(file):
        raise BadInput(f"{file}: is not a drawing; give files that end in {', '.join(suffixes())}")
    files = DrawnFiles(_drawn_in(file), kit)
    try:
        rooms = drawn_rooms(file, files)
    except LayoutError as error:
        yield "", "", str(error)
        return
    for room in rooms:
        try:
            yield (*_layout(room, pool), "")
        except LayoutError as error:
            yield "", "", str(error)


def _layout(room: EditorRoom, pool: str | None) -> tuple[str, str]:
    """Return the path and the text of a room's layout. Raises LayoutError."""
    from generator.interiors.drawing_text import layout_of, layout_text
    from generator.interiors.drawings import check_name, pool_of_room
    from generator.interiors.pool_rules import check_markers, is_any_pool, kind_of

    check_name(room)
    layout = layout_of(room)
    folder = pool.strip("/") if pool else pool_of_room(room, on_grid=not layout.exits)
    if pool and not is_any_pool(folder, room.kit, on_grid=not layout.exits):
        remedy = "a room kind" if layout.exits else "normal/CHAPTER/DIFFICULTY, or another room kind"
        raise room.fail(f"--pool: {shown(pool)} is not a pool for this room; give {remedy}")
    path = f"{folder}/{room.name}.txt".lstrip("/")
    if folder:
        check_markers(layout, kind_of(path, room.kit))
    return path, one_line(f"// Drawn in {room.place.rpartition('/')[2]}.") + f"\n{layout_text(room)}"


def _drawn_in(path: Path) -> Path:
    """Return the folder of all that a drawing refers to: the working directory, if that holds it too."""
    cwd = Path.cwd()
    return cwd if real_path(path).is_relative_to(cwd) else path.parent
