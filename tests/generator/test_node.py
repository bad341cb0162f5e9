"""A value of a file and its place: what it gives, and how it tells what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import BadInput
from generator.node import MAX_KEYS, MAX_TEXT, Node

TABLE = {"a": [{"b": {"c": 3}}, "x"], "d": True, "e e": 1}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
READS: dict[str, Callable[[Node], Any]] = {
    "table": Node.table,
    "items": Node.items,
    "pairs": lambda node: list(node.pairs()),
    "number": lambda node: node.number(0, 9),
    "truth": Node.truth,
    "text": Node.text,
    "line": Node.line,
    "known": lambda node: node.known(("north", "south"), "side"),
    "one_of": lambda node: node.one_of(("north", "south")),
    "numbers": lambda node: node.numbers(2, 0, 9),
    "pair": lambda node: node.pair(0, 9),
}


def top(value: object = TABLE) -> Node:
    return Node(value, "x.toml", is_file=True)


def line(call: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as refused:
        call()
    return str(refused.value)


def test_a_place_is_the_file_and_the_keys_that_lead_there() -> None:
    inner = top()["a"].items()[0]["b"]["c"]
    assert (inner.value, inner.path, inner.place) == (3, "a[0].b.c", "x.toml: a[0].b.c")
    assert (top().path, top().place) == ("", "x.toml")
    assert Node(TABLE, "row[2]")["d"].place == "row[2].d"
    assert Node([1], "row").items()[0].place == "row[0]"
    assert top()["e e"].instead(5).place == "x.toml: e e" and top()["e e"].instead(5).value == 5
    assert [(key, node.place) for key, node in top({"k": 1}).pairs()] == [("k", "x.toml: k")]


def test_a_missing_key_is_told_at_its_place_or_has_a_default_there() -> None:
    assert line(lambda: top()["f"]) == "x.toml: f: is missing; add it"
    assert (
        line(lambda: top().needed("f", "give one of 1 to 3")) == "x.toml: f: is missing; give one of 1 to 3"
    )
    assert top().at("f", 7).number(0, 9) == 7 and top().at("d", False).truth()
    assert line(lambda: top().at("f", 7).number(0, 3)).startswith(
        "x.toml: f: 7 is not a whole number from 0 to 3"
    )
    assert top().has("d") and not top().has("f")


def test_unknown_keys_get_the_nearest_known_one() -> None:
    assert top().only(("a", "d", "e e"), ("a",)).value is TABLE
    assert (
        line(lambda: top({"flor": 1}).only(("floor", "wall")))
        == "x.toml: flor: unknown key; did you mean floor?"
    )
    assert line(lambda: top().only(TABLE, ("f",))) == "x.toml: f: is missing; give it"


def test_lists_tables_and_texts_are_bounded() -> None:
    assert "has 3 entries; at most 2 are allowed" in line(lambda: top([1, 2, 3]).items(2))
    assert "is empty; give at least one" in line(lambda: top([]).items(least=1))
    assert "keys; at most" in line(lambda: list(top({str(i): 0 for i in range(MAX_KEYS + 1)}).pairs()))
    assert "is longer than 4096 characters; shorten it" in line(top("x" * (MAX_TEXT + 1)).text)
    assert "is not valid Unicode" in line(top("\ud800").text) and "cannot be printed" in line(top("\n").line)
    assert line(lambda: top(3).table("write [a]")) == "x.toml: 3 is not a table; write [a]"


def test_an_error_of_something_that_a_value_names_gets_the_value_s_place() -> None:
    def load() -> None:
        with top()["d"].named():
            raise BadInput("y.toml: is empty; give another")

    assert line(load) == "x.toml: d: y.toml: is empty; give another"


@given(value=VALUES, read=st.sampled_from(sorted(READS)))
def test_whatever_the_value_is_it_is_read_or_refused_in_one_line(value: object, read: str) -> None:
    try:
        READS[read](Node({"k": value}, "x.toml", is_file=True)["k"])
    except BadInput as error:
        said = str(error)
        assert said.startswith("x.toml: k") and "\n" not in said and (";" in said or said.endswith("?"))
