"""Files of a level that its new export does not have: of another file format or split, or of rooms gone.

A level's main files and those of its rooms replace each other: a world of maps replaces one map. The formats
say what these are called. Everything else that has the level's name stays, such as a map in Lua.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from pathlib import Path, PurePosixPath

from exporters.edits.store import WrittenStore
from exporters.exported import is_of_level
from exporters.registry import exporter, format_names


def former_files(
    root: Path, store: WrittenStore, stem: str, formats: Iterable[str], new: Container[str]
) -> Iterator[str]:
    """Yield the recorded files of a level in some formats that are not among the `new` ones, by their paths.

    A format without a new main file is left out.
    """
    place = root / stem
    for kind in (kind for name in formats if name in format_names() for kind in exporter(name).main_files):
        mains = [f"{stem}{each.suffix}" for each in exporter(kind.format).main_files]
        if not any(main in new for main in mains):
            continue
        rooms = sorted(place.iterdir()) if kind.room_suffixes and place.is_dir() else []
        paths = [f"{stem}{kind.suffix}", *(f"{stem}/{file.name}" for file in rooms if kind.is_room(file))]
        for path in paths:
            if path not in new and (root / path).is_file() and store.is_of_level(path, stem):
                yield path


def lines_about(paths: Iterable[str], stems: Iterable[str]) -> Iterator[str]:
    """Yield one line for each level of which such files, given by their paths, are removed."""
    removed = list(paths)
    for stem in stems:
        own = [path for path in removed if is_of_level(path, stem)]
        if own:
            first = PurePosixPath(own[0]).relative_to(PurePosixPath(stem).parent)
            what = f"{first} and {len(own) - 1} more are" if own[1:] else f"{first} is"
            yield f"{stem}: {what} no longer part of the export, and removed"
