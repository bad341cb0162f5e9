"""The rooms of a drawing: which tiles each covers with its walls, and walls that two rooms share drawn twice.

a room as somebody draws it        a room of a level
####..####   the rectangle may     ####  ####   each room has walls of its own; where two rooms share
#..#  #..#   cover the walls, or   #..#  #..#   a wall, its column or row of tiles is there twice
####..####   only the floor        ####  ####
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from generator.algorithms.outline import Ring
from generator.arrays import Mask
from generator.checks.base import area_of
from generator.errors import LayoutError
from generator.geometry import Point, Rect
from generator.interiors.editor_room import DrawnObject, EditorRoom
from generator.kinds import VOID, WALL
from generator.level import MARGIN, Tiles

_ALL_ROUND = np.ones((3, 3), bool)
_MOST_ROOMS = 1 << 12


@dataclass(frozen=True)
class DrawnRoom:
    """A room's object, and the tiles that the room can have with its walls: a mask [y, x] in `bounds`."""

    item: DrawnObject
    bounds: Rect
    mask: Mask

    def has(self, x: int, y: int) -> bool:
        """Check whether a tile is one of its tiles."""
        return self.bounds.contains(x, y) and bool(self.mask[y - self.bounds.y, x - self.bounds.x])


@dataclass(frozen=True)
class Sheet:
    """The tiles of a drawing with void round them, its rooms, and its other objects, all in tiles from 0, 0.

    `columns` and `rows` have the drawing's own coordinates of each column and row.
    """

    terrain: Tiles
    decor: Tiles
    rooms: tuple[DrawnRoom, ...]
    others: tuple[DrawnObject, ...]
    columns: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]

    def in_drawing(self, rect: Rect, origin: Point) -> Rect:
        """Return the tiles of the drawing, which begins at `origin`, that a rectangle of the sheet shows."""
        left, top = int(self.columns[rect.x]) - origin[0], int(self.rows[rect.y]) - origin[1]
        right, bottom = int(self.columns[rect.right - 1]), int(self.rows[rect.bottom - 1])
        return Rect(left, top, right - origin[0] - left + 1, bottom - origin[1] - top + 1)

    def told(self, x: int, y: int) -> str:
        """Return where a tile is in the drawing, for messages."""
        return f"{self.columns[x]},{self.rows[y]}"


def sheet_of(drawing: EditorRoom, crossings: Sequence[DrawnObject] = ()) -> Sheet:
    """Find the tiles of each room of a drawing. Raises LayoutError.

    `crossings` are the floor of more rooms, in tiles of the drawing.
    """
    items = [item for item in drawing.objects if item.kind == "room"]
    if not items:
        raise drawing.fail("has no room; draw a rectangle of the class room over each room, walls included")
    if len(items) + len(crossings) > _MOST_ROOMS:
        raise drawing.fail(f"has {len(items) + len(crossings)} rooms; draw at most {_MOST_ROOMS}")
    wide = MARGIN + 1  # a tile for walls that nobody drew
    terrain, decor = (np.pad(array, wide) for array in (drawing.terrain, drawing.decor))
    is_open = (terrain != VOID) & (terrain != WALL)
    rooms = tuple(
        _room(_moved(item, wide), terrain, is_open, is_floor=item in crossings)
        for item in (*items, *crossings)
    )
    others = tuple(_moved(item, wide) for item in drawing.objects if item.kind != "room")
    height, width = terrain.shape
    columns, rows = (
        np.arange(size) - wide + start for size, start in zip((width, height), drawing.origin, strict=True)
    )
    return _with_own_walls(Sheet(terrain, decor, rooms, others, columns, rows))


def _moved(item: DrawnObject, wide: int) -> DrawnObject:
    return item._replace(
        tiles=item.tiles._replace(x=item.tiles.x + wide, y=item.tiles.y + wide),
        corners=tuple((x + wide, y + wide) for x, y in item.corners),
    )


def _room(item: DrawnObject, terrain: Tiles, is_open: Mask, *, is_floor: bool) -> DrawnRoom:
    """Return a room with a ring of walls: its object covers them, or it `is_floor` and they are round it."""
    height, width = terrain.shape
    inner = Rect(0, 0, width, height).shrunk(MARGIN)
    drawn = inner.shrunk(1)
    x, y = max(item.tiles.x, drawn.x), max(item.tiles.y, drawn.y)
    right, bottom = min(item.tiles.right, drawn.right), min(item.tiles.bottom, drawn.bottom)
    if right <= x or bottom <= y:
        raise LayoutError(f"{item.place}: is outside of all tiles; draw its floor and walls")
    bounds = Rect(x, y, right - x, bottom - y)
    mask = np.ones((bounds.height, bounds.width), bool)
    grown: tuple[bool, ...]
    if item.corners:
        mask = area_of((_ring(item),), bounds[:2], bounds[2:]).copy()
        edge = mask & ~ndimage.binary_erosion(mask, _ALL_ROUND)
        grown = 4 * (2 * int(np.count_nonzero(is_open[bounds.slices] & edge)) > int(np.count_nonzero(edge)),)
    else:
        lines = (is_open[y, x:right], is_open[y:bottom, right - 1], is_open[bottom - 1, x:right])
        grown = tuple(
            is_floor or 2 * int(np.count_nonzero(line)) > line.size for line in (*lines, is_open[y:bottom, x])
        )
    if not (is_open[bounds.slices] & mask).any():
        raise LayoutError(f"{item.place}: there is no floor in it; paint its floor and walls")
    north, east, south, west = map(int, grown)
    mask = np.pad(mask, ((north, south), (west, east)), constant_values=not item.corners)
    if item.corners and north:
        mask = ndimage.binary_dilation(mask, _ALL_ROUND)
    bounds = Rect(x - west, y - north, bounds.width + west + east, bounds.height + north + south)
    floor = mask & is_open[bounds.slices]
    mask &= (terrain[bounds.slices] != VOID) | ndimage.binary_dilation(floor, _ALL_ROUND)
    return _tight(DrawnRoom(item, bounds, mask))


