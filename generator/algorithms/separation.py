"""Separation: rectangles that overlap push each other apart until none of them do.

After A. Adonaac, "Procedural Dungeon Generation" (2015). Whole rectangles push, never their tiles: Boyd van
Nobelen ("Procedurally Generated Dungeon", 2023) found bodies of single tiles both slow and prone to getting
stuck inside each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

import numpy as np

from generator.arrays import Ints

# More pushes than this hardly improve the heap; pushing relieves pressure only so far (about the square root
# of the number of rooms), and the rest is swept apart.
_MAX_PUSHES = 60
_FEW = 64  # rooms: up to this, looking at all pairs is faster than a tree
_FEWEST = 24  # rooms: up to this, all pairs are listed once
_EVERYWHERE = 1 << 60
_FAR_LEFT = -(1 << 62)


def separate(x: Ints, y: Ints, width: Ints, height: Ints, margin: int) -> tuple[Ints, Ints]:
    """Move rectangles [room] so that none overlap, at least `margin` tiles between any two. Returns x and y.

    Iterative AABB resolution: in each round every overlapping pair moves apart on the axis of less overlap,
    half the distance each. The rounds are limited; a last sweep resolves the rest, so that it always ends,
    and without overlaps. Then the rooms close the gaps towards the middle.
    """
    sizes = np.stack([width + margin, height + margin])
    middles, overlapping = _push(2 * np.stack([x, y]) + sizes, sizes)
    at_x, at_y = ((middles - sizes) // 2).tolist()
    wide, high = sizes.tolist()
    if overlapping:
        at_x = _sweep(at_x, at_x, at_y, wide, high)
    at_x = _gather(at_x, at_y, wide, high)
    return np.array(at_x, np.int64), np.array(_gather(at_y, at_x, high, wide), np.int64)


def _push(middles: Ints, sizes: Ints) -> tuple[Ints, bool]:
    """Push in rounds, all pairs at once. Returns the middles, and whether overlaps may be left.

    Doubled middles and sizes are [axis, room].
    """
    rooms = sizes.shape[1]
    pairs = _NearPairs(sizes)
    for _ in range(_MAX_PUSHES):
        first, second, tiles = pairs.pushes(middles)
        if not len(first):
            return middles, False
        sums = np.bincount(second, tiles, 2 * rooms) - np.bincount(first, tiles, 2 * rooms)
        # Exact, as numbers are small and whole. No room moves further at once than its size, or a pile of
        # rooms in one place would burst.
        moves = np.minimum(np.maximum(sums.astype(np.int64).reshape(2, rooms), -sizes), sizes)
        middles = middles + 2 * moves
        pairs.moved(moves)
    return middles, True


Pushes = tuple[Ints, Ints, Ints]
"""Pairs of rooms a < b that overlap, as indices of [axis, room], and by how much b moves forward, and a back.

They push each other on the axis of less overlap, by half of it. Ties are broken by the rooms' numbers: of two
equal overlaps, the one along x counts if both are even or both are odd, and of two rooms in the same place
the later one moves forward.
"""


class _NearPairs:
    """The pairs of rooms that may have met since they were last listed.

    A neighbour list: Verlet, "Computer Experiments on Classical Fluids" (1967).
    """

    def __init__(self, sizes: Ints) -> None:
        self._sizes = sizes
        rooms = sizes.shape[1]
        self._all = np.triu_indices(rooms, 1) if rooms <= _FEW else None
        # Doubled tiles: rooms this near are listed. A list of all is no longer, if there are few.
        self._skin = _EVERYWHERE if rooms <= _FEWEST else int(sizes.max())
        self._left = -1  # of the skin, before unlisted rooms could overlap

    def pushes(self, middles: Ints) -> Pushes:
        """Find the pushes of rooms at these positions."""
        if self._left < 0:
            self._list(middles)
        pairs = len(self._is_even)
        apart = middles.take(self._second) - middles.take(self._first)
        over = self._reach - np.abs(apart)
        hit = (np.minimum(over[:pairs], over[pairs:]) > 0).nonzero()[0]
        upright = over.take(hit) - over.take(hit + pairs) >= self._is_even.take(hit)
        at = hit + pairs * upright
        tiles = (over.take(at) + 3) >> 2
        return self._first.take(at), self._second.take(at), np.where(apart.take(at) < 0, -tiles, tiles)

    def moved(self, moves: Ints) -> None:
        """Note how far rooms moved: two of them may approach each other by twice that, doubled."""
        self._left -= 4 * int(np.abs(moves).max())

    def _list(self, middles: Ints) -> None:
        a, b = self._all or _pairs_within(3 * self._skin, middles)
        reach = self._sizes.take(a, axis=1) + self._sizes.take(b, axis=1)
        apart = np.abs(middles.take(b, axis=1) - middles.take(a, axis=1))
        near = (apart < reach + self._skin).all(axis=0).nonzero()[0]
        a, b = a.take(near), b.take(near)
        rooms = middles.shape[1]
        self._first, self._second = np.concatenate([a, a + rooms]), np.concatenate([b, b + rooms])
        self._reach, self._is_even = reach.take(near, axis=1).ravel(), (a + b) & 1 == 0
        self._left = self._skin


def _pairs_within(distance: int, middles: Ints) -> tuple[Ints, Ints]:
    """Find the pairs of rooms a < b whose middles are no further apart on either axis."""
    from scipy.spatial import cKDTree  # slow to import, and few levels have this many rooms

    pairs: Ints = cKDTree(middles.T).query_pairs(distance, p=np.inf, output_type="ndarray")
    return pairs.min(axis=1), pairs.max(axis=1)


def _sweep(
    x: Sequence[int], goals: Sequence[int], y: Sequence[int], width: Sequence[int], height: Sequence[int]
) -> list[int]:
    """Move each room, from left to right, to its goal, or as near as those before it allow.

    Then no rooms overlap: each is to the right of all earlier ones in its rows, of which the last ends
    furthest to the right.
    """
    top = min(y)
    ends = [_FAR_LEFT] * (max(map(add, y, height)) - top)  # [row]: where its last room ends
    moved = list(x)
    for room in sorted(range(len(x)), key=x.__getitem__):
        row, tall = y[room] - top, height[room]
        at = max(goals[room], *ends[row : row + tall])
        moved[room] = at
        ends[row : row + tall] = [at + width[room]] * tall
    return moved


def _gather(x: list[int], y: Sequence[int], width: Sequence[int], height: Sequence[int]) -> list[int]:
    """Close the gaps on one axis: the right half moves left as far as it can, then the left half right."""
    middle = (2 * sum(x) + sum(width)) // (2 * len(x))
    for _ in range(2):
        goals = [
            min(at, middle - wide // 2) if 2 * at + wide > 2 * middle else at
            for at, wide in zip(x, width, strict=True)
        ]
        moved = _sweep(x, goals, y, width, height)
        x = [2 * middle - wide - at for at, wide in zip(moved, width, strict=True)]  # mirrored
    return x
