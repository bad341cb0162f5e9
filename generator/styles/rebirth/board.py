"""The board on which the remake's floors grow, as numbers: positions, tables of shapes, and the buffers.

The board has 17 x 17 positions, numbered row by row: the 13 x 13 cells of the grid, and two of rim on every
side, where nothing is ever built. So a step never leaves the board and is the same number everywhere. Rooms
are numbered in the order in which they were placed; the start is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from generator.geometry import Point, Side
from generator.named_tuple import NamedTuple
from generator.shapes import SHAPES_BY_ID, Shape

# Where a large room may lie that is entered by a given cell (isaac-facts 4.4, step 2).

NUMBERED_SIDES = (Side.WEST, Side.NORTH, Side.EAST, Side.SOUTH)  # the game's numbers 0 to 3

# The shapes by direction, in the game's order, each with the 1-in-n chance of a draw.
_CHANCES = (48, 24, 24, 24, 24, 72, 72, 36, 36, 36, 36, 24, 24)
_SHAPES = (
    (6, 4, 4, 8, 8, 12, 10, 11, 11, 9, 9, 2, 7),
    (4, 6, 6, 8, 8, 12, 11, 10, 10, 9, 9, 3, 5),
    (6, 4, 4, 8, 8, 11, 9, 10, 10, 12, 12, 2, 7),
    (4, 6, 6, 8, 8, 10, 9, 11, 11, 12, 12, 3, 5),
)


class Template(NamedTuple):
    """A shape that comes 1 time in `chance`. `anchor` is relative to the cell of entry."""

    chance: int
    shape: int
    anchor: Point


def _templates(way: int) -> tuple[Template, ...]:
    """List the templates for a direction. A shape's entry is its nearest cell or the one beside it."""
    side = NUMBERED_SIDES[way]
    entry = (0, 0)
    base = (side.dx, side.dy) if way < 2 else entry
    aside = (0, -1) if side.dx else (-1, 0)
    both = (base[0] + aside[0], base[1] + aside[1])
    anchors = (base, entry, aside, base, both, base, both, base, both, base, both, entry, base)
    return tuple(Template(*row) for row in zip(_CHANCES, _SHAPES[way], anchors, strict=True))


TEMPLATES = tuple(_templates(way) for way in range(4))


SIZE = 13  # cells
STRIDE = SIZE + 4
RIM = 2
PLACES = STRIDE * STRIDE
START = (RIM + 6) * STRIDE + RIM + 6
MASK = 0xFFFFFFFF
MAX_ROOMS = 96  # of a floor, with all that is added later
MAX_FOUND = 112  # eight doors, with a single cell and thirteen large rooms behind each

STEPS = (-1, -STRIDE, 1, STRIDE)  # west, north, east, south: the game's order of directions
BIAS = 64  # added to numbers in tables that may be negative
NOTHING = bytes(PLACES)
INSIDE = bytes(RIM <= x < RIM + SIZE and RIM <= y < RIM + SIZE for y in range(STRIDE) for x in range(STRIDE))


def place_of(cell: Point) -> int:
    """Return a cell's position on the board."""
    return (cell[1] + RIM) * STRIDE + cell[0] + RIM


def cell_at(position: int) -> Point:
    """Return the cell at a position."""
    return position % STRIDE - RIM, position // STRIDE - RIM


# --- tables: of shapes by id, of templates by 13 times the direction ------------------------------------

DOORS = 8  # at most, of a shape


def _step(cell: tuple[int, int]) -> int:
    return cell[1] * STRIDE + cell[0]


def _rows(numbers: Callable[[Shape], Iterable[int]]) -> list[list[int]]:
    """List numbers of each shape, by its id. No shape has the id 0."""
    return [[], *(list(numbers(SHAPES_BY_ID[number])) for number in range(1, 13))]


def _by_shape(number: Callable[[Shape], int]) -> bytes:
    """Return a number of each shape, by its id."""
    return bytes(sum(row) for row in _rows(lambda shape: [number(shape)]))


def _by_door(numbers: Callable[[Shape], Iterable[int]]) -> bytes:
    """Return `DOORS` numbers of each shape, from its id times `DOORS` on, the last ones unused."""
    return bytes(number for row in _rows(numbers) for number in (row + [0] * DOORS)[:DOORS])


CELLS = tuple(bytes(row) for row in _rows(lambda shape: map(_step, shape.cells)))  # steps from the anchor
DOOR_COUNT = _by_shape(lambda shape: len(shape.slots))
DOOR_WAY = _by_door(lambda shape: (NUMBERED_SIDES.index(side) for _, side in shape.slots.values()))
DOOR_STEP = _by_door(
    lambda shape: (BIAS + _step(cell) + _step((side.dx, side.dy)) for cell, side in shape.slots.values())
)
# A bit for each direction without doors; narrow rooms have two opposite ones.
CLOSED = _by_shape(
    lambda shape: sum(1 << way for way, side in enumerate(NUMBERED_SIDES) if side not in shape.sides)
)
CHANCES = tuple(each.chance for each in TEMPLATES[0])  # the same for all directions
TEMPLATE_COUNT = len(CHANCES)
TEMPLATE_SHAPE = bytes(each.shape for way in TEMPLATES for each in way)
TEMPLATE_STEP = bytes(BIAS + _step(each.anchor) for way in TEMPLATES for each in way)


