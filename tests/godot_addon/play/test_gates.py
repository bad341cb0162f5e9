"""Locks, keys, shortcuts and doors that let nobody back, in a running level from every file that holds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import exporters
from generator.kinds import DOOR_KINDS
from tests.exporters import locked_level
from tests.godot_addon.rounds import Part, imported

FILES = {
    "json": "locked.level.json",
    "scene": "locked.tscn",
    "rooms apart": "apart/locked.tscn",
    "tiled": "locked.tmj",
    "ldtk": "locked.ldtk",
}
MUST = {"json": "must.level.json", "godot": "must.tscn", "tiled": "must.tmj", "ldtk": "must.ldtk"}
STARTS_SHUT = {kind.name for kind in DOOR_KINDS if kind.starts_shut}


@imported
def gates(folder: Path) -> None:
    """A level with locks, in a file of each kind; and two with a locked one-way door."""
    level = locked_level.level()
    exporters.export(level, ["json", "godot", "tiled", "ldtk"], name="locked").write(folder)
    apart = {"godot.split": "rooms"}
    exporters.export(level, ["godot"], apart, name="locked").write(folder / "apart")
    exporters.export(locked_level.with_musts(), list(MUST), name="must").write(folder)
    for key in ("gold_key", "gate"):
        exporters.export(locked_level.locked_drop(key), ["json"], name=key).write(folder)


@pytest.fixture(scope="module")
def told(gates: Part) -> dict[str, Any]:
    """What happened on the way through the level, by the kind of its file."""
    assert gates.said == []
    answers = gates.ask("gates.gd", *(f"res://{path}" for path in FILES.values()))
    return dict(zip(FILES, answers, strict=True))


@pytest.fixture(params=FILES)
def way(request: pytest.FixtureRequest, told: dict[str, Any]) -> Any:
    return told[request.param]


def test_doors_ask_what_the_level_says(way: Any) -> None:
    assert way["doors"] == [
        [
            door.kind,
            list(door.needs),
            door.one_way,
            -1 if door.opens_from is None else door.opens_from,
            door.kind not in STARTS_SHUT,
            door.joins,
        ]
        for door in locked_level.level().doors
    ]


def test_a_lock_opens_with_its_keys_and_takes_those_that_are_used_up(way: Any) -> None:
    assert way["refused"] == [False, ["gold_key", "silver_key"]]
    assert way["lock"] == [True, {"silver_key": 1}]
    assert way["events"] == [
        ["no", locked_level.LOCKED],
        ["no", locked_level.ONE_WAY],
        ["given", "silver_key", 1],
        ["no", locked_level.BARRED],
        ["given", "gold_key", 1],
        ["used", "gold_key", 0],
        ["given", "gate", 1],
    ]


def test_a_one_way_door_shuts_behind_the_player(way: Any) -> None:
    """Not while somebody stands in it; and it is open again to who comes round from outside."""
    assert way["one_way"] == [True, False, False]
    assert way["after_fight"] == [False, False]
    assert way["opened_again"]


def test_a_shortcut_opens_from_its_side_and_is_open_then(way: Any) -> None:
    assert (way["other_side"], way["own_side"]) == (False, True)
    assert way["at_start"]["next"] == [[1, 2], [2], [0], []]
    assert way["at_end"]["next"] == [[1, 2], [2], [0, 1], []]


def test_paths_that_count_on_no_key_stop_at_the_lock(way: Any) -> None:
    assert way["at_start"]["unlocked"] == [[1], [], [], []]
    assert way["at_end"]["unlocked"] == [[1, 2], [2], [0, 1], []]


def test_navigation_leads_where_one_can_walk(way: Any) -> None:
    if way["has_ways"]:
        assert way["at_start"]["ways"] == ["start to beyond"]
        assert way["beyond"]["ways"] == []
        assert set(way["at_end"]["ways"]) == {
            f"{a} to {b}" for a in ("start", "beyond", "boss") for b in ("start", "beyond", "boss") if a != b
        }


def test_routes_lead_where_one_can_walk(way: Any) -> None:
    """In every file; a one-way door that is shut behind the player opens to whoever comes."""
    assert way["at_start"]["routes"] == way["beyond"]["routes"] == ["start to beyond"]
    assert len(way["at_end"]["routes"]) == 6


def test_a_key_that_must_be_taken_is_had_by_whoever_is_in_its_room(gates: Part) -> None:
    """Past the door, not in it; once, whoever comes again or touches it; and a lever likewise."""
    for way in gates.ask("must_keys.gd", *(f"res://{path}" for path in MUST.values())):
        assert (way["before"], way["in_doorway"]) == (0, 0)
        assert way["beyond"] == [["silver_key", 1, 1]]
        assert way["given"] == [["silver_key", 1, 1], ["gate", 1, 2]]


def test_a_locked_one_way_door_needs_its_key(gates: Part) -> None:
    """From the hallway only, and once: afterwards it opens from there without another key."""
    by_key, by_lever = gates.ask("locked_drops.gd", "res://gold_key.level.json", "res://gate.level.json")
    for way in (by_key, by_lever):
        assert way["without"] == [False, True, False] and not way["counted_on"]
        assert way["from_behind"] == [False, {"gold_key": 1}]
        assert way["now_counted_on"]
        assert way["behind"] == [False, False]
    assert [by_key["is_locked"], by_lever["is_locked"]] == [True, False]
    assert [by_key["before"], by_lever["before"]] == [False, True]
    assert by_key["with"] == [True, {"gate": 1}] and by_key["again"] == [True, True, 0]
    assert by_lever["again"] == [True, True, 1]
    for way in (by_key, by_lever):  # a cost of three keys
        assert way["poor"] == [["gold_key"], False, 2] and way["paid"] == [{"gold_key": 3}, True, 1]
