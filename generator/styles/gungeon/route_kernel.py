"""`route.Router` as a kernel: hallways between rooms, each from one entrance to another."""

from __future__ import annotations

from array import array

from generator.algorithms.astar_kernel import MAX_COST, PathSearch, find_path
from generator.algorithms.separation_kernel import Boxes
from generator.named_tuple import NamedTuple

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


class RouteState(NamedTuple):
    """The rooms' rectangles in tiles of the grid, where their doors may be, and the hallways laid so far."""

    boxes: Boxes
    doors: Doors
    grid: Grid
    hallways: LaidHallways


def begin(state: RouteState, rooms: int) -> int:
    """Clear the grid and put the rooms on it. Returns `NO_SPACE` if it is too small, else `LAID`."""
    grid, boxes, width = state.grid, state.boxes, state.doors.width
    stride = rows = 0
    for room in range(rooms):
        stride = max(stride, boxes.x[room] + boxes.width[room] + 2 * width + 4)
        rows = max(rows, boxes.y[room] + boxes.height[room] + 2 * width + 4)
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
        left, top = max(boxes.x[room] - width, 0), max(boxes.y[room] - width, 0)
        right, bottom = boxes.x[room] + boxes.width[room] + 1, boxes.y[room] + boxes.height[room] + 1
        _block(blocked, stride, left, top, right, bottom)
    return LAID


def _block(blocked: bytearray, stride: int, left: int, top: int, right: int, bottom: int) -> None:
    for y in range(top, bottom):
        for position in range(y * stride + left, y * stride + right):
            blocked[position] = 1


def lay(state: RouteState, a: int, b: int, times: int, detour: int) -> int:
    """Lay a hallway as `Router.lay` does. It costs at most `times` the direct path plus `detour`."""
    grid, hallways = state.grid, state.hallways
    met = _facing(state, a, b)
    if met != NOT_LAID:
        return met
    limit = times * _direct(state.boxes, a, b) + detour
    if limit > MAX_COST:
        return TOO_FAR
    stride = grid.numbers[STRIDE]
    for wanted in (MIDDLE, BESIDE):
        starts, goals, path = [0] * 0, [0] * 0, [0] * 0
        _free(state, a, wanted, 0, starts)
        _free(state, b, wanted, 2, goals)
        grid.numbers[SEARCHES] += 1
        if find_path(grid.search, grid.numbers[SEARCHES], stride, starts, goals, limit, path):
            sides, places = (path[-1] & 3, (path[0] & 3) ^ 2), (path[-1] >> 2, path[0] >> 2)
            begun = _start(state, (a, b), sides, places)
            if begun + len(path) + 2 > len(hallways.paths):
                return NO_SPACE
            _go(state, (path[-1] >> 2) - step_over(path[-1] & 3, stride))
            before = _NOWHERE
            for i in range(len(path)):
                position = path[len(path) - 1 - i] >> 2
                if position != before:
                    _go(state, position)
                before = position
            _go(state, (path[0] >> 2) + step_over(path[0] & 3, stride))
            return _keep(state)
    return NOT_LAID


def step_over(side: int, stride: int) -> int:
    """Return the offset of a step outwards over a side."""
    return 2 - side if side & 1 else (side - 1) * stride


def _start(state: RouteState, rooms: tuple[int, int], sides: tuple[int, int], places: tuple[int, int]) -> int:
    """Note a hallway's ends and return where its path begins."""
    hallway, hallways = state.grid.numbers[HALLWAYS], state.hallways
    for end in range(2):
        hallways.rooms[2 * hallway + end] = rooms[end]
        hallways.sides[2 * hallway + end] = sides[end]
        hallways.places[2 * hallway + end] = places[end]
    hallways.loops[hallway] = 0
    if hallway == 0:
        hallways.begins[0] = 0
    hallways.begins[hallway + 1] = hallways.begins[hallway]
    return hallways.begins[hallway]


def _go(state: RouteState, position: int) -> None:
    hallway, hallways = state.grid.numbers[HALLWAYS], state.hallways
    hallways.paths[hallways.begins[hallway + 1]] = position
    hallways.begins[hallway + 1] += 1


def _keep(state: RouteState) -> int:
    """Store the hallway that was noted last, and keep others away from it."""
    grid, hallways, width = state.grid, state.hallways, state.doors.width
    hallway, stride, blocked = grid.numbers[HALLWAYS], grid.numbers[STRIDE], grid.search.blocked
    for i in range(hallways.begins[hallway], hallways.begins[hallway + 1]):
        x, y = hallways.paths[i] % stride, hallways.paths[i] // stride
        _block(blocked, stride, max(x - width, 0), max(y - width, 0), x + width + 1, y + width + 1)
    for end in (2 * hallway, 2 * hallway + 1):
        grid.taken[4 * hallways.rooms[end] + hallways.sides[end]] = 1
    grid.numbers[HALLWAYS] += 1
    return LAID


