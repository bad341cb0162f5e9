"""The remake's topology: which rooms of which shapes stand where, draw for draw as the game makes them.

isaac-facts 4.4: rooms grow from a double-ended queue; each tries a cell beside each of its doors, as a
single cell and as a large room that chance may bring; large rooms may close loops. The game's own
generator, xorshift32, and the order of its draws are kept, so that a generator seed gives the game's own
layout.

The board is one number with a bit a cell, in rows of 17 with two cells of rim all round, so that a step
never wraps and the rim can never be built on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from generator.errors import GenerationFailed
from generator.floorplans.rebirth.templates import TEMPLATES, WAYS
from generator.geometry import Point
from generator.shapes import SHAPES_BY_ID

SIZE = 13  # cells
START: Point = (6, 6)
ALL_SHAPES = 0x1FFE
MOST_ROOMS = 64
_STRIDE = SIZE + 4
_RIM = 2
_MASK = 0xFFFFFFFF
_LESS_PATIENT = 100  # tries, before Repentance
_MOST_TRIES = 1000
_MORE_ROOMS_AFTER = 10  # tries, and then each 5
_FORCED = 5  # dead ends that may be added, before Repentance


class Topology(NamedTuple):
    """Rooms as (column, row, shape id) in placing order, the start first; all lists of plain ints.

    `distances` are depths in the tree that the rooms grew in, `dead_ends` the numbers of rooms in the order
    that special rooms take them. `entries` are the cells by which rooms are entered, `parents` the rooms
    that they grew from (both the start's own for the start). `state` is the generator's after the last
    draw, `tries` how many were made, this one included.
    """

    rooms: list[tuple[int, int, int]]
    distances: list[int]
    dead_ends: list[int]
    entries: list[Point]
    parents: list[int]
    state: int
    tries: int


def topology(
    generator_seed: int,
    target: int,
    dead_ends: int,
    *,
    xl: bool = False,
    shape_mask: int = ALL_SHAPES,
    blocked: Sequence[Point] = (),
    patient: bool = True,
) -> Topology:
    """The layout of a generator seed: `target` rooms besides the start, and at least so many dead ends.

    `shape_mask` has bit i set where shape i is allowed; `xl` is a labyrinth's or the Void's looser rule for
    cells with two neighbours; nothing is built on `blocked` cells. Dead ends that are missing are forced.
    Repentance is `patient`: it forces as many as there must be and tries on, from the tenth try with a room
    more each five; the editions before force five at most and give up after 100 tries. The generator goes
    on between tries. Raises ValueError for a seed or a mask that is none, or for numbers that no grid has
    place for, and GenerationFailed if no try succeeds.
    """
    if not 0 < generator_seed <= _MASK:
        raise ValueError(f"generator_seed: {generator_seed} is none; give 1 to {_MASK}")
    if not (0 < target < MOST_ROOMS and 0 <= dead_ends < MOST_ROOMS):
        raise ValueError(f"{target} rooms with {dead_ends} dead ends: give at most {MOST_ROOMS - 1} of each")
    if not 0 <= shape_mask <= ALL_SHAPES | 1:
        raise ValueError(f"shape_mask: {shape_mask} has bits of no shape; give at most {ALL_SHAPES}")
    state, asked = generator_seed, target
    most = _MOST_TRIES if patient else _LESS_PATIENT
    for number in range(1, most + 1):
        board = _Board(state, shape_mask, blocked)
        ends = board.dead_ends() if board.grow(target, xl) else None
        for _ in range(dead_ends if patient else _FORCED):
            if ends is None or len(ends) >= dead_ends or not board.force_dead_end():
                break
            ends = board.dead_ends()
        if ends is not None and len(ends) >= dead_ends:
            return board.topology(ends, number)
        state = board.state
        if patient and number >= _MORE_ROOMS_AFTER and number % 5 == 0 and target < MOST_ROOMS:
            target += 1
    reason = f"{asked} rooms with {dead_ends} dead ends did not grow; ask for more rooms"
    raise GenerationFailed("topology", most, reason, generator_seed)


# --- the board ---------------------------------------------------------------------------------------


def _place(cell: Point) -> int:
    return (cell[1] + _RIM) * _STRIDE + cell[0] + _RIM


def _cell(place: int) -> Point:
    return place % _STRIDE - _RIM, place // _STRIDE - _RIM


def _step(offset: Point) -> int:
    return offset[1] * _STRIDE + offset[0]


_STEPS = tuple(_step((side.dx, side.dy)) for side in WAYS)
_INSIDE = sum(1 << _place((x, y)) for x in range(SIZE) for y in range(SIZE))


class _Form(NamedTuple):
    """A shape on the board, from its anchor's place: its cells' bits, and where its doors lead."""

    cells: int
    doors: tuple[tuple[int, int], ...]  # a step, and the way, in the order of the game's slots


_FORMS = {
    shape.id: _Form(
        sum(1 << _step(cell) for cell in shape.cells),
        tuple(
            (_step(cell) + _step((side.dx, side.dy)), WAYS.index(side)) for cell, side in shape.slots.values()
        ),
    )
    for shape in SHAPES_BY_ID.values()
}
_TEMPLATES = tuple(tuple((each.chance, each.shape, _step(each.anchor)) for each in way) for way in TEMPLATES)


class _Board:
    """The rooms while they grow, and the game's generator."""

    def __init__(self, state: int, shape_mask: int, blocked: Sequence[Point]) -> None:
        start = _place(START)
        self.state = state
        self.shape_mask = shape_mask
        self.blocked = sum(1 << _place(cell) for cell in set(blocked))
        self.rooms = [(start, 1)]
        self.distances = [0]
        self.entries = [start]
        self.parents = [0]
        self.taken = 0
        self.doors = [0, 0, 0, 0]  # by way: the cells that a door leads into
        self._occupy(start, 1)

    def topology(self, dead_ends: list[int], tries: int) -> Topology:
        """What has grown."""
        return Topology(
            rooms=[(*_cell(place), shape) for place, shape in self.rooms],
            distances=self.distances,
            dead_ends=dead_ends,
            entries=[_cell(place) for place in self.entries],
            parents=self.parents,
            state=self.state,
            tries=tries,
        )

    def draw(self) -> int:
        """xorshift32 with the game's shifts 5, 9, 7."""
        x = self.state
        x ^= x >> 5
        x ^= x << 9 & _MASK
        x ^= x >> 7
        self.state = x
        return x

    def _occupy(self, anchor: int, shape: int) -> None:
        form = _FORMS[shape]
        self.taken |= form.cells << anchor
        for leads_to, way in form.doors:
            self.doors[way] |= 1 << anchor + leads_to

    def grow(self, target: int, xl: bool) -> bool:
        """Place rooms until there are `target` besides the start; False if the queue ran dry before."""
        queue = deque([0])
        while queue and len(self.rooms) <= target:
            parent = queue.popleft()
            found = self.candidates(parent, forced=False)
            for i in range(len(found) - 1, 0, -1):
                j = self.draw() % (i + 1)
                found[i], found[j] = found[j], found[i]
            if parent:
                wanted = min(len(found), sum(self.draw() & 1 for _ in range(4)))
            else:
                wanted = len(found) if target > 15 else 2 + (self.draw() & 1)
            placed = 0
            for entry, anchor, shape in found:
                if not self._may_stand(entry, anchor, shape, xl):
                    continue
                self._build(parent, entry, anchor, shape)
                if self.draw() % 3:
                    queue.appendleft(len(self.rooms) - 1)
                else:
                    queue.append(len(self.rooms) - 1)
                placed += 1
                if placed >= wanted or len(self.rooms) > target:
                    break  # also where none was wanted: the game looks only now
        return len(self.rooms) > target

    def candidates(self, room: int, *, forced: bool) -> list[tuple[int, int, int]]:
        """(entry, anchor, shape) of all that may stand beside a room's doors; each large one takes a draw."""
        at, shape = self.rooms[room]
        free = _INSIDE & ~(self.taken | self.blocked)
        x = self.state
        found = []
        for leads_to, way in _FORMS[shape].doors:
            entry = at + leads_to
            if not free >> entry & 1:
                continue
            found.append((entry, entry, 1))
            for chance, large, offset in _TEMPLATES[way]:
                x ^= x >> 5
                x ^= x << 9 & _MASK
                x ^= x >> 7
                if (forced or x % chance == 0) and self.shape_mask >> large & 1:
                    cells = _FORMS[large].cells << entry + offset
                    if cells & free == cells:
                        found.append((entry, entry + offset, large))
        self.state = x
        return found

    def _may_stand(self, entry: int, anchor: int, shape: int, xl: bool) -> bool:
        """Whether a room still may be built: free, beside one room only, and with doors to all it touches.

        A narrow room is looked at as if it were a wide one; its neighbours are as they are.
        """
        cells = _FORMS[shape].cells << anchor
        if cells & self.taken:
            return False
        if self.neighbours(entry) >= 2 and not (xl and self.draw() % 10 == 0):
            return False
        for step, doors in zip(_STEPS, self.doors, strict=True):
            behind = self.taken << step if step > 0 else self.taken >> -step  # cells with a room behind them
            if cells & behind & ~doors:
                return False
        return True

    def neighbours(self, cell: int, own: int = 0) -> int:
        """How many of a cell's four neighbours belong to rooms, those of `own` not counted."""
        others = self.taken & ~own
        return sum(others >> cell + step & 1 for step in _STEPS)

    def _build(self, parent: int, entry: int, anchor: int, shape: int) -> None:
        self.rooms.append((anchor, shape))
        self.distances.append(self.distances[parent] + 1)
        self.entries.append(entry)
        self.parents.append(parent)
        self._occupy(anchor, shape)

    def dead_ends(self) -> list[int]:
        """Rooms beside one other at most that nothing grew from, the furthest first.

        The game's selection sort is not stable, and its order of rooms as far as each other counts.
        """
        ends = []
        parents = set(self.parents)
        for room in range(1, len(self.rooms)):
            anchor, shape = self.rooms[room]
            own = _FORMS[shape].cells << anchor
            if room not in parents and self.neighbours(self.entries[room], own) < 2:
                ends.append(room)
        for i in range(len(ends)):
            furthest = max(range(i, len(ends)), key=lambda j: (self.distances[ends[j]], -j))
            ends[i], ends[furthest] = ends[furthest], ends[i]
        return ends

    def force_dead_end(self) -> bool:
        """Add a dead end beside the first room that has a place for one; doors are not looked at."""
        for room in range(len(self.rooms)):
            for entry, anchor, shape in self.candidates(room, forced=True):
                if self.neighbours(entry) < 2:
                    self._build(room, entry, anchor, shape)
                    return True
        return False
