"""Lazy flood fill, and the cellular rules that smooth what it leaves, on boards of tiles.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023), who took the fill from Klayton Kowalski,
"Lazy Flood Fill | Procedural Generation" (2021): a flood fill in which a tile spreads to its four
neighbours only by a chance that shrinks with every step, so that the flood gives out raggedly.

All tiles that are equally many steps from the first one are done at once. That changes nothing, as each
throws its own die.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.interiors.procedural.boards import Board, below, dice, spread4
from generator.rng import Stream


def fading(steps: int, last: int) -> list[int]:
    """Chances in 256ths for `steps` steps, evenly from a sure one to `last`, which may be below 0."""
    return [max(0, 256 - (256 - last) * step // max(steps - 1, 1)) for step in range(steps)]


def lazy_flood(within: Board, source: Board, stride: int, chances: Sequence[int], stream: Stream) -> Board:
    """What the flood from `source` fills of a board.

    A tile filled in step i spreads with a chance of `chances[i]` in 256, and not at all after the last.
    It takes a word of the stream for eight tiles of the board, however far it comes.
    """
    spreading = below(dice(within.bit_length(), stream), chances)
    front = filled = source & within
    for willing in spreading:
        front = spread4(front & willing, stride) & within & ~filled
        if not front:
            break
        filled |= front
    return filled


def smooth(floor: Board, stride: int) -> Board:
    """Floor without the tiles of which more than four of the eight neighbours are empty.

    The neighbours are counted for all tiles at once, as one would add in binary by hand.
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


def fill_lone(floor: Board, within: Board, stride: int) -> Board:
    """Floor, and those tiles of a board that have floor on all eight sides."""
    rows = floor << 1 & floor >> 1
    beside = rows & floor << stride & floor >> stride & rows << stride & rows >> stride
    return floor | beside & within


def without_slivers(floor: Board, within: Board, stride: int) -> Board:
    """Floor in which neither floor nor what lies between it is anywhere narrower than two tiles.

    A morphological opening by 2×2 tiles, first of what is not floor, then of the floor.
    """
    floor = within & ~_in_squares(~floor, stride)
    return _in_squares(floor, stride)


def _in_squares(board: Board, stride: int) -> Board:
    """The tiles of a board that belong to 2×2 of its tiles."""
    pairs = board & board >> 1
    corners = pairs & pairs >> stride
    pairs = corners | corners << 1
    return pairs | pairs << stride
