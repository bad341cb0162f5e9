"""The remake's growth, written again from the facts without a thought for speed, to hold the topology against."""

from __future__ import annotations

from collections import deque

Cell = tuple[int, int]
WAYS = ((-1, 0), (0, -1), (1, 0), (0, 1))  # left, up, right, down
MASK = 0xFFFFFFFF

# id: the cells, and where each door slot leads, by the table of the facts; all from the anchor
SHAPES: dict[int, tuple[tuple[Cell, ...], dict[int, Cell]]] = {
    1: (((0, 0),), {0: (-1, 0), 1: (0, -1), 2: (1, 0), 3: (0, 1)}),
    2: (((0, 0),), {0: (-1, 0), 2: (1, 0)}),
    3: (((0, 0),), {1: (0, -1), 3: (0, 1)}),
    4: (((0, 0), (0, 1)), {0: (-1, 0), 1: (0, -1), 2: (1, 0), 3: (0, 2), 4: (-1, 1), 6: (1, 1)}),
    5: (((0, 0), (0, 1)), {1: (0, -1), 3: (0, 2)}),
    6: (((0, 0), (1, 0)), {0: (-1, 0), 1: (0, -1), 2: (2, 0), 3: (0, 1), 5: (1, -1), 7: (1, 1)}),
    7: (((0, 0), (1, 0)), {0: (-1, 0), 2: (2, 0)}),
    8: (((0, 0), (1, 0), (0, 1), (1, 1)), {0: (-1, 0), 1: (0, -1), 2: (2, 0), 3: (0, 2), 4: (-1, 1), 5: (1, -1), 6: (2, 1), 7: (1, 2)}),
    9: (((1, 0), (0, 1), (1, 1)), {0: (0, 0), 1: (0, 0), 2: (2, 0), 3: (0, 2), 4: (-1, 1), 5: (1, -1), 6: (2, 1), 7: (1, 2)}),
    10: (((0, 0), (0, 1), (1, 1)), {0: (-1, 0), 1: (0, -1), 2: (1, 0), 3: (0, 2), 4: (-1, 1), 5: (1, 0), 6: (2, 1), 7: (1, 2)}),
    11: (((0, 0), (1, 0), (1, 1)), {0: (-1, 0), 1: (0, -1), 2: (2, 0), 3: (0, 1), 4: (0, 1), 5: (1, -1), 6: (2, 1), 7: (1, 2)}),
    12: (((0, 0), (1, 0), (0, 1)), {0: (-1, 0), 1: (0, -1), 2: (2, 0), 3: (0, 2), 4: (-1, 1), 5: (1, -1), 6: (1, 1), 7: (1, 1)}),
}  # fmt: skip
NAMES = dict(enumerate(["1x1", "IH", "IV", "1x2", "IIV", "2x1", "IIH", "2x2", "LTL", "LTR", "LBL", "LBR"], 1))

DIVISORS = (48, 24, 24, 24, 24, 72, 72, 36, 36, 36, 36, 24, 24)
LARGE = (  # by the way that one goes: left, up, right, down
    "2x1 1x2 1x2 2x2 2x2 LBR LTR LBL LBL LTL LTL IH IIH",
    "1x2 2x1 2x1 2x2 2x2 LBR LBL LTR LTR LTL LTL IV IIV",
    "2x1 1x2 1x2 2x2 2x2 LBL LTL LTR LTR LBR LBR IH IIH",
    "1x2 2x1 2x1 2x2 2x2 LTR LTL LBL LBL LBR LBR IV IIV",
)


class Random:
    """xorshift32; `forks` of it go on from the same place."""

    def __init__(self, state: int, shifts: tuple[int, int, int] = (5, 9, 7)) -> None:
        self.state, self.shifts = state, shifts

    def next(self) -> int:
        a, b, c = self.shifts
        self.state ^= self.state >> a
        self.state ^= self.state << b & MASK
        self.state ^= self.state >> c
        return self.state

    def fork(self) -> Random:
        return Random(self.state, self.shifts)


def plus(a: Cell, b: Cell, times: int = 1) -> Cell:
    return a[0] + times * b[0], a[1] + times * b[1]


def cells_of(shape: int, anchor: Cell) -> list[Cell]:
    return [plus(anchor, cell) for cell in SHAPES[shape][0]]


def doorways(anchor: Cell, shape: int) -> set[tuple[Cell, int]]:
    """The room's cells that have a door slot, and the way out."""
    slots = SHAPES[shape][1].items()
    return {(plus(plus(anchor, target), WAYS[slot % 4], -1), slot % 4) for slot, target in slots}


def anchors(entry: Cell, way: int) -> list[Cell]:
    """Of the 13 large rooms by which one may go in at `entry`."""
    base = plus(entry, WAYS[way]) if way < 2 else entry
    s = (0, -1) if way in (0, 2) else (-1, 0)
    pair = [base, plus(base, s)]
    return [base, entry, plus(entry, s), *pair, *pair, *pair, *pair, entry, base]


