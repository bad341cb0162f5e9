"""JSON in LDtk's form. The samples are those of files that ship with LDtk 1.5.3."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.formats.ldtk.syntax import (
    Pieces,
    Rendered,
    Streamed,
    TableLines,
    TextColumn,
    Uids,
    byte_list,
    clean,
    document,
    identifier,
    number_columns,
    number_text,
    pretty,
    quoted,
    table_list,
    utf8,
)

TILE = {"px": [256, 16], "src": [16, 32], "f": 0, "t": 23, "d": [127, 48], "a": 1}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (TILE, '{ "px": [256,16], "src": [16,32], "f": 0, "t": 23, "d": [127,48], "a": 1 }'),
        (["ExportOld", "Use"], '[ "ExportOld", "Use" ]'),
        (["loot"], '["loot"]'),
        ([], "[]"),
        ({"fields": {}}, '{ "fields" : {} }'),
        ([True], "[ true ]"),
        ([True] * 6, "[\n\ttrue,\n\ttrue,\n\ttrue,\n\ttrue,\n\ttrue,\n\ttrue\n]"),
        ([0.5, 1], "[0.5,1]"),
        ({"id": "V_Int", "params": [100]}, '{ "id": "V_Int", "params": [100] }'),
        ({"id": "V_String", "params": ["x"]}, '{\n\t"id": "V_String",\n\t"params": ["x"]\n}'),
        ([TILE] * 2, f"[\n\t{pretty(TILE)},\n\t{pretty(TILE)}\n]"),
        ([TILE], f"[{pretty(TILE)}]"),
        (list(range(49)), f"[{','.join(map(str, range(49)))}]"),
        ([1] * 50, "[\n\t" + ",\n\t".join("1" * 50) + "\n]"),
        ([7] * 86, f"[\n\t{','.join('7' * 35)},\n\t{','.join('7' * 35)},\n\t{','.join('7' * 16)}\n]"),
        ([7] * 105, "[\n\t" + ",\n\t".join([",".join("7" * 35)] * 3) + "\n\t\n]"),
        (None, "null"),
    ],
)
def test_values_are_laid_out_as_ldtk_does(value: Any, text: str) -> None:
    assert pretty(value) == text
    assert json.loads(text) == value


def test_the_header_has_a_line_for_each_key_however_short_it_is() -> None:
    lines = document({"app": "LDtk"}, {"flags": [], "row": {"a": 1}}).getvalue().decode().split("\n")
    assert lines == [
        "{",
        '\t"__header__": {',
        '\t\t"app": "LDtk"',
        "\t},",
        '\t"flags": [],',
        '\t"row": { "a": 1 }',
        "}",
    ]


def test_what_is_rendered_already_looks_the_same() -> None:
    """Lines of tiles are laid out as the tables would be."""
    for count in (0, 1, 2, 6):
        tiles = [TILE] * count
        lines = TableLines([pretty(TILE)] * count, len(TILE))
        assert pretty({"a": lines, **TILE}, 2) == pretty({"a": tiles, **TILE}, 2)
    assert pretty([Rendered("{ }")] * 6) == "[\n\t" + ",\n\t".join(["{ }"] * 6) + "\n]"
    assert pretty(Streamed(iter([Pieces(["{ ", b"}"])] * 6))) == pretty([Rendered("{ }")] * 6)


@pytest.mark.parametrize("count", [0, 1, 2, 300, 20_000])
def test_tables_of_columns_are_written_as_any_others(count: int) -> None:
    numbers = np.arange(count) * 101
    words = [f'{{ "word": "{word}", "at": ' for word in ("", "ä", "long one")]
    whole = [f"{words[number % 3]}{number} }}" for number in numbers.tolist()]
    columns = [TextColumn(utf8(words), numbers % 3), *number_columns(numbers, " }")]
    assert text_of(table_list(columns, 6, 2)) == pretty(TableLines(whole, 6), 2)


@pytest.mark.parametrize("count", [0, 1, 85, 86, 105, 300])
def test_lists_of_bytes_are_written_as_any_others(count: int) -> None:
    numbers = np.arange(count).astype(np.uint8)
    assert text_of(byte_list(numbers, 2)) == pretty(numbers.tolist(), 2)


def text_of(value: str | Pieces) -> str:
    return value if isinstance(value, str) else pretty(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *[(1, "1"), (1.0, "1"), (-0.0, "0"), (0.1, "0.1"), (-3.25, "-3.25")],
        *[(1e20, "100000000000000000000"), (1e21, "1e+21"), (1e300, "1e+300")],
        *[(1.5e-5, "0.000015"), (1e-7, "1e-7"), (2.5e-10, "2.5e-10")],
    ],
)
def test_numbers_look_as_in_javascript(value: float, text: str) -> None:
    assert number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_their_value(value: float) -> None:
    assert float(number_text(value)) == value


@given(st.text())
def test_texts_that_were_cleaned_are_kept(text: str) -> None:
    """They are read as they were written, and cleaning them again changes nothing."""
    kept = clean(text)
    assert json.loads(quoted(kept)) == kept == clean(kept)
    if text.isprintable() and "\\" not in text and not text.endswith("f"):
        assert kept == text


@pytest.mark.parametrize("text", ["a\\b", "\n", "12f", "-.f", "\x00", "\ud800", "\u2028"])
def test_what_ldtk_cannot_keep_is_no_text_of_ours(text: str) -> None:
    with pytest.raises(ValueError, match="LDtk cannot keep"):
        quoted(text)


def test_invalid_json_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes is not a type of JSON"):
        pretty({"a": b""})


@given(st.lists(st.text(max_size=8), max_size=8))
def test_identifiers_are_ones_and_differ(texts: list[str]) -> None:
    taken: set[str] = set()
    found = [identifier(text, taken) for text in texts]
    assert len(set(found)) == len(found)
    for name in found:
        assert name.isascii() and name.isidentifier() and "__" not in name
        assert identifier(name) == name.strip("_") or name.startswith("_")


def test_uids_are_counted() -> None:
    uids = Uids()
    assert [uids.take(), uids.take(), uids.next] == [1, 2, 3]
