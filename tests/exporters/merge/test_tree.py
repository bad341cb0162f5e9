"""The three-way merge of values, by its rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exporters.merge.outcome import Notes
from exporters.merge.tree import ITSELF, Scheme, in_order, merged, same

SCHEME = Scheme({"items": ("id",), "names": (ITSELF,)})
VALUES = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "b"])
ITEMS = st.lists(st.fixed_dictionaries({"id": st.integers(0, 5)}, optional={"x": VALUES, "y": VALUES}), unique_by=lambda each: each["id"], max_size=5)  # fmt: skip
TREES = st.fixed_dictionaries(
    {}, optional={"a": VALUES, "b": VALUES, "items": ITEMS, "names": st.lists(st.sampled_from("pqrs"), unique=True), "deep": st.fixed_dictionaries({}, optional={"items": ITEMS, "c": VALUES})}
)  # fmt: skip


def together(base: Any, theirs: Any, new: Any) -> tuple[Any, tuple[str, ...]]:
    notes = Notes()
    return merged(base, theirs, new, SCHEME, notes), notes.lines()


@given(TREES, TREES)
def test_what_nobody_changed_comes_out_new(base: Any, new: Any) -> None:
    assert together(base, base, new) == (new, ())


@given(TREES, TREES)
def test_what_only_a_person_changed_comes_out_theirs(base: Any, theirs: Any) -> None:
    found, lines = together(base, theirs, base)
    assert same(found, theirs)
    assert lines == ()


@given(TREES, TREES)
def test_the_same_change_on_both_sides_is_not_a_conflict(base: Any, both: Any) -> None:
    assert together(base, both, both) == (both, ())


def are_others(value: Any, other: Any) -> bool:
    """Whether two values differ in JSON, where true is no 1."""
    return json.dumps(value, sort_keys=True) != json.dumps(other, sort_keys=True)


@given(TREES, TREES, TREES)
@example({"b": True}, {"b": 1}, {})
def test_a_persons_values_are_all_there(base: Any, theirs: Any, new: Any) -> None:
    """Whatever is another in theirs than in the base, is in the merged value."""
    found, _ = together(base, theirs, new)
    for key in ("a", "b"):
        if are_others(theirs.get(key, "-"), base.get(key, "-")):
            assert found.get(key, "-") == theirs.get(key, "-")
        else:
            assert found.get(key, "-") == new.get(key, "-")
    sides = [{each["id"]: each for each in side.get("items", [])} for side in (base, theirs, new, found)]
    before, after, now, made = sides
    if "items" in theirs and "items" in new:
        for key in before.keys() - after.keys():
            assert key not in made
        for key in after.keys() - before.keys() | now.keys() - before.keys():
            assert key in made
        for key, item in after.items():
            if item != before.get(key):
                for name in item:
                    if are_others(item[name], before.get(key, {}).get(name, "-")):
                        assert made[key][name] == item[name]


@pytest.mark.parametrize(
    ("base", "theirs", "new", "expected"),
    [
        ("abc", "abcX", "abc", "abcX"),
        ("abc", "aXbc", "abcY", "aXbcY"),
        ("abc", "cab", "abYc", "cabY"),
        ("abc", "ab", "abcY", "abcY"),
        ("", "X", "Y", "XY"),
        ("abc", "Xabc", "ca", "Xcab"),
    ],
)
def test_order(base: str, theirs: str, new: str, expected: str) -> None:
    """New things and added ones stand behind what they stood behind; a person's own order stays."""
    assert "".join(map(str, in_order(list(base), list(theirs), list(new)))) == expected


def test_conflicts_are_named() -> None:
    base = {"items": [{"id": 1, "name": "torch", "x": 1}]}
    found, lines = together(base, {"items": [{"id": 1, "name": "torch", "x": 2}]}, {"items": [{"id": 1, "name": "torch", "x": 3}]})  # fmt: skip
    assert found["items"][0]["x"] == 2
    assert lines == ("items torch / x: 2 stays, the new file has 3",)
