"""Keys that a flow puts nowhere: each gets a room that one comes to before its lock."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import GenerationFailed, generate
from generator.styles.gungeon import keys
from generator.styles.gungeon.flows.library import chosen_flow
from generator.styles.gungeon.flows.proof import flow_problem
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
        flow = chosen_flow(path, seed)
        assert flow is not None and flow_problem(flow) is None
        assert [key.name for key in flow.keys] == [f"k{number}" for number in range(count)]
        assert not {"s", "z"}.intersection(key.room for key in flow.keys)


def test_keys_that_no_room_is_left_for_are_named(tmp_path: Path) -> None:
    lock = '[[lock]]\non = ["s", "r0"]\nneeds = ["gold"]\n[[key]]\nname = "gold"\n'
    path = row_of_locks(tmp_path, 2, more=lock)
    with pytest.raises(GenerationFailed, match=r"found no rooms to hide the keys in \(gold, k0, k1\)"):
        chosen_flow(path, 1)


def test_a_room_too_full_for_its_keys_is_named_with_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = '[[key]]\nname = "gold"\nroom = "a"\n'
    path = flow_file(tmp_path, "s a z", more=key)
    monkeypatch.setattr(keys, "_key_tile", lambda *_: None)
    with pytest.raises(GenerationFailed, match=r"seed 7: no place for a key .* room a is too full for gold"):
        generate("gungeon", 7, flow=path)
