"""level.json: complete, described by its schema, and read back strictly."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import Level, LevelError, Marker, generate
from generator.kinds import DOOR_KINDS, MARKER_KINDS, ROOM_KINDS
from generator.level_file import level_from_dict, load_level
from generator.serialise import dumps
from generator.styles.registry import BUILT_IN as STYLES
from tests.exporters import hallway_level
from tests.exporters.formats.godot import crypt_level

SCHEMA = json.loads((resources.files("generator") / "level.schema.json").read_text("utf-8"))


@cache
def table() -> dict[str, Any]:
    return generate("isaac", 7).to_dict()


def gated_level() -> Level:
    """A level whose doors need keys, fall shut, or open from one side."""
    level = hallway_level.level()
    first, second, third, *others = level.doors
    doors = (
        replace(first, kind="locked", needs=("gold_key", "silver_key")),
        replace(second, kind="one_way", one_way=True),
        replace(third, kind="barred", opens_from=third.rooms[0]),
        *others,
    )
    rooms = (replace(level.rooms[0], zone="crypt", name="the throne"), *level.rooms[1:])
    key = Marker(9_000, "key", 3, 3, 0, properties={"opens": "gold_key", "consumed": True})
    return replace(level, rooms=rooms, doors=doors, markers=(*level.markers, key))


def levels() -> list[Level]:
    return [
        gated_level(),
        hallway_level.level(),
        crypt_level.level(),
        generate("isaac", 7),
        generate("isaac", "a text", stage=4, state={"coins": 20, "keys": 3}),
        generate("labyrinth", 1, door_width=5),
        generate("gungeon", 12, rooms=9),
    ]


@pytest.mark.parametrize("level", levels(), ids=lambda level: f"{level.seed}")
def test_it_fits_its_schema(level: Level) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert [error.message for error in validator.iter_errors(json.loads(dumps(level)))] == []


def test_the_schema_takes_every_kind_and_those_of_other_packages() -> None:
    """Names by a pattern, which the reader has too; everything of ours fits it."""
    style, kind = (re.compile(SCHEMA["$defs"][name]["pattern"]) for name in ("name", "kind"))
    doors = [each.name for each in DOOR_KINDS]
    assert all(kind.search(name) for name in (*ROOM_KINDS, *doors, *MARKER_KINDS))
    assert all(style.search(name) for name in STYLES)
    made = generate("isaac", 7).to_dict()
    for section in ("rooms", "doors", "markers"):
        made[section][-1]["kind"] = "moon_bridge"
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(made)


def test_only_a_door_that_asks_for_something_says_so() -> None:
    plain, gated = hallway_level.level().to_dict(), gated_level().to_dict()
    gate = {"needs", "one_way", "opens_from"}
    assert all(gate.isdisjoint(door) for door in plain["doors"])
    assert [sorted(gate & door.keys()) for door in gated["doors"][:4]] == [
        ["needs"],
        ["one_way"],
        ["opens_from"],
        [],
    ]
    assert ["zone" in room for room in gated["rooms"]] == [True] + [False] * (len(gated["rooms"]) - 1)
    assert not any("zone" in room for room in plain["rooms"])


@pytest.mark.parametrize("level", levels(), ids=lambda level: f"{level.seed}")
def test_it_comes_back_the_same(level: Level, tmp_path: Path) -> None:
    data = dumps(level)
    assert json.loads(data) == level.to_dict()
    path = tmp_path / "x.level.json"
    path.write_bytes(data)
    read = load_level(path)
    assert dumps(read) == data
    assert read.fingerprint == level.fingerprint
    for part in ("rooms", "doors", "hallways", "markers", "grid", "seed_text", "facts"):
        assert getattr(read, part) == getattr(level, part)


def test_a_door_begins_at_a_room() -> None:
    """Only its other end may be a hallway: for the reader as for the schema."""
    made = hallway_level.level().to_dict()
    made["doors"][0]["rooms"] = [None, 0]
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(made)
    with pytest.raises(LevelError, match=r"level: doors\[0\].rooms\[0\]: None is not a whole number"):
        level_from_dict(made)


def test_large_seeds_are_text() -> None:
    level = generate("isaac", 2**64 - 1)
    assert level.to_dict()["seed"] == "18446744073709551615"
    assert level_from_dict(level.to_dict()).seed == 2**64 - 1


def test_the_version_is_not_part_of_the_fingerprint() -> None:
    changed = {**table(), "generator_version": "99"}
    assert level_from_dict(changed).fingerprint == table()["fingerprint"]


def _set(path: str, value: object) -> dict[str, Any]:
    made = copy.deepcopy(table())
    node: Any = made
    *heads, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for head in heads:
        node = node[head]
    node[last] = value
    return made


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "tiled", r"level: format: 'tiled' is not 'undercroft-level'"),
        ("format_version", 2, r"level: format_version: 2 is not 1; generate the level again"),
        ("seed", 7, r"level: seed: 7 is not text"),
        ("seed", "-1", r"level: seed: '-1' is not a number from 0"),
        ("style", "gungeon", r"level: style: 'gungeon' is not the spec's 'isaac'"),
        ("spec.stage", 99, r"level: spec: stage: 99 is out of range"),
        ("size.width", 10**9, r"level: size.width: 1000000000 is not a whole number from 1 to 32768"),
        ("size.width", 30_000, r"level: terrain: is not a list of 30000 x \d+ numbers"),
        ("terrain.5", 99, r"level: terrain\[5\]: 99 is not a whole number from 0 to 7"),
        ("terrain.5", -1, r"level: terrain\[5\]: -1 is not a whole number from 0 to 7"),
        ("terrain.5", 1.0, r"level: terrain\[5\]: 1.0 is not a whole number from 0 to 7"),
        ("terrain.5", True, r"level: terrain\[5\]: True is not a whole number from 0 to 7"),
        ("terrain.200", 2, r"level: fingerprint: '\w+' is not the fingerprint of the level"),
        ("decor_kinds.1.size", [900, 1], r"level: decor_kinds\[1\].size\[0\]: 900 is not a whole number from 1 to 16"),
        ("rooms.1.id", 5, r"level: rooms\[1\].id: 5 is at position 1; ids count up from 0"),
        ("rooms.1.bounds", [0, 0, 999, 1], r"level: rooms\[1\].bounds: \[0, 0, 999, 1\] is empty or outside"),
        ("rooms.1.outline", [[[0, 0]]], r"level: rooms\[1\].outline\[0\]: has 1 corners"),
        ("doors.0.rooms", [0, 77], r"level: doors\[0\].rooms\[1\]: 77 is not a whole number from 0 to"),
        ("doors.0.side", "up", r"level: doors\[0\].side: 'up' is not one of north, east, south, west"),
        ("doors.0.needs", ["a"] * 21, r"level: doors\[0\].needs: names a 21 times; at most 20 are allowed"),
        ("doors.0.needs", ["A key"], r"level: doors\[0\].needs\[0\]: 'A key' is not the name of a kind"),
        ("doors.0.one_way", 1, r"level: doors\[0\].one_way: 1 is neither true nor false"),
        ("doors.0.opens_from", 77, r"level: doors\[0\].opens_from: 77 is not a room of this door, \[0, \d+\]"),
        ("rooms.0.zone", "", r"level: rooms\[0\].zone: '' is not the name of a kind"),
        ("rooms.0.name", "", r"level: rooms\[0\].name: is empty; give a text"),
        ("rooms.0.name", "x" * 65, r"level: rooms\[0\].name: 'x+…? is longer than 64 characters; shorten it"),
        ("rooms.0.name", "a\nb", r"level: rooms\[0\].name: 'a\\nb' contains characters that cannot be printed"),
        ("doors.0.tiles", [[-1, 0]], r"level: doors\[0\].tiles\[0\]: \[-1, 0\] is outside the level"),
        ("markers.0.x", 10**6, r"level: markers\[0\]: \[1000000, \d+\] is outside"),
        ("markers.0.x", 3.5, r"level: markers\[0\].x: 3.5 is not a whole number"),
        ("markers.0.y", "3", r"level: markers\[0\].y: '3' is not a whole number"),
        ("markers.0.hallway", 0, r"level: markers\[0\].hallway: 0 does not exist in this level; give null$"),
        ("markers.0.properties", {"a": [1]}, r"level: markers\[0\].properties.a: \[1\] is not a whole number"),
        ("markers.0.properties", {"a": "\ud800"}, r"level: markers\[0\].properties.a: '\\ud800' is not valid Unicode"),
        ("markers.0.properties", {"a\n": []}, r"level: markers\[0\].properties.a\\n: \[\] is not a whole number"),
        ("facts", {"\x1b[2J" * 20: []}, r"level: facts.(\\x1b\[2J)+.*: \[\] is not"),
        ("facts", {"\ud800": 1}, r"level: facts.\\ud800: '\\ud800' is not valid Unicode"),
        ("seed_text", "a\nb", r"level: seed_text: 'a\\nb' contains characters that cannot be printed"),
        ("rooms.1.layout", "a\x1bb", r"level: rooms\[1\].layout: 'a\\x1bb' contains characters that cannot be printed"),
        ("decor_kinds.1.name", "a\nb", r"level: decor_kinds\[1\].name: 'a\\nb' contains characters that cannot be printed"),
        ("grid", 3, r"level: grid: 3 is not a table"),
        ("rooms.1.cells", [[-9, 0]], r"level: rooms\[1\].cells\[0\]: \[-9, 0\] is outside the room's bounds \["),
        ("rooms.1.cells", [[2**29, 0]], r"level: rooms\[1\].cells\[0\]: \[536870912, 0\] is outside the room"),
        ("grid.cell_size", [15, 10], r"level: rooms\[\d+\].cells\[0\]: \[\d+, \d+\] is outside the room's bounds"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(path: str, value: object, message: str) -> None:
    with pytest.raises(LevelError, match=f"^{message}"):
        level_from_dict(_set(path, value))


@pytest.mark.parametrize("key", [key for key in table() if key not in ("generator_version", "seed_text")])
def test_nothing_may_be_missing(key: str) -> None:
    with pytest.raises(LevelError, match=f"level: {key}: is missing; "):
        level_from_dict({name: value for name, value in table().items() if name != key})


def test_a_thing_must_not_reach_over_the_edge() -> None:
    made = copy.deepcopy(table())
    boulder = next(i for i, kind in enumerate(made["decor_kinds"]) if kind["name"] == "boulder")
    made["decor"][-1] = boulder
    with pytest.raises(
        LevelError, match=r"level: decor: a boulder of 2 x 2 tiles extends beyond the level's edge"
    ):
        level_from_dict(made)


def test_a_level_without_a_grid_has_no_cells_to_check() -> None:
    made = _set("grid", None)
    with pytest.raises(LevelError, match=r"^level: fingerprint: "):
        level_from_dict(made)


def test_a_huge_file_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    """Parsed, a file takes twenty times its size and more."""
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(LevelError, match=r"huge.json: is larger than 67108864 bytes"):
        load_level(path)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)


@given(st.data())
@settings(max_examples=150)
def test_whatever_is_changed_it_is_a_level_or_a_level_error(data: st.DataObject) -> None:
    made = copy.deepcopy(table())
    node: Any = made
    for _ in range(data.draw(st.integers(0, 5))):
        keys = list(node) if isinstance(node, dict) else range(len(node))
        key = data.draw(st.sampled_from(list(keys)[:40]))
        if not isinstance(node[key], (dict, list)) or not node[key]:
            break
        node = node[key]
    keys = list(node) if isinstance(node, dict) else range(len(node))
    key = data.draw(st.sampled_from(list(keys)[:40]))
    node[key] = data.draw(SCALARS | st.lists(SCALARS, max_size=3) | st.just({}))
    try:
        level_from_dict(made)
    except LevelError as error:
        assert "\n" not in str(error) and len(str(error)) < 600


@pytest.mark.parametrize("data", [b"", b"[1", b"\xff", b"[" * 100_000, b"3", b'"x"', b"{}", b"NaN"])
def test_files_that_are_no_levels(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(LevelError, match=r"x.json"):
        load_level(path)
