"""A kernel for the tests of the loader."""

from __future__ import annotations

from array import array

from generator.compiled.primitives import (
    below,
    copy,
    find,
    first_in,
    lower,
    pop,
    stream_key,
    translate,
    upper,
    with_id,
)

ITEMS = bytes((1, 0, 4, 3, 6))
EMPTY = bytes(9)
STEPS = (-1, 1, -3, 3)
EVEN = bytes(1 - number % 2 for number in range(256))


def draw(seed: int, name: int, number: int, board: bytearray, out: array[int]) -> int:
    """Walk over a board of 9 in random steps, and write down what was drawn."""
    key = with_id(stream_key(seed, name), number)
    copy(board, EMPTY)
    out[0] = upper(key, 0)
    out[1] = lower(key, 0)
    place = 4
    for position in range(300):
        place = (place + STEPS[below(key, position, 4)]) % 9
        board[place] += 1
    out[2] = find(board, 30)
    out[3] = pop(board, 9, place)
    translate(board, board, EVEN)
    out[4] = first_in(key, 1, 250, ITEMS, board)
    return place


def draw_many(seeds: array[int], name: int, board: bytearray, out: array[int]) -> int:
    """`draw` for each seed; the sum of all that was drawn last."""
    total = 0
    for number in range(len(seeds)):
        total = total * 3 + draw(seeds[number], name, number, board, out)
        for place in range(5):
            total = (total * 31 + out[place]) % 1_000_003
    return total
