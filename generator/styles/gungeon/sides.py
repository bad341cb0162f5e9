"""Where along the four sides of each room of a heap a hallway may begin.

A hallway's position is the top left tile of the square that moves along it, as an index of the grid that
hallways are laid on: y * stride + x. The first position lies beyond the tile of the hallway's own wall.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from generator.geometry import Rect, Side
from generator.styles.gungeon.furnishing.exit_fits import Exits
from generator.styles.gungeon.plan import Entrance

SIDES = (Side.NORTH, Side.EAST, Side.SOUTH, Side.WEST)  # A*'s directions, in its order

_CORNER = 2  # tiles between a corner and an entrance


class RoomSide:
    """One side of a room.

    `direction` is the index of its side in `SIDES`, `start` the tile of the grid at which it starts, on its
    own axis, and `length` its tiles. `first` is the position before an entrance at its first tile, and `step`
    is added to it for each tile further along.
    """

    __slots__ = ("_exits", "_rect", "_width", "direction", "first", "length", "room", "start", "step")

    def __init__(
        self, room: int, direction: int, rect: Rect, exits: Exits | None, width: int, stride: int
    ) -> None:
        """Lay out a side. `exits` says where its doors may be, or None for anywhere but in corners."""
        self.room = room
        self.direction = direction
        self._rect = rect
        self._width = width
        self._exits = None if exits is None else exits.get(SIDES[direction], ())
        if direction & 1:
            self.start, self.length, self.step = rect.y, rect.height, stride
            self.first = rect.y * stride + (rect.right + 1 if direction == 1 else rect.x - 1 - width)
        else:
            self.start, self.length, self.step = rect.x, rect.width, 1
            self.first = (rect.bottom + 1 if direction == 2 else rect.y - 1 - width) * stride + rect.x

    @property
    def offsets(self) -> int:
        """Where along the side a door may begin: a bit per tile."""
        if self._exits is None:
            count = self.length - 2 * _CORNER - self._width + 1
            return (1 << max(count, 0)) - 1 << _CORNER
        return _bits(self._exits)

    def middle_places(self) -> list[int]:
        """List the positions before the middle of the side, or before the middles of its exits."""
        if self._exits is None:
            return self._places([(self.length - self._width) // 2])
        return self._places([offsets[len(offsets) // 2] for offsets in self._exits])

    def all_places(self) -> list[int]:
        """List the positions before as many entrances as fit side by side."""
        step = self._width + 1
        if self._exits is None:
            return self._places(range(_CORNER, self.length - _CORNER - self._width + 1, step))
        return self._places({offset for offsets in self._exits for offset in offsets[::step]})

    def _places(self, offsets: Iterable[int]) -> list[int]:
        return [self.first + offset * self.step for offset in offsets]

    def entrance(self, position: int) -> Entrance:
        """Return the entrance behind a position."""
        first = self.start + (position - self.first) // self.step
        along = range(first, first + self._width)
        rect = self._rect
        if self.direction & 1:
            x = rect.right - 1 if self.direction == 1 else rect.x
            tiles = tuple([(x, y) for y in along])
        else:
            y = rect.bottom - 1 if self.direction == 2 else rect.y
            tiles = tuple([(x, y) for x in along])
        return Entrance(self.room, SIDES[self.direction], tiles)


@lru_cache(maxsize=4096)
def _bits(exits: tuple[tuple[int, ...], ...]) -> int:
    """Set a bit for each tile of a side where a door of one of the exits may begin."""
    return sum({1 << offset for offsets in exits for offset in offsets})