def _ring(item: DrawnObject) -> Ring:
    """Return the corners of a polygon whose sides run along tiles. Raises LayoutError."""
    corners = item.corners
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if ax != bx and ay != by:
            raise LayoutError(
                f"{item.place}: a side of its polygon runs across tiles; let its sides follow the grid"
            )
    return corners


def _tight(room: DrawnRoom) -> DrawnRoom:
    ys, xs = np.nonzero(room.mask)
    part = Rect(int(xs.min()), int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1)
    bounds = part._replace(x=part.x + room.bounds.x, y=part.y + room.bounds.y)
    return replace(room, bounds=bounds, mask=room.mask[part.slices])


# --- walls that two rooms share ----------------------------------------------------------------------


def _with_own_walls(sheet: Sheet) -> Sheet:
    """Draw each column and row twice in which two rooms share a wall."""
    height, width = sheet.terrain.shape
    across, down = _shared(sheet.rooms, 0, height), _shared(sheet.rooms, 1, width)
    xs, ys = _twice(width, across), _twice(height, down)
    if not across and not down:
        return sheet
    decor = sheet.decor[np.ix_(ys, xs)]
    decor[:, 1:][:, xs[1:] == xs[:-1]] = 0
    decor[1:][ys[1:] == ys[:-1]] = 0
    return Sheet(
        terrain=sheet.terrain[np.ix_(ys, xs)],
        decor=decor,
        rooms=tuple(_spread_room(room, xs, ys) for room in sheet.rooms),
        others=tuple(_spread_object(item, xs, ys) for item in sheet.others),
        columns=sheet.columns[xs],
        rows=sheet.rows[ys],
    )


def _shared(rooms: Sequence[DrawnRoom], axis: int, length: int) -> set[int]:
    """Return the columns, or with axis 1 the rows, that are the last of one room and the first of another.

    They have `length` tiles.
    """
    lasts: dict[int, Mask] = {}
    firsts: dict[int, Mask] = {}
    for room in rooms:
        mask = room.mask if axis == 0 else room.mask.T
        start, along = room.bounds[axis], room.bounds[1 - axis]
        for lines, at, line in ((firsts, start, mask[:, 0]), (lasts, start + mask.shape[1] - 1, mask[:, -1])):
            lines.setdefault(at, np.zeros(length, bool))[along : along + line.size] |= line
    return {at for at in lasts.keys() & firsts.keys() if (lasts[at] & firsts[at]).any()}


def _twice(size: int, lines: set[int]) -> npt.NDArray[np.int64]:
    """Return the old line of each new one."""
    numbers = np.arange(size)
    return np.repeat(numbers, 1 + np.isin(numbers, [*lines]))


def _spread_room(room: DrawnRoom, xs: npt.NDArray[np.int64], ys: npt.NDArray[np.int64]) -> DrawnRoom:
    """Return a room with the second of two first lines, and the first of two last ones."""
    (left, across), (top, down) = (
        _own_lines(xs, room.bounds.x, room.bounds.right),
        _own_lines(ys, room.bounds.y, room.bounds.bottom),
    )
    mask = room.mask[np.ix_(down - room.bounds.y, across - room.bounds.x)]
    return replace(room, bounds=Rect(left, top, len(across), len(down)), mask=mask)


def _own_lines(lines: npt.NDArray[np.int64], start: int, end: int) -> tuple[int, npt.NDArray[np.int64]]:
    first = int(np.searchsorted(lines, start, "right")) - 1
    last = int(np.searchsorted(lines, end - 1, "left"))
    return first, lines[first : last + 1]


def _spread_object(item: DrawnObject, xs: npt.NDArray[np.int64], ys: npt.NDArray[np.int64]) -> DrawnObject:
    """Return a marker on the first of two lines, and a door on both."""
    left, top = (int(np.searchsorted(lines, at)) for lines, at in ((xs, item.tiles.x), (ys, item.tiles.y)))
    right, bottom = (
        int(np.searchsorted(lines, end)) for lines, end in ((xs, item.tiles.right), (ys, item.tiles.bottom))
    )
    return item._replace(tiles=Rect(left, top, right - left, bottom - top))
