"""Files that somebody drew without Undercroft: which files are such, and what their tiles mean in a theme."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from exporters.exported import DRAWING, LEVEL, ExportedWith, Formats, exported_in, way_from
from exporters.exporting import Before, Given, ThemeLike
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of, main_file
from exporters.registry import level_readers
from exporters.theme import Theme, foremost_uses, terrain_of
from generator.errors import BadInput, LevelError
from generator.files import real_path
from generator.interiors.drawings import DrawnSheet
from generator.interiors.editor_room import TileMeaning
from generator.level import Level
from generator.level_file import load_any_level
from generator.named_tuple import NamedTuple
from generator.node import Node
from generator.styles.registry import DRAWN

_NOTHING = Given()


class ReadWith(NamedTuple):
    """What a drawing is read with: words for its tiles by their names, the folder of a kit, and a theme."""

    meanings: Mapping[str, str] = MappingProxyType({})
    kit: str = ""
    theme: ThemeLike = None

    def row(self, folder: Path) -> Formats:
        """Return what the record and level.json of a folder have of it: nothing if all are defaults."""
        kit = {"kit": way_from(folder, self.kit)} if self.kit else {}
        options = {**kit, **({"meaning": dict(self.meanings)} if self.meanings else {})}
        theme = "" if self.theme is None or isinstance(self.theme, Theme) else os.fspath(self.theme)
        return {DRAWING: ExportedWith(options, theme)} if options or theme else {}


def last_read_with(before: Before, chosen: Given = _NOTHING) -> ReadWith:
    """Return what the drawing of a level was read with, and the theme that its pictures have or get.

    Raises BadInput if this cannot be used.
    """
    row = before.formats.get(DRAWING, ExportedWith({}))
    place = Node(None, str(before.folder / before.name), is_file=True)
    node = Node(row.options, f"exported.{DRAWING}.options", place)
    kit = node.at("kit", "").text()
    words = {key: word.text() for key, word in node.at("meaning", {}).pairs()}
    return ReadWith(words, os.path.normpath(before.folder / kit) if kit else "", before.theme("png", chosen))


def last_read_beside(file: Path, chosen: Given = _NOTHING) -> ReadWith:
    """Return what a drawing was read with, as `file` or the level.json beside it says.

    Raises BadInput if this cannot be used.
    """
    level = file if file.suffix == ".json" else file.with_suffix(LEVEL)
    return last_read_with(Before(level.parent, level.name.removesuffix(LEVEL), exported_in(level)), chosen)


def is_drawing(file: Path) -> bool:
    """Check whether a file is a map or project that Undercroft never wrote.

    A generated level beside it, of the same name, says that it is an export that has lost its properties.
    Raises BadInput for a file that cannot be read.
    """
    is_whole = file.suffix.lower() in level_readers() and main_file(file) == file
    if not is_whole or not file.is_file():
        return False
    beside = file.with_name(f"{file.stem}{LEVEL}")
    if beside.is_file() and load_any_level(beside)[0].style != DRAWN:
        return False
    files = ExportFiles(file.parent)
    if file.suffix.lower() != ".world" and b"fingerprint" not in files.read(file.name):
        return True  # without parsing it, which takes many times the memory
    return not form_of(file).identity(file.name, files).get("fingerprint")


def drawing_among(files: Iterable[Path]) -> Path | None:
    """Return the first of some files that is a drawing, if there is one."""
    for file in files:
        with suppress(BadInput, LevelError):
            if is_drawing(file):
                return file
    return None


def import_of(file: Path) -> str:
    """Return the command that makes a level of a drawing, for messages."""
    return f"bring it in with `undercroft import {file} --out DIR`"


def level_drawn_beside(path: Path, fingerprint: str) -> tuple[Level, Path] | None:
    """Find the drawing of an export's level: it has the same name, and lies in the same folder."""
    from exporters.reading.drawn import drawn_level

    for suffix in level_readers():
        drawing = path.with_name(f"{path.stem}{suffix}")
        with suppress(BadInput, LevelError):
            if drawing != path and is_drawing(drawing):
                level = drawn_level(drawing, *last_read_beside(drawing)).level
                if level.is_named(fingerprint):
                    return level, drawing
    return None


def sheet_tiles(theme: Theme) -> Callable[[DrawnSheet], Mapping[int, TileMeaning]]:
    """Return what finds the meaning of the tiles of a tileset, if its picture is a theme's."""
    sources = {real_path(source) for source in theme.sources}
    images = (theme.image, *(look.image for look in theme.looks.values()))

    def is_its(image: Path) -> bool:
        try:
            if real_path(image) in sources:
                return True
            size = image.stat().st_size if image.is_file() else -1
            alike = [data for data in images if len(data) == size]
            return bool(alike) and image.read_bytes() in alike
        except (OSError, ValueError):
            return False

    def found(sheet: DrawnSheet) -> Mapping[int, TileMeaning]:
        pitch = sheet.tile_size, sheet.margin, sheet.spacing, sheet.columns
        if pitch != (theme.tile_size, theme.margin, theme.spacing, theme.columns) or not is_its(sheet.image):
            return {}
        return _meanings(theme)

    return found


@lru_cache(maxsize=16)
def _meanings(theme: Theme) -> Mapping[int, TileMeaning]:
    """Return what each tile of a theme means in a drawing."""
    kinds, meanings = theme.kinds, {}
    for tile, use in foremost_uses(theme).items():
        terrain = terrain_of(use, kinds)
        meanings[tile] = TileMeaning(
            kinds.terrain_ids[terrain] if terrain else 0,
            kinds.decor_ids[use.name] if use.role == "decor" else 0,
            known=True,
        )
    return meanings
