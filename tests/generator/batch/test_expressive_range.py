"""The expressive range: pairs of facts in cells, counted alike in tables, JSON, blocks and arrays."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from generator import load_spec
from generator.batch.expressive_range import CELLS, axes_of, pairs_block, range_of
from generator.batch.facts import Answer, Subject, ask
from generator.cli import main
from generator.errors import BadInput

AXES = ("linearity", "dead_end_share")
WORDS = ("stats", "gungeon", "--set", "flow=hub", "--jobs", "1", "--range", *AXES)


def said(*words: str) -> str:
    done = CliRunner().invoke(main, [*words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_cells_are_those_of_each_level() -> None:
    """Counted again from single levels, with whole numbers: a cell is a twentieth."""
    table = json.loads(said(*WORDS, "--seeds", "0:25", "--json"))
    spec = load_spec("gungeon").replace({"flow": "hub"})
    expected: Counter[tuple[int, int]] = Counter()
    for seed in range(25):
        subject = Subject(spec, seed)
        thousandths = (round(1000 * float(ask(axis).of(subject) or 0)) for axis in AXES)
        x, y = (min(19, each // 50) for each in thousandths)
        expected[x, y] += 1
    assert {(x, y): count for x, y, count in table["range"]["cells"]} == expected
    assert (table["range"]["filled"], table["range"]["of"], table["levels"]) == (len(expected), 400, 25)
    assert set(table["facts"]) == {*AXES, "failed"}


@given(
    st.dictionaries(
        st.tuples(st.none() | st.integers(-50, 900), st.none() | st.floats(-3, 70)), st.integers(1, 9)
    )
)
def test_every_level_is_in_a_cell_or_outside(pairs: dict[tuple[Answer, Answer], int]) -> None:
    cells = range_of(pairs, ("rooms", "width"))
    assert sum(cells.cells.values()) + cells.outside == sum(pairs.values())
    assert cells.outside == sum(count for pair, count in pairs.items() if None in pair)
    assert all(0 <= x < CELLS and 0 <= y < CELLS for x, y in cells.cells)
    rows = [*cells.rows()]
    assert len(rows) == CELLS + 2 and len({len(row) for row in rows[1:-1]}) == 1


def test_whole_numbers_have_cells_of_the_same_width() -> None:
    cells = range_of({(number, 0.5): 1 for number in range(10, 70)}, ("rooms", "linearity"))
    assert (cells.x.least, cells.x.most, cells.y.least, cells.y.most) == (10, 70, 0, 1)
    assert set(cells.cells.values()) == {3} and {y for _, y in cells.cells} == {10}


def test_pairs_of_arrays_are_those_of_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    task = (load_spec("isaac"), ("linearity", "rooms.shop.distance"), range(40))
    together = pairs_block(task)
    monkeypatch.setattr("generator.batch.expressive_range.many_at_once", lambda spec, seeds: None)
    assert pairs_block(task) == together


def test_the_range_is_drawn_and_printed(tmp_path: Path) -> None:
    text = said(*WORDS, "--seeds", "0:9")
    assert "of 400 cells: linearity to the right, dead_end_share upwards" in text
    said(*WORDS, "--seeds", "0:9", "--plot", str(tmp_path / "range.png"))
    with Image.open(tmp_path / "range.png") as picture:
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 20
    again = (tmp_path / "range.png").read_bytes()
    said(*WORDS, "--seeds", "0:9", "--plot", str(tmp_path / "range.png"))
    assert (tmp_path / "range.png").read_bytes() == again


def test_a_sweep_counts_all_seeds_with_each_value(tmp_path: Path) -> None:
    words = ("stats", "gungeon", "--jobs", "1", "--seeds", "0:4", "--json", "--range", *AXES)
    swept = json.loads(said(*words, "--sweep", "linearity=[[15, 15], [70, 70]]", "--sweep", "rooms=[9, 14]"))
    alone: Counter[tuple[int, int]] = Counter()
    for linearity in ("[15, 15]", "[70, 70]"):
        for rooms in ("9", "14"):
            table = json.loads(said(*words, "--set", f"linearity={linearity}", "--set", f"rooms={rooms}"))
            alone.update({(x, y): count for x, y, count in table["range"]["cells"]})
    assert {(x, y): count for x, y, count in swept["range"]["cells"]} == alone
    assert swept["levels"] == alone.total() == 16


@pytest.mark.parametrize(
    ("sweep", "told"),
    [
        ("rooms=9", "--sweep rooms: '9' is not a list; write for example rooms=[1, 2]"),
        ("rooms=[]", "--sweep rooms: '[]' is not a list"),
        (
            "linearity=[10, 20]",
            "--sweep linearity: each value is itself a list; write for example linearity=[[28, 44]]",
        ),
        ("rooms=[9, 0.5]", "--sweep: rooms: 0.5 is not of type integer"),
        (f"rooms={[*range(101)]}", "--sweep: 10,201 combinations are too many; give at most 10,000"),
    ],
)
def test_a_bad_sweep_is_refused_in_one_line(sweep: str, told: str) -> None:
    other = f"champions={[*range(101)]}"
    done = CliRunner().invoke(
        main, ["stats", "gungeon", "--seeds", "0:2", "--sweep", other, "--sweep", sweep]
    )
    assert done.exit_code == 2 and told in done.stderr and done.stderr.count("\n") == 1


def test_the_range_is_on_the_page(tmp_path: Path) -> None:
    said(*WORDS, "--seeds", "0:9", "--html", str(tmp_path / "range.html"))
    page = (tmp_path / "range.html").read_text("utf-8")
    first = page[page.index('<li class="fact"') :]
    filled = json.loads(said(*WORDS, "--seeds", "0:9", "--json"))["range"]["filled"]
    plot = first[: first.index("</svg>")]
    assert plot.count('fill="var(--accent)"') == filled and "style=" not in plot


def test_what_cannot_be_an_axis_is_refused() -> None:
    spec = load_spec("isaac")
    for names, told in (
        (("linarity", "rooms"), "--range: unknown fact 'linarity'; did you mean linearity?"),
        (("curse", "rooms"), "--range: curse is a text; give facts that are numbers"),
        (("rooms", "rooms"), "--range: rooms is given twice"),
    ):
        with pytest.raises(BadInput, match=told.replace("?", r"\?")):
            axes_of(spec, names)
    done = CliRunner().invoke(main, [*WORDS, "--seeds", "0:2", "--fact", "rooms"])
    assert done.exit_code == 2 and "--fact: does not go with --range" in done.stderr
