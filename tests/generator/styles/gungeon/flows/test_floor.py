"""The floorplan of a flow: what is said when rooms and hallways find no place."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import GenerationFailed, generate
from generator.styles.gungeon import flow_floor as floor
from tests.generator.styles.gungeon.flows.plans import flow_file

_DROP = """
[[connection]]
path = ["b", "loot"]
one_way = true
[[lock]]
on = ["hall", "z"]
needs = ["gold"]
[[key]]
name = "gold"
room = "loot"
"""


def test_a_flow_without_a_drawing_is_refused_with_a_connection_and_its_rooms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor, "_MAX_TRIES", 1)
    path = flow_file(tmp_path, "s a b hall z", "a c hall", "loot c", more=_DROP, loot='kind = "chest"')
    with pytest.raises(GenerationFailed) as error:
        generate("gungeon", 1, flow=path, until="floorplan")
    assert error.value.reason == (
        "no arrangement of the rooms was found: connection b > loot most often had no place, on the path "
        "b - loot - c; leave it out, or connect other rooms"
    )
