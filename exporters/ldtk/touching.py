"""Which rectangles overlap or touch, found in a time that grows with their number only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.geometry import Rect

_MOST_BUCKETS = 256  # of one rectangle


class PlacedLevel(NamedTuple):
    """A level in LDtk's world."""

    rect: Rect
    depth: int


class Neighbour(NamedTuple):
    """Another level, by its place in the list, and where it lies."""

    place: int
    direction: str


def overlaps(rects: Sequence[Rect]) -> Iterator[tuple[int, int]]:
    """Every pair that covers something in common, the lower place first, ascending."""
    for a, others in enumerate(_near(rects)):
        yield from ((a, b) for b in others if a < b and _overlap(rects[a], rects[b]))


def neighbours_of(levels: Sequence[PlacedLevel]) -> list[list[Neighbour]]:
    """For each level its neighbours in LDtk's order and words.

    First those that overlap, `o` at the same depth, `>` or `<` one depth further up or down; then those
    of the same depth that touch: `ne`, `nw`, `se`, `sw` at a corner only, or `n`, `e`, `s`, `w`.
    """
    found = []
    for place, others in enumerate(_near([level.rect for level in levels])):
        one = levels[place]
        over, beside = [], []
        for other in others:
            level = levels[other]
            if _overlap(one.rect, level.rect):
                if abs(one.depth - level.depth) <= 1:
                    over.append(Neighbour(other, _over(one.depth, level.depth)))
            elif one.depth == level.depth and _touch(one.rect, level.rect):
                beside.append(Neighbour(other, _direction(one.rect, level.rect)))
        found.append(over + beside)
    return found


def _near(rects: Sequence[Rect]) -> Iterator[list[int]]:
    """For each rectangle the others that may touch it, ascending.

    Each is put into the buckets that it covers, which are as large as most rectangles; the few that would
    cover very many are compared with all.
    """
    side = max(1, sum(rect.width + rect.height for rect in rects) // max(1, 2 * len(rects)))
    buckets: dict[tuple[int, int], list[int]] = defaultdict(list)
    large = []
    for place, rect in enumerate(rects):
        covered = _buckets(rect, side)
        if covered is None:
            large.append(place)
        for bucket in covered or ():
            buckets[bucket].append(place)
    for place, rect in enumerate(rects):
        covered = _buckets(rect, side)
        if covered is None:
            yield [other for other in range(len(rects)) if other != place]
        else:
            near = {other for bucket in covered for other in buckets[bucket]}
            near.update(large)
            near.discard(place)
            yield sorted(near)


def _buckets(rect: Rect, side: int) -> list[tuple[int, int]] | None:
    """The buckets of a rectangle and of what lies right beside it; None if they are too many."""
    columns = range((rect.x - 1) // side, (rect.right + 1) // side + 1)
    rows = range((rect.y - 1) // side, (rect.bottom + 1) // side + 1)
    if len(columns) * len(rows) > _MOST_BUCKETS:
        return None
    return [(x, y) for y in rows for x in columns]


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _touch(a: Rect, b: Rect) -> bool:
    return a.x <= b.right and b.x <= a.right and a.y <= b.bottom and b.y <= a.bottom


def _over(one: int, other: int) -> str:
    return "o" if one == other else ">" if other > one else "<"


def _direction(one: Rect, other: Rect) -> str:
    """Where `other`, which touches `one`, lies; a corner only if nothing else is shared."""
    vertical = "s" if other.y >= one.bottom else "n" if other.bottom <= one.y else ""
    horizontal = "e" if other.x >= one.right else "w" if other.right <= one.x else ""
    if vertical and horizontal:
        return vertical + horizontal
    return horizontal or vertical
