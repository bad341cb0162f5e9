"""Separate: rooms that overlap push each other apart until none does.

Whole rooms push, never their tiles: Boyd van Nobelen ("Procedurally Generated Dungeon") found bodies of
single tiles both slow and prone to get stuck inside each other.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from generator.floorplans.gungeon.plan import Heap, Ints

# More pushes than this hardly better the heap; it lets pressure out of a heap of any size only so far
# (about the square root of the number of rooms), and what is left is swept apart.
_MOST_PUSHES = 60
_FEW = 64  # rooms of which all pairs are looked at: fewer than a tree pays for


def separate(heap: Heap, margin: int) -> Heap:
    """The heap without overlaps, at least `margin` tiles between any two rooms.

    Iterative AABB resolution: each round every overlapping pair parts over the axis on which it overlaps
    less, half the way each. The rounds are counted; a last sweep ends what they leave, so that it always
    ends, and never with an overlap. Then the rooms close the gaps towards the middle.
    """
    width, height = heap.width + margin, heap.height + margin
    x, y, overlapping = _push(heap.x, heap.y, width, height)
    if overlapping:
        x = _sweep(x, x, y, width, height)
    x = _gather(x, y, width, height)
    y = _gather(y, x, height, width)
    return heap._replace(x=x, y=y)


def _push(x: Ints, y: Ints, width: Ints, height: Ints) -> tuple[Ints, Ints, bool]:
    """Rounds of pushes, all pairs of a round at once, and whether any may be left to push.

    Ties are broken by the rooms' numbers.
    """
    count = len(x)
    x2, y2 = 2 * x + width, 2 * y + height  # middles, doubled
    reach = 2 * int(max(width.max(), height.max()))
    for push in range(_MOST_PUSHES):
        if push == 0 or count > _FEW:
            a, b = _near_pairs(x2, y2, reach) if count > _FEW else np.triu_indices(count, 1)
            wide, high = width[a] + width[b], height[a] + height[b]
        dx, dy = x2[b] - x2[a], y2[b] - y2[a]
        over_x, over_y = wide - np.abs(dx), high - np.abs(dy)  # overlaps, doubled
        hit = np.flatnonzero((over_x > 0) & (over_y > 0))
        if not len(hit):
            return (x2 - width) // 2, (y2 - height) // 2, False
        one, other, dx, dy, over_x, over_y = (array[hit] for array in (a, b, dx, dy, over_x, over_y))
        sideways = (over_x < over_y) | ((over_x == over_y) & ((one + other) % 2 == 0))
        away = np.where(np.where(sideways, dx, dy) >= 0, 1, -1)  # the same place: the later one goes on
        tiles = away * ((np.minimum(over_x, over_y) + 3) // 4)  # half of the overlap, rounded up
        x2 += 2 * _moves(one, other, tiles * sideways, width)
        y2 += 2 * _moves(one, other, tiles * ~sideways, height)
    return (x2 - width) // 2, (y2 - height) // 2, True


def _moves(one: Ints, other: Ints, pushes: Ints, size: Ints) -> Ints:
    """[room]: the sum of its pushes, which go against the one of a pair; exact, being small whole numbers.

    No room goes further at once than it is large, or a pile of rooms in one place would burst.
    """
    sums = np.bincount(other, pushes, len(size)) - np.bincount(one, pushes, len(size))
    return np.clip(sums.astype(np.int64), -size, size)


def _near_pairs(x2: Ints, y2: Ints, reach: int) -> tuple[Ints, Ints]:
    """Pairs (a, b), a < b, of all rooms whose middles are no further apart than `reach` on both axes."""
    tree = cKDTree(np.column_stack([x2, y2]))
    pairs: Ints = tree.query_pairs(reach, p=np.inf, output_type="ndarray")
    return pairs.min(axis=1), pairs.max(axis=1)


def _sweep(x: Ints, goal: Ints, y: Ints, width: Ints, height: Ints) -> Ints:
    """From left to right each room goes to its goal, or as near as those before it let it.

    No room overlaps another then: it stands right of all earlier ones in its rows.
    """
    order = np.argsort(x, kind="stable")
    x, top, bottom = x.copy(), y[order], (y + height)[order]
    right = np.empty(len(x), np.int64)
    goals, widths = goal[order].tolist(), width[order].tolist()
    for place, room in enumerate(order.tolist()):
        in_rows = (top[:place] < bottom[place]) & (bottom[:place] > top[place])
        x[room] = max(goals[place], int(right[:place].max(initial=goals[place], where=in_rows)))
        right[place] = x[room] + widths[place]
    return x


def _gather(x: Ints, y: Ints, width: Ints, height: Ints) -> Ints:
    """Close the gaps over one axis: the right half goes left as far as it can, then the left half right."""
    middle = int((2 * x + width).sum()) // (2 * len(x))
    goal = np.where(2 * x + width > 2 * middle, np.minimum(x, middle - width // 2), x)
    x = _sweep(x, goal, y, width, height)
    mirrored = 2 * middle - x - width
    goal = np.where(2 * mirrored + width > 2 * middle, np.minimum(mirrored, middle - width // 2), mirrored)
    return 2 * middle - width - _sweep(mirrored, goal, y, width, height)
