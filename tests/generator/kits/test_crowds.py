"""Kits with crowds of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator import HeapPlan, generate
from generator.kinds import read_kit
from generator.styles.gungeon.assemble import sites_of
from generator.styles.gungeon.furnishing.kit_tables import enemy_row
from tests.generator.kits.base import write_kit

HARD_FIRST = """
[[crowd.gungeon]]
danger = 0
difficulty = 10
enemies = [14, 16]
roles = { walker = 1 }

[[crowd.gungeon]]
danger = 50
difficulty = 1
enemies = [2, 2]
roles = { walker = 1 }
"""


@pytest.mark.parametrize("difficulty", [1, 10])
def test_a_room_has_the_crowd_of_its_difficulty(difficulty: int, tmp_path: Path) -> None:
    """Which a flow may set."""
    kit = read_kit(str(write_kit(tmp_path, HARD_FIRST)))
    plan = generate("gungeon", 1, kit=str(tmp_path), until="floorplan")
    assert isinstance(plan, HeapPlan)
    rooms = tuple(room._replace(difficulty=difficulty) for room in plan.rooms)
    sites = sites_of(replace(plan, rooms=rooms), kit)
    assert {enemy_row(site.danger, kit).difficulty for site in sites} == {difficulty}
