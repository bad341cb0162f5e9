"""Finds all problems of layout files and drawings; reading them raises only the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from generator.errors import LayoutError, one_line, shown
from generator.files import read_text
from generator.geometry import Point
from generator.interiors.drawings import (
    DrawnFiles,
    check_name,
    drawn_rooms,
    is_drawn,
    pool_of_room,
    suffixes,
)
from generator.interiors.editor_room import EditorRoom
from generator.interiors.layout_file import MAX_BYTES, parse_layout
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import Layout
from generator.interiors.pool_rules import (
    check_markers,
    check_only,
    is_layout_name,
    kind_of,
    layouts_folder,
    pool_of_file,
)
from generator.kinds import Kit
from generator.named_tuple import NamedTuple

_MAX = 100  # problems of a file


class FoundLayout(NamedTuple):
    """A layout that could be read, and the pool that its drawing names, or an empty text."""

    pool: str
    layout: Layout


class CheckedFile(NamedTuple):
    """The problems of a file, one line each, and its layouts that have the size of a room."""

    problems: list[str]
    layouts: list[FoundLayout]


def endings() -> tuple[str, ...]:
    """Return the suffixes of the files that can be checked."""
    return (".txt", *suffixes())


def checked_file(path: Path, root: Path, kit: Kit) -> CheckedFile:
    """Find the problems of a layout file or drawing, and its layouts. `root` holds a drawing's files."""
    lines: list[str] = []
    layouts: list[FoundLayout] = []
    try:
        if is_drawn(path):
            for room in drawn_rooms(path, DrawnFiles(root, kit)):
                lines += _of_room(room, layouts)
        else:
            text = read_text(path, MAX_BYTES, LayoutError)
            layout = parse_layout(text, path, kit.kinds, check=False)
            lines += _of_layout(layout, kind_of(path.absolute().as_posix(), kit), layouts)
    except LayoutError as error:
        lines.append(str(error))
    return CheckedFile(lines[:_MAX], layouts)


def _of_room(room: EditorRoom, layouts: list[FoundLayout]) -> Iterator[str]:
    from generator.interiors.drawing_text import drawing_error, layout_of, layout_text

    try:
        check_name(room)
        layout = layout_of(room, check=False)
        pool = pool_of_room(room, on_grid=not layout.exits)
    except LayoutError as error:
        yield str(error)
        return
    kind = kind_of(f"{pool}/x" if pool else room.file.absolute().as_posix(), room.kit)
    text = layout_text(room)
    for problem in _of_layout(layout, kind, layouts, pool):
        yield str(drawing_error(room, problem, text))


def _of_layout(layout: Layout, kind: str, layouts: list[FoundLayout], pool: str = "") -> list[str]:
    """List what breaks the rules of a layout, and of the rooms that it is for."""
    errors: list[str] = []
    try:
        check_map(layout, errors.append)
        layouts.append(FoundLayout(pool, layout))
        if not errors:
            check_rules(layout, errors.append)
            check_markers(layout, kind)
    except LayoutError as error:
        errors.append(str(error))
    return list(map(one_line, errors))


# Finds problems of a folder of layouts as a whole, besides the problems of each file.
#
# rooms/                 the layouts' folder, which a spec names
#   shop/stalls.txt      its pool is shop
#   shop/Stalls.txt      has the same name on some systems
#   normal/y.txt         is in no pool


class FileProblem(NamedTuple):
    """A file, and a line with its problem."""

    file: Path
    line: str


class _Placed(NamedTuple):
    """A layout, the folder of layouts that it is in, and its pool there."""

    file: Path
    root: Path
    pool: str
    layout: Layout


def folder_problems(
    files: Sequence[Path], top: Path, kit: Kit, *, alone: bool = False
) -> Iterator[FileProblem]:
    """Yield every problem of layout files and drawings at or below `top`, and of their paths and names.

    The folder that a spec would name is `top`, or one above or below it: the folder of the files'
    pools. `alone`: the files were named one by one, and can be anywhere.
    """
    placed: list[_Placed] = []
    roots = {layouts_folder(path, top, kit) for path in files} - {None}
    for path in files:
        root = layouts_folder(path, top, kit)
        if root is None or any(folder in root.parents for folder in roots if folder and _is_in(folder, top)):
            root = top
        checked = checked_file(path, root, kit)
        yield from (FileProblem(path, line) for line in checked.problems)
        for layout in checked.layouts:
            try:
                placed.append(_placed(path, root, layout, kit, alone=alone))
            except LayoutError as error:
                yield FileProblem(path, str(error))
    yield from _same_names(placed)
    yield from _mixed(placed, kit)


def _is_in(path: Path, top: Path) -> bool:
    return path.absolute().is_relative_to(top.absolute())


def _placed(path: Path, root: Path, drawn: FoundLayout, kit: Kit, *, alone: bool) -> _Placed:
    """Return a layout with its pool. Raises LayoutError without a pool, or a name that works everywhere."""
    name = path.absolute().relative_to(root.absolute()).as_posix()
    if not is_layout_name(name):
        raise LayoutError(
            f"{path}: {shown(name)} cannot be the name of a layout; use letters A to Z, digits, - and _"
        )
    try:
        pool = pool_of_file(name, path, kit, on_grid=not drawn.layout.exits)
    except LayoutError:
        pool = drawn.pool
        if not pool and not alone:
            if not is_drawn(path):
                raise
            raise LayoutError(
                f"{drawn.layout.path}: kind: is missing; add the room kind, or move the file into a pool's "
                "folder"
            ) from None
    return _Placed(path, root, pool, drawn.layout)


def _same_names(placed: Iterable[_Placed]) -> Iterator[FileProblem]:
    """Yield layouts of one pool whose names differ only in case."""
    pools: dict[tuple[Path, str, bool], dict[str, Layout]] = {}
    for item in placed:
        by_name = pools.setdefault((item.root, item.pool, bool(item.layout.exits)), {})
        try:
            if item.pool:
                check_only(item.layout, by_name)
        except LayoutError as error:
            yield FileProblem(item.file, str(error))
        by_name[item.layout.name.lower()] = item.layout


def _mixed(placed: Sequence[_Placed], kit: Kit) -> Iterator[FileProblem]:
    """Yield layouts that no level can use together: on a grid and with exits, or for cells of several sizes.

    A kit's own folders may hold them side by side.
    """
    own = {folder.resolve() for folder in kit.layouts}
    for root in dict.fromkeys(item.root for item in placed):
        if root.resolve() in own:
            continue
        siblings = [item for item in placed if item.root == root and item.pool]
        grids = [item for item in siblings if not item.layout.exits]
        for item in siblings:
            if item.layout.exits and grids:
                reason = f"has exits, and {grids[0].layout.path.name} has none; no style takes both"
                yield FileProblem(
                    item.file, f"{item.layout.path}: {reason}: keep them in folders of their own"
                )
        for item in grids:
            if item.layout.pitch != grids[0].layout.pitch:
                sizes = (_said(layout.pitch) for layout in (item.layout, grids[0].layout))
                size, usual = sizes
                yield FileProblem(
                    item.file,
                    f"{item.layout.path}: is for a room_size of {size}, and {grids[0].layout.path.name} for "
                    f"{usual}; keep layouts of other sizes in another folder",
                )


def _said(pitch: Point) -> str:
    return f"{pitch[0]} x {pitch[1]}"
