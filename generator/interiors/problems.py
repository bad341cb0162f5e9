"""Finds all problems of layout files and drawings; reading them raises only the first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from generator.errors import LayoutError
from generator.files import read_text
from generator.interiors.drawn.files import DrawnFiles
from generator.interiors.drawn.read import check_name, drawn_rooms, is_drawn, pool_of_room, suffixes
from generator.interiors.drawn.room import EditorRoom
from generator.interiors.layout_file import MAX_BYTES, parse_layout
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import Layout
from generator.interiors.pool_names import kind_of
from generator.interiors.pool_rules import check_markers
from generator.kinds import Kit

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


def layout_problems(path: Path, root: Path, kit: Kit) -> list[str]:
    """List the problems of a layout file or drawing, a line each. `root` holds all files of a drawing.

    `kit` is the kit that they are drawn with.
    """
    return checked_file(path, root, kit).problems


def checked_file(path: Path, root: Path, kit: Kit) -> CheckedFile:
    """Return the problems of a file, like those of `layout_problems`, and its layouts."""
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
    from generator.interiors.drawn.layout_text import drawing_error, layout_of, layout_text

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
    errors: list[LayoutError] = []
    try:
        check_map(layout, errors.append)
        layouts.append(FoundLayout(pool, layout))
        if not errors:
            check_rules(layout, errors.append)
            check_markers(layout, kind)
    except LayoutError as error:
        errors.append(error)
    return [str(error) for error in errors]
