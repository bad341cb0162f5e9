"""Hangs torches where they tell: beside doors, over what matters in a room, at bends and niches of hallways.

##i##D D##i###i#i##        A torch (i) hangs on a wall. Rooms have theirs on faces, walls with floor to their
#.................#        south: on both sides of a door (D), over each thing of meaning ($), and elsewhere
#.....$...........D        in uneven groups, few of them where enemies fight.
###################
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType

import numpy as np

from generator.arrays import Mask
from generator.geometry import Point, Rect, Side
from generator.interiors.interior import (
    TORCH,
    TORCH_LIGHT,
    TORCH_RADIUS,
    PlacedMarker,
    fire_markers,
    torch_of,
)
from generator.kinds import WALL, Kinds, Kit
from generator.kinds.settings import ABOVE, BESIDE
from generator.level import Property, Tiles
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.furnishing.faces import evenly
from generator.styles.gungeon.furnishing.kit_tables import Torches, tall_decor
from generator.styles.gungeon.hallways import FurnishedHallway
from generator.styles.gungeon.plan import PlannedHallway, is_straight

_TELLING_RADIUS = 5  # tiles; in hallways
_TELLING = 2  # tiles that torches in rooms shine further if they tell something
_APART = 2  # tiles between torches in a wall, at least
_SHORT = 5  # tiles: shorter hallways have light from their rooms, and every other one a torch


class RoomToLight(NamedTuple):
    """A room: its tiles with the walls, the sides and tiles of its doors, its markers, and its torches."""

    bounds: Rect
    doors: Sequence[tuple[Side, Sequence[Point]]]
    markers: Sequence[PlacedMarker]
    torches: Torches


def torch_streams(seed: int, rooms: int) -> list[Stream]:
    """Return the streams of the torches of each room of a level."""
    return Stream.numbered(rooms, seed, "gungeon.torches")


def room_lights(
    room: RoomToLight, faces: Mask, decor: Tiles, kinds: Kinds, stream: Stream
) -> list[PlacedMarker]:
    """Hang torches on a room's `bare_faces`. Its fires count as lights too."""
    bounds = room.bounds
    torch = torch_of(kinds)
    lights: list[PlacedMarker] = []
    if torch:
        wall = _LitWall(room, faces)
        wall.hang_torches(stream)
        lights = [hung((x, y), decor, torch, radius) for x, y, radius in wall.torches]
    return lights + fire_markers(decor[bounds.slices], (bounds.x, bounds.y), kinds)


