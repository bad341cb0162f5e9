"""`route.Router` as a kernel: hallways between rooms, each from one entrance to another."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from generator.algorithms.astar_kernel import MAX_COST, PathSearch, find_path

LINE = 72  # bytes per side of a room in the table of doors: more than a side has tiles
MAY, MIDDLE, BESIDE = 1, 2, 4  # bits: whether a door may begin there, and is among those that A* tries
NOT_LAID, LAID, NO_SPACE, TOO_FAR = range(4)
_CORNER = 2  # tiles between a corner and an entrance
_NOWHERE = -1


class Doors(NamedTuple):
    """Where doors may be: for each image of a layout four lines, one per side, of `LINE` bytes each."""

    table: bytearray
    images: array[int]  # [room]: its image; -1: doors anywhere but in corners
    width: int


class Rects(NamedTuple):
    """The rooms' rectangles, in tiles of the grid."""

    x: array[int]
    y: array[int]
    width: array[int]
    height: array[int]


class LaidHallways(NamedTuple):
    """The hallways laid so far.

    Each end has a side (north, east, south, west) and the position before its entrance. `paths` are those
    of all hallways, in single steps from wall to wall; `begins` has one entry more than there are hallways.
    """

    rooms: array[int]  # [2 * hallway + end], like `sides` and `places`
    sides: array[int]
    places: array[int]
    loops: array[int]  # [hallway]
    begins: array[int]  # [hallway]
    paths: array[int]


class Grid(NamedTuple):
    """The grid that hallways are laid on, its `numbers` (see below), and which sides have an entrance."""

    search: PathSearch
    taken: bytearray  # [4 * room + side]
    numbers: array[int]


STRIDE, ROWS, SEARCHES, HALLWAYS, ROOMS = range(5)  # indices of a grid's numbers


def begin(grid: Grid, rects: Rects, rooms: int, width: int) -> int:
    """Clear the grid and put the rooms on it. Returns `NO_SPACE` if it is too small, else `LAID`."""
    stride = rows = 0
    for room in range(rooms):
        stride = max(stride, rects.x[room] + rects.width[room] + 2 * width + 4)
        rows = max(rows, rects.y[room] + rects.height[room] + 2 * width + 4)
    grid.numbers[STRIDE], grid.numbers[ROWS], grid.numbers[HALLWAYS] = stride, rows, 0
    grid.numbers[ROOMS] = rooms
    blocked = grid.search.blocked
    if stride * rows > len(blocked):
        return NO_SPACE
    for position in range(stride * rows):
        blocked[position] = 0
    for x in range(stride):
        blocked[x] = 1
        for y in range(rows - width, rows):
            blocked[y * stride + x] = 1
    for y in range(rows):
        blocked[y * stride] = 1
        for x in range(stride - width, stride):
            blocked[y * stride + x] = 1
    for room in range(rooms):
        for side in range(4):
            grid.taken[4 * room + side] = 0
        left, top = max(rects.x[room] - width, 0), max(rects.y[room] - width, 0)
        right, bottom = rects.x[room] + rects.width[room] + 1, rects.y[room] + rects.height[room] + 1
        _block(blocked, stride, left, top, right, bottom)
    return LAID


def _block(blocked: bytearray, stride: int, left: int, top: int, right: int, bottom: int) -> None:
    for y in range(top, bottom):
        for position in range(y * stride + left, y * stride + right):
            blocked[position] = 1


