"""Tiled's JSON: every text comes back, no name hides another, and lines are where they should be."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exporters
import generator
from exporters.formats.tiled.syntax.data import encoded
from exporters.formats.tiled.syntax.text import (
    EnumChoice,
    FileReference,
    Gap,
    Lines,
    ObjectText,
    Ref,
    document,
    formatted,
    named_values,
    object_form,
    properties,
    text,
)
from tests.combinations import each_once_first

TEXTS = st.text(st.characters() | st.sampled_from('"\\\n\t\0\x1b\ud800'))
VALUES = st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS


def test_values_have_tiled_types() -> None:
    found = properties(
        {
            "text": "a",
            "whole": 3,
            "share": 0.5,
            "flag": True,
            "other": Ref(9),
            "map": FileReference("room1.tmj"),
            "kind": EnumChoice("DoorKind", "boss"),
            "left out": None,
        }
    )
    assert found == [
        {"name": "flag", "type": "bool", "value": True},
        {"name": "kind", "propertytype": "DoorKind", "type": "string", "value": "boss"},
        {"name": "map", "type": "file", "value": "room1.tmj"},
        {"name": "other", "type": "object", "value": 9},
        {"name": "share", "type": "float", "value": 0.5},
        {"name": "text", "type": "string", "value": "a"},
        {"name": "whole", "type": "int", "value": 3},
    ]


@pytest.mark.parametrize("number", [1 << 31, -(1 << 31) - 1, (1 << 64) - 1, float("inf"), float("nan")])
def test_numbers_that_tiled_cannot_hold_are_texts(number: float) -> None:
    (found,) = properties({}, {"a": number})
    assert (found["type"], found["value"]) == ("string", str(number))


@pytest.mark.parametrize("number", [(1 << 31) - 1, -(1 << 31)])
def test_numbers_that_just_fit_are_numbers(number: int) -> None:
    assert properties({"a": number}) == [{"name": "a", "type": "int", "value": number}]


def test_no_given_name_hides_another() -> None:
    """Nor one that is not written; nor may a name be empty, or become another's when it is cleaned."""
    given_ones = {"id": 1, "property_id": 2, "": 3, "a\0": 4, "a\x01": 5, "none": 6}
    found = {one["name"]: one["value"] for one in properties({"id": 0, "none": None}, given_ones)}
    assert found == {
        "id": 0,
        "property_id": 1,
        "property_property_id": 2,
        "property_": 3,
        "a\ufffd": 4,
        "property_a\ufffd": 5,
        "property_none": 6,
    }


@given(st.dictionaries(TEXTS, VALUES), st.dictionaries(TEXTS, TEXTS))
def test_whatever_is_given_comes_back(given_ones: dict[str, object], own: dict[str, str]) -> None:
    """As valid JSON of the same structure: each property once, in one order, with its value."""
    own = {text(name): value for name, value in own.items()}
    listed = properties(own, given_ones)  # type: ignore[arg-type]
    found = json.loads(document({"properties": Lines(listed), "last": 1}))
    assert list(found) == ["properties", "last"]
    assert len(found["properties"]) == len(given_ones) + len(own)
    names = [one["name"] for one in found["properties"]]
    assert names == sorted(set(names), key=lambda name: name.encode("utf-16-be"))
    values = {one["name"]: one["value"] for one in found["properties"]}
    assert {name: values[name] for name in own} == {name: text(value) for name, value in own.items()}


@given(TEXTS, st.dictionaries(TEXTS, VALUES))
def test_the_text_of_an_object_is_that_of_its_table(name: str, given_ones: dict[str, object]) -> None:
    """Twice, as the second has the form of the first."""
    own = {text(key): value for key, value in given_ones.items()}
    own |= {"of": Ref(3), "map": FileReference("100%.tmj"), "none": None}
    for number, class_ in ((7, "%s"), (8, "door")):
        fields = {"id": number, "name": text(name), "type": class_, "polygon": [{"x": 0, "y": number / 2}]}
        whole = dict(sorted({**fields, "properties": properties(own)}.items()))  # type: ignore[arg-type]
        object_ = ObjectText.of(fields, own)  # type: ignore[arg-type]
        assert object_.table() == whole
        assert document({"objects": Lines([object_])}) == document({"objects": Lines([whole])})


@given(TEXTS, st.dictionaries(TEXTS, VALUES))
def test_a_form_of_objects_is_filled_with_json(name: str, given_ones: dict[str, object]) -> None:
    values = named_values({"%": "%s %(x)s", "room": Gap("room", "object")}, given_ones)  # type: ignore[arg-type]
    form = object_form({"id": Gap("id"), "name": text(name)}, values)
    listed = [{**item, "value": 5} if item["name"] == "room" else item for item in properties(values)]
    assert json.loads(form % {"id": 7, "room": 5}) == {"id": 7, "name": text(name), "properties": listed}


@given(TEXTS)
def test_texts_keep_all_that_tiled_can_keep(given_one: str) -> None:
    bad = {c for c in given_one if "\ud800" <= c <= "\udfff" or (c < " " and c not in "\b\t\n\f\r")}
    assert text(given_one) == "".join("\ufffd" if c in bad else c for c in given_one)


def test_lines_break_where_asked() -> None:
    made = document(
        {"a": [1, {"b": "ß"}], "c": Lines([{"d": 1}, Lines({"e": b"[1]"})]), "f": Lines(iter(()))}
    )
    assert made.decode() == ('{\n"a": [1,{"b":"ß"}],\n"c": [\n{"d":1},\n{\n"e": [1]\n}\n],\n"f": [\n]\n}\n')


@pytest.mark.parametrize(
    ("style", "split", "tileset"),
    each_once_first(["isaac", "gungeon"], ["none", "rooms"], ["external", "embedded"]),
)
def test_our_files_are_written_as_they_were_read(style: str, split: str, tileset: str) -> None:
    options = {"tiled.split": split, "tiled.tileset": tileset}
    bundle = exporters.export(generator.generate(style, 3), "tiled", options, name="level")
    files = {name: data for name, data in bundle.items() if not name.endswith(".png")}
    assert len(files) > 1
    for name, data in files.items():
        table = json.loads(data)
        for layer in table.get("layers", ()):
            if "data" in layer:
                gids = np.array(layer["data"], np.uint32).reshape(layer["height"], layer["width"])
                layer["data"] = encoded(gids, "csv", "")
        assert formatted(table) == data, name
