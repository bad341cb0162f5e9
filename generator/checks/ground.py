"""The ground of rooms and hallways as polygons of shapely, for `crossing`.

#######        The borders of the tiles, as long lines; shapely makes polygons of them. That is several
#  #  #        times as fast as the union of as many boxes.
#     #
##   ##
#######
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from generator.arrays import Ints, Mask
from generator.checks.base import owners
from generator.geometry import Side
from generator.level import Door, Level, Marker

Geometries = npt.NDArray[np.object_]


class PlaceGround(NamedTuple):
    """Polygons without common borders, and the place of each."""

    polygons: Geometries
    place: Ints


class LevelPlaces:
    """The places of a level: first its rooms, then its hallways.

    A place also has the tiles straight behind its doors, as far as the spec's `body` is long.
    `around` has the two places of each door; -1 for none.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self._rooms = len(level.rooms)
        halls = {door: self._rooms + hallway.id for hallway in level.hallways for door in hallway.doors}
        self.around = [
            (door.rooms[0], halls.get(door.id, -1) if door.rooms[1] is None else door.rooms[1])
            for door in level.doors
        ]
        self._place, self._tile = self._tiles()

    def _tiles(self) -> tuple[Ints, Ints]:
        """Return all tiles of the places, as places and tile numbers. Some stand there twice."""
        owner = owners(self.level).ravel()
        inside = np.flatnonzero(owner >= 0)
        parts = [(owner[inside].astype(np.int64), inside)]
        for hallway in self.level.hallways:
            xs, ys = np.array(hallway.tiles, np.int64).reshape(-1, 2).T
            parts.append((np.full_like(xs, self._rooms + hallway.id), ys * self.level.width + xs))
        for door, around in zip(self.level.doors, self.around, strict=True):
            left, top, right, bottom = strip(door, self.level.spec.body)
            xs = np.arange(max(left, 0), min(right, self.level.width))
            ys = np.arange(max(top, 0), min(bottom, self.level.height))
            tiles = (ys[:, np.newaxis] * self.level.width + xs).ravel()
            parts += [(np.full_like(tiles, place), tiles) for place in around if place >= 0]
        place, tile = zip(*parts, strict=True)
        return np.concatenate(place), np.concatenate(tile)

    def name(self, place: int) -> str:
        """Return the name of a place for problems."""
        return f"room {place}" if place < self._rooms else f"hallway {place - self._rooms}"

    def of(self, marker: Marker) -> int:
        """Return the place of a marker, or -1 for none."""
        if marker.room is not None:
            return marker.room
        return -1 if marker.hallway is None else self._rooms + marker.hallway

    def ground(self, free: Mask) -> PlaceGround:
        """Compute the ground of all places, where tiles [y, x] are free."""
        return polygons_of(self._place, self._tile, free)

    def less_ground(self, ground: PlaceGround, free: Mask, without: Mask) -> PlaceGround:
        """Compute the ground without some tiles. It is the same ground if none of them are on it."""
        removed = (free & without).ravel()[self._tile]
        if not removed.any():
            return ground
        changed = np.isin(self._place, self._place[removed])
        kept = ~np.isin(ground.place, self._place[removed])
        again = polygons_of(self._place[changed], self._tile[changed], free & ~without)
        return PlaceGround(
            *(np.concatenate([old[kept], new]) for old, new in zip(ground, again, strict=True))
        )


def strip(door: Door, length: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a door with the tiles straight before and behind it.

    Empty if the door's tiles are no rectangle.
    """
    xs, ys = zip(*(door.tiles or ((0, 0),)), strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs) + 1, max(ys) + 1
    if (right - left) * (bottom - top) != len(door.tiles):
        return 0, 0, 0, 0
    dx, dy = (0, length) if Side.named(door.side).is_vertical_way else (length, 0)
    return left - dx, top - dy, right + dx, bottom + dy


def polygons_of(place: Ints, tile: Ints, free: Mask) -> PlaceGround:
    """Compute the polygons of each place's free tiles. Tiles that meet only at a corner are in two."""
    import shapely

    height, width = free.shape
    is_free = free.ravel()[tile]
    place, tile = np.divmod(np.unique(place[is_free] * free.size + tile[is_free]), free.size)
    y, x = np.divmod(tile, width)
    rows = [*_borders(place, y, x, free.shape)]
    columns = [*_borders(place, x, y, (width, height))]
    places = np.concatenate([line[0] for line in (*rows, *columns)])
    ends = np.concatenate(
        [np.stack([start, line, end, line], 1) for _, line, start, end in rows]
        + [np.stack([line, start, line, end], 1) for _, line, start, end in columns]
    )
    order = np.argsort(places, kind="stable")
    lines: Geometries = np.asarray(shapely.linestrings(ends[order].reshape(-1, 2, 2).astype(float)))
    bounds = np.append(np.flatnonzero(np.diff(places[order], prepend=-1)), len(lines)).tolist()
    faces: Geometries = np.array([shapely.polygonize(lines[start:end]) for start, end in pairwise(bounds)])
    polygons, group = shapely.get_parts(faces, return_index=True)
    owner = places[order][bounds[:-1]][group]
    # The holes are faces too.
    point_x, point_y = shapely.get_coordinates(shapely.point_on_surface(polygons)).astype(np.int64).T
    solid = np.isin(owner * free.size + point_y * width + point_x, place * free.size + tile)
    return PlaceGround(polygons[solid], owner[solid])


def _borders(
    place: Ints, line: Ints, at: Ints, shape: tuple[int, ...]
) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    """Yield the borders of places along lines of tiles, before them and then behind them.

    Each as its place, the line, and where it starts and ends.
    """
    lines, stride = shape[0] + 1, shape[1] + 1  # one more than there are: nothing reaches into the next
    key = np.sort((place * lines + line) * stride + at)
    for step in (0, 1):
        beyond = key + (2 * step - 1) * stride
        at_border = key[np.searchsorted(key, beyond) % max(len(key), 1)] != beyond if len(key) else key > 0
        border = key[at_border]
        starts = np.diff(border, prepend=-2) != 1
        ends = np.diff(border, append=-2) != 1
        row, start = np.divmod(border[starts], stride)
        yield row // lines, row % lines + step, start, border[ends] % stride + 1
