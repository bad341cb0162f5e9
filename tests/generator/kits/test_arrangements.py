"""Arrangements of decor as rows of a kit: what is refused, and what a kit that drops rows keeps."""

from __future__ import annotations

from pathlib import Path

from generator import generate
from generator.checks import problems
from generator.kinds import shipped_kit
from generator.kinds.kit import without_rows
from generator.kinds.kit_problems import kit_problems

from .base import write_kit

TOTEM = "[decor.totem]\nwalk = false\nfly = true\nshoot = true\n"


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


def test_an_arrangement_stands_in_one_of_several_rooms(tmp_path: Path) -> None:
    """Whatever rooms have no space for it: two rooms that have it are so many apart."""
    rows = "decor = ['normal']\nanchor = 'middle'\nweight = 100\n"
    text = f"[arrangement.totem]\ndrawing = ['T']\nletters = {{ T = 'totem' }}\n{rows}one_in = 4\n{TOTEM}"
    kit = write_kit(tmp_path, text)
    assert kit_problems(kit) == []
    found = 0
    for seed in (1, 2, 3):
        level = generate("gungeon", seed, kit=str(kit))
        totem = next(number for number, row in enumerate(level.decor_kinds) if row.name == "totem")
        having = [room.id for room in level.rooms if (level.decor[room.bounds.slices] == totem).any()]
        assert len({room % 4 for room in having}) <= 1
        assert problems(level) == []
        found += len(having)
    assert found > 1


def test_what_stands_at_each_marker_is_not_for_one_of_several_rooms(tmp_path: Path) -> None:
    rows = "decor = ['normal']\nanchor = 'focus'\nat = ['middle']\none_in = 2\n"
    kit = write_kit(
        tmp_path,
        f"[arrangement.totem]\ndrawing = ['...', '.T.', '...']\nletters = {{ T = 'totem' }}\n{rows}{TOTEM}",
    )
    assert any("arrangement.totem.one_in: by `at`" in line for line in kit_problems(kit))


def test_each_drawing_of_the_shipped_kit_is_different() -> None:
    drawings = [
        (row.drawing, row.anchor, row.at, row.doors) for row in shipped_kit().rules.arrangements.values()
    ]
    assert len(set(drawings)) == len(drawings)
