"""What kernels are made of: random words, and operations on whole buffers.

The words are those of `generator.rng.Stream`, as functions of a key and a position: a stream is its key and
the number of words taken, `word(key, 0)` is the first. Keys and words are unsigned numbers of 64 bits; the
other functions return ordinary numbers.

Compiled numbers are signed unless declared otherwise. Some functions have two forms for that, or because
interpreted code is faster without calls, on one long number, or on a whole buffer. `COMPILED` names the
compiled form of each.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

from generator.rng import GAMMA, MASK, MIX_1, MIX_2

if TYPE_CHECKING:  # compiled functions get it from the loader, interpreted ones need none
    import numpy as np

# Words side by side in one long number, 128 bits for each, so that products do not overlap.
_LANES = 32
_ONES = sum(1 << 128 * lane for lane in range(_LANES))
_STEPS = sum(((lane + 1) * GAMMA & MASK) << 128 * lane for lane in range(_LANES))
_ALL_BITS, _UPPER_BITS = MASK * _ONES, (0xFFFFFFFF << 32) * _ONES


def mix64(word: int) -> int:
    """Apply SplitMix64's finaliser (Steele, Lea, Flood 2014)."""
    word = ((word ^ (word >> 30)) * MIX_1) & MASK
    word = ((word ^ (word >> 27)) * MIX_2) & MASK
    return word ^ (word >> 31)


def stream_key(seed: int, name: int) -> int:
    """Compute the key of `Stream(seed, NAME)`. `name` is `rng.name_key(NAME)`."""
    return mix64(unsigned(seed) ^ unsigned(name))


def with_id(key: int, number: int) -> int:
    """Compute the key of the same stream with another id, as in `Stream(seed, NAME, number)`."""
    return mix64((key + GAMMA * unsigned(number + 1)) & MASK)


def word(key: int, position: int) -> int:
    """Return the word after `position` others, 0 to 2**64 - 1."""
    word = (key + GAMMA * (position + 1)) & MASK  # mix64, inlined
    word = ((word ^ (word >> 30)) * MIX_1) & MASK
    word = ((word ^ (word >> 27)) * MIX_2) & MASK
    return word ^ (word >> 31)


def _word_64(key: int, position: int) -> int:
    return mix64((key + GAMMA * unsigned(position + 1)) & MASK)


def upper(key: int, position: int) -> int:
    """Return the upper half of a word, 0 to 2**32 - 1."""
    word = (key + GAMMA * (position + 1)) & MASK  # as in `word`
    word = ((word ^ (word >> 30)) * MIX_1) & MASK
    word = ((word ^ (word >> 27)) * MIX_2) & MASK
    return (word ^ (word >> 31)) >> 32


def _upper_64(key: int, position: int) -> int:
    return signed(word(key, position) >> 32)


def lower(key: int, position: int) -> int:
    """Return the lower half of a word, 0 to 2**32 - 1."""
    return signed(word(key, position) & 0xFFFFFFFF)


def below(key: int, position: int, bound: int) -> int:
    """Draw a number from 0 to bound - 1 (0 < bound <= 2**31) from one word, as `Stream.below` does."""
    word = (key + GAMMA * (position + 1)) & MASK  # as in `word`
    word = ((word ^ (word >> 30)) * MIX_1) & MASK
    word = ((word ^ (word >> 27)) * MIX_2) & MASK
    return (((word ^ (word >> 31)) >> 32) * bound) >> 32


def _below_64(key: int, position: int, bound: int) -> int:
    return (upper(key, position) * bound) >> 32


def unsigned(number: int) -> int:
    """Convert a number, not negative, for arithmetic with words. Compiled numbers may be signed."""
    return number


def _unsigned_64(number: int) -> np.uint64:
    return np.uint64(number)


def signed(number: int) -> int:
    """Convert a word to a number below 2**63, for arithmetic with ordinary numbers."""
    return number


def _signed_64(number: int) -> np.int64:
    return np.int64(number)


