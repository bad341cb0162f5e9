from __future__ import annotations

from exporters.merge.outcome import Notes


def test_ten_thousand_conflicts_are_told_and_the_others_counted() -> None:
    notes = Notes()
    for number in range(10_003):
        notes.add(f"tile {number}")
        notes.add("tile 0")
    lines = notes.lines()
    assert lines == (*(f"tile {number}" for number in range(10_000)), "and 3 more")
