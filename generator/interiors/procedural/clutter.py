"""Clutter: the things that stand in a room, beside its walls and in its middle.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): every tile near a wall has a chance of one
kind of things, which may stand next to each other, every other tile a chance of another kind, each of
which occupies the 5×5 tiles round it. Ours never cut off a tile that one could walk to before.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from generator.interiors.procedural.boards import (
    Board,
    below,
    deep8,
    dice,
    rectangle,
    spread8,
    tiles_in,
    without,
)
from generator.interiors.procedural.footing import Footing
from generator.interiors.procedural.tables import ANY, CORNER, NORTH, DecorTable, decor_tables
from generator.kinds import DECOR_KINDS
from generator.level import Tiles
from generator.rng import Stream

_MOST_IN_A_ROW = 3  # things of one kind beside a wall
# A hazard counts as an obstacle here, so that nobody has to walk over spikes to get anywhere.
_BLOCKS = tuple(not kind.walk or kind.hazard for kind in DECOR_KINDS)


class Grounds(NamedTuple):
    """An empty room as boards: tiles that one walks on, may put things on, and walls."""

    shape: tuple[int, int]
    walkable: Board
    free: Board
    walls: Board


class Strewn(NamedTuple):
    """Decor as a board's bits lie, top left tiles only; all tiles covered; those where one can walk."""

    decor: bytearray
    covered: Board
    walkable: Board


def decor_array(strewn: Strewn, shape: tuple[int, int]) -> Tiles:
    """The decor as an array [y, x]."""
    return np.frombuffer(strewn.decor, np.uint8).reshape(shape[0], shape[1] + 1)[:, :-1].copy()


def strew(grounds: Grounds, room_kind: str, stream: Stream, footing: Footing | None = None) -> Strewn:
    """Put the things of a room kind's tables of `tables.toml` into a room.

    Things stand on free tiles only. All tiles that one can walk on stay as joined, four ways, as they
    were, and so do the places of a large body's `footing`. Raises KeyError for a room kind without tables.
    """
    tables = decor_tables(room_kind)
    room = _Room(grounds, footing)
    near_walls = spread8(grounds.walls, room.stride)
    chances = tables.wall.chance, tables.middle.chance
    chosen_beside, chosen_middle = below(dice(len(room.decor), stream), chances)
    _strew_beside(room, tables.wall, near_walls, chosen_beside, grounds.walls, stream)
    _strew_middle(room, tables.middle, near_walls, chosen_middle, stream)
    return Strewn(room.decor, grounds.free & ~room.free, room.walkable)


class _Room:
    """A room while things are put into it."""

    __slots__ = ("areas", "decor", "footing", "free", "roomy", "stride", "walkable")

    def __init__(self, grounds: Grounds, footing: Footing | None) -> None:
        self.footing = footing
        height, width = grounds.shape
        self.stride = width + 1
        self.walkable = grounds.walkable
        self.free = grounds.free
        self.roomy = spread8(deep8(grounds.walkable, self.stride), self.stride)  # in 3 x 3 tiles of floor
        self.decor = bytearray(height * self.stride)
        self.areas = _areas(self.stride)

    def put(self, tile: int, thing: int) -> None:
        """Put a thing's top left on a tile."""
        self.decor[tile] = thing
        self.free &= ~(self.areas[thing] << tile)

    def close(self, area: Board) -> bool:
        """Make tiles impassable, if all others stay joined; else leave everything as it was."""
        closed = without(self.walkable, area, self.stride)
        if closed is None or not self.gives_way(area):
            return False
        self.walkable = closed
        return True

    def gives_way(self, area: Board) -> bool:
        """Whether a large body, if there is to be room for one, still gets everywhere without an area."""
        return self.footing is None or self.footing.give_way(area)


@lru_cache(maxsize=64)
def _areas(stride: int) -> tuple[Board, ...]:
    """The tiles that each kind of decor covers with its top left at tile 0."""
    return tuple(rectangle(0, 0, kind.width, kind.height, stride) for kind in DECOR_KINDS)


# --- beside walls ------------------------------------------------------------------------------------


def _strew_beside(
    room: _Room, table: DecorTable, near_walls: Board, chosen: Board, walls: Board, stream: Stream
) -> None:
    """Each chosen tile near a wall gets a thing, and perhaps more of the same next to it."""
    below_wall = walls << room.stride
    corners = (below_wall | walls >> room.stride) & (walls << 1 | walls >> 1)
    for tile in tiles_in(near_walls & room.free & chosen):
        place = CORNER if corners >> tile & 1 else NORTH if below_wall >> tile & 1 else ANY
        things, flat = table.pools[place]
        thing = things[stream.below(len(things))]
        if not _put_beside(room, near_walls, tile, thing):
            if flat:
                _put_beside(room, near_walls, tile, flat[stream.below(len(flat))])
        elif _BLOCKS[thing] and DECOR_KINDS[thing].width == 1:
            _continue_row(room, near_walls, tile, thing, table.more, stream)


def _continue_row(room: _Room, spots: Board, tile: int, thing: int, more: int, stream: Stream) -> None:
    """More things of a kind, one next to the other along the wall."""
    for _ in range(_MOST_IN_A_ROW - 1):
        if not stream.chance(more, 100):
            return
        beside = (tile + 1, tile + room.stride, max(tile - 1, 0), max(tile - room.stride, 0))
        following = next((place for place in beside if _put_beside(room, spots, place, thing)), None)
        if following is None:
            return
        tile = following


def _put_beside(room: _Room, spots: Board, tile: int, thing: int) -> bool:
    """Put a thing wholly on free spots, if it is in nobody's way; whether it was."""
    area = room.areas[thing] << tile
    if area & ~(spots & room.free):
        return False
    if _BLOCKS[thing] and (area & ~room.roomy or not room.close(area)):
        return False
    room.put(tile, thing)
    return True


# --- in the middle -----------------------------------------------------------------------------------


def _strew_middle(room: _Room, table: DecorTable, near_walls: Board, chosen: Board, stream: Stream) -> None:
    """Each chosen tile away from walls gets a thing, unless it lies in the 5×5 tiles of another one.

    One can walk all round an obstacle, so that it is cover from every side.
    """
    stride = room.stride
    spots = room.free & ~near_walls
    things = table.pools[ANY].things
    for tile in tiles_in(spots & chosen):
        if not spots >> tile & 1:
            continue
        thing = things[stream.below(len(things))]
        area = room.areas[thing] << tile
        around = spread8(area, stride)
        if area & ~spots or (_BLOCKS[thing] and around & ~room.walkable):
            continue
        if _BLOCKS[thing]:
            if not room.gives_way(area):
                continue
            room.walkable &= ~area
        room.put(tile, thing)
        spots &= ~spread8(around, stride)
