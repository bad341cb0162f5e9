"""Bitboards: a set of tiles as one Python integer, with one bit for each tile.

Chess programs hold sets of squares like this (Slate and Atkin, "CHESS 4.5", 1977). Python's integers have any
number of bits, so one shift moves a whole room's tiles at once; for areas of up to a few thousand tiles that
is faster than numpy's arrays. Bit y * stride + x stands for tile (x, y). The stride is the area's width + 1:
the extra column is always empty, so that what a shift moves out of a row on the right does not enter the next
row on the left.

    tiles        width 3, stride 4           bits, the lowest first        the integer

    # . #        bit 0  1  2  [3]            1 0 1 [0]
    . # .        bit 4  5  6  [7]            0 1 0 [0]                     0b0100_0010_0101 = 0x425
    . . #        bit 8  9  10 [11]           0 0 1 [0]

    board << 1              every tile moves one to the right
    board << stride         every tile moves one down
    a & b, a | b, a & ~b    intersection, union, difference
    board.bit_count()       how many tiles
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from generator.rng import Stream

_IS_LITTLE = sys.byteorder == "little"

Bitboard = int
"""A set of tiles: bit y * stride + x stands for tile (x, y)."""


def board_of(mask: npt.NDArray[np.bool_]) -> Bitboard:
    """Convert a mask [y, x] to a board."""
    height, width = mask.shape
    padded = np.zeros((height, width + 1), np.bool_)
    padded[:, :width] = mask
    return int.from_bytes(np.packbits(padded, bitorder="little").tobytes(), "little")


def mask_of(board: Bitboard, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Convert a board to a mask [y, x] of `shape`. Tiles outside are ignored."""
    height, stride = shape[0], shape[1] + 1
    count = (height * stride + 7) // 8
    board &= (1 << height * stride) - 1
    bits = np.unpackbits(np.frombuffer(board.to_bytes(count, "little"), np.uint8), bitorder="little")
    return bits[: height * stride].view(np.bool_).reshape(height, stride)[:, :-1]


def rectangle(x: int, y: int, width: int, height: int, stride: int) -> Bitboard:
    """Return all tiles of a rectangle."""
    row = ((1 << width) - 1) << x
    return (row * _first_column(height, stride)) << (y * stride)


@lru_cache(maxsize=4096)
def _first_column(height: int, stride: int) -> Bitboard:
    """Return a board with a one at the start of every row."""
    return ((1 << stride * height) - 1) // ((1 << stride) - 1)


def dilate4(board: Bitboard, stride: int) -> Bitboard:
    """Return a board plus the four neighbours of its tiles."""
    return board | board << 1 | board >> 1 | board << stride | board >> stride


def dilate8(board: Bitboard, stride: int) -> Bitboard:
    """Return a board plus the eight neighbours of its tiles."""
    rows = board | board << 1 | board >> 1
    return rows | rows << stride | rows >> stride


def erode8(board: Bitboard, stride: int) -> Bitboard:
    """Return the tiles of a board whose eight neighbours are all in it."""
    rows = board & board << 1 & board >> 1
    return rows & rows << stride & rows >> stride


def upside_down(board: Bitboard, height: int, stride: int) -> Bitboard:
    """Mirror a board of `height` rows top to bottom."""
    row, flipped = (1 << stride) - 1, 0
    for _ in range(height):
        flipped = flipped << stride | board & row
        board >>= stride
    return flipped


def turned_round(board: Bitboard, height: int, stride: int) -> Bitboard:
    """Turn a board of `height` rows by half a turn. Its column `stride` - 1 must be empty."""
    return int(f"{board:0{height * stride}b}"[::-1], 2) >> 1


def component4(seed: Bitboard, within: Bitboard, stride: int) -> Bitboard:
    """Return the tiles of `within` that can be reached from `seed` in four directions."""
    piece = seed & within
    while True:
        grown = (piece | piece << 1 | piece >> 1) & within
        grown = (grown | grown << stride | grown >> stride) & within
        if grown == piece:
            return piece
        piece = grown


def largest4(board: Bitboard, stride: int) -> Bitboard:
    """Return the largest component of a board, in four directions. Of equal ones, the first."""
    largest = 0
    while board:
        piece = component4(board & -board, board, stride)
        board &= ~piece
        largest = max(largest, piece, key=int.bit_count)
    return largest


