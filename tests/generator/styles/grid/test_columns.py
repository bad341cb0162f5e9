"""Doors of many floorplans at once: the same with numpy, and by the kernel interpreted and compiled."""

from __future__ import annotations

from typing import Any

import pytest

from generator import floorplans
from generator.compiled.loader import bulk
from generator.kinds import SHIPPED
from generator.styles.columns import SIDES, DoorColumns
from generator.styles.grid import columns, doors_kernel
from generator.styles.grid.columns import doors_by_arrays, doors_by_kernel
from generator.styles.grid.special_rooms import door_kinds

CASES: list[tuple[str, dict[str, Any]]] = [
    ("isaac", {"stage": 3}),
    ("isaac", {"stage": 5, "curse": "labyrinth"}),
    ("rebirth", {"stage": 6, "closets": 100, "large_bosses": 100}),
    ("rebirth", {"stage": 7, "curse": "labyrinth", "rooms": 40}),
]


def rows(doors: DoorColumns) -> list[list[int]]:
    return [each.tolist() for each in doors[:4]]


@pytest.mark.parametrize(("style", "values"), CASES, ids=str)
@pytest.mark.usefixtures("compiling")
@pytest.mark.parametrize("is_compiled", [False, True], ids=["interpreted", "compiled"])
def test_the_kernel_finds_the_doors_that_numpy_finds(
    is_compiled: bool, style: str, values: dict[str, Any]
) -> None:
    kernel = bulk(doors_kernel, style, pays=is_compiled)
    assert (kernel is not doors_kernel) == is_compiled
    plans = floorplans(style, range(1, 40), **values)
    names, table = columns._kinds_of_pairs(plans.kinds, door_kinds(values["stage"], SHIPPED), SHIPPED)
    known = doors_by_arrays(plans, names, table)
    assert (known.side >= 0).any() and SIDES == ("east", "south")
    assert rows(doors_by_kernel(kernel, plans, names, table)) == rows(known)


def test_a_seed_without_a_floorplan_has_no_doors() -> None:
    plans = floorplans("isaac", range(3), rooms=15)
    plans.cell_room[1] = -1
    plans.kind[1], plans.shape[1], plans.cells[1] = -1, -1, -1
    names, table = columns._kinds_of_pairs(plans.kinds, {}, SHIPPED)
    doors = doors_by_kernel(doors_kernel, plans, names, table)
    assert rows(doors) == rows(doors_by_arrays(plans, names, table))
    assert (doors.rooms[1] == -1).all() and (doors.rooms[[0, 2], 0] >= 0).all()


def test_no_floorplans_have_no_doors() -> None:
    plans = floorplans("rebirth", [])
    names, table = columns._kinds_of_pairs(plans.kinds, {}, SHIPPED)
    assert doors_by_kernel(doors_kernel, plans, names, table).rooms.shape == (0, 0, 2)
