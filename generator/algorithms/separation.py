"""Separation: rectangles that overlap push each other apart until none of them do.

After A. Adonaac, "Procedural Dungeon Generation" (2015). Whole rectangles push, never their tiles: Boyd van
Nobelen ("Procedurally Generated Dungeon", 2023) found bodies of single tiles both slow and prone to getting
stuck inside each other.
"""

from __future__ import annotations

import numpy as np

from generator.arrays import Ints

# More pushes than this hardly improve the heap; pushing relieves pressure only so far (about the square root
# of the number of rooms), and the rest is swept apart.
_MAX_PUSHES = 60
_FEW = 64  # rooms: up to this, looking at all pairs is faster than a tree
_FAR_LEFT = -(1 << 62)


def separate(x: Ints, y: Ints, width: Ints, height: Ints, margin: int) -> tuple[Ints, Ints]:
    """Move rectangles [room] so that none overlap, at least `margin` tiles between any two. Returns x and y.

    Iterative AABB resolution: in each round every overlapping pair moves apart on the axis of less overlap,
    half the distance each. The rounds are limited; a last sweep resolves the rest, so that it always ends,
    and without overlaps. Then the rooms close the gaps towards the middle.
    """
    width, height = width + margin, height + margin
    x, y, overlapping = _push(x, y, width, height)
    if overlapping:
        x = _sweep(x, x, y, width, height)
    x = _gather(x, y, width, height)
    return x, _gather(y, x, height, width)


def _push(x: Ints, y: Ints, width: Ints, height: Ints) -> tuple[Ints, Ints, bool]:
    """Push in rounds, all pairs at once. Returns the positions, and whether overlaps may be left.

    Ties are broken by the rooms' numbers.
    """
    rooms, sizes = len(x), np.concatenate([width, height])
    middles = 2 * np.concatenate([x, y]) + sizes  # doubled; all x, then all y
    x2, y2 = middles[:rooms], middles[rooms:]
    pairs = _AllPairs(width, height) if len(x) <= _FEW else _NearPairs(width, height)
    for _ in range(_MAX_PUSHES):
        first, second, dx, dy, over_x, over_y = pairs.overlapping(x2, y2)
        if not len(first):
            return (x2 - width) // 2, (y2 - height) // 2, False
        sideways = (over_x < over_y) | ((over_x == over_y) & ((first + second) & 1 == 0))
        tiles = (np.minimum(over_x, over_y) + 3) >> 2  # half of the overlap, rounded up
        tiles[np.where(sideways, dx, dy) < 0] *= -1  # the same place: the later one moves forward
        axis = np.where(sideways, 0, rooms)
        moves = _moves(first + axis, second + axis, tiles, sizes)
        middles += 2 * moves
        pairs.moved(moves)
    return (x2 - width) // 2, (y2 - height) // 2, True


def _moves(first: Ints, second: Ints, pushes: Ints, size: Ints) -> Ints:
    """Sum the pushes of all `size`, negative for the first of a pair. Exact, as numbers are small and whole.

    No room moves further at once than its size, or a pile of rooms in one place would burst.
    """
    sums = np.bincount(second, pushes, len(size)) - np.bincount(first, pushes, len(size))
    return np.minimum(np.maximum(sums.astype(np.int64), -size), size)


Overlaps = tuple[Ints, Ints, Ints, Ints, Ints, Ints]
"""Overlapping pairs of rooms a < b; how far b's middle is from a's, and how much they overlap, doubled."""


class _AllPairs:
    """The pairs of a few rooms, as matrices [a, b]."""

    def __init__(self, width: Ints, height: Ints) -> None:
        earlier = np.tri(len(width), dtype=bool)
        self._wide = np.where(earlier, -1, width[:, None] + width)  # pairs with b not later never overlap
        self._high = np.where(earlier, -1, height[:, None] + height)

    def overlapping(self, x2: Ints, y2: Ints) -> Overlaps:
        """Find the pairs that overlap when their doubled middles are at these positions."""
        dx, dy = x2 - x2[:, None], y2 - y2[:, None]
        over_x, over_y = self._wide - np.abs(dx), self._high - np.abs(dy)
        hit = np.flatnonzero(np.minimum(over_x, over_y) > 0)
        first, second = np.divmod(hit, len(x2))
        return first, second, dx.take(hit), dy.take(hit), over_x.take(hit), over_y.take(hit)

    def moved(self, moves: Ints) -> None:
        """Do nothing: all pairs are looked at anyway."""