def lay(
    grid: Grid, rects: Rects, doors: Doors, hallways: LaidHallways, a: int, b: int, times: int, detour: int
) -> int:
    """Lay a hallway as `Router.lay` does. It costs at most `times` the direct path plus `detour`."""
    met = _facing(grid, rects, doors, hallways, a, b)
    if met != NOT_LAID:
        return met
    limit = times * _direct(rects, a, b) + detour
    if limit > MAX_COST:
        return TOO_FAR
    stride = grid.numbers[STRIDE]
    for wanted in (MIDDLE, BESIDE):
        starts, goals, path = [0] * 0, [0] * 0, [0] * 0
        _free(grid, rects, doors, a, wanted, 0, starts)
        _free(grid, rects, doors, b, wanted, 2, goals)
        grid.numbers[SEARCHES] += 1
        if find_path(grid.search, grid.numbers[SEARCHES], stride, starts, goals, limit, path):
            begun = _start(grid, hallways, a, b, path[-1] & 3, (path[0] & 3) ^ 2, path[-1] >> 2, path[0] >> 2)
            if begun + len(path) + 2 > len(hallways.paths):
                return NO_SPACE
            _go(grid, hallways, (path[-1] >> 2) - step_over(path[-1] & 3, stride))
            before = _NOWHERE
            for i in range(len(path)):
                position = path[len(path) - 1 - i] >> 2
                if position != before:
                    _go(grid, hallways, position)
                before = position
            _go(grid, hallways, (path[0] >> 2) + step_over(path[0] & 3, stride))
            return _keep(grid, hallways, doors.width)
    return NOT_LAID


def step_over(side: int, stride: int) -> int:
    """Return the offset of a step outwards over a side."""
    return 2 - side if side & 1 else (side - 1) * stride


def _start(
    grid: Grid, hallways: LaidHallways, a: int, b: int, start_side: int, end_side: int, start: int, end: int
) -> int:
    """Note a hallway's ends and return where its path begins."""
    hallway = grid.numbers[HALLWAYS]
    hallways.rooms[2 * hallway], hallways.rooms[2 * hallway + 1] = a, b
    hallways.sides[2 * hallway], hallways.sides[2 * hallway + 1] = start_side, end_side
    hallways.places[2 * hallway], hallways.places[2 * hallway + 1] = start, end
    hallways.loops[hallway] = 0
    if hallway == 0:
        hallways.begins[0] = 0
    hallways.begins[hallway + 1] = hallways.begins[hallway]
    return hallways.begins[hallway]


def _go(grid: Grid, hallways: LaidHallways, position: int) -> None:
    hallway = grid.numbers[HALLWAYS]
    hallways.paths[hallways.begins[hallway + 1]] = position
    hallways.begins[hallway + 1] += 1


def _keep(grid: Grid, hallways: LaidHallways, width: int) -> int:
    """Store the hallway that was noted last, and keep others away from it."""
    hallway, stride, blocked = grid.numbers[HALLWAYS], grid.numbers[STRIDE], grid.search.blocked
    for i in range(hallways.begins[hallway], hallways.begins[hallway + 1]):
        x, y = hallways.paths[i] % stride, hallways.paths[i] // stride
        _block(blocked, stride, max(x - width, 0), max(y - width, 0), x + width + 1, y + width + 1)
    for end in (2 * hallway, 2 * hallway + 1):
        grid.taken[4 * hallways.rooms[end] + hallways.sides[end]] = 1
    grid.numbers[HALLWAYS] += 1
    return LAID


# --- sides -------------------------------------------------------------------------------------------


def _begin_of(rects: Rects, room: int, side: int) -> int:
    return rects.y[room] if side & 1 else rects.x[room]


def _length(rects: Rects, room: int, side: int) -> int:
    return rects.height[room] if side & 1 else rects.width[room]


def first_place(rects: Rects, room: int, side: int, width: int, stride: int) -> int:
    """Return the grid position before an entrance at a side's first tile."""
    x, y = rects.x[room], rects.y[room]
    if side & 1:
        return y * stride + (x + rects.width[room] + 1 if side == 1 else x - 1 - width)
    return (y + rects.height[room] + 1 if side == 2 else y - 1 - width) * stride + x


