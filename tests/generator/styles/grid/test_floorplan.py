from __future__ import annotations

import pytest

import generator


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_a_floorplan_tells_how_many_columns_and_rows_of_cells_it_takes(style: str) -> None:
    for seed in range(1, 9):
        plan = generator.generate(style, seed, until="floorplan")
        cells = [cell for room in plan.rooms for cell in room.cells]
        columns, rows = ({cell[axis] for cell in cells} for axis in (0, 1))
        assert plan.extent == (max(columns) - min(columns) + 1, max(rows) - min(rows) + 1)
        assert plan.extent == (len(columns), len(rows))  # no column or row between them is empty
