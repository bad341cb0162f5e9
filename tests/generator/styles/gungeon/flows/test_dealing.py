from __future__ import annotations

import pytest

from generator.geometry import Side
from generator.rng import Stream
from generator.spec.game import Memory
from generator.styles.gungeon.dealing import pool
from generator.styles.gungeon.flow_dealing import RoomDealer
from generator.styles.gungeon.flows.records import FlowRoom
from generator.styles.gungeon.spec import GungeonSpec


@pytest.mark.parametrize(
    ("size", "lengths"),
    [("small", range(9, 17)), ("medium", range(16, 24)), ("large", range(23, 31)), ("", range(9, 31))],
)
def test_a_size_is_a_third_of_the_lengths_that_the_spec_allows(size: str, lengths: range) -> None:
    """Neighbours among them share the length at which they meet."""
    dealer = RoomDealer.__new__(RoomDealer)
    dealer.stream = Stream(1, "test.length")
    assert {dealer._length((9, 30), size) for _ in range(600)} == {*lengths}


def test_a_small_room_is_made_by_procedure_if_its_run_has_shown_all_small_layouts() -> None:
    seen = tuple(card.file for card in pool(GungeonSpec(), "normal"))
    memory = Memory(place=5, layouts=seen)

    def dealt(spec: GungeonSpec, size: str) -> bool:
        room = FlowRoom("a", "normal", size=size)
        return RoomDealer(spec, Stream(7, "test")).deal(room, {Side.WEST: [""]}, 0, 1)[1] is not None

    assert dealt(GungeonSpec(), "small") and not dealt(GungeonSpec(memory=memory), "small")
    assert dealt(GungeonSpec(memory=memory), "")
    assert dealt(GungeonSpec(memory=memory, procedural_share=0), "small")
