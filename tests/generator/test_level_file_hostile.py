"""level.json from strangers: whatever is read can be checked, drawn and saved, or is refused in one line."""

from __future__ import annotations

import copy
import json
import re
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator import Level, LevelError, generate
from generator.checks import problems
from generator.level_file import level_from_dict, load_level
from generator.serialise import dumps
from tests.cases import for_each
from tests.generator.pictures import level_text

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((resources.files("generator") / "level.schema.json").read_text("utf-8"))
)
ODD_VALUES = [
    None, True, False, 0, 1, -1, 2, 255, 256, 2**31, 2**64, 10**400, 0.5, -0.0, 1e308, float("inf"), float("nan"),
    "", "x", "\n", "\0", "\ud800", "é" * 5000, [], {}, [0, 0], [[0, 0]], [None], {"a": 1},
    "secret", "boss", "start", "open", "north", "up", "door", "void",
]  # fmt: skip


@cache
def table() -> dict[str, Any]:
    return generate("isaac", 7).to_dict()


def fresh() -> dict[str, Any]:
    """A copy that may be changed anywhere."""
    return copy.deepcopy(table())


def signed(made: dict[str, Any]) -> Level:
    """Read a table that was changed, with the fingerprint that it would have: a careful forger's file."""
    try:
        return level_from_dict(made)
    except LevelError as error:
        right = re.search(r"is not the fingerprint of the level, (\w{32});", str(error))
        if right is None:
            raise
        return level_from_dict({**made, "fingerprint": right[1]})


def use(level: Level) -> None:
    """What the commands do with a level."""
    for problem in problems(level):
        assert str(problem).endswith("]")
    assert level_text(level)
    again = level_from_dict(json.loads(dumps(level)))
    assert again.fingerprint == level.fingerprint and dumps(again) == dumps(level)


def change(data: st.DataObject, made: Any) -> None:
    """Delete, double, move or overwrite one thing somewhere in a table."""
    node, path = made, ""
    for _ in range(data.draw(st.integers(0, 5))):
        keys = list(node) if isinstance(node, dict) else range(len(node))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], (dict, list)) or not node[key]:
            break
        node, path = node[key], f"{path}.{key}"
    keys = list(node) if isinstance(node, dict) else range(len(node))
    key = data.draw(st.sampled_from(keys))
    what = data.draw(st.sampled_from(["set", "set", "set", "delete", "double", "add"]))
    if what == "delete":
        del node[key]
    elif what == "double" and isinstance(node, list):
        node.insert(data.draw(st.integers(0, len(node))), copy.deepcopy(node[key]))
    elif what == "add" and isinstance(node, dict):
        node["one more"] = copy.deepcopy(data.draw(st.sampled_from(ODD_VALUES)))
    else:
        node[key] = copy.deepcopy(data.draw(st.sampled_from(ODD_VALUES)))


@given(st.data())
@settings(max_examples=400, suppress_health_check=[HealthCheck.data_too_large])
def test_a_changed_file_is_a_usable_level_or_a_level_error(data: st.DataObject) -> None:
    made = fresh()
    for _ in range(data.draw(st.integers(1, 3))):
        change(data, made)
    try:
        level = signed(made)
    except LevelError as error:
        assert "\n" not in str(error) and len(str(error)) < 600
    else:
        use(level)


@for_each(section=["rooms", "doors", "markers"], value=ODD_VALUES)
def test_every_field_takes_no_more_than_it_should(section: str, value: object) -> None:
    """Each key of a room, a door and a marker in turn, with the fingerprint made right."""
    for key in table()[section][1]:
        made = {**table(), section: copy.deepcopy(table()[section])}
        made[section][1][key] = value
        try:
            use(signed(made))
        except LevelError as error:
            assert str(error).startswith("level: ") and "\n" not in str(error)


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 8),
    st.sampled_from(["none", "labyrinth", "random"]),
    st.booleans(),
)
@settings(max_examples=40)
def test_every_level_fits_the_schema_and_comes_back(seed: int, stage: int, curse: str, hard: bool) -> None:
    level = generate("isaac", seed, stage=stage, curse=curse, hard=hard)
    data = dumps(level)
    assert [error.message for error in SCHEMA.iter_errors(json.loads(data))] == []
    assert dumps(level_from_dict(json.loads(data))) == data


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rooms", 1, "kind"), "a dragon"),
        (("doors", 0, "kind"), "Dragon"),
        (("doors", 0, "kind"), ""),
        (("markers", 0, "kind"), "d" * 65),
        (("markers", 0, "kind"), "enemy\nmarker 9: all is well"),
    ],
    ids=str,
)
def test_the_reader_takes_no_kind_that_the_schema_does_not_know(
    path: tuple[str, int, str], value: object
) -> None:
    """`undercroft check` must not call sound what every validator of the schema refuses."""
    section, number, key = path
    made = fresh()
    made[section][number][key] = value
    assert not SCHEMA.is_valid(made)
    with pytest.raises(LevelError, match=rf"level: {section}\[{number}\]\.{key}: "):
        signed(made)


