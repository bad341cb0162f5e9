"""The inside of a room, however it was made: its tiles and markers, and what can be reached on foot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.arrays import Mask
from generator.geometry import Point
from generator.kinds import SHIPPED, Kinds
from generator.level import Property, Tiles, passable, spread_decor

FIGHTERS = ("enemy", "boss")  # the markers that fight
STANDS_ON = ("player_start", "boss")  # the markers whose tile a body must cover; touching others is enough


class PlacedMarker(NamedTuple):
    """A marker of a room, in tiles of the room's inside."""

    kind: str
    x: int
    y: int
    properties: Mapping[str, Property]


class Interior(NamedTuple):
    """The inside of a room: arrays [y, x], decor at top left tiles. Numbers are those of `kinds`."""

    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]
    kinds: Kinds = SHIPPED

    @property
    def covered(self) -> Tiles:
        """[y, x]: the number of the thing on each tile that it covers."""
        return spread_decor(self.decor, self.kinds.decor)

    def safe(self) -> Mask:
        """Return where a body can walk without touching a hazard [y, x]."""
        covered = self.covered
        free = passable(self.terrain, covered, "walk", self.kinds)
        safe: Mask = free & ~self.kinds.terrain_where("hazard")[self.terrain]
        safe &= ~self.kinds.decor_where("hazard")[covered]
        return safe


class FurnishedRoom(NamedTuple):
    """A finished inside, and what it was made from: arrays [y, x], and markers in their tiles.

    On a grid the arrays cover the room's inside, in the `gungeon` style its whole bounds, walls included;
    there, terrain is void outside the room's shape, and the tiles of its openings are `door`. `layout` names
    the layout or the procedure, `difficulty` is 0 without a fight.
    """

    layout: str
    difficulty: int
    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]


def too_near(kind: str, tile: Point, steps: Iterable[Point]) -> bool:
    """Check whether a marker of a kind may not be at a tile: on a doorstep, or an enemy within two steps."""
    least = 3 if kind in FIGHTERS else 1
    return any(abs(tile[0] - x) + abs(tile[1] - y) < least for x, y in steps)


def reached(start: Point, free: npt.NDArray[np.bool_]) -> set[Point]:
    """Return the tiles of `free` [y, x] that can be reached from `start` in four directions."""
    height, width = free.shape
    open_tiles = free.tolist()
    seen = {start}
    todo = [start]
    for x, y in todo:
        for tile in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            tx, ty = tile
            if 0 <= tx < width and 0 <= ty < height and open_tiles[ty][tx] and tile not in seen:
                seen.add(tile)
                todo.append(tile)
    return seen
