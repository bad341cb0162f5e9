from __future__ import annotations

import pytest

from generator.rng import Stream
from generator.styles.gungeon.flow_dealing import RoomDealer


@pytest.mark.parametrize(
    ("size", "lengths"),
    [("small", range(9, 17)), ("medium", range(16, 24)), ("large", range(23, 31)), ("", range(9, 31))],
)
def test_a_size_is_a_third_of_the_lengths_that_the_spec_allows(size: str, lengths: range) -> None:
    """Neighbours among them share the length at which they meet."""
    dealer = RoomDealer.__new__(RoomDealer)
    dealer.stream = Stream(1, "test.length")
    assert {dealer._length((9, 30), size) for _ in range(600)} == {*lengths}
