"""The files of levels that can be read back, as the formats' records name them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from exporters.base import MainFile
from exporters.registry import exporter, format_names
from generator.errors import BadInput


@cache
def main_files() -> tuple[MainFile, ...]:
    """Return the kinds of main files, of all built-in formats."""
    return tuple(kind for name in format_names() for kind in exporter(name).main_files)


def form_of(path: Path) -> MainFile:
    """Return the kind of a main file. Raises BadInput for other files."""
    for kind in main_files():
        if path.name.lower().endswith(kind.suffix):
            return kind
    endings = ", ".join(kind.suffix for kind in main_files())
    raise BadInput(f"{path}: cannot be read back; give a file that ends in {endings}")


def main_file(path: Path) -> Path:
    """Return the main file of a level, also for the file of one of its rooms."""
    for kind in main_files():
        main = path.parent.parent / f"{path.parent.name}{kind.suffix}"
        if kind.is_room(path) and main.is_file():
            return main
    return path


def stem_of(path: Path) -> str:
    """Return the level's name: the file's name without its suffix, or the `_edit` of a scene to work in."""
    stem = path.name[: -len(form_of(path).suffix)]
    return stem.removesuffix("_edit") if form_of(path).format == "godot" else stem