class _LitWall:
    """The northernmost face in each column of a room, and its torches: x, y and radius."""

    def __init__(self, room: RoomToLight, faces: Mask) -> None:
        self._room = room
        left, top, right, bottom = room.bounds.x, room.bounds.y, room.bounds.right, room.bounds.bottom
        part = faces[top : bottom - 1, left:right]
        rows = part.argmax(axis=0).tolist()
        has_face = np.flatnonzero(part.any(axis=0)).tolist()
        self._rows = {left + x: top + rows[x] for x in has_face}
        self._places = {x: place for place, x in enumerate(self._rows)}
        self.torches: list[tuple[int, int, int]] = []

    def hang_torches(self, stream: Stream) -> None:
        """Hang those torches that tell something first, then even ones along walls, unless it is dark."""
        for x in self._beside_doors():
            self._hang(x, apart=1, radius=self._room.torches.radius + _TELLING)
        for x in self._over_things():
            self._hang(x, apart=_APART, radius=self._room.torches.radius + _TELLING)
        every, radius, dark, _ = self._room.torches
        step, is_dark = stream.between(*every), stream.chance(dark, 100)
        for x in () if is_dark else self._along_walls(step):
            self._hang(x, apart=_APART + 1, radius=radius)
        columns = list(self._rows)
        if not self.torches and columns:
            self._hang(columns[len(columns) // 2])

    def _along_walls(self, step: int) -> Iterator[int]:
        """Yield columns in even steps about the middle of each straight stretch: symmetric walls stay so."""
        for _, some in groupby(self._rows.items(), key=lambda at: (at[1], at[0] - self._places[at[0]])):
            yield from evenly([x for x, _ in some], step)

    def _beside_doors(self) -> Iterator[int]:
        """Yield the columns on both sides of doors in the north wall, or next to those behind tall things."""
        for side, tiles in self._room.doors:
            if side is Side.NORTH:
                left, right = tiles[0][0], tiles[-1][0]
                for places in ((left - 1, left - 2), (right + 1, right + 2)):
                    yield from [x for x in places if self._rows.get(x) == tiles[0][1]][:1]

    def _over_things(self) -> Iterator[int]:
        """Yield the columns on both sides of what matters in the room, or right above it."""
        for kind, x, y, _ in self._room.markers:
            place = self._room.torches.places.get(kind, BESIDE)
            if place == ABOVE and self._rows.get(x, y) < y:
                yield x
            elif place == BESIDE:
                yield from (other for other in (x - _APART, x + _APART) if self._rows.get(other, y) < y)

    def _hang(self, x: int, apart: int = 0, radius: int = TORCH_RADIUS) -> None:
        """Hang a torch in a column, unless another one is too near."""
        row = self._rows.get(x)
        if row is None:
            return
        for other, _, _ in self.torches:
            if -apart <= x - other <= apart:
                return
        self.torches.append((x, row, radius))


def hallway_torches(
    hallway: PlannedHallway,
    furnished: FurnishedHallway,
    terrain: Tiles,
    decor: Tiles,
    kit: Kit,
    stream: Stream,
    spacing: int = 0,
) -> Iterator[PlacedMarker]:
    """Hang torches at the bends of a hallway and where its niches are, and a few along the rest.

    With a `spacing`, one at every so many tiles of its path instead, as in Van Nobelen's dungeon, where there
    is a free wall on one side.
    """
    torch, tall = torch_of(kit.kinds), tall_decor(kit)

    def is_bare(x: int, y: int) -> bool:
        return bool(terrain[y, x] == WALL and not decor[y, x] and not tall[decor[y + 1, x]])

    if torch and spacing:
        for walls in _in_steps(hallway, spacing):
            for tile in [wall for wall in walls if is_bare(*wall)][:1]:
                yield hung(tile, decor, torch, TORCH_RADIUS)
        return
    if not torch or (len(hallway.path) < _SHORT and stream.chance(1, 2)):
        return
    taken: list[Point] = []
    lit = [(tile, _TELLING_RADIUS) for tile in (*_at_doors(hallway), *_bends(hallway), *furnished.tells)]
    along = _along(hallway, furnished.torches, stream) if furnished.torches[1] else ()
    for (x, y), radius in (*lit, *((tile, TORCH_RADIUS) for tile in along)):
        least = _APART + (radius == TORCH_RADIUS)
        is_apart = all(abs(x - i) + abs(y - j) > least for i, j in taken)
        if is_apart and is_bare(x, y):
            taken.append((x, y))
            yield hung((x, y), decor, torch, radius)


def _at_doors(hallway: PlannedHallway) -> Iterator[Point]:
    """Yield the walls beside both ends of a hallway: to its north, or on both of its sides."""
    path, width = hallway.path, len(hallway.ends[0].tiles)
    if len(path) < _SHORT:
        return
    for end, (x, y) in zip(hallway.ends, (path[1], path[-2]), strict=True):
        yield from ((x - 1, y), (x + width, y)) if end.side.is_vertical_way else ((x, y - 1),)


def _bends(hallway: PlannedHallway) -> Iterator[Point]:
    """Yield the wall on the outside of each bend: to its north if that is outside, else beside it."""
    path, width = hallway.path, len(hallway.ends[0].tiles)
    if is_straight(path):
        return
    for a, (x, y), c in zip(path, path[1:], path[2:], strict=False):
        dx, dy = a[0] + c[0] - 2 * x, a[1] + c[1] - 2 * y  # to the inside; one of them is 0 on a straight
        if abs(dx) == abs(dy) == 1:
            yield (x + (width - 1) // 2, y - 1) if dy > 0 else (x - 1 if dx > 0 else x + width, y)


def _along(hallway: PlannedHallway, every: tuple[int, int], stream: Stream) -> Iterator[Point]:
    """Yield walls along the path in uneven groups: to its north, or on either side of it."""
    path, width = hallway.path, len(hallway.ends[0].tiles)
    at = 1 if len(path) < _SHORT else 1 + stream.below(max(every[0] // 2, 1))
    while at < len(path) - 1:
        for i in range(at, min(at + 1 + (_APART + 1) * stream.chance(1, 4), len(path) - 1), _APART + 1):
            (x, y), (_, next_y) = path[i], path[i + 1]
            side = x - 1 if stream.chance(1, 2) else x + width
            yield (x, y - 1) if y == next_y else (side, y)
        at += stream.between(*every)


def _in_steps(hallway: PlannedHallway, spacing: int) -> Iterator[tuple[Point, Point]]:
    """Yield the two walls beside every spacing-th tile of the path."""
    path, width = hallway.path, len(hallway.ends[0].tiles)
    first = spacing // 2
    for (x, y), (_, next_y) in zip(path[first::spacing], path[first + 1 :: spacing], strict=False):
        yield ((x, y - 1), (x, y + width)) if y == next_y else ((x - 1, y), (x + width, y))


def hung(tile: Point, decor: Tiles, torch: int, radius: int) -> PlacedMarker:
    """Hang a torch on a wall, with a light of so many tiles."""
    decor[tile[1], tile[0]] = torch
    return PlacedMarker(TORCH, *tile, _light(radius))


@lru_cache(maxsize=16)
def _light(radius: int) -> Mapping[str, Property]:
    """Return the properties of torches that shine so far, which these share."""
    if radius == TORCH_RADIUS:
        return TORCH_LIGHT
    return MappingProxyType({**TORCH_LIGHT, "light_radius_tiles": radius})
