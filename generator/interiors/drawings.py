"""Reads drawn rooms: which files are drawings, which rooms they hold, and for which pools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from generator.errors import LayoutError, shown
from generator.files import parsed_json, read_bytes, real_path
from generator.interiors.chapters import chapter_names
from generator.interiors.editor_room import (
    MAX_LEVEL_SIDE,
    MAX_SIDE,
    EditorRoom,
    TileMeaning,
    class_of,
    left_out,
    meaning_of,
)
from generator.interiors.lost_parts import LostParts
from generator.interiors.pool_rules import is_layout_name
from generator.kinds import DIFFICULTIES, Kit
from generator.named_tuple import NamedTuple
from generator.node import LayoutNode

# The files of a drawing, all in one folder and limited in total size.

_MAX_BYTES = 1 << 26  # of all files together; parsed JSON takes ten times its size or more
_MAX_TILES = 1 << 22  # of all layers together


class DrawnSheet(NamedTuple):
    """The picture of a tileset, the side of its tiles, and its margin and spacing in px."""

    image: Path
    columns: int
    tile_size: int
    margin: int
    spacing: int


class DrawnFiles:
    """Reads the files of one drawing, which must all be in the folder `root` once links are followed.

    `kit` is the kit that the drawing uses. `of_level`: it is a level, with rooms and doors among its objects,
    and not the inside of one room. `said` has what a person says of tiles that say nothing themselves: a word
    by the name of a layer, `TILESET:NUMBER`, or in LDtk `LAYER:VALUE`. `sheet_tiles` returns what the tiles
    of a tileset mean, if it is known. `lost` collects what readers leave out.
    """

    def __init__(
        self, root: Path, kit: Kit, *, of_level: bool = False, said: Mapping[str, str] | None = None
    ) -> None:
        self.kit, self.kinds, self.of_level, self.said = kit, kit.kinds, of_level, said or {}
        self.sheet_tiles: Callable[[DrawnSheet], Mapping[int, TileMeaning]] = lambda _: {}
        self.lost = LostParts()
        self.most_side = MAX_LEVEL_SIDE if of_level else MAX_SIDE
        self._root = root.resolve()
        self._left = _MAX_BYTES
        self._tiles_left = _MAX_TILES
        self._bytes: dict[Path, bytes] = {}
        self.tilesets: dict[Path, object] = {}  # parsed files that many drawings share

    def read(self, path: Path) -> bytes:
        """Read the bytes of a file. Raises LayoutError."""
        known = real_path(path)
        if known not in self._bytes:
            data = read_bytes(path, self._left, LayoutError)
            self._left -= len(data)
            self._bytes[known] = data
        return self._bytes[known]

    @property
    def others(self) -> tuple[Path, ...]:
        """The files that were read, with links followed."""
        return tuple(self._bytes)

    def beside(self, path: Path, name: str, where: str) -> Path:
        """Find the file that `path` calls `name`, if it is in the folder. Raises LayoutError at `where`."""
        try:
            file = (path.resolve().parent / name).resolve()
            inside = file.is_relative_to(self._root) and file.is_file()
        except (OSError, ValueError, RuntimeError):  # a loop of links, a null byte
            inside = False
        if not inside:
            folder = shown(str(self._root), 200)
            raise LayoutError(f"{where}: {shown(name, 100)} is not a file in {folder}; put it there")
        return file

    def spend(self, tiles: int, node: LayoutNode) -> None:
        """Count tiles that are about to be read. LayoutError at `node` if they are too many."""
        self._tiles_left -= tiles
        if self._tiles_left < 0:
            node.fail(f"brings all layers to more than {_MAX_TILES} tiles; give a smaller map")

    def meaning(self, *words: str) -> TileMeaning:
        """Return what a tile with these words means. For a level, `Wall` and `walls` are a wall, too."""
        if self.of_level:
            singular = [class_of(word) for word in words]
            words = (*singular, *(word.removesuffix("s") for word in singular))
        return meaning_of(self.kinds, *words, of_level=self.of_level)

    def said_of(self, name: str) -> dict[int, TileMeaning]:
        """Return what a person said of the numbers of a tileset or an IntGrid, as `NAME:NUMBER`."""
        found = {}
        for subject, word in self.said.items():
            holder, _, number = subject.rpartition(":")
            if holder == name and number.isascii() and number.isdigit() and len(number) < 10:
                found[int(number)] = self.meaning(word)
        return found

    def note_look(self, meaning: TileMeaning, tile: object) -> None:
        """Count a tile of a level among those of its meaning."""
        if meaning.decor:
            self.lost.add_look(self.kinds.decor[meaning.decor].name, tile)
        elif meaning.terrain:
            self.lost.add_look(self.kinds.terrain[meaning.terrain].name, tile)

    def leaves_out(self, kind: str) -> bool:
        """Check whether objects of a class are not read."""
        return kind in left_out(self.kinds, of_level=self.of_level)

    def json(self, path: Path) -> LayoutNode:
        """Read the value of a JSON file. Raises LayoutError."""
        return LayoutNode(parsed_json(self.read(path), str(path), LayoutError), str(path), is_file=True)


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
