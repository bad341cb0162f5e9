"""A room as it is drawn, whichever program it is drawn in: terrain, things and objects on tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.arrays import Mask
from generator.errors import LayoutError
from generator.geometry import Point, Rect
from generator.interiors.drawn.words import NOTHING, TileMeaning
from generator.kinds import FLOOR, VOID, Kinds, Kit, shipped_kit
from generator.level import Property, Tiles

MOST_SIDE = 512  # tiles of a drawing; a room in it has 128 at most
TileNumbers = npt.NDArray[np.int64]
"""[y, x]: the numbers of a layer's tiles."""


class DrawnObject(NamedTuple):
    """An object or entity: its class, the tiles that it covers, and where it stands for messages."""

    kind: str
    tiles: Rect
    properties: Mapping[str, Property]
    place: str


@dataclass(frozen=True)
class EditorRoom:
    """A room: arrays [y, x], terrain VOID where nothing is drawn, decor on every tile that a thing covers.

    `header` has what the map or level says of itself, by key. `file` is what it was read from; `place` names
    it in messages, and `origin` is what the program calls the tile at [0, 0]. The numbers are those of
    its `kit`.
    """

    name: str
    file: Path
    place: str
    origin: Point
    terrain: Tiles
    decor: Tiles
    objects: tuple[DrawnObject, ...]
    header: Mapping[str, Property]
    kit: Kit = field(default_factory=shipped_kit)

    @property
    def kinds(self) -> Kinds:
        """Those of its kit."""
        return self.kit.kinds

    @property
    def path(self) -> Path:
        """The path that its layout bears."""
        return self.file if self.file.stem == self.name else self.file / self.name

    def said(self, key: str) -> str:
        """What the map or level says under a key, as a layout's header has it; empty if nothing."""
        value = self.header.get(key, "")
        return str(int(value) if isinstance(value, float) and value.is_integer() else value).strip()

    def fail(self, what: str, tile: Point | None = None) -> LayoutError:
        """The error that says what is wrong with the room, or with one of its tiles."""
        at = "" if tile is None else f" tile ({tile[0] + self.origin[0]}, {tile[1] + self.origin[1]}):"
        return LayoutError(f"{self.place}:{at} {what}")


class RoomCanvas:
    """What the layers of a drawing come to: each new layer lies over those before it."""

    def __init__(self, width: int, height: int) -> None:
        self.terrain = np.full((height, width), VOID, np.uint8)
        self.decor = np.zeros((height, width), np.uint8)
        self._unknown = np.zeros((height, width), np.int32)  # a place in `_called`; 0: known
        self._called = [""]

    def put(
        self,
        numbers: TileNumbers,
        meanings: Mapping[int, TileMeaning],
        called: Callable[[int], str],
        corner: Point = (0, 0),
    ) -> None:
        """Add a layer, or a part of one with its upper left corner there; -1 where it has no tile.

        `called` names a tile whose meaning nobody told.
        """
        left, top = corner
        height, width = numbers.shape
        terrain, decor, unknown = (
            each[top : top + height, left : left + width]
            for each in (self.terrain, self.decor, self._unknown)
        )
        for number in np.unique(numbers).tolist():
            if number < 0:
                continue
            there = numbers == number
            told = meanings.get(number, NOTHING)
            if told.terrain:
                terrain[there] = told.terrain
            if told.decor:
                decor[there] = told.decor
                terrain[there & (terrain == VOID)] = FLOOR
            if told == NOTHING:
                unknown[there & (unknown == 0)] = len(self._called)
                self._called.append(called(number))

    def clear(self, where: Mask) -> None:
        """Take away all that was put there; a mask [y, x]."""
        for each in (self.terrain, self.decor, self._unknown):
            each[where] = 0

    def unknown(self) -> tuple[Point, str] | None:
        """A tile that means nothing where no other layer tells what there is, and what it is called."""
        untold = (self._unknown > 0) & (self.terrain == VOID) & (self.decor == 0)
        for y, x in np.argwhere(untold)[:1].tolist():
            return (x, y), self._called[self._unknown[y, x]]
        return None
