"""Fairness at the door: nobody stands near a door in use, and whoever could hit at once waits a while.

....+....        + a door; ! up to three steps from the tile in front of it: nobody stands there
.!!!!!!!.
..!!!!!..
...!!!.S.        S a shooter with a clear line to the tile, at most six tiles away: it waits
....!....
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from generator.algorithms.bitboard import Bitboard, dilate4, rectangle
from generator.algorithms.board_drawing import line
from generator.geometry import Point
from generator.kinds import SHIPPED, Kinds
from generator.kinds.kind_tables import AFAR

NEAR = 3  # steps: nobody stands this near to the tile in front of a door
SIGHT = 6  # tiles
WAIT = 1.0  # seconds


class Battleground(NamedTuple):
    """A room as input for an encounter: its size, boards of its tiles, and the tiles in front of its doors.

    `free` is bare floor that can be reached from the doors without a hazard; `shots` are the tiles that a
    shot passes. The enemies are those of `kinds`.
    """

    width: int
    height: int
    free: Bitboard
    shots: Bitboard
    ways_in: tuple[Point, ...]
    kinds: Kinds = SHIPPED

    @property
    def stride(self) -> int:
        """The stride of the boards."""
        return self.width + 1

    def tile(self, point: Point) -> Bitboard:
        """Return a board of a single tile."""
        return 1 << point[0] + point[1] * self.stride

    def near(self) -> Bitboard:
        """Return the tiles too near to a door for anybody to stand on, whatever lies between."""
        return _near(self.width, self.height, self.ways_in)

    def sees_door(self, point: Point) -> bool:
        """Check whether a shot from a tile can hit a tile in front of a door that is near enough."""
        return any(
            is_near_enough(point, doorstep)
            and (self.is_clear(point, doorstep) or self.is_clear(doorstep, point))
            for doorstep in self.ways_in
        )

    def is_clear(self, start: Point, end: Point) -> bool:
        """Check whether nothing stops a shot from one tile to another a few tiles away."""
        (x, y), stride = start, self.width + 1
        tiles, first = _line(end[0] - x, end[1] - y, stride)
        tiles <<= x + y * stride - first
        return self.shots & tiles == tiles


@lru_cache(maxsize=1024)
def _near(width: int, height: int, ways_in: tuple[Point, ...]) -> Bitboard:
    stride = width + 1
    room = rectangle(0, 0, width, height, stride)
    board = 0
    for x, y in ways_in:
        board |= 1 << x + y * stride
    return within_steps(board, NEAR, room, stride)


@lru_cache(maxsize=1 << 14)
def _line(dx: int, dy: int, stride: int) -> tuple[Bitboard, int]:
    """Return the board of a line with these offsets, its lowest bit shifted to 0, and the bit of its start.

    Lines are no longer than `SIGHT`, so there are few.
    """
    tiles = [x + y * stride for x, y in line((0, 0), (dx, dy))]
    lowest = min(tiles)
    return sum(1 << tile - lowest for tile in tiles), -lowest


def within_steps(start: Bitboard, steps: int, inside: Bitboard, stride: int) -> Bitboard:
    """Return the start and the tiles of `inside` at most `steps` steps from it, ignoring obstacles."""
    near = start
    for _ in range(steps):
        near |= dilate4(near, stride) & inside
    return near


def is_near_enough(start: Point, end: Point) -> bool:
    """Check whether one tile is within sight of another, ignoring obstacles."""
    return max(abs(start[0] - end[0]), abs(start[1] - end[1])) <= SIGHT


def stands_near(point: Point, ways_in: Iterable[Point]) -> bool:
    """Check whether a tile is too near to one of the tiles in front of doors."""
    return any(abs(point[0] - x) + abs(point[1] - y) <= NEAR for x, y in ways_in)


def hits_from_afar(kinds: Kinds, name: object, role: object) -> bool:
    """Check whether an enemy shoots: by its name, or by its role if the roster does not have the name."""
    kind = kinds.enemies.get(str(name))
    return kind.hits_from_afar if kind else role in AFAR