class _NearPairs:
    """The pairs of many rooms that may have met since they were last listed.

    A neighbour list: Verlet, "Computer Experiments on Classical Fluids" (1967).
    """

    def __init__(self, width: Ints, height: Ints) -> None:
        self._width, self._height = width, height
        self._skin = int(max(width.max(), height.max()))  # doubled tiles: rooms this near are listed
        self._left = -1  # of the skin, before unlisted rooms could overlap

    def overlapping(self, x2: Ints, y2: Ints) -> Overlaps:
        """Find the pairs that overlap when their doubled middles are at these positions."""
        if self._left < 0:
            self._list(x2, y2)
        a, b = self._pairs
        dx = x2.take(b) - x2.take(a)
        over_x = self._wide - np.abs(dx)
        beside = (over_x > 0).nonzero()[0]
        dy = y2.take(b.take(beside)) - y2.take(a.take(beside))
        over_y = self._high.take(beside) - np.abs(dy)
        on = (over_y > 0).nonzero()[0]
        hit = beside.take(on)
        return a.take(hit), b.take(hit), dx.take(hit), dy.take(on), over_x.take(hit), over_y.take(on)

    def moved(self, moves: Ints) -> None:
        """Note how far rooms moved: two of them may approach each other by twice that, doubled."""
        self._left -= 4 * int(np.abs(moves).max())

    def _list(self, x2: Ints, y2: Ints) -> None:
        from scipy.spatial import cKDTree  # slow to import, and few levels have this many rooms

        tree = cKDTree(np.column_stack([x2, y2]))
        pairs: Ints = tree.query_pairs(3 * self._skin, p=np.inf, output_type="ndarray")
        a, b = pairs.min(axis=1), pairs.max(axis=1)
        wide, high = self._width.take(a) + self._width.take(b), self._height.take(a) + self._height.take(b)
        near = np.abs(x2.take(b) - x2.take(a)) < wide + self._skin
        near &= np.abs(y2.take(b) - y2.take(a)) < high + self._skin
        self._pairs, self._wide, self._high = (a[near], b[near]), wide[near], high[near]
        self._left = self._skin


def _sweep(x: Ints, goal: Ints, y: Ints, width: Ints, height: Ints) -> Ints:
    """Move each room, from left to right, to its goal, or as near as those before it allow.

    Then no rooms overlap: each is to the right of all earlier ones in its rows, of which the last ends
    furthest to the right.
    """
    order = np.argsort(x, kind="stable").tolist()
    top = int(y.min())
    ends = [_FAR_LEFT] * (int((y + height).max()) - top)  # [row]: where its last room ends
    moved = x.tolist()
    rows, goals, widths, heights = (array.tolist() for array in (y - top, goal, width, height))
    for room in order:
        row, tall = rows[room], heights[room]
        at = max(goals[room], *ends[row : row + tall])
        moved[room] = at
        ends[row : row + tall] = [at + widths[room]] * tall
    return np.array(moved, np.int64)


def _gather(x: Ints, y: Ints, width: Ints, height: Ints) -> Ints:
    """Close the gaps on one axis: the right half moves left as far as it can, then the left half right."""
    middle = int((2 * x + width).sum()) // (2 * len(x))
    goal = np.where(2 * x + width > 2 * middle, np.minimum(x, middle - width // 2), x)
    x = _sweep(x, goal, y, width, height)
    mirrored = 2 * middle - x - width
    goal = np.where(2 * mirrored + width > 2 * middle, np.minimum(mirrored, middle - width // 2), mirrored)
    return 2 * middle - width - _sweep(mirrored, goal, y, width, height)
