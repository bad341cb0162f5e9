"""Which flows are proved sound, and what the proof says of the others; the check of levels agrees."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from generator import GenerationFailed, SpecError, generate
from generator.algorithms.lock_proof import prove
from generator.checks.keys import _Walked, nobody_gets_stuck
from generator.kinds import FLOOR, WALL, shipped_kit
from generator.styles.gungeon.flows import library, proof
from generator.styles.gungeon.flows.grow import grow
from generator.styles.gungeon.flows.library import load_flow
from generator.styles.gungeon.flows.proof import walking_problem
from generator.styles.gungeon.flows.records import Flow, FlowConnection, FlowKey, FlowLock, FlowRoom


def plan(*ways: str, locks: str = "", keys: str = "", used_up: bool = False) -> Flow:
    """A flow from s to z: ways like `s-a`, `a>b` (one-way), `a?b` (secret), `a]b` (opens from a);
    locks like `ab:g`, at a's door; keys like `g@a`."""
    connections = [
        FlowConnection(way[0], way[2], way[1] == ">", way[0] if way[1] == "]" else "", way[1] == "?")
        for way in ways
    ]
    ids = dict.fromkeys(["s", *(room for one in connections for room in (one.a, one.b))])
    kinds = {"s": "start", "z": "boss"}
    return Flow(
        "t",
        tuple(FlowRoom(room, kinds.get(room, "normal")) for room in ids),
        tuple(connections),
        tuple(FlowLock((on[0], on[1]), (on[3],), optional=True) for on in locks.split()),
        tuple(FlowKey(key[0], key[2], used_up) for key in keys.split()),
    )


BYPASS = plan("s-a", "a-c", "a-k", "s?c", "c>d", "d-z", locks="ac:g dz:g", keys="g@k")
FAR_LOCK = plan("s]a", "a-m", "m-z", "m]s", locks="zm:g sm:g", keys="g@a", used_up=True)
BEYOND = plan("s-a", "a-z", "s-b", "z>b", locks="bz:g", keys="g@b", used_up=True)
HIDDEN_KEY = plan("s-a", "a-z", "a?h", locks="az:g", keys="g@h")


@pytest.mark.parametrize(
    ("flow", "story"),
    [
        (BYPASS, "after finding s - c, c > d without g there is no way out"),
        (FAR_LOCK, "after opening s - a, taking g in a, opening s - m without g there is no way out"),
        (HIDDEN_KEY, "after the start without g there is no way out"),
        (plan("s-a", "a?z"), "after the start there is no way out"),
        (plan("s-a", "a-z", "a?h", "h?p"), None),
        (BEYOND, None),  # nobody opens the drop's lock from below
    ],
)
def test_secrets_and_far_locks_are_proved_in_the_flow_and_in_its_level(
    flow: Flow, story: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = walking_problem(flow)
    assert (problem or "").partition(";")[0] == (story or "")
    monkeypatch.setattr(library, "chosen_flow", lambda *_: flow)
    found = list(nobody_gets_stuck(generate("gungeon", 1, flow="descent")))
    if any(one.one_way or one.opens_from for one in flow.connections) or flow.locks:
        assert bool(found) == (story is not None)


THREE = """
[flow]
name = "t"
[[room]]
id = "s"
kind = "start"
[[room]]
id = "a"
kind = "normal"
[[room]]
id = "b"
kind = "normal"
[[room]]
id = "z"
kind = "boss"
[[connection]]
path = ["s", "a", "b", "z"]
"""
SECRET = '[[connection]]\npath = ["s", "b"]\nsecret = true\n'
KEY = '[[key]]\nname = "g"\nroom = "a"\n[[lock]]\non = ["b", "s"]\nneeds = ["g"]\n'
BEHIND = (
    '[[room]]\nid = "h"\nkind = "chest"\n[[room]]\nid = "i"\nkind = "chest"\n'
    '[[connection]]\npath = ["a", "h"]\nsecret = true\n[[connection]]\npath = ["h", "i"]\n'
)
RULE = '[[rule]]\nname = "own"\n[own_rule.own]\nkeeps = true\n'
FIVE = ", ".join(f'{{ path = ["{a}", "{b}"] }}' for a, b in combinations("pqrtu", 2))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (SECRET + "one_way = true\n", "connection[1].secret: cannot be used with one_way; leave one out"),
        (
            SECRET + 'opens_from = "b"\n',
            "connection[1].secret: cannot be used with opens_from; leave one out",
        ),
        (SECRET + KEY, "lock[0].on: b - s is secret and cannot have a lock; leave one of them out"),
        (BEHIND, "room h is only behind secret doors, but connection h - i is not secret; set secret"),
        (
            RULE + 'room = [{ id = "p", kind = "start" }]\nconnection = [{ path = ["A", "p"] }]\n',
            "own_rule.own.room: a rule cannot add a start room",
        ),
    ],
)
def test_what_no_level_can_have_is_refused_when_it_is_read(more: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(THREE + more)
    with pytest.raises(SpecError) as refused:
        load_flow(str(path), shipped_kit())
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("rooms", "ways", "message"),
    [
        ("p", '{ path = ["A", "p"], one_way = true }', "after a > own1_p there is no way out"),
        ("pqrtu", '{ path = ["A", "p"] }, ' + FIVE, "must cross; leave one of them out"),
        (
            "pq",
            '{ path = ["A", "p"], secret = true }, { path = ["p", "q"] }',
            "room own1_p is only behind secret doors",
        ),
    ],
)
def test_what_rules_make_is_proved(rooms: str, ways: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    listed = ", ".join(f'{{ id = "{room}", kind = "normal" }}' for room in rooms)
    path.write_text(f"{THREE}{RULE}room = [{listed}]\nconnection = [{ways}]\n")
    with pytest.raises(GenerationFailed) as failed:
        grow(load_flow(str(path), shipped_kit()), 1)
    assert failed.value.reason.startswith("with its rules, ") and message in failed.value.reason


def test_an_undecided_flow_names_the_lock_that_multiplies_its_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "prove", lambda world: prove(world, most=1))
    for flow, remedy in (
        (
            plan("s-a", "a-z", "s>z", locks="sa:g az:g", keys="g@s", used_up=True),
            "lock s - a multiplies them most: leave it out, or use fewer of g",
        ),
        (plan("s-a", "a>z", "s>z"), "use fewer one-way connections, shortcuts or secrets"),
    ):
        assert (walking_problem(flow) or "").endswith(f"states, so it is undecided; {remedy}")


