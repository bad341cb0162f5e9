"""Reads drawn rooms: which files are drawings, which rooms they hold, and for which pools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from generator.errors import shown
from generator.interiors.chapters import chapter_names
from generator.interiors.drawn.files import DrawnFiles
from generator.interiors.drawn.room import EditorRoom
from generator.interiors.pool_names import is_layout_name
from generator.kinds import DIFFICULTIES

_REGISTRY = "exporters.registry"
"""The module that knows the formats whose programs people draw rooms in."""


@cache
def _readers() -> Mapping[str, Callable[[Path, DrawnFiles], Iterable[EditorRoom]]]:
    """Return the readers of drawings by suffix. Imported late, since most levels are made without any."""
    readers: Mapping[str, Callable[[Path, DrawnFiles], Iterable[EditorRoom]]]
    readers = import_module(_REGISTRY).room_readers()
    return readers


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of drawings."""
    return tuple(_readers())


def is_drawn(path: Path) -> bool:
    """Check whether a file's suffix is that of a drawing."""
    return path.suffix.lower() in _readers()


def drawn_rooms(path: Path, files: DrawnFiles) -> list[EditorRoom]:
    """Read the rooms of a map or project. Raises LayoutError with the file and the place in it."""
    return list(_readers()[path.suffix.lower()](path, files))


def check_name(room: EditorRoom) -> None:
    """Raise LayoutError unless the room's name can be that of a layout file on every system."""
    is_file = room.path == room.file
    if not is_layout_name(room.name) or "/" in room.name or ("." in room.name and not is_file):
        raise room.fail(
            f"{shown(room.name)} cannot be the name of a layout; use letters A to Z, digits, - and _"
        )


def pool_of_room(room: EditorRoom, *, on_grid: bool) -> str:
    """Return the pool that a map or level names by kind, chapter and difficulty. Empty without a kind.

    Raises LayoutError for a kind, a chapter or a difficulty that does not exist.
    """
    kind = _one_of(room, "kind", tuple(room.kinds.rooms), "")
    if kind != "normal" or not on_grid:
        return kind
    chapter = _one_of(room, "chapter", ("any", *chapter_names(room.kit)), "any")
    names = {str(number): name for name, number in DIFFICULTIES.items()}
    text = room.said("difficulty")
    difficulty = names.get(text, text)
    if difficulty not in DIFFICULTIES:
        known = ", ".join(DIFFICULTIES)
        raise room.fail(f"difficulty: {shown(difficulty)} is not one of {known}; a normal room needs one")
    return f"normal/{chapter}/{difficulty}"


def _one_of(room: EditorRoom, key: str, known: tuple[str, ...], default: str) -> str:
    value = room.header.get(key) or default
    if value and value not in known:
        raise room.fail(f"{key}: {shown(value)} is not one of {', '.join(known)}")
    return str(value)
