from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable

import pytest

from generator.pattern import pattern

COPIES: list[Callable[[re.Pattern[str]], re.Pattern[str]]] = [
    copy.copy,
    copy.deepcopy,
    lambda given: pickle.loads(pickle.dumps(given)),
]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("is_used", [False, True])
def test_a_late_pattern_can_be_copied_like_a_compiled_one(
    copied: Callable[[re.Pattern[str]], re.Pattern[str]], is_used: bool
) -> None:
    late = pattern("a+", re.IGNORECASE)
    if is_used:
        assert late.fullmatch("aA")
    assert copied(late).fullmatch("aA")
    assert not copied(late).fullmatch("b")


def test_a_wrong_pattern_is_told_when_it_is_used() -> None:
    late = pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        late.match("a")