# The slots in the game's order: one per direction, and the second ones four higher.
_SLOT_NAMES = ("W", "N", "E", "S", "W2", "N2", "E2", "S2")
DOOR_SLOT = _by_door(lambda shape: map(_SLOT_NAMES.index, shape.slots))
EVERY_DOOR = _by_shape(lambda shape: sum(1 << _SLOT_NAMES.index(name) for name in shape.slots))
_WIDE_SHAPES = {2: 1, 3: 1, 5: 4, 7: 6}
WIDE = bytes(_WIDE_SHAPES.get(number, number) for number in range(13))  # narrow shapes as wide ones
# Where the slots lead if only a shape's bounding box counts, and which of them a secret room looks at: only
# single cells and straight rooms have fewer than eight.
_OPEN_SLOTS = {1: (0, 1, 2, 3), 4: (0, 1, 2, 3, 4, 6), 6: (0, 1, 2, 3, 5, 7)}
BOX_SLOTS = bytes(sum(1 << slot for slot in _OPEN_SLOTS.get(number, range(8))) for number in range(13))


def _box_steps(shape: Shape) -> list[int]:
    width, height = shape.size
    cells = (-1, 0), (0, -1), (width, 0), (0, height), (-1, 1), (1, -1), (width, 1), (1, height)
    return [BIAS + _step(cell) for cell in cells]


BOX_STEP = _by_door(_box_steps)
# The positions two steps away, and the one or two directions from there to the positions between.
_ACROSS = ((-2, 0), (-1, -1), (0, -2), (1, -1), (2, 0), (1, 1), (0, 2), (-1, 1))
_WAYS_BACK = [
    [(way + 2) % 4 for way, side in enumerate(NUMBERED_SIDES) if dx * side.dx + dy * side.dy > 0]
    for dx, dy in _ACROSS
]
ACROSS = tuple(_step(cell) for cell in _ACROSS)
ACROSS_FIRST = bytes(ways[0] for ways in _WAYS_BACK)
ACROSS_LAST = bytes(ways[-1] for ways in _WAYS_BACK)
GRID = bytes(position for position in range(PLACES) if INSIDE[position])  # the cells, row by row

# --- a floor while it is made ----------------------------------------------------------------------------
#
# One buffer of bytes in parts: by position, by room, and lists. A single buffer is fast to pass on and
# fast to compile; the names are the offsets of the parts.

# By position: the number of the room there plus 1, 0 without one; 1 on the rim and where nothing may be
# built; a bit for each direction in which a door leads there; 1 where no secret room may be; 1 where a room
# is near enough for a secret room.
OWNER, BARRED, LED, FORBIDDEN, NEAR = (number * PLACES for number in range(5))
_ROOMS = 5 * PLACES
# By room: the position of its bounding box's corner; its shape's id; its depth in the tree that rooms grew
# in; the position of its entry; the room that it grew from (the start: itself); 1 if it was a dead end
# before, 2 if something grew from it; its kind's number; the direction of entry; the bits of the picked
# room's slots, and 1 if one was picked; rooms walked from the start, or NO_DISTANCE.
ANCHOR, SHAPE, DEPTH, ENTRY, PARENT, KNOWN, ROOM_KIND, WAY, PICKED_DOORS, PICKED, DISTANCE = (
    _ROOMS + number * MAX_ROOMS for number in range(11)
)
NO_DISTANCE = 255
_LISTS = _ROOMS + 11 * MAX_ROOMS
# Lists of rooms: dead ends in the order in which special rooms take them; special rooms in the order in which
# they were placed; rooms to walk from; and, in a ring, rooms to grow from.
END, SPECIAL, WALK = (_LISTS + number * MAX_ROOMS for number in range(3))
QUEUE = _LISTS + 3 * MAX_ROOMS
RING = 256
# Rooms that may be built beside another: position of entry, anchor, shape. Positions for a secret room.
FOUND_ENTRY, FOUND_ANCHOR, FOUND_SHAPE, BEST = (QUEUE + RING + number * MAX_FOUND for number in range(4))
_SIZE_OF_FLOOR = BEST + PLACES


def new_floor() -> bytearray:
    """Make a new buffer, which can be used for one floor after another."""
    floor = bytearray(_SIZE_OF_FLOOR)
    floor[BARRED : BARRED + PLACES] = bytes(1 - inside for inside in INSIDE)
    return floor


# --- traits of room kinds, by number: a column of the rules that `stage_kernel.py` describes ---------------

MAX_KINDS = 256
TRAITS = 64
HIDDEN, SHUNNED, CURSED, UNSEEN = 1, 2, 4, 8
