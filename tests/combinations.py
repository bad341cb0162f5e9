"""Which combinations of values a test tries in the usual run; it tries all of them with `--soak`.

Most faults need one value, nearly all others two that come together (Kuhn, Wallace, Gallo 2004). There are
libraries for this; the greedy rule here is short, and gives the same combinations with every version.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

import pytest
from _pytest.mark.structures import ParameterSet


def pairwise(*factors: Iterable[object]) -> list[ParameterSet]:
    """All combinations, as parameters; marked `soak` are those that are not needed to have all pairs of values."""
    every = list(product(*factors))
    missing = {pair for each in every for pair in _pairs(each)}
    assert missing, "pairs need two lists of values at least, none of them empty"
    first = set()
    while missing:
        best = max(every, key=lambda each: len(_pairs(each) & missing))  # of several, the first
        first.add(best)
        missing -= _pairs(best)
    return [_param(each, is_first=each in first) for each in every]


def each_once_first(*factors: Iterable[object]) -> list[ParameterSet]:
    """Likewise, where it is enough that each value comes once."""
    lists: Sequence[list[object]] = [list(values) for values in factors]
    most = max(map(len, lists))
    first = {tuple(values[turn % len(values)] for values in lists) for turn in range(most)}
    return [_param(each, is_first=each in first) for each in product(*lists)]


def usually(usual: Iterable[object], every: Iterable[object]) -> list[ParameterSet]:
    """All values, as parameters; marked `soak` are those that are not among the usual ones."""
    values, few = list(every), list(usual)
    assert few and all(each in values for each in few), "the usual values are some of all"
    return [_param((each,), is_first=each in few) for each in values]


def _pairs(combination: tuple[object, ...]) -> set[object]:
    return set(combinations(enumerate(combination), 2))


def _param(combination: tuple[object, ...], *, is_first: bool) -> ParameterSet:
    return pytest.param(*combination, marks=() if is_first else pytest.mark.soak)
