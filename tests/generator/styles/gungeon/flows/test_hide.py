"""Keys that a flow puts nowhere: each gets a room that one comes to before its lock."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from generator import GenerationFailed, generate
from generator.kinds import shipped_kit
from generator.rng import Stream
from generator.styles.gungeon import keys
from generator.styles.gungeon.flows.grow import hide_keys
from generator.styles.gungeon.flows.library import chosen_flow
from generator.styles.gungeon.flows.proof import all_keys, flow_problem, shape_problem
from generator.styles.gungeon.flows.records import Flow, FlowConnection, FlowKey, FlowLock, FlowRoom
from tests.generator.styles.gungeon.flows.plans import flow_file


def row_of_locks(folder: Path, count: int, *, more: str = "", beside: bool = True) -> str:
    """A row of rooms with a lock after each but the last, and a dead end beside each; no key has a room."""
    row = ["s", *(f"r{number}" for number in range(count)), "z"]
    ends = [f"r{number} e{number}" for number in range(count)] if beside else []
    for number in range(count):
        a, b = row[number + 1 : number + 3]
        more += f'[[lock]]\non = ["{a}", "{b}"]\nneeds = ["k{number}"]\n[[key]]\nname = "k{number}"\n'
    return flow_file(folder, " ".join(row), *ends, more=more)


@pytest.mark.parametrize("count", [2, 5, 8, 11])
def test_keys_of_many_locks_in_a_row_find_rooms(count: int, tmp_path: Path) -> None:
    path = row_of_locks(tmp_path, count)
    for seed in range(3):
        flow = chosen_flow(path, seed, shipped_kit())
        assert flow is not None and flow_problem(flow) is None
        assert [key.name for key in flow.keys] == [f"k{number}" for number in range(count)]
        assert not {"s", "z"}.intersection(key.room for key in flow.keys)


def test_keys_that_no_room_is_left_for_are_named(tmp_path: Path) -> None:
    lock = '[[lock]]\non = ["s", "r0"]\nneeds = ["gold"]\n[[key]]\nname = "gold"\n'
    path = row_of_locks(tmp_path, 2, more=lock)
    with pytest.raises(GenerationFailed, match=r"found no rooms to hide the keys in \(gold, k0, k1\)"):
        chosen_flow(path, 1, shipped_kit())


def test_a_room_too_full_for_its_keys_is_named_with_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = '[[key]]\nname = "gold"\nroom = "a"\n'
    path = flow_file(tmp_path, "s a z", more=key)
    monkeypatch.setattr(keys, "tile_in_sight", lambda *_: None)
    with pytest.raises(GenerationFailed, match=r"seed 7: no place for a key .* room a is too full for gold"):
        generate("gungeon", 7, flow=path)


# A dead end and a room off the path are better places for a key, and in both of these flows wrong ones.
_ONLY_BEHIND_A_DROP = """
[[connection]]
path = ["r1", "r2"]
one_way = true
[[lock]]
on = ["r2", "z"]
needs = ["k"]
[[key]]
name = "k"
"""
_ONE_COPY_BEHIND_A_DROP = """
[[connection]]
path = ["s", "r0"]
one_way = true
[[lock]]
on = ["r0", "z"]
needs = ["k"]
[[key]]
name = "k"
count = 2
"""


@pytest.mark.parametrize(
    ("ways", "more", "room"),
    [
        (("s r0", "s r1", "r2 z"), _ONLY_BEHIND_A_DROP, "r2"),
        (("s r1 r2 r4", "s r3", "r0 z"), _ONE_COPY_BEHIND_A_DROP, "r0"),
    ],
)
def test_a_key_that_only_one_room_can_hold_is_put_there(
    ways: tuple[str, ...], more: str, room: str, tmp_path: Path
) -> None:
    path = flow_file(tmp_path, *ways, more=more)
    for seed in range(3):
        flow = chosen_flow(path, seed, shipped_kit())
        assert flow is not None and flow_problem(flow) is None
        assert room in [key.room for key in flow.keys]


def random_flow(number: int) -> Flow:
    """A small flow with one-way connections, shortcuts and locks, whose keys have no rooms."""
    stream = Stream(number, "random flow")
    count = stream.between(4, 7)
    names = ["s", *(f"r{i}" for i in range(count - 2)), "z"]
    pairs = {frozenset((names[stream.below(i)], names[i])): stream.below(5) for i in range(1, count)}
    pairs[frozenset((names[1], names[-1 - stream.below(2)]))] = 5
    ways = [(*sorted(pair), kind) for pair, kind in pairs.items() if len(pair) == 2]
    connections = tuple(
        FlowConnection(a, b, one_way=kind == 0, opens_from=b if kind == 5 else "") for a, b, kind in ways
    )
    kinds = [f"k{i}" for i in range(stream.between(1, 2))]
    stream.shuffle(ways)
    return Flow(
        "random",
        tuple(FlowRoom(name, {"s": "start", "z": "boss"}.get(name, "normal")) for name in names),
        connections,
        tuple(FlowLock(way[:2], (kinds[i % len(kinds)],), optional=True) for i, way in enumerate(ways[:3])),
        tuple(FlowKey(kind, consumed=stream.chance(1, 3), copies=stream.between(1, 2)) for kind in kinds),
    )


def test_keys_are_hidden_wherever_some_rooms_work() -> None:
    outcomes = set()
    for number in range(60):
        flow = random_flow(number)
        if shape_problem(flow):
            continue
        try:
            hidden = hide_keys(flow, 1)
        except GenerationFailed:
            rooms = [room.id for room in flow.rooms if room.kind == "normal"]
            copies = all_keys(flow.keys)
            for places in product(rooms, repeat=len(copies)):
                filled = (key._replace(room=room) for key, room in zip(copies, places, strict=True))
                assert flow_problem(replace(flow, keys=tuple(filled))), (number, places)
            outcomes.add("refused")
        else:
            assert flow_problem(hidden) is None
            outcomes.add("hidden")
    assert outcomes == {"hidden", "refused"}
