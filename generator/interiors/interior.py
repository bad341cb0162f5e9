"""The inside of a room, whoever made it: its tiles and markers, and where one gets to in it on foot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.geometry import Point
from generator.level import Property, Tiles

ENEMY_KINDS = ("enemy", "boss")  # the markers that fight


class PlacedMarker(NamedTuple):
    """A marker of a room, in tiles of the room's inside."""

    kind: str
    x: int
    y: int
    properties: Mapping[str, Property]


class Interior(NamedTuple):
    """The inside of a room: arrays [y, x], decor at top left tiles."""

    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]


def too_near(kind: str, place: Point, steps: Iterable[Point]) -> bool:
    """Whether a marker of a kind may not stand at a place: on a doorstep, or an enemy within two steps."""
    least = 3 if kind in ENEMY_KINDS else 1
    return any(abs(place[0] - x) + abs(place[1] - y) < least for x, y in steps)


def reached(start: Point, free: npt.NDArray[np.bool_]) -> set[Point]:
    """The tiles of `free` ([y, x]) that four-neighbour steps reach from `start`."""
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