def _bits(rects: Rects, doors: Doors, room: int, side: int, offset: int) -> int:
    """Return the bits of a door that begins `offset` tiles along a side."""
    image, length = doors.images[room], _length(rects, room, side)
    if offset < 0 or offset >= length:
        return 0
    if image >= 0:
        return doors.table[(4 * image + side) * LINE + offset]
    bits = MIDDLE if offset == (length - doors.width) // 2 else 0
    if _CORNER <= offset <= length - _CORNER - doors.width:
        bits |= MAY
        if (offset - _CORNER) % (doors.width + 1) == 0:
            bits |= BESIDE
    return bits


def _free(
    grid: Grid, rects: Rects, doors: Doors, room: int, wanted: int, turned: int, states: list[int]
) -> None:
    """Append the A* states in which a hallway may begin or end beside a room."""
    stride = grid.numbers[STRIDE]
    for side in range(4):
        first, step = first_place(rects, room, side, doors.width, stride), stride if side & 1 else 1
        for offset in range(_length(rects, room, side)):
            if _bits(rects, doors, room, side, offset) & wanted:
                position = first + offset * step
                if not grid.search.blocked[position]:
                    states.append(position * 4 + (side ^ turned))


def _direct(rects: Rects, a: int, b: int) -> int:
    """Count the tiles between two rooms, on both axes together."""
    x, y = rects.x, rects.y
    gap_x = max(x[a] - x[b] - rects.width[b], x[b] - x[a] - rects.width[a], 0)
    gap_y = max(y[a] - y[b] - rects.height[b], y[b] - y[a] - rects.height[a], 0)
    return gap_x + gap_y


# --- straight hallways -------------------------------------------------------------------------------


def _facing(grid: Grid, rects: Rects, doors: Doors, hallways: LaidHallways, a: int, b: int) -> int:
    """Lay a straight hallway between rooms that face each other, if nothing is in between."""
    side = 2 if rects.y[a] < rects.y[b] else 0
    at = _shared(rects, doors, a, b, side)
    if at == _NOWHERE:
        side = 1 if rects.x[a] < rects.x[b] else 3
        at = _shared(rects, doors, a, b, side)
    if at == _NOWHERE or grid.taken[4 * a + side] or grid.taken[4 * b + (side ^ 2)]:
        return NOT_LAID
    stride = grid.numbers[STRIDE]
    along = stride if side & 1 else 1
    start = first_place(rects, a, side, doors.width, stride) + (at - _begin_of(rects, a, side)) * along
    end = first_place(rects, b, side ^ 2, doors.width, stride) + (at - _begin_of(rects, b, side)) * along
    step = step_over(side, stride)
    count = (end - start) // step + 1
    if grid.search.blocked[start] or grid.search.blocked[end]:
        return NOT_LAID
    for i in range(count):
        if grid.search.blocked[start + i * step]:
            return NOT_LAID
    begun = _start(grid, hallways, a, b, side, side ^ 2, start, end)
    if begun + count + 2 > len(hallways.paths):
        return NO_SPACE
    for i in range(-1, count + 1):
        _go(grid, hallways, start + i * step)
    return _keep(grid, hallways, doors.width)


def _shared(rects: Rects, doors: Doors, a: int, b: int, side: int) -> int:
    """Find where along two sides a straight hallway begins, nearest to their middles, or else nowhere."""
    begin_a, begin_b = _begin_of(rects, a, side), _begin_of(rects, b, side)
    length_a, length_b = _length(rects, a, side), _length(rects, b, side)
    wish = max((2 * begin_a + length_a + 2 * begin_b + length_b) // 4 - doors.width // 2, 0)
    start, away = _NOWHERE, 0
    for at in range(max(begin_a, begin_b), min(begin_a + length_a, begin_b + length_b)):
        may = (
            _bits(rects, doors, a, side, at - begin_a) & _bits(rects, doors, b, side ^ 2, at - begin_b) & MAY
        )
        if may and (start == _NOWHERE or abs(at - wish) < away):
            start, away = at, abs(at - wish)
    return start
