"""Where signs stand on maps: a room's node, the middle of a door, the keys and locks of a level, in tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.owners import enclosed
from generator.geometry import Point, Side
from generator.kinds.signs import numbered_keys
from generator.level import Door, Level, Room
from generator.links import END, leads_on, next_place

EXIT_ICON = "stairs"

Corner = tuple[float, float]


def gates_of(level: Level) -> list[list[Any]]:
    """List keys, locks and exits as rows of a kind, a position x, y, and the kind's own data.

    `key` and `lever`: the name that locks use. `lock`: the names of its keys. `one_way`: one step into its
    room. `barred`: one step out of the room that it opens from. `door`: the icon of its kind. `exit`, of a
    level of a run: its icon, and where it leads, in words.
    """
    rows: list[list[Any]] = []
    for marker in level.markers:
        if marker.kind == "key":
            kind = "lever" if marker.properties.get("lever") is True else "key"
            rows.append([kind, marker.x + 0.5, marker.y + 0.5, str(marker.properties.get("opens", ""))])
    for door in level.doors:
        x, y = middle_of(door)
        side = Side.named(door.side)
        if door.needs:
            rows.append(["lock", x, y, *dict.fromkeys(door.needs)])
        if door.one_way:
            rows.append(["one_way", x, y, -side.dx, -side.dy])
        if door.opens_from is not None:
            out = 1 if door.opens_from == door.rooms[0] else -1
            rows.append(["barred", x, y, out * side.dx, out * side.dy])
        row = level.kinds.doors.get(door.kind)
        if row and row.icon and not (door.needs or door.one_way or door.opens_from is not None):
            rows.append(["door", x, y, row.icon])
    if to := next_place(level.spec):
        words = "way out" if to == END else "way on"
        exits = (marker for marker in level.markers if leads_on(marker, to))
        rows += (["exit", marker.x + 0.5, marker.y + 0.5, EXIT_ICON, words] for marker in exits)
    return rows


def keys_of(level: Level) -> dict[str, int]:
    """Number the keys of a level by name."""
    locks = (door.needs for door in level.doors)
    keys = (str(marker.properties.get("opens", "")) for marker in level.markers if marker.kind == "key")
    return numbered_keys(locks, keys)


def middle_of(door: Door) -> Corner:
    """Return the middle of a door's tiles."""
    xs, ys = zip(*door.tiles, strict=True)
    return (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2


def node_of(level: Level, room: Room) -> Corner:
    """Place a room's node inside the room, since the centre of an L may be in another room."""
    if level.grid and room.cells:
        return middle_of_cell(level, node_cell(level, room))
    x, y, width, height = room.bounds
    is_open = np.array([kind.fly for kind in level.terrain_kinds])  # a number over a pit is easy to read
    free = enclosed(room) & is_open[level.terrain[room.bounds.slices]]
    if free[height // 2, width // 2] or not free.any():
        return x + width / 2, y + height / 2
    column, row = _open_place(free)
    return x + column + 0.5, y + row + 0.5


def _open_place(free: npt.NDArray[np.bool_]) -> Point:
    """Find, among the free tiles with much space around them, the one nearest to the middle."""
    from scipy import ndimage  # slow to load, and most rooms are free in their middle

    space = ndimage.distance_transform_cdt(np.pad(free, 1), "chessboard")[1:-1, 1:-1]
    rows, columns = np.nonzero(2 * space >= space.max())
    height, width = free.shape
    apart = (2 * columns + 1 - width) ** 2 + (2 * rows + 1 - height) ** 2
    nearest = int(apart.argmin())
    return int(columns[nearest]), int(rows[nearest])


def node_cell(level: Level, room: Room) -> Point:
    """Find the cell nearest to the centre of all cells. The first one wins a tie."""
    middles = [middle_of_cell(level, cell) for cell in room.cells]
    x, y = (sum(parts) / len(parts) for parts in zip(*middles, strict=True))
    return min(room.cells, key=lambda cell: apart(middle_of_cell(level, cell), (x, y)))


def middle_of_cell(level: Level, cell: Point) -> Corner:
    """Return the middle of a cell of the grid, in tiles."""
    assert level.grid
    rect = level.grid.cell_rect(cell)
    return rect.x + rect.width / 2, rect.y + rect.height / 2


def apart(first: Corner, second: Corner) -> float:
    """Compute the squared distance."""
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2