def test_doors_of_a_level_with_no_room_for_a_body_beside_them_lead_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The two ends of such doors are not one place: the goal stays beyond both."""
    flow = plan("s-a", "a>b", "b-z", locks="ab:g", keys="g@s")
    monkeypatch.setattr(library, "chosen_flow", lambda *_: flow)
    level = generate("gungeon", 1, flow="descent")
    assert list(nobody_gets_stuck(level)) == []
    terrain, walls = level.terrain.copy(), level.hallways[1]
    for x, y in walls.tiles:
        terrain[y, x] = WALL
    (found,) = nobody_gets_stuck(replace(level, terrain=terrain))
    assert "after the start" in found.what


def test_a_room_of_a_level_that_nobody_gets_to_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = plan("s-a", "a-z", "a-c", locks="ac:g", keys="g@c")
    monkeypatch.setattr(library, "chosen_flow", lambda *_: flow)
    (found,) = nobody_gets_stuck(generate("gungeon", 1, flow="descent"))
    assert found.place == "room 3" and found.what.startswith("cannot be reached from the start")


def test_a_key_that_one_touches_from_a_pocket_too_is_in_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body of two tiles stands on the key's tile, and so does one in a pocket that nobody gets to."""
    flow = plan("s-a", "a-z", locks="az:g", keys="g@s")
    monkeypatch.setattr(library, "chosen_flow", lambda *_: flow)
    level = generate("gungeon", 1, flow="descent")
    (key,) = (marker for marker in level.markers if marker.kind == "key")
    bounds, terrain, decor = level.rooms[0].bounds, level.terrain.copy(), level.decor.copy()
    terrain[bounds.y + 1 : bounds.bottom - 1, bounds.x + 1 : bounds.right - 1] = FLOOR
    decor[bounds.slices] = 0
    x, y = bounds.right - 4, bounds.bottom - 4  # the pocket is four tiles, with the key on its corner
    terrain[y - 1, x + 1 : x + 3] = terrain[y + 2, x - 1 : x + 3] = WALL
    terrain[y + 1 : y + 3, x - 1] = terrain[y - 1 : y + 3, x + 2] = WALL
    markers = tuple(replace(one, x=x, y=y) if one is key else one for one in level.markers)
    pocketed = replace(level, terrain=terrain, decor=decor, markers=markers)
    assert len(np.unique(_Walked(pocketed).pieces[bounds.slices])) == 3
    assert list(nobody_gets_stuck(pocketed)) == []