class Floor:
    """One try: rooms as (anchor, shape, entry, parent, distance)."""

    def __init__(self, random: Random, mask: int, blocked: set[Cell]) -> None:
        self.random, self.mask, self.blocked = random, mask, blocked
        self.rooms: list[tuple[Cell, int, Cell, int, int]] = [((6, 6), 1, (6, 6), -1, 0)]

    def owner(self, cell: Cell) -> int | None:
        for number, room in enumerate(self.rooms):
            if cell in cells_of(room[1], room[0]):
                return number
        return None

    def free(self, cell: Cell) -> bool:
        on_grid = 0 <= cell[0] < 13 and 0 <= cell[1] < 13
        return on_grid and cell not in self.blocked and self.owner(cell) is None

    def beside(self, cell: Cell) -> list[int]:
        return [owner for way in WAYS if (owner := self.owner(plus(cell, way))) is not None]

    def candidates(self, parent: int, forced: bool) -> list[tuple[Cell, int, Cell, int, int]]:
        """A single cell at each free target, if the mask has such rooms, and large rooms by their draws.

        All large rooms come where dead ends are forced, and where there are no single cells.
        """
        anchor, shape, _, _, distance = self.rooms[parent]
        singles = bool(self.mask & 2)
        found = []
        for slot, target in SHAPES[shape][1].items():
            entry = plus(anchor, target)
            if not self.free(entry):
                continue
            if singles:
                found.append((entry, 1, entry, parent, distance + 1))
            for divisor, name, at in zip(
                DIVISORS, LARGE[slot % 4].split(), anchors(entry, slot % 4), strict=True
            ):
                kept = self.random.next() % divisor == 0 or forced or not singles
                large = next(number for number, one in NAMES.items() if one == name)
                if kept and self.mask >> large & 1 and all(self.free(cell) for cell in cells_of(large, at)):
                    found.append((at, large, entry, parent, distance + 1))
        return found

    def doors_match(self, anchor: Cell, shape: int) -> bool:
        """Every room that the new one touches has a door slot to it there, and it has one to that room."""
        own = doorways(anchor, shape)
        for cell in cells_of(shape, anchor):
            for way in range(4):
                there = plus(cell, WAYS[way])
                owner = self.owner(there)
                if owner is None:
                    continue
                at, other, *_ = self.rooms[owner]
                if (cell, way) not in own or (there, (way + 2) % 4) not in doorways(at, other):
                    return False
        return True

    def grow(self, target: int, xl: bool) -> bool:
        queue = deque([0])
        while queue and len(self.rooms) <= target:
            parent = queue.popleft()
            found = self.candidates(parent, False)
            for i in reversed(range(1, len(found))):
                j = self.random.next() % (i + 1)
                found[i], found[j] = found[j], found[i]
            if parent == 0:
                wanted = len(found) if target > 15 else 2 + (self.random.next() & 1)
            else:
                wanted = min(len(found), sum(self.random.next() & 1 for _ in range(4)))
            placed = 0
            for one in found:
                anchor, shape, entry, *_ = one
                if not all(self.free(cell) for cell in cells_of(shape, anchor)):
                    continue
                if len(self.beside(entry)) >= 2 and (not xl or self.random.next() % 10):
                    continue
                if not self.doors_match(anchor, shape):
                    continue
                self.rooms.append(one)
                if self.random.next() % 3 == 0:
                    queue.append(len(self.rooms) - 1)
                else:
                    queue.appendleft(len(self.rooms) - 1)
                placed += 1
                if placed >= wanted or len(self.rooms) > target:
                    break
        return len(self.rooms) > target

    def dead_ends(self, stay: list[int]) -> list[int]:
        """Those of `stay` are dead ends unless something grew from them."""
        parents = {room[3] for room in self.rooms}
        ends = [
            number
            for number, room in enumerate(self.rooms)
            if number
            and number not in parents
            and (number in stay or len([1 for one in self.beside(room[2]) if one != number]) < 2)
        ]
        for i in range(len(ends)):  # selection sort, the furthest first
            best = i
            for j in range(i + 1, len(ends)):
                if self.rooms[ends[j]][4] > self.rooms[ends[best]][4]:
                    best = j
            ends[i], ends[best] = ends[best], ends[i]
        return ends

    def force(self) -> bool:
        for number in range(len(self.rooms)):
            for one in self.candidates(number, True):
                if len(self.beside(one[2])) < 2:
                    self.rooms.append(one)
                    return True
        return False


Grown = tuple[list[tuple[int, int, int]], list[int], list[int], int]


def topology(
    seed: int,
    target: int,
    dead_ends: int,
    *,
    xl: bool = False,
    shape_mask: int = 0x1FFE,
    blocked: tuple[Cell, ...] = (),
    patient: bool = True,
    tries: int = 100,
) -> Grown | None:
    """Rooms, distances, dead ends and the generator's last state; None if no try of so many succeeded."""
    random = Random(seed)
    for attempt in range(1, tries + 1):
        floor = Floor(random, shape_mask, set(blocked))
        if floor.grow(target, xl):
            ends = floor.dead_ends([])
            for _ in range(5):
                if len(ends) >= (dead_ends if patient else 5) or not floor.force():
                    break
                ends = floor.dead_ends(ends if patient else [])
            if len(ends) >= dead_ends:
                rooms = [(*room[0], room[1]) for room in floor.rooms]
                return rooms, [room[4] for room in floor.rooms], ends, random.state
        if patient and attempt in range(10, 1000, 5) and target < 64:
            target += 1
    return None
