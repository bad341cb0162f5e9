"""Draws the rooms of a led level together, as a kernel: those that are joined slide and jump near each other.

One room and one axis at a time, as in the compaction of layouts (T. Lengauer, "Combinatorial Algorithms for
Integrated Circuit Layout", 1990), and only where the room's hallways become shorter.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from generator.named_tuple import NamedTuple
from generator.styles.gungeon.led_shape_kernel import BASE

_ROUNDS = 2
_CORNERS = 4  # tiles by which two rooms face each other further than the margin, for a straight hallway
_BEND = 6  # tiles that a hallway with a bend counts more
_LONG = 16  # tiles of a hallway for which a room jumps over others


class Spans(NamedTuple):
    """Where rooms begin on an axis and how long they are there, and the same across it, in tiles [room]."""

    at: MutableSequence[int]
    length: Sequence[int]
    at_across: MutableSequence[int]
    breadth: Sequence[int]


def draw_together(x: Spans, y: Spans, edges: list[int], rooms: int, margin: int) -> None:
    """Move the first `rooms` rooms nearer to those they are joined to, at least `margin` from any other.

    `x` and `y` are the same rooms, along the two axes. Rooms that are that far apart stay so.
    """
    beside = [[0] * 0 for _ in range(rooms)]
    for edge in edges:
        beside[edge // BASE].append(edge % BASE)
        beside[edge % BASE].append(edge // BASE)
    for _ in range(_ROUNDS):
        moved = 0
        for room in range(rooms):
            moved += _slide(room, beside[room], x, rooms, margin)
            moved += _slide(room, beside[room], y, rooms, margin)
        for edge in edges:
            a, b = edge // BASE, edge % BASE
            if _all_tiles(a, [b], x.at[a], y.at[a], x, margin) > _LONG:
                moved += _jump(a, b, beside[a], x, rooms, margin)
                moved += _jump(b, a, beside[b], x, rooms, margin)
        if not moved:
            break


def _slide(room: int, beside: list[int], spans: Spans, rooms: int, margin: int) -> int:
    """Move a room along an axis to where its hallways are shortest, as far as no room is in the way."""
    at, length, across = spans.at, spans.length, spans.at_across
    least, best = _all_tiles(room, beside, at[room], across[room], spans, margin), at[room]
    if least <= (margin + 1) * len(beside):
        return 0  # the hallways are as short as can be
    first, last = -(1 << 40), 1 << 40
    begin, end = across[room] - margin, across[room] + spans.breadth[room] + margin
    breadth = spans.breadth
    facing = [
        other for other in range(rooms) if across[other] < end and across[other] + breadth[other] > begin
    ]
    for other in facing:
        if at[other] > at[room]:
            last = min(last, at[other] - margin - length[room])
        elif other != room:
            first = max(first, at[other] + length[other] + margin)
    tried = [best]
    for other in beside:
        for place in _places(room, other, at, length, margin):
            to = min(max(place, first), last)
            if to in tried:
                continue
            tried.append(to)
            tiles = _all_tiles(room, beside, to, across[room], spans, margin)
            if tiles < least or (tiles == least and abs(to - at[room]) < abs(best - at[room])):
                least, best = tiles, to
    moved = 1 if at[room] != best else 0
    at[room] = best
    return moved


def _jump(room: int, other: int, beside: list[int], x: Spans, rooms: int, margin: int) -> int:
    """Move a room to a free place beside another, if its hallways become shorter."""
    at, across = x.at[room], x.at_across[room]
    least = _all_tiles(room, beside, at, across, x, margin)
    for to in _places(room, other, x.at, x.length, margin):
        for to_across in _places(room, other, x.at_across, x.breadth, margin):
            tiles = _all_tiles(room, beside, to, to_across, x, margin)
            if tiles < least and _is_free(room, to, to_across, x, rooms, margin):
                least, at, across = tiles, to, to_across
    moved = 1 if x.at[room] != at or x.at_across[room] != across else 0
    x.at[room], x.at_across[room] = at, across
    return moved


def _places(
    room: int, other: int, at: Sequence[int], length: Sequence[int], margin: int
) -> tuple[int, int, int, int, int]:
    """Return where a room begins on an axis if it lies before, beside (in three ways) or after another."""
    before, after = at[other] - length[room], at[other] + length[other]
    near = margin + _CORNERS
    return before - margin, before + near, (before + after) // 2, after - near, after + margin


def _is_free(room: int, at: int, across: int, spans: Spans, rooms: int, margin: int) -> int:
    """Check that a room would be far enough from all others at a place."""
    end, side = at + spans.length[room] + margin, across + spans.breadth[room] + margin
    for other in range(rooms):
        if (
            other != room
            and spans.at[other] < end
            and spans.at_across[other] < side
            and at < spans.at[other] + spans.length[other] + margin
            and across < spans.at_across[other] + spans.breadth[other] + margin
        ):
            return 0
    return 1


def _all_tiles(room: int, beside: list[int], at: int, across: int, spans: Spans, margin: int) -> int:
    """Estimate the tiles of all hallways to the rooms beside a room, if it begins at a place."""
    starts, lengths, starts_across, breadths = spans
    end, end_across, facing = at + lengths[room], across + breadths[room], -margin - _CORNERS
    tiles = 0
    for other in beside:
        begin, begin_across = starts[other], starts_across[other]
        gap, gap_across = at - begin - lengths[other], across - begin_across - breadths[other]
        if begin - end > gap:  # noqa: PLR1730  # calling max() would take longer than this whole line
            gap = begin - end
        if begin_across - end_across > gap_across:  # noqa: PLR1730
            gap_across = begin_across - end_across
        if gap <= facing or gap_across <= facing:
            tiles += gap if gap > gap_across else gap_across  # straight
        else:
            tiles += _BEND + (gap if gap > 0 else 0) + (gap_across if gap_across > 0 else 0)
    return tiles
