"""Of many cases in one test, all that fail are named."""

from __future__ import annotations

import pytest

from .cases import for_each

SEEN: list[tuple[int, str]] = []


@for_each(number=[1, 2], word="ab")
def test_each_combination_is_tried(number: int, word: str) -> None:
    SEEN.append((number, word))


def test_all_that_fail_are_named_and_the_first_has_its_traceback() -> None:
    @for_each(number=range(4))
    def is_even(number: int) -> None:
        if number == 2:
            with pytest.raises(KeyError):
                pass
        if number == 3:
            raise ValueError("odd")
        assert number % 2 == 0, "not even"

    with pytest.raises(AssertionError) as caught:
        is_even()
    first, second, third = str(caught.value).splitlines()
    assert first.startswith("{'number': 1}: AssertionError: not even")
    assert second.startswith("{'number': 2}: Failed: DID NOT RAISE")
    assert third == "{'number': 3}: ValueError: odd"
    assert isinstance(caught.value.__cause__, AssertionError)


def test_pytest_collects_it_as_one_test_with_all_cases() -> None:
    SEEN.clear()
    test_each_combination_is_tried()  # type: ignore[call-arg]
    assert SEEN == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


def test_no_cases_are_an_error() -> None:
    with pytest.raises(AssertionError, match="empty"):
        for_each(number=[])
