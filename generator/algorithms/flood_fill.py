"""Lazy flood fill, and the cellular rules that smooth its result, on bitboards.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023), who took the fill from Klayton Kowalski,
"Lazy Flood Fill | Procedural Generation" (2021): a flood fill in which a tile spreads to its four neighbours
only with a chance that shrinks with every step, so that the flood has a ragged edge.

All tiles at the same number of steps from the first are handled at once. That changes nothing, as each has
its own random byte.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.algorithms.bitboard import Bitboard, below, dice, dilate4
from generator.rng import Stream


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
