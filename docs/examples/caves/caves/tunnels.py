"""Tunnels: winding hallways between chambers.

# # # # # . . .      A tunnel keeps two tiles away from every chamber's bounds (R) and from every
h h h h # . . .      other tunnel, so that walls (#) fit between. Only its ends lead straight up to
h h h h # R R R      a door (D).
# # h h # R r r
R R D D R R r r      Its place is the top left tile of the square that walks along it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from generator.algorithms.astar import Goals, find_path
from generator.algorithms.graph import Edge
from generator.geometry import Point, Rect, Side
from generator.rng import Stream

_SIDES = (Side.NORTH, Side.EAST, Side.SOUTH, Side.WEST)  # the directions of `find_path`, in its order
_CORNER = 2  # tiles between a corner of the bounds and a door
_DOORS = 3  # in each side, of which a tunnel takes the nearest
_BORDER = 12  # tiles round all chambers in which tunnels may run
_FAR = 4000  # tiles and bends; no tunnel is as long


class End(NamedTuple):
    """A door: the side of its room that it is in, and its tiles."""

    side: Side
    tiles: tuple[Point, ...]


class Tunnel(NamedTuple):
    """Two rooms, the door in each, and all tiles of the floor between the doors."""

    rooms: Edge
    ends: tuple[End, End]
    tiles: tuple[Point, ...]

    def moved(self, dx: int, dy: int, numbers: Mapping[int, int]) -> Tunnel:
        """The tunnel elsewhere, its rooms with other numbers."""
        one, other = (End(end.side, _moved(end.tiles, dx, dy)) for end in self.ends)
        a, b = self.rooms
        return Tunnel((numbers[a], numbers[b]), (one, other), _moved(self.tiles, dx, dy))


def _moved(tiles: Sequence[Point], dx: int, dy: int) -> tuple[Point, ...]:
    return tuple([(x + dx, y + dy) for x, y in tiles])


class Tunneller:
    """Digs tunnels between chambers, each as short as the rock and the tunnels before it allow."""

    def __init__(self, rects: Sequence[Rect], width: int, winding: int, stream: Stream) -> None:
        self.tunnels: list[Tunnel] = []
        self._rects = rects
        self._width = width
        self._stream = stream
        self._left, self._top = min(r.x for r in rects) - _BORDER, min(r.y for r in rects) - _BORDER
        columns = max(r.right for r in rects) + _BORDER - self._left
        rows = max(r.bottom for r in rects) + _BORDER - self._top
        self._stride = columns
        self._blocked = np.zeros((rows, columns), bool)  # places, where the square may not be
        for grid in (self._blocked, self._blocked.T):  # `find_path` wants a rim
            grid[0] = grid[-width:] = True
        for rect in rects:
            self._block(rect)
        self._boulders = stream.below_block(100, rows * columns).reshape(rows, columns) < winding

    def _block(self, tiles: Rect) -> None:
        """Keep tunnels a tile away from these tiles."""
        x, y = tiles.x - self._left, tiles.y - self._top
        self._blocked[y - self._width : y + tiles.height + 1, x - self._width : x + tiles.width + 1] = True

    def dig(self, edge: Edge, limit: int = _FAR) -> bool:
        """Dig a tunnel between two chambers: round all boulders, or else through them.

        False if there is no way, or none that costs at most `limit`: a tile costs 1, a bend 4.
        """
        starts, goals = (dict(self._entrances(room, is_goal=i > 0)) for i, room in enumerate(edge))
        ends = Goals(self._stride, goals)
        for blocked in (self._blocked | self._boulders, self._blocked):
            grid = bytearray(blocked.astype(np.uint8).tobytes())
            way, _ = find_path(grid, starts, ends, limit)
            if way:
                self._keep(edge, (starts[way[0]], goals[way[-1]]), [state >> 2 for state in way])
                return True
        return False

    def _entrances(self, room: int, *, is_goal: bool) -> Iterator[tuple[int, End]]:
        """Possible doors in all sides of a room, by the state in which one walks there."""
        rect = self._rects[room]
        for number, side in enumerate(_SIDES):
            length = rect.width if side.is_vertical_way else rect.height
            for _ in range(_DOORS):
                offset = self._stream.between(_CORNER, length - _CORNER - self._width)
                end = _end(rect, side, offset, self._width)
                (x, y), away = end.tiles[0], 2 if side in (Side.SOUTH, Side.EAST) else 1 + self._width
                x, y = x + side.dx * away - self._left, y + side.dy * away - self._top
                if not self._blocked[y, x]:
                    yield (y * self._stride + x) * 4 + (number + 2 * is_goal) % 4, end

    def _keep(self, edge: Edge, ends: tuple[End, End], places: Sequence[int]) -> None:
        path = [(at % self._stride + self._left, at // self._stride + self._top) for at in places]
        tiles = {(y + j, x + i) for x, y in path for i in range(self._width) for j in range(self._width)}
        for side, door in ends:  # the tile between the door and the place before it
            tiles |= {(y + side.dy, x + side.dx) for x, y in door}
        for y, x in tiles:
            self._block(Rect(x, y, 1, 1))
        self.tunnels.append(Tunnel(edge, ends, tuple([(x, y) for y, x in sorted(tiles)])))


def _end(rect: Rect, side: Side, offset: int, width: int) -> End:
    """The door `offset` tiles along a side."""
    along = range(offset, offset + width)
    if side.is_vertical_way:
        y = rect.y if side is Side.NORTH else rect.bottom - 1
        return End(side, tuple((rect.x + i, y) for i in along))
    x = rect.x if side is Side.WEST else rect.right - 1
    return End(side, tuple((x, rect.y + i) for i in along))
