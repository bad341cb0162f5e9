"""Keys that must be taken: in a flow's file, its proof, its graph, its level, and the check of the level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator import Level, SpecError, generate
from generator.checks.keys import keys_fit_locks, nobody_gets_stuck
from generator.kinds import shipped_kit
from generator.level import Marker
from generator.picture import room_lines
from generator.styles.gungeon.flows.drawn import dot
from generator.styles.gungeon.flows.flow_file import parse_flow
from generator.styles.gungeon.flows.graphs import flow_from_graph
from generator.styles.gungeon.flows.library import load_flow, shipped_rules
from tests.generator.styles.gungeon.flows.plans import flow_file

KEY = '[[key]]\nname = "claw"\nroom = "p"\nmust = true\n'
DROP = '[[connection]]\npath = ["s", "p"]\none_way = true\n'
EXIT = '[[lock]]\non = ["p", "b"]\nneeds = ["claw"]\n'
"""One falls into the pit p, whose only way out, to b, needs the claw that lies there."""


BELOW = '[[connection]]\npath = ["b", "c"]\none_way = true\n[[lock]]\non = ["c", "z"]\nneeds = ["claw"]\n'
"""One falls from b to c, where the claw is needed (again)."""


def refusal(folder: Path, more: str, *ways: str) -> str:
    """What is wrong with a flow; nothing if it is sound."""
    try:
        load_flow(flow_file(folder, *ways, more=more), shipped_kit())
    except SpecError as refused:
        return str(refused).partition("own.toml: ")[2].partition(";")[0]
    return ""


def test_one_cannot_leave_without_a_key_that_must_be_taken(tmp_path: Path) -> None:
    asked = KEY + DROP + EXIT + BELOW
    assert refusal(tmp_path, asked, "s a", "p b", "c z") == ""
    aside = asked.replace('room = "p"', 'room = "a"')
    assert refusal(tmp_path, aside, "s a", "p b", "c z") == "after s > p without claw there is no way out"


def test_a_key_on_the_way_must_be_had_and_one_beside_it_need_not(tmp_path: Path) -> None:
    stuck = "after b > c without claw there is no way out"
    assert refusal(tmp_path, KEY + BELOW, "s p b", "c z") == ""
    assert refusal(tmp_path, KEY + BELOW, "s b", "s p", "c z") == stuck
    assert refusal(tmp_path, KEY.replace("true", "false") + BELOW, "s p b", "c z") == stuck


def test_the_lock_of_a_pit_whose_exit_is_also_a_way_in_can_be_walked_around(tmp_path: Path) -> None:
    """As docs/flows.md says: it is to be optional, or the exit one-way."""
    asked = KEY + DROP + EXIT
    told = "lock p - b can be walked around: both rooms can be reached without opening it"
    assert refusal(tmp_path, asked, "s z", "p b s") == told
    assert refusal(tmp_path, asked + "optional = true\n", "s z", "p b s") == ""
    out = '[[connection]]\npath = ["b", "s"]\none_way = true\n'
    assert refusal(tmp_path, asked + out, "s z", "p b") == ""


def test_the_level_of_such_a_flow_is_proved_from_its_tiles(tmp_path: Path) -> None:
    level = generate("gungeon", 3, flow=flow_file(tmp_path, "s p b", "c z", more=KEY + BELOW))
    (key,) = (marker for marker in level.markers if marker.kind == "key")
    assert key.properties == {"opens": "claw", "consumed": False, "must": True}
    assert list(nobody_gets_stuck(level)) == [] == list(keys_fit_locks(level))
    assert any(line.endswith(", must be taken") for line in room_lines(level))
    (found,) = nobody_gets_stuck(_with(level, must=False))
    assert "without claw no exit can be reached any more" in found.what
    (found,) = keys_fit_locks(_with(level, must="yes"))
    assert found.what == "the key's property must is neither true nor false"


def _with(level: Level, **properties: bool | str) -> Level:
    def changed() -> Iterator[Marker]:
        for marker in level.markers:
            more = properties if marker.kind == "key" else {}
            yield replace(marker, properties={**marker.properties, **more})

    return replace(level, markers=tuple(changed()))


def test_a_graph_says_which_keys_must_be_taken(tmp_path: Path) -> None:
    more = (
        KEY
        + '[[key]]\nname = "rod"\nroom = "p"\nlever = true\nmust = true\n[[key]]\nname = "coin"\nroom = "p"\n'
    )
    flow = load_flow(flow_file(tmp_path, "s p z", more=more), shipped_kit())
    path = tmp_path / "own.dot"
    path.write_text(dot(flow))
    again = parse_flow(flow_from_graph(path), "own", shipped_rules(), shipped_kit())
    assert set(again.keys) == set(flow.keys)
    for keys, why in (("", ""), (', must="claw,claw", keys=claw', " so often")):
        path.write_text(f'digraph {{ s [kind=start]; z [kind=boss, must="claw"{keys}]; s -> z; }}')
        with pytest.raises(SpecError) as refused:
            flow_from_graph(path)
        message = f"{path}: z: must: 'claw' is not among its keys{why}; add it to keys, too"
        assert str(refused.value) == message


def test_a_graph_says_of_how_many_copies_that_they_must_be_taken(tmp_path: Path) -> None:
    more = KEY + '[[key]]\nname = "claw"\nroom = "p"\ncount = 2\n'
    flow = load_flow(flow_file(tmp_path, "s p z", more=more), shipped_kit())
    path = tmp_path / "own.dot"
    path.write_text(dot(flow))
    again = parse_flow(flow_from_graph(path), "own", shipped_rules(), shipped_kit())
    assert sorted(again.keys) == sorted(flow.keys)


def test_must_is_true_or_false(tmp_path: Path) -> None:
    path = flow_file(tmp_path, "s p z", more=KEY.replace("true", '"yes"'))
    with pytest.raises(SpecError, match=r"own\.toml: key\[0\]\.must: 'yes' is neither true nor false"):
        load_flow(path, shipped_kit())
