"""The table of benchmarks: what is kept can be read back, and what fell is named. No figure is measured here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.benchmarks.kept_table import BEGIN, END, HEADS, README, fallen, keep, kept
from tests.benchmarks.measure import Row
from tests.benchmarks.rows import GROUPS

PLAN = Row("plans", "/s", 96.0, 120.0, 0.8, "port", 12.0)
START = Row("cold start", " × numpy", 2.7, 2.2, 50.0, less=True)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    shutil.copy(README, tmp_path / "page.md")
    path = tmp_path / "page.md"
    text = path.read_text("utf-8")
    path.write_text(f"{text[: text.index(BEGIN)]}{BEGIN}\n{END}{text.split(END)[1]}", "utf-8")
    return path


def test_rows_that_are_kept_take_the_place_of_those_about_the_same_work(page: Path) -> None:
    before = page.read_text("utf-8")
    keep([PLAN, START], page)
    keep([PLAN._replace(ours=130.0)], page)
    assert list(kept(page)) == ["plans", "cold start"]
    assert "| 130/s | 10.83 | ≥ 120/s | yes |" in kept(page)["plans"]
    assert "| ≤ 2.2 × numpy | no | 50↓ |" in kept(page)["cold start"]
    assert page.read_text("utf-8").startswith(before.split(BEGIN)[0])


@pytest.mark.parametrize(("row", "worse"), [(PLAN, 0.7), (START, 1 / 0.7)])
def test_a_figure_that_fell_by_more_than_a_fifth_is_named(page: Path, row: Row, worse: float) -> None:
    keep([row], page)
    assert fallen([row, row._replace(work="new")], kept(page)) == []
    slightly = row._replace(yardsticks=row.yardsticks * (0.9 if worse < 1 else 1.1))
    assert fallen([slightly], kept(page)) == []
    assert fallen([row._replace(yardsticks=row.yardsticks * worse)], kept(page)) == [
        f"{row.work}: 30% worse than in the last table"
    ]


def test_the_kept_table_has_all_columns() -> None:
    assert all(line.count(" | ") + 1 == len(HEADS) for line in kept().values())
    assert set(GROUPS) == {
        "floorplans",
        "bulk_floorplans",
        "bulk_heaps",
        "heaps",
        "levels",
        "tiles",
        "cold_starts",
        "growth",
    }
