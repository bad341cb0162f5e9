"""Poisson-disc sampling of a room's tiles: a dense, even scatter in which no two are too close.

After Robert Bridson, "Fast Poisson Disk Sampling in Arbitrary Dimensions" (2007), which Boyd van Nobelen
("Procedurally Generated Dungeon", 2023) uses to place enemies: from a point taken at random among the active
ones, try places between one and two radii away. Bridson drops a point after thirty places that were too close
to another. Here a board of the tiles that are still far enough from all points replaces the grid: one draw
finds a place, and a point is dropped exactly when it has none left.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

from generator.algorithms.bitboard import Bitboard, dilate8, rectangle
from generator.rng import Stream


def poisson_disc(allowed: Bitboard, start: int, width: int, radius: int, stream: Stream) -> list[int]:
    """Choose as many tiles of a board as fit, each at least `radius` from the others. Returns numbers.

    `width` is the room's; the sample grows from tile `start`. Distances are Euclidean. Each look round an
    active point takes one word of the stream, and each place found another.
    """
    near, far = radius * radius - 1, 4 * radius * radius  # squared distances
    points: list[int] = []
    active: list[int] = []
    while allowed:
        tile = _place_near(active, allowed, far, width, stream)
        if tile is None:  # at the start, or if the rest of the board is too far from all points
            tile = _nearest(allowed, start, width + 1)
        points.append(tile)
        active.append(tile)
        allowed &= ~disc_at(tile, near, width)
    return points


def _place_near(active: list[int], allowed: Bitboard, far: int, width: int, stream: Stream) -> int | None:
    """Choose a tile that is not too far from an active point. Points without one become inactive."""
    while active:
        turn = stream.below(len(active))
        places = allowed & disc_at(active[turn], far, width)
        if places:
            return _nth(places, stream.below(places.bit_count()))
        active[turn] = active[-1]
        active.pop()
    return None


def _nearest(allowed: Bitboard, start: int, stride: int) -> int:
    """Find the tile of a board nearest to `start`, in steps of eight directions."""
    reach = 1 << start
    while not reach & allowed:
        reach = dilate8(reach, stride)
    return _nth(reach & allowed, 0)


def _nth(board: Bitboard, n: int) -> int:
    """Return the number of the n-th set bit, from 0."""
    for _ in range(n):
        board &= board - 1
    return (board & -board).bit_length() - 1


def disc_at(tile: int, most: int, width: int) -> Bitboard:
    """Return the tiles of a room at a squared distance of at most `most` from a tile."""
    y, x = divmod(tile, width + 1)
    return _disc(x, most, width) << y * (width + 1) >> isqrt(most) * (width + 1)


@lru_cache(maxsize=1 << 14)
def _disc(x: int, most: int, width: int) -> Bitboard:
    """Return `disc_at` of the tile of column x in the first row in which the disc is not cut off above."""
    reach, disc = isqrt(most), 0
    for row in range(2 * reach + 1):
        half = isqrt(most - (row - reach) ** 2)
        left, right = max(0, x - half), min(width, x + half + 1)
        disc |= rectangle(left, row, right - left, 1, width + 1)
    return disc
