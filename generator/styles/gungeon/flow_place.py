"""Places the rooms of a drawn flow: in full size, as close as possible, in the order of the drawing.

One axis at a time. Rooms that share rows keep their order from left to right and a gap between them, and
no two rooms of different columns of the drawing swap the order of their middles. These constraints are a
graph without cycles: its longest paths give the least position of each room, and the greatest in a level
of the least width (compaction by constraint graphs: Lengauer, "Combinatorial Algorithms for Integrated
Circuit Layout", 1990). Between the two a room goes where its neighbours are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from generator.algorithms.graph import Edge, neighbours_of
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.flows.draw import FlowDrawing

_ROUNDS = 2  # over both axes; more would change next to nothing


class Push(NamedTuple):
    """Along an axis, one room begins at least `apart` tiles after another."""

    axis: int
    before: int
    after: int
    apart: int


def place(
    drawing: FlowDrawing,
    sizes: Sequence[tuple[int, int]],
    edges: Sequence[Edge],
    gap: int,
    pushes: Collection[Push] = (),
) -> tuple[list[int], list[int]]:
    """x and y of the rooms [room], of `sizes` in tiles, at least `gap` tiles between any two."""
    axes = []
    for axis in (0, 1):
        spans = [
            (min(cell[axis] for cell in cells), max(cell[axis] for cell in cells)) for cells in drawing.cells
        ]
        pushed = [push for push in pushes if push.axis == axis]
        axes.append(_Axis(spans, [size[axis] for size in sizes], gap, pushed))
    columns, rows = axes
    beside = neighbours_of(range(len(sizes)), edges)
    for _ in range(_ROUNDS):
        columns.compact(rows, beside)
        rows.compact(columns, beside)
    return columns.at, rows.at


class _Axis:
    """The rooms along one axis: their spans of cells, lengths in tiles, and positions."""

    def __init__(
        self, spans: list[tuple[int, int]], lengths: list[int], gap: int, pushes: Sequence[Push]
    ) -> None:
        self.spans, self.lengths, self.gap, self.pushes = spans, lengths, gap, pushes
        self.at = self._first_positions()

    def _first_positions(self) -> list[int]:
        """Place rooms in the middle of their columns, each column as wide as its widest room."""
        widest: dict[int, int] = {}
        for (first, last), length in zip(self.spans, self.lengths, strict=True):
            share = -(-length // (last - first + 1))
            for cell in range(first, last + 1):
                widest[cell] = max(widest.get(cell, 0), share)
        starts, at = {}, 0
        for cell in range(min(widest), max(widest) + 1):
            starts[cell] = at
            at += widest.get(cell, -self.gap) + self.gap
        positions = []
        for (first, last), length in zip(self.spans, self.lengths, strict=True):
            end = starts[last] + widest[last]
            positions.append(starts[first] + (end - starts[first] - length) // 2)
        return positions

    def _push(self) -> None:
        """Move rooms as the pushes say, and with each those of later columns.

        A push against the order of the drawing moves only its own room.
        """
        at, lengths = self.at, self.lengths
        for _ in self.pushes:
            for _, before, after, apart in self.pushes:
                at[after] = max(at[after], at[before] + apart)
                if self.spans[after][1] < self.spans[before][0]:
                    continue
                for room, (first, _) in enumerate(self.spans):
                    if first > self.spans[after][1]:
                        at[room] = max(at[room], at[after] + (lengths[after] - lengths[room]) // 2 + 1)

    def compact(self, across: _Axis, beside: Mapping[int, Sequence[int]]) -> None:
        """Move the rooms together along this axis. Their positions along the other one stay."""
        self._push()
        order = sorted(range(len(self.at)), key=lambda room: (2 * self.at[room] + self.lengths[room], room))
        before = self._constraints(order, across)
        lengths = self.lengths
        least = [0] * len(order)
        for room in order:
            for earlier, apart in before[room]:
                least[room] = max(least[room], least[earlier] + apart)
        end = max(least[room] + lengths[room] for room in order)
        most = [end - length for length in lengths]
        for room in reversed(order):
            for earlier, apart in before[room]:
                most[earlier] = min(most[earlier], most[room] - apart)
        middles = [least[room] + most[room] + lengths[room] for room in range(len(order))]  # doubled
        at = [0] * len(order)
        for room in order:
            low = max((at[earlier] + apart for earlier, apart in before[room]), default=0)
            wish = self._wish(room, middles, beside[room], across)
            at[room] = min(max(wish, low, least[room]), most[room])
            middles[room] = 2 * at[room] + lengths[room]
        self.at = at

    def _constraints(self, order: Sequence[int], across: _Axis) -> list[list[tuple[int, int]]]:
        """List, for each room, the rooms before it, and the least distance between their positions."""
        gap, lengths, spans = self.gap, self.lengths, self.spans
        starts = [at - gap for at in across.at]
        ends = [at + length for at, length in zip(across.at, across.lengths, strict=True)]
        before: list[list[tuple[int, int]]] = [[] for _ in order]
        for i, room in enumerate(order):
            start, end, first = starts[room], ends[room], spans[room][0]
            limits = before[room]
            for earlier in order[:i]:
                if starts[earlier] < end and start < ends[earlier]:
                    limits.append((earlier, lengths[earlier] + gap))
                elif spans[earlier][1] < first:
                    limits.append((earlier, (lengths[earlier] - lengths[room]) // 2 + 1))
        index = {room: i for i, room in enumerate(order)}
        for _, earlier, room, apart in self.pushes:
            if index[earlier] < index[room]:
                before[room].append((earlier, apart))
        return before

    def _wish(self, room: int, middles: Sequence[int], beside: Sequence[int], across: _Axis) -> int:
        """Find a room's best position: in line with those above and below, close to those beside it."""
        total = weight = 0
        first, last = self.spans[room]
        for neighbour in beside:
            low, high = self.spans[neighbour]
            if low <= last and first <= high:  # they share a column
                total, weight = total + 3 * middles[neighbour], weight + 3
                continue
            away = self.lengths[neighbour] + self.lengths[room] + 2 * self.gap
            total, weight = total + middles[neighbour] + (away if high < first else -away), weight + 1
        return (total // weight - self.lengths[room]) // 2 if weight else middles[room]
