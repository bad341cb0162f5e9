"""Find rectangles that overlap or touch, in time linear in their number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.geometry import Rect

_MAX_BUCKETS = 256  # per rectangle


class PlacedLevel(NamedTuple):
    """A level in LDtk's world."""

    rect: Rect
    depth: int


class Neighbour(NamedTuple):
    """Another level, by its index, and its direction."""

    place: int
    direction: str


def overlaps(rects: Sequence[Rect]) -> Iterator[tuple[int, int]]:
    """Yield all pairs that overlap, as ascending indexes, the lower one first."""
    for a, near in enumerate(_near(rects)):
        yield from ((a, b) for b in near if a < b and _overlap(rects[a], rects[b]))


def neighbours_of(levels: Sequence[PlacedLevel]) -> list[list[Neighbour]]:
    """Return for each level its neighbours in LDtk's order, with LDtk's directions.

    First those that overlap: `o` at the same depth, `>` or `<` one depth higher or lower. Then those that
    touch at the same depth: `ne`, `nw`, `se`, `sw` only at a corner, or `n`, `e`, `s`, `w`.
    """
    neighbours = []
    for number, near in enumerate(_near([level.rect for level in levels])):
        own = levels[number]
        over, beside = [], []
        for index in near:
            level = levels[index]
            if _overlap(own.rect, level.rect):
                if abs(own.depth - level.depth) <= 1:
                    over.append(Neighbour(index, _over(own.depth, level.depth)))
            elif own.depth == level.depth and _touch(own.rect, level.rect):
                beside.append(Neighbour(index, _direction(own.rect, level.rect)))
        neighbours.append(over + beside)
    return neighbours


def _near(rects: Sequence[Rect]) -> Iterator[list[int]]:
    """Yield for each rectangle the others that may touch it, ascending.

    Each is put into the buckets that it covers. Buckets are as large as most rectangles; the few rectangles
    that would cover very many are compared with all others.
    """
    side = max(1, sum(rect.width + rect.height for rect in rects) // max(1, 2 * len(rects)))
    buckets: dict[tuple[int, int], list[int]] = defaultdict(list)
    large = []
    for number, rect in enumerate(rects):
        covered = _buckets(rect, side)
        if covered is None:
            large.append(number)
        for bucket in covered or ():
            buckets[bucket].append(number)
    for number, rect in enumerate(rects):
        covered = _buckets(rect, side)
        if covered is None:
            yield [candidate for candidate in range(len(rects)) if candidate != number]
        else:
            near = {candidate for bucket in covered for candidate in buckets[bucket]}
            near.update(large)
            near.discard(number)
            yield sorted(near)


def _buckets(rect: Rect, side: int) -> list[tuple[int, int]] | None:
    """Return the buckets of a rectangle and of its border outside, or None if there are too many."""
    columns = range((rect.x - 1) // side, (rect.right + 1) // side + 1)
    rows = range((rect.y - 1) // side, (rect.bottom + 1) // side + 1)
    if len(columns) * len(rows) > _MAX_BUCKETS:
        return None
    return [(x, y) for y in rows for x in columns]


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _touch(a: Rect, b: Rect) -> bool:
    return a.x <= b.right and b.x <= a.right and a.y <= b.bottom and b.y <= a.bottom


def _over(first: int, second: int) -> str:
    return "o" if first == second else ">" if second > first else "<"


def _direction(first: Rect, second: Rect) -> str:
    """Return the direction from `first` to `second`, which touch, as a corner only if they share no edge."""
    vertical = "s" if second.y >= first.bottom else "n" if second.bottom <= first.y else ""
    horizontal = "e" if second.x >= first.right else "w" if second.right <= first.x else ""
    if vertical and horizontal:
        return vertical + horizontal
    return horizontal or vertical
