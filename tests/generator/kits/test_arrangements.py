"""Arrangements of decor as rows of a kit: what is refused, and what a kit that drops rows keeps."""

from __future__ import annotations

from generator.kinds import shipped_kit
from generator.kinds.kit import without_rows


def test_rows_that_draw_removed_decor_go_with_it() -> None:
    rows = without_rows(shipped_kit().tables, ["decor.brazier", "decor.crate"])["arrangement"]
    assert "fire_bowls" not in rows  # drawn with a letter of its own
    assert "crate_row" not in rows  # drawn with the letter of crates
    assert "barrel_row" in rows


def test_rows_of_removed_rooms_and_chapters_go_with_them() -> None:
    gone = ["decor_table.chest", *(f"chapter.{name}" for name in ("cellar", "keep"))]
    rows = without_rows(shipped_kit().tables, gone)["arrangement"]
    assert "spilt_coins" not in rows
    assert "wine_cellar" not in rows
    assert rows["idol"]["decor"] == ["normal", "start"]


def test_each_drawing_of_the_shipped_kit_is_different() -> None:
    drawings = [
        (row.drawing, row.anchor, row.at, row.doors) for row in shipped_kit().rules.arrangements.values()
    ]
    assert len(set(drawings)) == len(drawings)
