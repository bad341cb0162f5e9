"""Godot's text format: whatever a text holds, the file keeps its structure."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.formats.godot.syntax.document import Document
from exporters.formats.godot.syntax.literals import (
    Call,
    Packed,
    PackedBytes,
    TypedArray,
    are_writable,
    escaped,
    is_identifier,
    joined,
    literal,
    node_name,
    packed_vector2,
    typed_array,
    vector2,
)

TEXTS = st.text(max_size=80) | st.sampled_from(
    ['"]\n[sub_resource type="Script"]', "\\", '\\"', "../..", "a\0b", "\ud800", "\r\n", "é ✓"]
)


def unquoted(text: str) -> tuple[str, str]:
    """Read a quoted literal as Godot's tokenizer does: the text, and what follows the closing quote."""
    assert text[0] == '"'
    out = []
    i = 1
    while text[i] != '"':
        if text[i] != "\\":
            out.append(text[i])
            i += 1
        elif text[i + 1] == "u":
            out.append(chr(int(text[i + 2 : i + 6], 16)))
            i += 6
        else:
            out.append(text[i + 1])
            i += 2
    return "".join(out), text[i + 1 :]


@given(TEXTS)
def test_a_text_comes_back_and_ends_where_it_ends(text: str) -> None:
    read, rest = unquoted(literal(text) + "]\n")
    assert rest == "]\n"
    assert read == re.sub("[\x00\ud800-\udfff]", "\ufffd", text)


@given(TEXTS)
def test_a_literal_can_be_shown(text: str) -> None:
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", literal(text))


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_adds_a_section(name: str, group: str, value: str) -> None:
    document = Document("gd_scene")
    document.node(name, "Node2D", None, {}, [group], {"text": value, "list": [value, {value: value}]})
    text = document.encode().decode("utf-8")
    sections = 0
    rest = text
    while rest:  # outside of quotes a line that opens a section is one of ours
        if rest[0] == '"':
            _, rest = unquoted(rest)
            continue
        if rest.startswith(("[gd_scene ", "[node ")):
            sections += 1
        assert not rest.startswith(("[sub_resource", "[ext_resource", "[connection"))
        rest = rest[1:]
    assert sections == 2


@given(TEXTS)
def test_names_are_ones_that_paths_can_name(text: str) -> None:
    assert not set(node_name(text)) & set('.:@/"%')
    assert node_name(text)


@given(TEXTS)
def test_metadata_has_only_names_that_godot_allows(text: str) -> None:
    """Such a line would end elsewhere, or be refused."""
    if not is_identifier(text):
        with pytest.raises(ValueError, match="cannot be the name of metadata"):
            Document("gd_scene").node("x", "Node2D", None, metadata={text: 1})


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("a", True), ("_A9", True), ("", False), ("9a", False), ("é", False), ("a b", False), ("a\n", False)],
)
def test_identifiers(text: str, is_one: bool) -> None:
    assert is_identifier(text) is is_one


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (3, "3"),
        (-2.0, "-2.0"),
        (0.15, "0.15"),
        ("a\tb", '"a\tb"'),
        (vector2(1.5, -2.0), "Vector2(1.5, -2)"),
        (packed_vector2([(0.0, 1.0), (2.5, 3.0)]), "PackedVector2Array(0, 1, 2.5, 3)"),
        (Call("ExtResource", ("1",)), 'ExtResource("1")'),
        ([1, "x"], '[1, "x"]'),
        ({}, "{}"),
        ({"a": 1, "b": [True]}, '{\n"a": 1,\n"b": [true]\n}'),
        (typed_array("Vector2", [(1, 2)]), "Array[Vector2]([Vector2(1, 2)])"),
    ],
)
def test_literals(value: object, written: str) -> None:
    assert literal(value) == written


def test_bytes_are_padded_base64() -> None:
    text = literal(PackedBytes(b"\0\0ab"))
    data = text.removeprefix('PackedByteArray("').removesuffix('")')
    assert base64.b64decode(data, validate=True) == b"\0\0ab"
    assert len(data) % 4 == 0


def test_a_value_without_a_literal_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no Godot literal"):
        literal({1, 2})


def test_escaping_touches_only_quote_and_backslash() -> None:
    assert escaped('ä ✓ "x" \\ \n\t') == 'ä ✓ \\"x\\" \\\\ \n\t'


@given(
    st.lists(
        st.lists(st.one_of(st.integers(0, 2000), st.integers(-9, 10**7)), max_size=5),
        max_size=6,
    )
)
def test_arrays_of_numbers_are_written_as_lists_are(rows: list[list[int]]) -> None:
    """Whichever way is the fast one: as numpy has them, or Python."""
    flat, counts = [number for row in rows for number in row], [len(row) for row in rows]
    expected = ", ".join(f"Vector({', '.join(map(str, row))})" for row in rows)
    for numbers in (flat, np.array(flat, np.int64)):
        assert literal(TypedArray("Vector", numbers, counts)) == f"Array[Vector]([{expected}])"
        assert literal(Packed("Packed", numbers)) == f"Packed({', '.join(map(str, flat))})"


def test_numbers_up_to_six_digits_are_written_at_once() -> None:
    """Around every border between digits and words."""
    numbers = np.array([0, 9, 10, 99, 100, 999, 1000, 1001, 1010, 9999, 10_000, 100_000, 999_999])
    assert are_writable(numbers)
    assert (
        joined(numbers, np.array([6]), "|")
        == "0, 9, 10, 99, 100, 999|1000, 1001, 1010, 9999, 10000, 100000, 999999"
    )
    assert not any(are_writable(np.array(given, np.int64)) for given in ([], [-1], [10**6]))