# --- sides -------------------------------------------------------------------------------------------


def _begin_of(boxes: Boxes, room: int, side: int) -> int:
    return boxes.y[room] if side & 1 else boxes.x[room]


def _length(boxes: Boxes, room: int, side: int) -> int:
    return boxes.height[room] if side & 1 else boxes.width[room]


def first_place(boxes: Boxes, room: int, side: int, width: int, stride: int) -> int:
    """Return the grid position before an entrance at a side's first tile."""
    x, y = boxes.x[room], boxes.y[room]
    if side & 1:
        return y * stride + (x + boxes.width[room] + 1 if side == 1 else x - 1 - width)
    return (y + boxes.height[room] + 1 if side == 2 else y - 1 - width) * stride + x


def _bits(boxes: Boxes, doors: Doors, room: int, side: int, offset: int) -> int:
    """Return the bits of a door that begins `offset` tiles along a side."""
    image, length = doors.images[room], _length(boxes, room, side)
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


def _free(state: RouteState, room: int, wanted: int, turned: int, states: list[int]) -> None:
    """Append the A* states in which a hallway may begin or end beside a room."""
    grid, boxes, doors = state.grid, state.boxes, state.doors
    stride = grid.numbers[STRIDE]
    for side in range(4):
        first, step = first_place(boxes, room, side, doors.width, stride), stride if side & 1 else 1
        for offset in range(_length(boxes, room, side)):
            if _bits(boxes, doors, room, side, offset) & wanted:
                position = first + offset * step
                if not grid.search.blocked[position]:
                    states.append(position * 4 + (side ^ turned))


def _direct(boxes: Boxes, a: int, b: int) -> int:
    """Count the tiles between two rooms, on both axes together."""
    x, y = boxes.x, boxes.y
    gap_x = max(x[a] - x[b] - boxes.width[b], x[b] - x[a] - boxes.width[a], 0)
    gap_y = max(y[a] - y[b] - boxes.height[b], y[b] - y[a] - boxes.height[a], 0)
    return gap_x + gap_y


# --- straight hallways -------------------------------------------------------------------------------


def _facing(state: RouteState, a: int, b: int) -> int:
    """Lay a straight hallway between rooms that face each other, if nothing is in between."""
    grid, boxes, doors = state.grid, state.boxes, state.doors
    side = 2 if boxes.y[a] < boxes.y[b] else 0
    at = _shared(boxes, doors, a, b, side)
    if at == _NOWHERE:
        side = 1 if boxes.x[a] < boxes.x[b] else 3
        at = _shared(boxes, doors, a, b, side)
    if at == _NOWHERE or grid.taken[4 * a + side] or grid.taken[4 * b + (side ^ 2)]:
        return NOT_LAID
    stride = grid.numbers[STRIDE]
    along = stride if side & 1 else 1
    start = first_place(boxes, a, side, doors.width, stride) + (at - _begin_of(boxes, a, side)) * along
    end = first_place(boxes, b, side ^ 2, doors.width, stride) + (at - _begin_of(boxes, b, side)) * along
    step = step_over(side, stride)
    count = (end - start) // step + 1
    if grid.search.blocked[start] or grid.search.blocked[end]:
        return NOT_LAID
    for i in range(count):
        if grid.search.blocked[start + i * step]:
            return NOT_LAID
    begun = _start(state, (a, b), (side, side ^ 2), (start, end))
    if begun + count + 2 > len(state.hallways.paths):
        return NO_SPACE
    for i in range(-1, count + 1):
        _go(state, start + i * step)
    return _keep(state)


def _shared(boxes: Boxes, doors: Doors, a: int, b: int, side: int) -> int:
    """Find where along two sides a straight hallway begins, nearest to their middles, or else nowhere."""
    begin_a, begin_b = _begin_of(boxes, a, side), _begin_of(boxes, b, side)
    length_a, length_b = _length(boxes, a, side), _length(boxes, b, side)
    wish = max((2 * begin_a + length_a + 2 * begin_b + length_b) // 4 - doors.width // 2, 0)
    start, away = _NOWHERE, 0
    for at in range(max(begin_a, begin_b), min(begin_a + length_a, begin_b + length_b)):
        may = (
            _bits(boxes, doors, a, side, at - begin_a) & _bits(boxes, doors, b, side ^ 2, at - begin_b) & MAY
        )
        if may and (start == _NOWHERE or abs(at - wish) < away):
            start, away = at, abs(at - wish)
    return start
