"""Godot's text files: what is read and written again is equal byte for byte, and each value is what Godot means."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exporters
import generator
from exporters.formats.godot.syntax.sections import (
    Built,
    GodotTextError,
    plain,
    quoted,
    references,
    referring,
    sections,
    value_of,
    values_of,
    written,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
NAMES = st.from_regex(r"[a-z_][a-z0-9_/:.]{0,12}", fullmatch=True)
NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9), st.floats(allow_nan=False, allow_infinity=False, width=32).map(float)
)
PLAIN = st.one_of(NUMBERS, st.booleans(), st.none(), TEXTS)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)


def as_godot_writes(value: object) -> str:
    match value:
        case str():
            return quoted(value)
        case list():
            return f"[{', '.join(map(as_godot_writes, value))}]"
        case Mapping():
            pairs = (f"{as_godot_writes(key)}: {as_godot_writes(each)}" for key, each in value.items())
            return "{\n" + ",\n".join(pairs) + "\n}"
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case _:
            return repr(value)


@given(VALUES)
def test_a_value_is_what_was_written(value: object) -> None:
    assert value_of(as_godot_writes(value)) == value


@given(st.lists(st.tuples(NAMES, VALUES), max_size=4), TEXTS)
def test_a_file_is_written_as_it_was_read(properties: list[tuple[str, object]], name: str) -> None:
    lines = [f"{key} = {as_godot_writes(value)}" for key, value in dict(properties).items()]
    text = "\n".join(["[gd_scene format=3]", "", f"[node name={quoted(name)}]", *lines]) + "\n"
    heading, node = sections(text)
    assert written([heading, node]).decode() == text
    assert plain(node.attributes["name"]) == name
    assert values_of(text, node.properties) == dict(properties)


@pytest.mark.parametrize("target", ["4.3", "4.2", "3.6"])
@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_our_scenes_are_written_as_they_were_read(style: str, target: str) -> None:
    level = generator.generate(style, 3)
    bundle = exporters.export(level, "godot", {"godot.target": target}, name="level")
    texts = {name: data for name, data in bundle.items() if name.endswith((".tscn", ".tres"))}
    assert len(texts) >= 2
    for name, data in texts.items():
        read = list(sections(data.decode()))
        assert written(read) == data, name
        for section in read:
            values_of(data.decode(), section.properties)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Vector2(1, -2.5)", Built("Vector2", "1, -2.5")),
        ('ExtResource("1_a")', Built("ExtResource", "", ("1_a",))),
        ("ExtResource( 1 )", Built("ExtResource", " 1 ")),
        ('Array[Dictionary]([{"a": 1}])', Built("Array", "", ([{"a": 1}],))),
        ("Dictionary[String, int]({})", Built("Dictionary", "", ({},))),
        ('&"jump"', "jump"),
        ('^"A/B"', "A/B"),
        (r'"a\n\"\u00e9\U01f600"', 'a\n"é😀'),
        ("inf", math.inf),
        ("1_000", 1000),
        ("[1, 2,]", [1, 2]),
        ("-0.5e-3", -0.0005),
    ],
)
def test_what_godot_means(text: str, value: object) -> None:
    assert value_of(text) == value


def test_the_arguments_of_a_constructor_are_numbers_or_values() -> None:
    assert Built("Vector2i", "1, 2").arguments() == (1, 2)
    assert Built("ExtResource", "", ("1",)).arguments() == ("1",)
    assert Built("Odd", "1, x").arguments() == ()
    with pytest.raises(ValueError, match="more than 2 numbers"):
        Built("Vector2", "1, 2, 3").numbers(2)


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("x", "is not a heading", 1),
        ("[gd_scene]\n[node name=]\n", "is not a value", 2),
        ('[gd_scene]\n\n[node name="a"', "is not a heading", 3),
        ("[gd_scene]\na\n", "is not a property", 2),
        ("[gd_scene]\na = (1\n", "is not a value", 2),
        ("[gd_scene]\na = 1)\n", "is not a value", 2),
        ('[gd_scene]\na = "never closed\n', "is not a value", 2),
        ("[gd_scene]\na = 1\nb = " + "[" * 100, "is nested too deeply", 3),
    ],
)
def test_a_damaged_file_is_told_with_its_line(text: str, what: str, line: int) -> None:
    with pytest.raises(GodotTextError) as caught:
        list(sections(text))
    assert (caught.value.what, caught.value.line) == (what, line)


@pytest.mark.parametrize(
    "value", ["1.2.3", "[1", "{1}", "Vector2(", "Vector2", "!", '"a" "b"', "[" * 70 + "]" * 70]
)
def test_a_damaged_value_is_told_with_its_line(value: str) -> None:
    text = f"[resource]\na = 1\nb = {value}\n"
    with pytest.raises(GodotTextError) as caught:
        values_of(text, {"a": "1", "b": value})
    assert caught.value.line == 3


def test_references_get_other_ids_and_texts_stay() -> None:
    value = '[ExtResource("1"), SubResource("a"), "ExtResource(\\"1\\")"]'
    assert references(value) == [("Ext", "1"), ("Sub", "a")]
    assert (
        referring(value, {("Ext", "1"): "7"})
        == '[ExtResource("7"), SubResource("a"), "ExtResource(\\"1\\")"]'
    )
    assert referring("ExtResource( 1 )", {("Ext", "1"): "7"}) == "ExtResource(7)"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"\ud800 \U110000 \U01F600 \u00e9"', "\ufffd \ufffd \U0001f600 é"),
        ('{1: 2, "a": 3}', {"1": 2, "a": 3}),
        ("9" * 23, 10**23 - 1),
        ("9" * 24, 1e24),
    ],
    ids=["characters-that-there-are-not", "keys-are-texts", "whole", "too-long-to-be-whole"],
)
def test_odd_values_are_those_that_json_can_hold(text: str, value: object) -> None:
    found = value_of(text)
    assert (found, type(found)) == (value, type(value))


def test_lists_are_nested_so_deeply_and_no_deeper() -> None:
    for depth, is_read in ((64, True), (66, False)):
        value = "[" * depth + "]" * depth
        for read in (value_of, lambda text: [*sections(f"[resource]\na = {text}")]):
            if is_read:
                read(value)
            else:
                with pytest.raises(GodotTextError, match="nested too deeply"):
                    read(value)


def test_a_file_has_so_many_sections_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporters.formats.godot.syntax.sections._MAX_SECTIONS", 3)
    assert len([*sections("[node]\n" * 3)]) == 3
    with pytest.raises(GodotTextError, match="more than 3 sections"):
        [*sections("[node]\n" * 4)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[a]\nx = 1\n\n[b]\ny = 2\n", "[a]\nx = 1\n\n[c]\nz = 3\n\n[b]\ny = 2\n"),
        ("[a]\nx = 1\n[b]\n", "[a]\nx = 1\ny = 2\n[b]\n"),  # the section goes on
        ("[a]\nx = 1\n; end", "[a]\nx = 1\n; end[b]\n[c]\n"),  # the comment goes on
        ("[a][b]\n", "[a]\nx = 1\n[b]\n"),
        ('[a]\nx = "\n\n[b]\n"\n[b]\n', '[a]\nx = "\n\n[b]\n"\n[b]\ny = 1\n'),
    ],
)
def test_two_files_share_the_sections_whose_whole_text_is_equal(first: str, second: str) -> None:
    known: dict[Hashable, tuple[Any, Any]] = {}
    for text in (first, second, first):
        assert list(sections(text, known)) == list(sections(text))
    one, two = (list(sections(text, known)) for text in (first, first))
    assert all(a is b for a, b in zip(one[:-1], two[:-1], strict=True)) or "[a][b]" in first
