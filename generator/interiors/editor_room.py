"""A drawn room, whichever program it comes from: terrain, decor and objects on tiles, and their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from generator.arrays import Mask
from generator.errors import LayoutError
from generator.geometry import Point, Rect
from generator.kinds import DOOR, FLOOR, VOID, WALL, Kinds, Kit
from generator.kinds.kind_tables import HUNG
from generator.level import Property, Tiles
from generator.named_tuple import NamedTuple

# The words on tiles, IntGrid values and objects, and their meanings: the same as in the exports.


class TileMeaning(NamedTuple):
    """A terrain and a thing by number, 0 for none. `known` is also set for words known to mean neither."""

    terrain: int = 0
    decor: int = 0
    known: bool = False


NOTHING = TileMeaning()

_ALSO = {
    "hallway": FLOOR,
    "door_tile": DOOR,
    "door_secret": DOOR,
    "wall_west_end": WALL,
    "wall_east_end": WALL,
}
_IGNORED = ("void", "stone", "overlay")  # what rises above walls is drawn anew for each level
_LOOKS_LIKE = {"tinted_rock": "rock", "red_fire": "fire"}  # chance turns some of the latter into the former


@lru_cache(maxsize=64)
def _terrains(kinds: Kinds) -> dict[str, int]:
    """Return the numbers of terrains, by their words."""
    return {name: number for name, number in kinds.terrain_ids.items() if name != "void"} | _ALSO


def meaning_of(kinds: Kinds, *words: str, of_level: bool = False) -> TileMeaning:
    """Combine the meaning of one tile's words, such as `pit`, `rock` and `floor_shop`.

    A level has all terrain and decor of its kinds, a layout only what is not decided for each level.
    """
    meaning, terrains = NOTHING, _terrains(kinds)
    drawn: Container[str] = kinds.drawn_decor - (_LOOKS_LIKE.keys() - kinds.decor_signs.keys())
    if of_level:
        terrains, drawn = terrains | {"hallway": kinds.terrain_ids["hallway"]}, kinds.decor_ids
    for name in words:
        word = name if name in drawn else _LOOKS_LIKE.get(name, name)
        if word in terrains:
            meaning = meaning._replace(terrain=terrains[word])
        elif word.startswith("floor_"):
            meaning = meaning._replace(terrain=FLOOR)
        elif word in drawn:
            meaning = meaning._replace(decor=kinds.decor_ids[word])
        elif word in _IGNORED or word in HUNG:
            meaning = meaning._replace(known=True)
    return meaning


def class_of(name: str) -> str:
    """Convert a class's or an entity's name to the spelling of kinds: `PlayerStart` to `player_start`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).replace("-", "_").replace(" ", "_").lower()


_FOR_PEOPLE = ("hallway", "blocks")
_OF_LEVELS = ("room", "door")
_LATER = ("note",)


def left_out(kinds: Kinds, *, of_level: bool = False) -> tuple[str, ...]:
    """Return the classes to ignore: extras of an export, what the generator places itself, and notes.

    In the drawing of a level, rooms, doors and lights count.
    """
    decided = () if of_level else (*_OF_LEVELS, *sorted(kinds.light_markers))
    return (*_FOR_PEOPLE, *decided, *_LATER)


def objects_of(kinds: Kinds) -> tuple[str, ...]:
    """Return the classes of objects that a layout can have."""
    return (*(kind for kind in kinds.markers if kind not in left_out(kinds)), "one_of", "group")


MAX_SIDE = 512  # tiles of a room's drawing; a room in it has at most 128
MAX_LEVEL_SIDE = 4096  # tiles of a level's drawing
TileNumbers = npt.NDArray[np.int64]
"""[y, x]: the numbers of a layer's tiles."""


class DrawnObject(NamedTuple):
    """An object or entity: its class, the tiles that it covers, and its place for messages.

    `name` is what the program calls it, `corners` are those of a polygon, as corners of tiles.
    """

    kind: str
    tiles: Rect
    properties: Mapping[str, Property]
    place: str
    name: str = ""
    corners: tuple[Point, ...] = ()


@dataclass(frozen=True)
class EditorRoom:
    """A room as arrays [y, x]: terrain, VOID where nothing is drawn, and decor on every tile that it covers.

    Or a whole level, whose rooms and doors are among its `objects`.

    `header` has the properties of the map or level, by key. `file` is what it was read from; `place` names it
    in messages, and `origin` is the program's coordinate of the tile at [0, 0]. The numbers are those of its
    `kit`.
    """

    name: str
    file: Path
    place: str
    origin: Point
    terrain: Tiles
    decor: Tiles
    objects: tuple[DrawnObject, ...]
    header: Mapping[str, Property]
    kit: Kit

    @property
    def kinds(self) -> Kinds:
        """The kinds of its kit."""
        return self.kit.kinds

    @property
    def path(self) -> Path:
        """The path of its layout."""
        return self.file if self.file.stem == self.name else self.file / self.name

    def said(self, key: str) -> str:
        """Return a property of the map or level, as a layout's header spells it, or an empty text."""
        value = self.header.get(key, "")
        return str(int(value) if isinstance(value, float) and value.is_integer() else value).strip()

    def fail(self, message: str, tile: Point | None = None) -> LayoutError:
        """Create the error for a problem of the room, or of one of its tiles."""
        at = "" if tile is None else f" tile ({tile[0] + self.origin[0]}, {tile[1] + self.origin[1]}):"
        return LayoutError(f"{self.place}:{at} {message}")


class RoomCanvas:
    """The layers of a drawing, combined: each new layer covers those before it."""

    def __init__(self, width: int, height: int) -> None:
        self.terrain = np.full((height, width), VOID, np.uint8)
        self.decor = np.zeros((height, width), np.uint8)
        self._unknown = np.zeros((height, width), np.int32)  # an index of `_called`; 0: known
        self._called = [""]

    def put(
        self,
        numbers: TileNumbers,
        meanings: Mapping[int, TileMeaning],
        called: Callable[[int], str],
        corner: Point = (0, 0),
    ) -> None:
        """Add a layer, or a part of one at a corner, with -1 where it has no tile.

        `called` names a tile without a meaning.
        """
        left, top = corner
        height, width = numbers.shape
        terrain, decor, unknown = (
            array[top : top + height, left : left + width]
            for array in (self.terrain, self.decor, self._unknown)
        )
        for number in np.unique(numbers).tolist():
            if number < 0:
                continue
            where = numbers == number
            meaning = meanings.get(number, NOTHING)
            if meaning.terrain:
                terrain[where] = meaning.terrain
            if meaning.decor:
                decor[where] = meaning.decor
                terrain[where & (terrain == VOID)] = FLOOR
            if meaning == NOTHING:
                unknown[where & (unknown == 0)] = len(self._called)
                self._called.append(called(number))

    def clear(self, where: Mask) -> None:
        """Remove everything that was put on the tiles of a mask [y, x]."""
        for array in (self.terrain, self.decor, self._unknown):
            array[where] = 0

    def unknown(self) -> tuple[Point, str] | None:
        """Find a tile without a meaning, where no other layer has a tile with one, and its name."""
        untold = (self._unknown > 0) & (self.terrain == VOID) & (self.decor == 0)
        for y, x in np.argwhere(untold)[:1].tolist():
            return (x, y), self._called[self._unknown[y, x]]
        return None
