"""Named, independent, version-stable streams of random words.

A stream is SplitMix64 read as a function of a counter: word i = mix64(key + (i + 1)·γ). (Steele, Lea, Flood:
"Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.) It has no state but the counter, so words can
be drawn one by one, in a block with numpy, or skipped at no cost, and are always the same.

A stream's key is mixed from the seed, the name of the stage that draws, and ids such as a room's, so
that a new stage or a re-rolled room changes nothing else. Every helper takes a fixed number of words.
"""

from __future__ import annotations

import hashlib
import operator
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, SupportsIndex, TypeVar

if TYPE_CHECKING:  # only blocks of words need numpy
    import numpy as np
    import numpy.typing as npt

T = TypeVar("T")

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


def mix64(word: int) -> int:
    """Apply SplitMix64's finaliser, a bijection of 64-bit words that scatters them."""
    word = ((word ^ (word >> 30)) * MIX_1) & MASK
    word = ((word ^ (word >> 27)) * MIX_2) & MASK
    return word ^ (word >> 31)


@lru_cache(maxsize=256)
def name_key(name: str) -> int:
    """Compute the part of a stream's key that comes from its name: 64 bits of the name's BLAKE2b digest."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


class Stream:
    """One stream of 64-bit words, where `position` counts the words taken.

    Do not share a stream between stages: create another by name instead.
    """

    __slots__ = ("key", "position")

    def __init__(self, seed: SupportsIndex, name: str, *ids: SupportsIndex) -> None:
        key = mix64((operator.index(seed) & MASK) ^ name_key(name))
        for number in ids:
            key = mix64((key + GAMMA * ((operator.index(number) & MASK) + 1)) & MASK)
        self.key = key
        self.position = 0

    @classmethod
    def numbered(cls, count: int, seed: SupportsIndex, name: str, *ids: SupportsIndex) -> list[Stream]:
        """Create the streams `Stream(seed, name, *ids, number)` for the numbers 0 to `count` - 1."""
        state = cls(seed, name, *ids).key
        streams = []
        for _ in range(count):
            state = (state + GAMMA) & MASK
            key = ((state ^ (state >> 30)) * MIX_1) & MASK  # mix64, inlined
            key = ((key ^ (key >> 27)) * MIX_2) & MASK
            stream = cls.__new__(cls)
            stream.key, stream.position = key ^ (key >> 31), 0
            streams.append(stream)
        return streams

    def word(self) -> int:
        """Take the next word, 0 to 2**64 - 1."""
        self.position += 1
        word = (self.key + self.position * GAMMA) & MASK
        word = ((word ^ (word >> 30)) * MIX_1) & MASK  # mix64, inlined: this is the hottest line
        word = ((word ^ (word >> 27)) * MIX_2) & MASK
        return word ^ (word >> 31)

    def words(self, count: int) -> npt.NDArray[np.uint64]:
        """Take the next `count` words at once, the same as from `word`."""
        from generator.word_blocks import words_after

        position = self.position
        self.position += count
        return words_after(self.key + position * GAMMA, count)

    def bits(self, count: int) -> int:
        """Take at least `count` random bits as one number, in whole words, the first word's lowest."""
        number = 0
        for shift in range(0, count, 64):
            number |= self.word() << shift
        return number

    def skip(self, count: int) -> None:
        """Skip `count` words without computing them."""
        self.position += count

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1 (0 < bound <= 2**32), from the upper half of one word.

        Multiply-shift (Lemire: "Fast Random Integer Generation in an Interval", 2019) without its rejection
        step: no number's share is off by more than bound / 2**32, and every call takes just one word.
        """
        self.position += 1
        word = (self.key + self.position * GAMMA) & MASK
        word = ((word ^ (word >> 30)) * MIX_1) & MASK  # as in `word`, inlined
        word = ((word ^ (word >> 27)) * MIX_2) & MASK
        return (((word ^ (word >> 31)) >> 32) * bound) >> 32

    def below_block(self, bound: int, count: int) -> npt.NDArray[np.int64]:
        """Draw `count` times `below(bound)`, as an array."""
        from generator.word_blocks import below_each

        return below_each(bound, self.words(count))

    def below_at(self, bound: int, place: int) -> int:
        """Return the result of `below(bound)` after `place` more words, without taking a word."""
        word = (self.key + (self.position + place + 1) * GAMMA) & MASK
        word = ((word ^ (word >> 30)) * MIX_1) & MASK  # as in `word`, inlined
        word = ((word ^ (word >> 27)) * MIX_2) & MASK
        return (((word ^ (word >> 31)) >> 32) * bound) >> 32

    def between(self, least: int, most: int) -> int:
        """Draw a number from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def between_block(
        self, least: npt.NDArray[np.int64], most: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """Draw `between` for each pair of `least` and `most`, as an array."""
        from generator.word_blocks import below_each

        return least + below_each(most - least + 1, self.words(len(most)))

    def chance(self, numerator: int, denominator: int) -> bool:
        """Return True `numerator` times in `denominator`."""
        return self.below(denominator) < numerator

    def pick(self, items: Sequence[T]) -> T:
        """Pick one of `items`, all equally likely. Takes one word."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """Pick one of `items`, with probabilities in proportion to the whole weights. Takes one word."""
        rest = self.below(sum(weights))
        for item, weight in zip(items, weights, strict=True):
            rest -= weight
            if rest < 0:
                return item
        raise AssertionError("weights sum to more than below() can give")

    def drawn_place(self, totals: Sequence[int]) -> int:
        """Draw like `weighted`, for weights given as running totals, and return the index."""
        self.position += 1
        word = (self.key + self.position * GAMMA) & MASK
        word = ((word ^ (word >> 30)) * MIX_1) & MASK  # as in `below`, inlined
        word = ((word ^ (word >> 27)) * MIX_2) & MASK
        return bisect_right(totals, ((word ^ (word >> 31)) >> 32) * totals[-1] >> 32)

    def shuffle(self, items: list[T]) -> None:
        """Shuffle in place (Fisher-Yates). Takes len(items) - 1 words."""
        state = self.key + self.position * GAMMA
        for i in range(len(items) - 1, 0, -1):
            state += GAMMA
            word = state & MASK  # as in `below`, inlined
            word = ((word ^ (word >> 30)) * MIX_1) & MASK
            word = ((word ^ (word >> 27)) * MIX_2) & MASK
            j = (((word ^ (word >> 31)) >> 32) * (i + 1)) >> 32
            items[i], items[j] = items[j], items[i]
        self.position += max(len(items) - 1, 0)