def first_in(key: int, position: int, count: int, items: bytes, wanted: bytearray) -> int:
    """Count the draws, of `count` from `items`, before the first wanted one. Each takes a word.

    `wanted[item]` is 1 for a wanted item. Returns -1 if none is drawn. There are at most 256 items.
    """
    is_wanted = items.translate(wanted.ljust(256)).ljust(256)
    for start in range(0, count, _LANES):
        index = _draws(key, position + start, len(items)).translate(is_wanted).find(1)
        if index >= 0:
            return start + index if start + index < count else -1
    return -1


def _draws(key: int, position: int, bound: int) -> bytes:
    """Return `below` of the next `_LANES` words, for a bound of at most 256."""
    z = (_ONES * ((key + GAMMA * position) & MASK) + _STEPS) & _ALL_BITS
    z = (((z ^ (z >> 30)) & _ALL_BITS) * MIX_1) & _ALL_BITS  # mix64 of all lanes
    z = (((z ^ (z >> 27)) & _ALL_BITS) * MIX_2) & _ALL_BITS
    z = (z ^ (z >> 31)) & _UPPER_BITS
    return (z * bound).to_bytes(16 * _LANES, "little")[8::16]


def _first_in_64(key: int, position: int, count: int, items: bytes, wanted: bytearray) -> int:
    for number in range(count):
        if wanted[items[below(key, position + number, len(items))]]:
            return number
    return -1


# --- whole buffers: one call in Python, a loop when compiled ------------------------------------------------


def copy(target: bytearray, source: bytes | bytearray) -> None:
    """Copy `source` into `target`, which has the same length."""
    target[:] = source


def _copy_64(target: bytearray, source: bytes | bytearray) -> None:
    for i in range(len(source)):
        target[i] = source[i]


def put(target: bytearray, start: int, source: bytes) -> None:
    """Copy `source` into `target`, from `start` on."""
    target[start : start + len(source)] = source


def _put_64(target: bytearray, start: int, source: bytes) -> None:
    for i in range(len(source)):
        target[start + i] = source[i]


def translate(target: bytearray, source: bytearray, table: bytes) -> None:
    """Set `target` to `source`, with each byte replaced by its entry in `table` (256 bytes)."""
    target[:] = source.translate(table)


def _translate_64(target: bytearray, source: bytearray, table: bytes) -> None:
    for i in range(len(source)):
        target[i] = table[source[i]]


def find(buffer: bytearray, byte: int) -> int:
    """Find the first index of a byte. Returns -1 if it is not there."""
    return buffer.find(byte)


def _find_64(buffer: bytearray, byte: int) -> int:
    for i in range(len(buffer)):
        if buffer[i] == byte:
            return i
    return -1


def square_root(number: int) -> int:
    """Find the largest whole number whose square is at most `number`."""
    return isqrt(number)


def _square_root_64(number: int) -> int:
    """Heron's method."""
    if number < 2:
        return number
    high = 1
    while high * high <= number:
        high *= 2
    while True:
        better = (high + number // high) // 2
        if better >= high:
            return high
        high = better


def pop(buffer: bytearray, count: int, index: int) -> int:
    """Remove and return the byte at an index of the first `count`. Those after it move up by one."""
    byte = buffer[index]
    buffer[index : count - 1] = buffer[index + 1 : count]
    return byte


def _pop_64(buffer: bytearray, count: int, index: int) -> int:
    byte = buffer[index]
    for i in range(index, count - 1):
        buffer[i] = buffer[i + 1]
    return byte


COMPILED = {
    "below": _below_64,
    "copy": _copy_64,
    "find": _find_64,
    "first_in": _first_in_64,
    "pop": _pop_64,
    "put": _put_64,
    "signed": _signed_64,
    "square_root": _square_root_64,
    "translate": _translate_64,
    "unsigned": _unsigned_64,
    "upper": _upper_64,
    "word": _word_64,
}
