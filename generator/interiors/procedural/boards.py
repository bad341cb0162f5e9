"""Sets of a room's tiles as one whole number each: a bit a tile, so that a rule for all is a few shifts.

Bit y * stride + x stands for tile (x, y), and stride is the room's width + 1: the column too many stays
empty, so that a step to the right out of a row does not come in again at the left of the next.

    width 3, stride 4:   bit 0 1 2 [3]      board << 1       everything one tile to the right
                         bit 4 5 6 [7]      board << stride  everything one tile down
                         bit 8 9 …
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from generator.rng import Stream

Board = int


def board_of(mask: npt.NDArray[np.bool_]) -> Board:
    """The tiles of a mask [y, x]."""
    height, width = mask.shape
    padded = np.zeros((height, width + 1), np.bool_)
    padded[:, :width] = mask
    return int.from_bytes(np.packbits(padded, bitorder="little").tobytes(), "little")


def mask_of(board: Board, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """A board as a mask [y, x] of `shape`; what lies outside is left out."""
    height, stride = shape[0], shape[1] + 1
    count = (height * stride + 7) // 8
    board &= (1 << height * stride) - 1
    bits = np.unpackbits(np.frombuffer(board.to_bytes(count, "little"), np.uint8), bitorder="little")
    return bits[: height * stride].view(np.bool_).reshape(height, stride)[:, :-1]


def rectangle(x: int, y: int, width: int, height: int, stride: int) -> Board:
    """All tiles of a rectangle."""
    row = ((1 << width) - 1) << x
    column = ((1 << stride * height) - 1) // ((1 << stride) - 1)  # a one at the start of every row
    return (row * column) << (y * stride)


def spread4(board: Board, stride: int) -> Board:
    """A board and the four neighbours of its tiles."""
    return board | board << 1 | board >> 1 | board << stride | board >> stride


def spread8(board: Board, stride: int) -> Board:
    """A board and the eight neighbours of its tiles."""
    rows = board | board << 1 | board >> 1
    return rows | rows << stride | rows >> stride


def deep8(board: Board, stride: int) -> Board:
    """The tiles of a board whose eight neighbours are all in it."""
    rows = board & board << 1 & board >> 1
    return rows & rows << stride & rows >> stride


def piece4(seed: Board, within: Board, stride: int) -> Board:
    """What four-neighbour steps within a board reach from `seed`."""
    piece = seed & within
    while True:
        grown = spread4(piece, stride) & within
        if grown == piece:
            return piece
        piece = grown


def without(board: Board, area: Board, stride: int) -> Board | None:
    """A board less an area; None if that could part tiles of it which four-neighbour steps joined.

    Tile by tile, and by what lies round each of them: so it is None for some that do no harm too.
    """
    for tile in tiles_in(area):
        around = board << stride + 1 >> tile
        ring = around & 7 | (around >> stride & 7) << 3 | (around >> 2 * stride & 7) << 6
        if not _IS_NO_LINK[ring]:
            return None
        board &= ~(1 << tile)
    return board


def _is_no_link(ring: int) -> bool:
    """Whether a tile's four neighbours stay joined within its eight when it is taken away.

    Bit 3 * y + x of `ring` tells whether the board has the tile x, y of the 3×3; the tile itself is 1, 1.
    """
    ring &= ~(1 << 4)
    within = sum(1 << 4 * y + x for y in range(3) for x in range(3) if ring >> 3 * y + x & 1)
    crossing = within & (1 << 1 | 1 << 4 | 1 << 6 | 1 << 9)
    return not crossing & ~piece4(crossing & -crossing, within, 4)


_IS_NO_LINK = tuple(_is_no_link(ring) for ring in range(512))


# --- squares -----------------------------------------------------------------------------------------


def places_of(board: Board, side: int, stride: int) -> Board:
    """Where the top left of a square of `side` tiles can be for it to lie within a board: an erosion."""
    for _ in range(side - 1):
        board &= board >> 1
    for _ in range(side - 1):
        board &= board >> stride
    return board


def places_on(board: Board, side: int, stride: int) -> Board:
    """Where the top left of a square of `side` tiles can be for it to cover a tile of a board."""
    for _ in range(side - 1):
        board |= board >> 1
    for _ in range(side - 1):
        board |= board >> stride
    return board


def squares(places: Board, side: int, stride: int) -> Board:
    """What squares of `side` tiles with their top left on these places cover: a dilation."""
    for _ in range(side - 1):
        places |= places << 1
    for _ in range(side - 1):
        places |= places << stride
    return places


def tiles_in(board: Board) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first: row by row."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def dice(bits: int, stream: Stream) -> npt.NDArray[np.uint8]:
    """A random byte for each of `bits` bits; a word of the stream for eight of them."""
    return stream.words((bits + 7) // 8).astype("<u8", copy=False).view(np.uint8)[:bits]


def below(thrown: npt.NDArray[np.uint8], bounds: Sequence[int]) -> list[Board]:
    """For each bound (0 to 256) the board of the bits whose byte is below it: chances in 256ths.

    A bit in the board of one bound is in those of all higher bounds too.
    """
    rows = np.packbits(thrown < np.array(bounds, np.uint16)[:, None], axis=1, bitorder="little")
    size, whole = rows.shape[1], rows.tobytes()
    return [int.from_bytes(whole[at : at + size], "little") for at in range(0, len(whole), size)]
