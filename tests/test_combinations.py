"""The combinations of the usual run: every pair of values, and few of them."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from _pytest.mark.structures import ParameterSet

from .combinations import each_once_first, pairwise, usually


def usual(found: list[ParameterSet]) -> list[tuple[object, ...]]:
    return [each.values for each in found if not each.marks]


def test_pairwise_has_every_pair_and_not_many_more_than_it_must() -> None:
    for sizes in ((2, 2, 2), (3, 2, 2), (4, 3, 3, 2), (3, 3, 3, 3), (10, 3)):
        factors = [range(size) for size in sizes]
        found, few = pairwise(*factors), usual(pairwise(*factors))
        assert [each.values for each in found] == list(product(*factors))
        for a, b in combinations(range(len(sizes)), 2):
            assert {(each[a], each[b]) for each in few} == set(product(factors[a], factors[b]))
        first, second = sorted(sizes)[-2:]
        assert len(few) <= first * second * 1.7
    assert len(usual(pairwise("ab", "cd", "ef"))) == 4


def test_each_value_comes_once_at_least() -> None:
    found = each_once_first("ab", "cde", "f")
    assert len(found) == 6
    assert usual(found) == [("a", "c", "f"), ("a", "e", "f"), ("b", "d", "f")]


def test_the_usual_values_are_some_of_all() -> None:
    found = usually("b", "abc")
    assert [each.values for each in found] == [("a",), ("b",), ("c",)] and usual(found) == [("b",)]
    for few in ("", "d"):
        with pytest.raises(AssertionError, match="some of all"):
            usually(few, "abc")


def test_what_would_leave_the_usual_run_without_a_test_is_an_error() -> None:
    for factors in (["abc"], ["ab", ""], []):
        with pytest.raises(AssertionError, match="two lists of values"):
            pairwise(*factors)
