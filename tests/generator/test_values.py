"""What a declared value refuses, each time in one line with the remedy."""

from __future__ import annotations

from typing import Any

import pytest

from generator.errors import BadInput
from generator.values import Value, When

WIDE = {"size": "wide"}
FIVES = Value(0, "in fives", low=0, high=20, step=5)
EVEN = Value(2, "even", low=2, high=8, step=2, off=-1)
PAIR = Value((1, 4), "a pair", low=0, high=9, ordered=True)
SIZED = Value((1, 4), "a size", low=0, high=9, sizes=((1, 4), (2, 8)))
RULED = Value(3, "ruled", low=1, high=9, when=(When("size", ("wide",), {"low": 5}, "a smaller size"),))


@pytest.mark.parametrize(
    ("value", "given", "others", "message"),
    [
        (FIVES, 3, {}, "x: 3 is between two steps; give 0 to 20 in steps of 5"),
        (FIVES, 25, {}, "x: 25 is out of range (0 to 20 in steps of 5)"),
        (EVEN, 3, {}, "x: 3 is odd; give -1, or 2 to 8, even"),
        (EVEN, 0, {}, "x: 0 is out of range (-1, or 2 to 8, even)"),
        (PAIR, [5, 3], {}, "x: [5, 3] is out of order; give the smallest number first"),
        (SIZED, [1, 5], {}, "x: [1, 5] is not one of the sizes; choose [1, 4] or [2, 8]"),
        (RULED, 4, WIDE, 'x: 4 cannot be used with size = "wide"; give 5 to 9, or a smaller size'),
        (RULED, 10, WIDE, "x: 10 is out of range (5 to 9)"),
        (RULED, "4", WIDE, "x: '4' is not of type integer; give a whole number"),
        (RULED, 0, {"size": "small"}, "x: 0 is out of range (1 to 9)"),
    ],
)
def test_what_is_refused(value: Value, given: object, others: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        value.checked("x", given, others)
    assert str(caught.value) == message


def test_what_is_accepted() -> None:
    assert [FIVES.checked("x", number) for number in (0, 5, 20)] == [0, 5, 20]
    assert [EVEN.checked("x", number) for number in (-1, 2, 8)] == [-1, 2, 8]
    assert PAIR.checked("x", [3, 3]) == (3, 3) and SIZED.checked("x", [2, 8]) == (2, 8)
    assert RULED.checked("x", 4) == RULED.checked("x", 4, {"size": "small"}) == 4
    assert RULED.checked("x", 5, WIDE) == 5
