"""`undercroft layouts new` and `import`: a room to draw in an editor, and back as a layout file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from exporters.bundle import Bundle
from exporters.registry import drawing_formats, exporter
from generator.cli import common, writing
from generator.cli.helpful import HelpfulCommand, named_argument
from generator.errors import BadInput, LayoutError, hint, one_line, shown
from generator.files import file_name, read_text, real_path
from generator.interiors.chapters import chapter_names
from generator.interiors.drawings import DrawnFiles, check_name, drawn_rooms, is_drawn, pool_of_room, suffixes
from generator.interiors.editor_room import EditorRoom
from generator.interiors.layout_file import MAX_BYTES, parse_layout
from generator.interiors.layouts import Layout
from generator.interiors.named import NamedLayout, named_layouts
from generator.interiors.pool_rules import is_any_pool, kind_of
from generator.kinds import DIFFICULTIES, Kit
from generator.pattern import pattern
from generator.shapes import SHAPES

# --- new ---------------------------------------------------------------------------------------------

_SIZE = pattern(r"([0-9]{1,2})x([0-9]{1,2})")


@click.command("new", cls=HelpfulCommand)
@click.argument("kind", metavar="KIND")
@click.option("--shape", type=click.Choice(list(SHAPES)), help="The shape of a room on a grid. Default: 1x1.")
@click.option(
    "--room-size",
    metavar="WxH",
    default="15x9",
    show_default=True,
    help="The size of a cell in tiles, walls included.",
)
@click.option(
    "--free",
    metavar="WxH",
    help="A room of any outline, for the style gungeon: the size of its inside in tiles.",
)
@click.option("--like", metavar="FILE|LAYOUT", help="Start from a copy of a layout, such as boss/colosseum.")
@click.option(
    "--to",
    "to",
    type=click.Choice([*drawing_formats(), "txt"]),
    required=True,
    help="The program to draw it in.",
)
@click.option("--chapter", default="any", show_default=True, help="The chapter of a normal room on a grid.")
@click.option(
    "--difficulty",
    type=click.Choice(list(DIFFICULTIES)),
    help="The difficulty of a normal room. Default: easy on a grid, any with --free.",
)
@common.theme_option
@common.kit_option
@click.option("--name", metavar="NAME", help="The room's name. Default: new-KIND.")
@common.out_option()
@writing.writes_files("fail")
def new_command(
    kind: str,
    shape: str | None,
    room_size: str,
    free: str | None,
    like: str | None,
    to: str,
    chapter: str,
    difficulty: str | None,
    theme: Path | None,
    kit: Path | None,
    name: str | None,
    out: Path,
    output: writing.WriteOptions,
) -> None:
    """Begin a room of KIND to draw: with its walls, its doors, what it must contain, and the theme's tiles.

    For Tiled it is a map, for LDtk a project with one level; copy that level there to make more.
    """
    from generator.interiors.begun import new_layout_text

    own = common.kit_in(kit)
    _check_place(kind, shape, chapter, own)
    if free and shape:
        raise BadInput("--free: a room of any outline has no shape; leave --shape out")
    name = file_name(name) if name else f"new-{kind.replace('_', '-')}"
    if free and chapter != "any":
        raise BadInput("--chapter: a room of any outline is for all chapters; leave --chapter out")
    pool = f"normal/{chapter}/{difficulty or 'easy'}" if kind == "normal" and not free else kind
    if like:
        if shape or free:
            raise BadInput("--like: the copy has its own shape; leave --shape and --free out")
        text, layout = _copied(like, kind, own)
    else:
        size = _size(free, "--free", 5, 63) if free else _size(room_size, "--room-size", 9, 63)
        in_header = difficulty if free else None  # else the pool tells it
        text = new_layout_text(
            kind, shape or "1x1", size, free=bool(free), difficulty=in_header, kinds=own.kinds
        )
        layout = parse_layout(text, Path(f"{name}.txt"), own.kinds)
    bundle = _drawn(NamedLayout(f"{pool}/{name}", kind, layout), text, to, theme, name)
    output.write(bundle, out, {"name": name, "pool": pool}, inert=True)


def _copied(like: str, kind: str, kit: Kit) -> tuple[str, Layout]:
    """Return the text of the one layout of that name, and the layout. Raises BadInput."""
    from generator.interiors.pool_rules import check_markers

    (source, *rest) = named_layouts(like, common.tell, kit)
    if rest:
        raise BadInput(f"--like: {shown(like)} is {1 + len(rest)} layouts; name one of them")
    check_markers(source.layout, kind)
    return _text_of(source), source.layout


def _drawn(named: NamedLayout, text: str, to: str, theme: Path | None, name: str) -> Bundle:
    """Create the files of a layout for the program that it is drawn in."""
    if to == "txt":
        return Bundle({f"{name}.txt": text.encode()})
    from exporters.theme.loader import load_theme

    loaded_theme, draw_room = load_theme(theme), exporter(to).draw_room
    assert draw_room
    bundle = draw_room(named, loaded_theme, name)
    bundle.guard(loaded_theme.sources)
    return bundle


def _check_place(kind: str, shape: str | None, chapter: str, kit: Kit) -> None:
    """Raise BadInput unless there is that kind, its rooms have that shape, and the chapter exists."""
    rooms = kit.kinds.rooms
    if kind not in rooms:
        raise BadInput(f"KIND: unknown room kind {shown(kind)}; {hint(kind, list(rooms))}")
    if shape not in (None, "1x1") and not rooms[kind].has_shapes:
        raise BadInput(f"--shape: {kind} rooms are 1x1; leave it out")
    if chapter not in ("any", *chapter_names(kit)):
        raise BadInput(
            f"--chapter: {shown(chapter)} is not a chapter; {hint(chapter, ['any', *chapter_names(kit)])}"
        )


def _size(text: str, flag: str, low: int, high: int) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(low <= side <= high for side in size):
        raise BadInput(f"{flag}: {shown(text)} is not a size; give WIDTHxHEIGHT, {low} to {high} tiles each")
    if flag == "--room-size" and not (size[0] % 2 and size[1] % 2):
        raise BadInput(f"{flag}: {text}: a door lies in the middle of a cell's side; give odd numbers")
    return size


def _text_of(source: NamedLayout) -> str:
    from generator.errors import LayoutError
    from generator.interiors.drawings import is_drawn

    if is_drawn(source.layout.path):
        raise BadInput(f"--like: {source.layout.path}: is a drawing; use `undercroft layouts import` for it")
    return read_text(source.layout.path, MAX_BYTES, LayoutError)


# --- import ------------------------------------------------------------------------------------------


@click.command("import", cls=HelpfulCommand)
@named_argument("files", metavar="FILE...", nargs=-1, required=True, type=common.ANY_PATH)
@click.option("--pool", metavar="POOL", help="The pool to write to. Default: the one that each room names.")
@common.flag("--replace", "Replace layout files that differ; short for --edits replace.")
@common.kit_option
@common.out_option()
@writing.writes_files("fail")
def import_command(
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
        common.tell_all(problems[:-1])
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
    from generator.interiors.pool_rules import check_markers

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
