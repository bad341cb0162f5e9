"""What an interpreter and a notebook show of floorplans and tables: their sizes, and a few rows."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from generator import floorplans, generate
from generator.short_tables import table_html

PLANS = floorplans("rebirth", range(1, 8))
SHOWN = {
    "7 floorplans": PLANS,
    "2 floorplans": floorplans("gungeon", range(2)),
    "none": floorplans("isaac", []),
    "frames of floorplans": PLANS.to_pandas(),
    "frames of a level": generate("isaac", 7).to_pandas(),
}


def table_of(text: str) -> list[list[str]]:
    """The cells of each row of the first table."""
    table = next(ElementTree.fromstring(f"<div>{text}</div>").iter("table"))
    return [[cell.text or "" for cell in row] for row in table.iter("tr")]


@pytest.mark.parametrize("name", SHOWN)
def test_text_and_html_are_short_and_begin_with_the_size(name: str) -> None:
    shown = SHOWN[name]
    text, html = repr(shown), shown._repr_html_()
    assert len(text.splitlines()) < 45 and len(html) < 20_000
    if name.startswith("frames"):
        assert (
            text.splitlines()[2] == f"levels: {len(shown.levels):,} rows, {len(shown.levels.columns)} columns"
        )
        assert html.count("<table") == len(shown) and text.count("\n\n") == len(shown)
        assert table_of(html)[0] == ["", *shown.levels.columns]
    else:
        head, *lines = text.splitlines()
        assert head.startswith(f"PlanColumns of {len(shown)} seeds, {len(shown)} with a floorplan, at most ")
        assert len({*map(len, lines)}) == 1, "the columns are aligned"
        if "edition" not in shown.facts:  # no cell has a space
            assert [line.split() for line in lines] == table_of(html)


def test_the_first_rows_are_those_of_the_first_seeds() -> None:
    names, *rows, last = table_of(PLANS._repr_html_())
    assert [row[names.index("seed")] for row in rows] == ["1", "2", "3", "4", "5"]
    assert [row[names.index("rooms")] for row in rows] == [*map(str, PLANS.rooms[:5].tolist())]
    assert [row[names.index("fact_seed_code")] for row in rows] == PLANS.facts["seed_code"][:5].tolist()
    assert {*last} == {"..."}
    assert np.array_equal(PLANS.to_pandas().levels["seed"], PLANS.seeds)


def test_texts_of_other_packages_are_no_html() -> None:
    html = table_html("a <b>", [["<i>"], ["&"]])
    assert html == "<p>a &lt;b&gt;</p><table><tr><th>&lt;i&gt;</th></tr><tr><td>&amp;</td></tr></table>"
