from __future__ import annotations

from pathlib import Path

import pytest

from generator.geometry import Side
from generator.interiors.layout_file import load_layout
from generator.styles.gungeon.furnishing.gungeon_layouts import exits_of


@pytest.mark.parametrize(("body", "begins"), [(2, (2, 3)), (3, (2,)), (4, None)])
def test_a_layout_that_a_body_fills_can_be_passed(
    body: int, begins: tuple[int, ...] | None, tmp_path: Path
) -> None:
    """Three tiles between walls: a body of three stands in one place only, and gets to both doors from it."""
    path = tmp_path / "cell.txt"
    path.write_text("exits: N any, S any\n\nmap:\n" + "#...#\n" * 3)
    found = exits_of(load_layout(path), "", body, body)
    assert found == (begins and {"": {Side.NORTH: (begins,), Side.SOUTH: (begins,)}})
