"""What is drawn on bitboards: lines and bridges, ragged floods, and even scatters of tiles.

Jack Bresenham: "Algorithm for computer control of a digital plotter", IBM Systems Journal 4 (1965). The
sources of the others are named above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt

import numpy as np
import numpy.typing as npt

from generator.algorithms.bitboard import Bitboard, below, dice, dilate4, dilate8, lowest, nth_tile, rectangle
from generator.geometry import Point
from generator.rng import Stream


def line(start: Point, end: Point) -> list[Point]:
    """Return the tiles from `start` to `end`, both included, each one of the eight neighbours of the last.

    Whole numbers only: `error` is how far the line has strayed from the true one, times both spans.
    """
    (x, y), (end_x, end_y) = start, end
    span_x, span_y = abs(end_x - x), -abs(end_y - y)
    step_x, step_y = 1 if x < end_x else -1, 1 if y < end_y else -1
    error = span_x + span_y
    tiles = [start]
    while (x, y) != end:
        doubled = 2 * error
        if doubled >= span_y:
            error += span_y
            x += step_x
        if doubled <= span_x:
            error += span_x
            y += step_y
        tiles.append((x, y))
    return tiles


def sight_line(start: Point, end: Point, stride: int) -> Bitboard:
    """Return the tiles on the lines between two tiles, there and back, with those that diagonal steps touch.

    The last tile is not among them.
    """
    tiles, first = _sight(end[0] - start[0], end[1] - start[1], stride)
    return tiles << start[0] + start[1] * stride + first


@lru_cache(maxsize=1 << 14)
def _sight(dx: int, dy: int, stride: int) -> tuple[Bitboard, int]:
    """Return such a line with these offsets, shifted to the lowest bit, and where that is from the start."""
    tiles = [x + y * stride for x, y in _touched(dx, dy)]
    first = min(tiles, default=0)
    board = 0
    for tile in tiles:
        board |= 1 << tile - first
    return board, first


@lru_cache(maxsize=1 << 12)
def _touched(dx: int, dy: int) -> tuple[Point, ...]:
    """Return the tiles of such a line, from its start at (0, 0)."""
    tiles = {(0, 0)}
    for way in (line((0, 0), (dx, dy)), line((dx, dy), (0, 0))):
        for (_, y), (next_x, next_y) in pairwise(way):
            tiles.add((next_x, y))
            tiles.add((next_x, next_y))
    tiles.discard((dx, dy))
    return tuple(tiles)


def bridge(start: Point, end: Point, breadth: int, stride: int, body: int = 1) -> Bitboard:
    """Draw a line with a square of `breadth` tiles whose top left moves from `start` to `end`.

    A square of `body` tiles, no larger, can walk along it in steps to its four neighbours.

    A square and the next one diagonal to it share a square one tile smaller; for a body as large as they are,
    the bridge goes round the corner (o):

        11             11
        1##2           11oo
         #22            22o
          22            22      breadth 3 and 2: # is shared
    """
    board = 0
    before = start
    for x, y in line(start, end):
        board |= 1 << x + y * stride
        if body == breadth:
            board |= 1 << x + before[1] * stride
        before = x, y
    across = board
    for step in range(1, breadth):
        across |= board << step
    drawn = across
    for step in range(1, breadth):
        drawn |= across << step * stride
    return drawn


# Lazy flood fill, and the cellular rules that smooth its result, on bitboards.
#
# After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023), who took the fill from Klayton Kowalski,
# "Lazy Flood Fill | Procedural Generation" (2021): a flood fill in which a tile spreads to its four
# neighbours only with a chance that shrinks with every step, so that the flood has a ragged edge.
#
# All tiles at the same number of steps from the first are handled at once. That changes nothing, as each has
# its own random byte.


def fading(steps: int, last: int) -> list[int]:
    """Compute `steps` chances in 256ths, falling evenly from certainty to `last`, which may be below 0."""
    return [max(0, 256 - (256 - last) * step // max(steps - 1, 1)) for step in range(steps)]


def lazy_flood(
    within: Bitboard, source: Bitboard, stride: int, chances: Sequence[int], stream: Stream
) -> Bitboard:
    """Return the tiles of `within` that a flood from `source` fills.

    A tile filled in step i spreads with a chance of `chances[i]` in 256, and not at all after the last. It
    takes a word of the stream for every eight tiles of the board, however far it spreads.
    """
    spreading = below(dice(within.bit_length(), stream), chances)
    front = filled = source & within
    for willing in spreading:
        front = dilate4(front & willing, stride) & within & ~filled
        if not front:
            break
        filled |= front
    return filled


def skipping_flood(
    within: Bitboard, source: Bitboard, stride: int, chances: Sequence[int], stream: Stream
) -> Bitboard:
    """Return the tiles of `within` that a flood from `source` fills, with gaps.

    A tile that the flood reaches in step i is filled with a chance of `chances[i]` in 256, or never. It takes
    as many words as `lazy_flood`.
    """
    front = filled = source & within
    skipped = 0
    for willing in below(dice(within.bit_length(), stream), chances):
        reached = dilate4(front, stride) & within & ~filled & ~skipped
        if not reached:
            break
        front = reached & willing
        skipped |= reached & ~willing
        filled |= front
    return filled


def smooth(floor: Bitboard, stride: int) -> Bitboard:
    """Remove the floor tiles that have more than four empty neighbours among the eight.

    The neighbours of all tiles are counted at once, with bit-sliced adders: bit i of `odd` is the lowest
    binary digit of the count of tile i. `a ^ b ^ c` and the majority of a, b, c are the sum and the carry of
    a full adder, which adds three bits (carry-save adders: Warren, "Hacker's Delight", chapter 5). No count
    is ever assembled: its digits show whether it is more than four.

        nw n ne   one_a + 2 * two_a
        w  .  e   one_c + 2 * two_c                  one_a + one_b + one_c = odd + 2 * two_d
        sw s se   one_b + 2 * two_b                  count = odd + 2 * (two_a + two_b + two_c + two_d)
    """
    empty = ~floor
    rows = empty << stride, empty, empty >> stride
    (nw, n, ne), (w, _, e), (sw, s, se) = ((row << 1, row, row >> 1) for row in rows)
    one_a, two_a = nw ^ n ^ ne, nw & n | ne & (nw | n)
    one_b, two_b = sw ^ s ^ se, sw & s | se & (sw | s)
    one_c, two_c = w ^ e, w & e
    odd, two_d = one_a ^ one_b ^ one_c, one_a & one_b | one_c & (one_a | one_b)
    pair_ab, some_ab, pair_cd, some_cd = two_a & two_b, two_a | two_b, two_c & two_d, two_c | two_d
    four = pair_ab | pair_cd | some_ab & some_cd  # at least two of the four twos
    six = pair_ab & some_cd | pair_cd & some_ab  # at least three
    return floor & ~(six | four & odd)


def blurred_noise(planes: int, shape: tuple[int, int], stream: Stream) -> npt.NDArray[np.int16]:
    """Return noise [plane, y, x] in which neighbours are alike: sums of random bytes over 3 x 3 tiles."""
    height, width = shape
    noise = dice(planes * (height + 2) * (width + 2), stream).reshape(planes, height + 2, width + 2)
    rows = noise[:, :-2].astype(np.int16) + noise[:, 1:-1] + noise[:, 2:]
    sums: npt.NDArray[np.int16] = rows[:, :, :-2] + rows[:, :, 1:-1] + rows[:, :, 2:]
    return sums


def fill_lone(floor: Bitboard, within: Bitboard, stride: int) -> Bitboard:
    """Add the tiles of `within` that have floor on all eight sides to the floor."""
    rows = floor << 1 & floor >> 1
    beside = rows & floor << stride & floor >> stride & rows << stride & rows >> stride
    return floor | beside & within


def without_slivers(floor: Bitboard, within: Bitboard, stride: int) -> Bitboard:
    """Change the floor so that neither it nor the gaps in it are narrower than two tiles anywhere.

    A morphological opening by 2×2 tiles, first of the non-floor, then of the floor.
    """
    floor = within & ~_in_squares(~floor, stride)
    return _in_squares(floor, stride)


def _in_squares(board: Bitboard, stride: int) -> Bitboard:
    """Return the tiles of a board that belong to 2×2 of its tiles."""
    pairs = board & board >> 1
    corners = pairs & pairs >> stride
    pairs = corners | corners << 1
    return pairs | pairs << stride


# Poisson-disc sampling of a room's tiles: a dense, even scatter in which no two are too close.
#
# After Robert Bridson, "Fast Poisson Disk Sampling in Arbitrary Dimensions" (2007), which Boyd van Nobelen
# ("Procedurally Generated Dungeon", 2023) uses to place enemies: from a point taken at random among the
# active ones, try places between one and two radii away. Bridson drops a point after thirty places that
# were too close to another. Here a board of the tiles that are still far enough from all points replaces
# the grid: one draw finds a place, and a point is dropped exactly when it has none left.


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
            return nth_tile(places, stream.below(places.bit_count()))
        active[turn] = active[-1]
        active.pop()
    return None


def _nearest(allowed: Bitboard, start: int, stride: int) -> int:
    """Find the tile of a board nearest to `start`, in steps of eight directions."""
    reach = 1 << start
    while not reach & allowed:
        reach = dilate8(reach, stride)
    return lowest(reach & allowed)


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
