"""What `undercroft describe` tells is what is accepted: specs and options drawn from its JSON alone, by a reader
that knows no style and no format."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import exporters
import generator
from exporters.registry import options_of
from generator.cli import main
from generator.errors import SpecError
from generator.interiors.layout_file import load_layout
from generator.spec import spec_from_dict
from tests.cases import for_each

TOLD: dict[str, Any] = json.loads(CliRunner().invoke(main, ["describe"]).stdout)
STYLES: dict[str, Any] = TOLD["styles"]
ROWS = [(style, row) for style, told in STYLES.items() for row in told["values"]]
OPTIONS = [row for told in TOLD["formats"].values() for row in told["options"]]


def narrowed(row: dict[str, Any], drawn: dict[str, Any]) -> dict[str, Any]:
    """A value's row with the limits that hold beside the values drawn so far."""
    limits: dict[str, Any] = {}
    for rule in row.get("when", ()):
        if drawn[rule["key"]] in rule["values"]:
            limits |= rule
    return row | {key: limit for key, limit in limits.items() if key not in ("key", "values")}


def accepted(row: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What a row says may be given."""
    if "choices" in row:
        return st.sampled_from(row["choices"])
    if "sizes" in row:
        return st.sampled_from(row["sizes"])
    if row["type"] == "boolean":
        return st.booleans()
    if "low" not in row:
        return st.just(row["default"])  # a text, or any number
    steps = (row["high"] - row["low"]) // row.get("step", 1)
    numbers = st.integers(0, steps).map(lambda step: row["low"] + step * row.get("step", 1))
    if "off" in row:
        numbers = st.just(row["off"]) | numbers
    if row["type"] == "integer":
        return numbers
    lists = st.lists(numbers, min_size=len(row["default"]), max_size=len(row["default"]))
    return lists.map(sorted) if row.get("ordered") else lists


def test_the_page_on_describe_has_every_field() -> None:
    page = (Path(__file__).parents[2] / "docs" / "describe.md").read_text("utf-8")
    (table,) = re.findall(r"^\| field .*?\n\n", page, re.MULTILINE | re.DOTALL)
    rows = [*OPTIONS, *(row for _, row in ROWS)]
    told = {
        field for row in [*rows, *(rule for row in rows for rule in row.get("when", ()))] for field in row
    }
    cells = [line.split("|")[1] for line in table.splitlines()[2:] if line]
    assert {field for cell in cells for field in re.findall("`([a-z]+)`", cell)} | {"values"} == told
    (sample,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (rooms,) = [row for style, row in ROWS if (style, row["key"]) == ("isaac", "rooms")]
    shown = json.loads(sample)
    assert {key: rooms[key] for key in shown} == shown


def nested(drawn: dict[str, Any]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in drawn.items():
        *above, last = key.split(".")
        inner = table
        for part in above:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return table


@pytest.mark.parametrize("style", STYLES)
@given(data=st.data())
def test_a_spec_drawn_from_what_is_reported_is_accepted(style: str, data: st.DataObject) -> None:
    drawn: dict[str, Any] = {}
    for row in sorted(STYLES[style]["values"], key=lambda row: "when" in row):
        drawn[row["key"]] = data.draw(accepted(narrowed(row, drawn)), row["key"])
    spec = spec_from_dict({"style": style, **nested(drawn)})
    assert spec_from_dict(spec.to_dict()) == spec


@given(data=st.data())
def test_options_drawn_from_what_is_reported_are_accepted(data: st.DataObject) -> None:
    drawn = {row["key"]: data.draw(accepted(row), row["key"]) for row in OPTIONS}
    options_of([exporters.exporter(name) for name in TOLD["formats"]], drawn)


def beyond(row: dict[str, Any]) -> list[Any]:
    """Values just outside of what a row tells."""
    if row["type"] == "integers":
        numbers = [[other, *row["default"][1:]] for other in beyond({**row, "type": "integer"})]
        return numbers + (
            [row["default"][::-1]] if row.get("ordered") and len(set(row["default"])) > 1 else []
        )
    if row["type"] == "integer" and "low" in row:
        outside = [row["low"] - 1, row["high"] + 1]
        if row.get("step", 1) > 1:
            outside.append(row["low"] + 1)
        if row.get("off", row["low"]) < row["low"]:
            outside.append(row["off"] - 1)
        return [number for number in outside if number != row.get("off")]
    return ["of no such name"] if "choices" in row else []


@for_each(case=ROWS)
def test_what_lies_just_outside_is_refused_in_one_line(case: tuple[str, dict[str, Any]]) -> None:
    style, row = case
    defaults = {each["key"]: each["default"] for each in STYLES[style]["values"]}
    for wrong in beyond(narrowed(row, defaults)):
        with pytest.raises(SpecError) as caught:
            spec_from_dict({"style": style, **nested({row["key"]: wrong})})
        message = str(caught.value)
        assert (
            message.startswith(f"{row['key']}: ")
            and (" is out of range (" in message or "; " in message)
            and "\n" not in message
        )


@for_each(case=ROWS)
def test_a_rule_narrows_by_another_value_that_no_rule_narrows_by(case: tuple[str, dict[str, Any]]) -> None:
    """So a reader needs two passes at most. What a rule asks for can be had, and its limits lie within the row's."""
    style, row = case
    others = {each["key"]: each for each in STYLES[style]["values"]}
    for rule in row.get("when", ()):
        assert "when" not in others[rule["key"]]
        assert set(rule) <= {"key", "values", "low", "high", "choices", "sizes"} and len(rule) > 2
        for end in {"low", "high"} & set(rule):
            assert row["low"] <= rule[end] <= row["high"]
        assert set(rule.get("choices", ())) <= set(row.get("choices", (False, True)))


def test_the_sizes_of_rooms_are_those_of_the_shipped_layouts() -> None:
    folder = Path(generator.__file__).parent / "interiors" / "layouts"
    drawn = {load_layout(path).pitch for path in folder.rglob("*.txt")}
    told = [
        {tuple(size) for rule in row["when"] for size in rule["sizes"]}
        for _, row in ROWS
        if row["key"] == "room_size"
    ]
    assert told and all(sizes == drawn for sizes in told)
