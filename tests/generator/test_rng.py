"""Random words: the published algorithm, the same however they are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.rng import Stream, mix64
from generator.seeds import seed_from_text

SEEDS = st.integers(0, 2**64 - 1)


def test_it_is_splitmix64() -> None:
    """The first words of SplitMix64 from state 0, as its authors' reference code gives them."""
    stream = Stream(0, "any")
    stream.key = 0
    assert [stream.word() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


@given(SEEDS, st.integers(0, 600), st.integers(0, 700))
def test_words_are_the_same_one_by_one_in_blocks_and_after_a_skip(
    seed: int, skipped: int, count: int
) -> None:
    one, block = Stream(seed, "a", 3), Stream(seed, "a", 3)
    for _ in range(skipped):
        one.word()
    block.skip(skipped)
    assert [one.word() for _ in range(count)] == block.words(count).tolist()
    assert one.position == block.position == skipped + count


@given(SEEDS, st.integers(1, 2**32), st.integers(0, 50))
def test_below_is_in_range_and_the_same_in_blocks(seed: int, bound: int, count: int) -> None:
    one, block = Stream(seed, "a"), Stream(seed, "a")
    numbers = [one.below(bound) for _ in range(count)]
    assert numbers == block.below_block(bound, count).tolist()
    assert all(0 <= number < bound for number in numbers)


@given(SEEDS, st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 2**31))))
def test_between_is_in_range_and_the_same_in_blocks(seed: int, ranges: list[tuple[int, int]]) -> None:
    one, block = Stream(seed, "a"), Stream(seed, "a")
    least = np.array([low for low, _ in ranges], np.int64)
    most = least + np.array([span for _, span in ranges], np.int64)
    numbers = [one.between(low, high) for low, high in zip(least.tolist(), most.tolist(), strict=True)]
    assert numbers == block.between_block(least, most).tolist()
    assert all(low <= number <= high for low, number, high in zip(least, numbers, most, strict=True))


@given(SEEDS)
def test_bits_are_the_words_end_to_end(seed: int) -> None:
    a, b, c = Stream(seed, "x").words(3).tolist()
    assert Stream(seed, "x").bits(130) == a | b << 64 | c << 128


def test_streams_differ_by_seed_name_and_ids() -> None:
    streams = [
        Stream(1, "a"),
        Stream(2, "a"),
        Stream(1, "b"),
        Stream(1, "a", 0),
        Stream(1, "a", 1),
        Stream(1, "a", 0, 0),
    ]
    assert len({stream.word() for stream in streams}) == len(streams)


@pytest.mark.parametrize("bound", [2, 3, 7, 72, 100])
def test_below_is_even(bound: int) -> None:
    counts = np.bincount(Stream(5, "even").below_block(bound, 20_000), minlength=bound)
    expected = 20_000 / bound
    assert ((counts - expected) ** 2 / expected).sum() < bound + 5 * (2 * bound) ** 0.5


def test_weights_are_kept() -> None:
    stream = Stream(3, "weights")
    drawn = [stream.weighted("abc", (1, 0, 3)) for _ in range(4000)]
    assert "b" not in drawn
    assert drawn.count("c") / 4000 == pytest.approx(3 / 4, abs=0.03)


@given(SEEDS, st.lists(st.integers(), max_size=20))
def test_a_shuffle_keeps_everything(seed: int, items: list[int]) -> None:
    shuffled = items.copy()
    Stream(seed, "shuffle").shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)


def test_words_look_random() -> None:
    """Every bit is set in half of the words, of consecutive words and of consecutive seeds."""
    for words in (
        Stream(9, "bits").words(4096),
        np.array([Stream(i, "bits").word() for i in range(4096)], np.uint64),
    ):
        bits = np.unpackbits(words.view(np.uint8)).reshape(4096, 64)
        assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.04


def test_text_seeds() -> None:
    assert seed_from_text("a") != seed_from_text("b")
    assert 0 <= seed_from_text("ä" * 256) < 2**64
    assert mix64(0) == 0
