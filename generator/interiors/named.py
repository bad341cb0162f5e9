"""Finds layouts by name: a file, a folder of files, a shipped pool, or one of its layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import BadInput, LayoutError, hint, one_line, shown
from generator.files import read_text
from generator.interiors.drawings import DrawnFiles, drawn_rooms, is_drawn, pool_of_room, suffixes
from generator.interiors.layout_file import MAX_BYTES, parse_layout
from generator.interiors.layout_rules import check_map
from generator.interiors.layouts import Layout
from generator.interiors.pool_rules import kind_of, layouts_folder
from generator.kinds import Kit
from generator.named_tuple import NamedTuple
from generator.shipped_files import shipped_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_SHIPPED = shipped_folder("generator") / "interiors" / "layouts"
_STYLES = shipped_folder("generator") / "styles"
_MAX_FILES = 10_000


class NamedLayout(NamedTuple):
    """A layout, its name among those asked for, and the room kind that it is for."""

    name: str
    kind: str
    layout: Layout


Teller = Callable[[str], object]


def named_layouts(source: str, tell: Teller, kit: Kit) -> list[NamedLayout]:
    """List the layouts of a file, of all files below a folder, or of the pools with this name.

    Pools are the shipped ones and those of `kit`; all layouts are drawn with the kinds of `kit`.

    Layouts that can be drawn are read even if they break a rule; `tell` gets a line for each file that
    cannot. Raises BadInput if there are no layouts at all.
    """
    path = Path(source)
    files = list(_below(path) if path.exists() else _pooled(source.strip("/"), kit))
    layouts: list[NamedLayout] = []
    for name, file in files:
        try:
            if isinstance(file, Path) and is_drawn(file):
                layouts += _drawn(name, file, DrawnFiles(_root(file, path, kit), kit))
            else:
                layouts.append(_read(name, file, kit))
        except LayoutError as error:
            if len(files) == 1:
                raise
            tell(str(error))
    if not layouts:
        raise BadInput(
            f"{one_line(source)}: contains no layout that can be drawn; give a file, a folder or a pool"
        )
    return layouts


def _root(file: Path, source: Path, kit: Kit) -> Path:
    """Return the folder of all files of a drawing, as for levels: that of its pool, or `source`."""
    top = source if source.is_dir() else file.parent
    return layouts_folder(file, top, kit) or top


def shipped_names() -> list[str]:
    """List every shipped layout: its pool and its name, with its style in front if only one has it."""
    return sorted(dict(_all()))


def _below(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the file, or the layout files below the folder, each with its name."""
    if not path.is_dir():
        yield path.stem, path
        return
    files, endings = [], (".txt", *suffixes())
    for count, file in enumerate(path.rglob("*")):
        if count >= _MAX_FILES:
            raise BadInput(
                f"{path}: contains more than {_MAX_FILES} files; give the folder that contains only layouts"
            )
        inner = file.relative_to(path)
        if file.suffix.lower() in endings and not any(part.startswith(".") for part in inner.parts):
            files.append((inner.with_suffix("").as_posix(), file))
    yield from sorted(files)


def _pooled(pool: str, kit: Kit) -> Iterator[tuple[str, Path | Traversable]]:
    """Yield the layouts of a pool and the pools below it, or the one layout of this name."""
    files: dict[str, Path | Traversable] = dict(_all()) if kit.ships_layouts else {}
    for folder in kit.layouts:
        files |= dict(_below(folder))
    wanted = {name: file for name, file in files.items() if name == pool or name.startswith(f"{pool}/")}
    if not wanted:
        folders = sorted({name.rpartition("/")[0] for name in files})
        remedy = hint(pool, [*folders, *files], "choose one of" if not pool else "give a file, or one of")
        if len(remedy) > 200:
            remedy = "give a file, a folder, or a pool such as normal/cellar/hard or boss"
        raise BadInput(f"{shown(pool)}: is not a file, a folder or a shipped pool of layouts; {remedy}")
    yield from sorted(wanted.items())


@cache
def _all() -> tuple[tuple[str, Traversable], ...]:
    """Return the layouts shared by the styles on a grid, and those of single styles."""
    layouts = list(_tree(_SHIPPED))
    for style in _STYLES.iterdir():
        if (style / "layouts").is_dir():
            layouts += _tree(style / "layouts", f"{style.name}/")
    return tuple(layouts)


def _tree(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():  # they may be in a zip file, so they are not paths
        if entry.is_dir():
            yield from _tree(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".txt"):
            yield above + entry.name.removesuffix(".txt"), entry


def _drawn(name: str, file: Path, files: DrawnFiles) -> Iterator[NamedLayout]:
    """Yield the rooms of a drawing, named after their pools, or else after the drawing."""
    from generator.interiors.drawing_text import layout_of  # rarely needed

    for room in drawn_rooms(file, files):
        layout = layout_of(room, check=False)
        check_map(layout)
        pool = pool_of_room(room, on_grid=not layout.exits) or name.rpartition("/")[0]
        own = f"{pool}/{room.name}".lstrip("/")
        yield NamedLayout(own, kind_of(own, files.kit), layout)


def _read(name: str, file: Path | Traversable, kit: Kit) -> NamedLayout:
    """Read a file far enough to draw it."""
    path = Path(str(file))
    text = read_text(file, MAX_BYTES, LayoutError) if isinstance(file, Path) else file.read_text("utf-8")
    layout = parse_layout(text, path, kit.kinds, check=False)
    check_map(layout)
    layout.interior()
    kind = kind_of(path.absolute().as_posix() if isinstance(file, Path) else name, kit)
    return NamedLayout(name, kind, layout)