def test_a_forged_fingerprint_is_refused_and_a_changed_level_too() -> None:
    for key, value in (
        ("fingerprint", "0" * 32),
        ("seed", "8"),
        ("facts", {"curse": "lost"}),
        ("rerolls", [{}]),
    ):
        with pytest.raises(
            LevelError, match=r"level: fingerprint: .* is not the fingerprint of the level, \w{32}; "
        ):
            level_from_dict({**table(), key: value})


def test_the_fingerprint_covers_every_part_but_the_version() -> None:
    """Change any one thing that still reads, and it differs."""
    changes: list[tuple[tuple[str | int, ...], object]] = [
        (("seed",), "8"),
        (("spec", "champions"), 11),
        (("facts", "curse"), "lost"),
        (("grid",), None),
        (("terrain", 0), 1),
        (("decor", 200), 1),
        (("terrain_kinds", 1, "fly"), False),
        (("decor_kinds", 1, "hazard"), True),
        (("rooms", 1, "depth"), 9),
        (("rooms", 1, "layout"), "x"),
        (("doors", 0, "kind"), "locked"),
        (("markers", 0, "x"), 1),
        (("rerolls",), [{"room": 1}]),
    ]
    fingerprints = {signed(fresh()).fingerprint}
    for (*heads, last), value in changes:
        made = fresh()
        node: Any = made
        for head in heads:
            node = node[head]
        node[last] = value
        fingerprints.add(signed(made).fingerprint)
    assert len(fingerprints) == len(changes) + 1
    assert signed({**fresh(), "generator_version": "99.0"}).fingerprint == table()["fingerprint"]


@pytest.mark.parametrize("key", ["rooms", "size", "terrain", "facts", "fingerprint", "spec"])
def test_deep_files_are_refused_at_every_depth(key: str, tmp_path: Path) -> None:
    """Also where the parser just bears it, and printing the value for the message does not."""
    path = tmp_path / "x.json"
    text = json.dumps({**table(), key: "@"})
    for depth in (100, *range(960, 1010, 1), 5000):
        path.write_text(text.replace('"@"', "[" * depth + "]" * depth), "utf-8")
        with pytest.raises(LevelError, match=re.escape(str(path))) as caught:
            load_level(path)
        assert len(str(caught.value)) < 600


@given(st.integers(0, 20_000), st.binary(max_size=4))
@settings(max_examples=40)
def test_cut_and_scratched_files_are_levels_or_level_errors(cut: int, scratch: bytes) -> None:
    data = dumps(generate("isaac", 7))
    place = cut % len(data)
    for made in (data[:place], data[:place] + scratch + data[place + len(scratch) :]):
        with suppress(LevelError, ValueError):  # the second is json's own; load_level makes it a LevelError
            level_from_dict(json.loads(made))


def test_text_is_written_as_it_reads() -> None:
    """UTF-8, so that diffs and searches find what was typed."""
    data = dumps(generate("isaac", "grünes gewölbe"))
    assert '"seed_text": "grünes gewölbe"'.encode() in data
    assert level_from_dict(json.loads(data)).seed_text == "grünes gewölbe"


def test_a_cut_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_bytes(dumps(generate("isaac", 7))[:-40])
    with pytest.raises(LevelError, match=re.escape(f"{path}: is not JSON: ")):
        load_level(path)


def test_a_large_thing_of_kind_none_does_not_reach_over_the_edge() -> None:
    """Number 0 stands on every tile without a thing."""
    made = fresh()
    made["decor_kinds"][0]["size"] = [2, 1]
    with pytest.raises(
        LevelError, match=r"level: decor: a none of 2 x 1 tiles extends beyond the level's edge"
    ):
        signed(made)
