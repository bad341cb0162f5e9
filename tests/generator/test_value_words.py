"""Ranges and the rules that narrow them, in words for people."""

from __future__ import annotations

from typing import Any

import pytest

from generator.spec import describe
from generator.styles.registry import style
from generator.value_words import said_range, said_rules


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"type": "integer", "low": 1, "high": 12, "unit": ""}, "1 to 12"),
        ({"type": "integer", "low": 5, "high": 59, "off": 0, "unit": "rooms"}, "0, or 5 to 59 rooms"),
        ({"type": "integers", "low": 9, "high": 63, "step": 2, "unit": "tiles", "parts": ["width", "height"]},
         "[width, height], each 9 to 63 tiles, odd"),
        ({"type": "integer", "low": 0, "high": 9, "step": 3, "unit": ""}, "0 to 9 in steps of 3"),
        ({"type": "string", "choices": ["a"], "unit": ""}, "a"),
        ({"type": "string", "choices": ["a", "b", "c"], "unit": ""}, "a, b or c"),
        ({"type": "string", "form": "folder", "unit": ""}, "a folder"),
        ({"type": "string", "unit": ""}, "a text"),
        ({"type": "boolean", "unit": ""}, "true or false"),
        ({"type": "texts", "unit": ""}, "a table of texts"),
    ],
)  # fmt: skip
def test_ranges_in_words(row: dict[str, Any], says: str) -> None:
    assert said_range(row) == says


def test_narrower_ranges_in_words() -> None:
    rows = {row["key"]: row for row in describe(style("rebirth").spec)}
    assert said_rules(rows["room_size"], rows) == ["without layouts: [15, 9]"]
    assert said_rules(rows["alternate_path"], rows) == [
        "if edition is rebirth, afterbirth or afterbirth_plus: false",
        "if stage is 9 to 12: false",
    ]
    rows = {row["key"]: row for row in describe(style("isaac").spec)}
    assert said_rules(rows["rooms"], rows)[1] == "unless curse is labyrinth: 0, or 5 to 40 rooms"
