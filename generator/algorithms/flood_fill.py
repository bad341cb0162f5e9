"""Lazy flood fill, and the cellular rules that smooth what it leaves, on bitboards.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023), who took the fill from Klayton Kowalski,
"Lazy Flood Fill | Procedural Generation" (2021): a flood fill in which a tile spreads to its four
neighbours only by a chance that shrinks with every step, so that the flood gives out raggedly.

All tiles that are equally many steps from the first one are done at once. That changes nothing, as each
throws its own die.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.algorithms.bitboard import Bitboard, below, dice, dilate4
from generator.rng import Stream


def fading(steps: int, last: int) -> list[int]:
    """Chances in 256ths for `steps` steps, evenly from a sure one to `last`, which may be below 0."""
    return [max(0, 256 - (256 - last) * step // max(steps - 1, 1)) for step in range(steps)]


def lazy_flood(
    within: Bitboard, source: Bitboard, stride: int, chances: Sequence[int], stream: Stream
) -> Bitboard:
    """What the flood from `source` fills of a board.

    A tile filled in step i spreads with a chance of `chances[i]` in 256, and not at all after the last.
    It takes a word of the stream for eight tiles of the board, however far it comes.
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
    """Floor without the tiles of which more than four of the eight neighbours are empty.

    The neighbours of all tiles are counted at once, with bit-sliced adders: bit i of `odd` is the lowest
    binary digit of the count of tile i. `a ^ b ^ c` and the majority of a, b, c are the sum and the carry of
    a full adder, which adds three bits (carry-save adders: Warren, "Hacker's Delight", chapter 5). No count
    is ever put together: its digits tell whether it is more than four.

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
    """Floor, and those tiles of a board that have floor on all eight sides."""
    rows = floor << 1 & floor >> 1
    beside = rows & floor << stride & floor >> stride & rows << stride & rows >> stride
    return floor | beside & within


def without_slivers(floor: Bitboard, within: Bitboard, stride: int) -> Bitboard:
    """Floor in which neither floor nor what lies between it is anywhere narrower than two tiles.

    A morphological opening by 2×2 tiles, first of what is not floor, then of the floor.
    """
    floor = within & ~_in_squares(~floor, stride)
    return _in_squares(floor, stride)


def _in_squares(board: Bitboard, stride: int) -> Bitboard:
    """The tiles of a board that belong to 2×2 of its tiles."""
    pairs = board & board >> 1
    corners = pairs & pairs >> stride
    pairs = corners | corners << 1
    return pairs | pairs << stride
