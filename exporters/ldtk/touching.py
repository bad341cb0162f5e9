"""Find rectangles that overlap or touch, in time linear in their number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.geometry import Rect

_MOST_BUCKETS = 256  # per rectangle


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
    for a, others in enumerate(_near(rects)):
        yield from ((a, b) for b in others if a < b and _overlap(rects[a], rects[b]))


def neighbours_of(levels: Sequence[PlacedLevel]) -> list[list[Neighbour]]:
    """Return for each level its neighbours in LDtk's order, with LDtk's directions.

    First those that overlap: `o` at the same depth, `>` or `<` one depth higher or lower. Then those that
    touch at the same depth: `ne`, `nw`, `se`, `sw` only at a corner, or `n`, `e`, `s`, `w`.
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
    """Yield for each rectangle the others that may touch it, ascending.

    Each is put into the buckets that it covers. Buckets are as large as most rectangles; the few rectangles
    that would cover very many are compared with all others.
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
    """Return the buckets of a rectangle and of its border outside, or None if there are too many."""
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
    """Return the direction from `one` to `other`, which touches it: a corner only if they share no edge."""
    vertical = "s" if other.y >= one.bottom else "n" if other.bottom <= one.y else ""
    horizontal = "e" if other.x >= one.right else "w" if other.right <= one.x else ""
    if vertical and horizontal:
        return vertical + horizontal
    return horizontal or vertical