def without(board: Bitboard, area: Bitboard, stride: int) -> Bitboard | None:
    """Remove an area from a board. Returns None if that could disconnect tiles of it (in four directions).

    It removes the tiles one by one and looks only at the eight tiles round each (simple points of digital
    topology: Rosenfeld, "Connectivity in Digital Pictures", 1970). So it is also None for some harmless
    areas.
    """
    while area:
        lowest = area & -area
        area ^= lowest
        above = lowest.bit_length() - stride - 2  # the first of the nine tiles
        around = board >> above if above >= 0 else board << -above
        ring = around & 7 | (around >> stride & 7) << 3 | (around >> 2 * stride & 7) << 6
        if not _SIMPLE[ring]:
            return None
        board = (board | lowest) ^ lowest
    return board


def without_cutting(board: Bitboard, area: Bitboard, stride: int) -> Bitboard | None:
    """Remove an area from a board. Returns None if tiles beside it are then no longer connected.

    Slower than `without` where that gives up, and exact on a connected board.
    """
    left = without(board, area, stride)
    if left is not None:
        return left
    left = board & ~area
    edge = dilate4(area, stride) & left
    return left if edge and not edge & ~component4(edge & -edge, left, stride) else None


_ROUND = 5, 2, 1, 0, 3, 6, 7, 8, 5  # bits of a 3x3 square: the tiles round the middle, the first one twice


def _is_simple(ring: int) -> bool:
    """Check whether a tile's four neighbours stay connected within its eight when it is removed.

    Bit 3 * y + x of `ring` is set if the board has tile x, y of the 3×3 square; the tile itself is 1, 1. It
    counts in how many pieces the four neighbours are: those behind which a gap follows (Yokoi, Toriwaki and
    Fukumura, "An Analysis of Topological Properties of Digitized Binary Pictures", 1975).
    """
    tiles = [ring >> bit & 1 for bit in _ROUND]
    return sum(tiles[i] & ~(tiles[i + 1] & tiles[i + 2]) for i in (0, 2, 4, 6)) <= 1


_SIMPLE = tuple(_is_simple(ring) for ring in range(512))


# --- squares -----------------------------------------------------------------------------------------


def erode_square(board: Bitboard, side: int, stride: int) -> Bitboard:
    """Erode a board: find where the top left of a square of `side` tiles can be so that it lies within it."""
    for _ in range(side - 1):
        board &= board >> 1
    for _ in range(side - 1):
        board &= board >> stride
    return board


def square_hits(board: Bitboard, side: int, stride: int) -> Bitboard:
    """Find where the top left of a square of `side` tiles can be so that it covers a tile of a board."""
    for _ in range(side - 1):
        board |= board >> 1
    for _ in range(side - 1):
        board |= board >> stride
    return board


def dilate_square(places: Bitboard, side: int, stride: int) -> Bitboard:
    """Dilate a board: return the tiles covered by squares of `side` tiles with their top left on `places`."""
    for _ in range(side - 1):
        places |= places << 1
    for _ in range(side - 1):
        places |= places << stride
    return places


def tiles_in(board: Bitboard) -> Iterator[int]:
    """Yield the numbers of the set bits, lowest first, so row by row."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def lowest(board: Bitboard) -> int:
    """Return the number of the lowest set bit, which is the first tile, row by row."""
    return (board & -board).bit_length() - 1


def nth_tile(board: Bitboard, number: int) -> int:
    """Return the number of the set bit with `number` lower ones. The board must have more bits than that."""
    first, bits = 0, board.bit_length()
    while bits > 1:
        half = bits >> 1
        low = board & (1 << half) - 1
        count = low.bit_count()
        if number < count:
            board, bits = low, half
        else:
            board >>= half
            number, first, bits = number - count, first + half, bits - half
    return first


def dice(bits: int, stream: Stream) -> npt.NDArray[np.uint8]:
    """Draw a random byte for each of `bits` bits. Takes a word of the stream for every eight."""
    words = stream.words((bits + 7) // 8)
    return (words if _IS_LITTLE else words.byteswap()).view(np.uint8)[:bits]


def below(random_bytes: npt.NDArray[np.uint8], bounds: Sequence[int]) -> list[Bitboard]:
    """Return, for each bound (0 to 256), the board of the bits whose byte is below it: chances in 256ths.

    A bit in the board of one bound is also in those of all higher bounds.
    """
    rows = np.packbits(random_bytes < _column(tuple(bounds)), axis=1, bitorder="little")
    size, packed = rows.shape[1], rows.tobytes()
    return [int.from_bytes(packed[at : at + size], "little") for at in range(0, len(packed), size)]


@lru_cache(maxsize=1024)
def _column(bounds: tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """Return the bounds as a column [bound, 1], to be compared with a row of bytes."""
    return np.array(bounds, np.uint16)[:, None]
