"""Rows of a kit that do nothing, and messages that say what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import SpecError
from generator.batch.audit import kit_audit, unkept_places
from generator.interiors import pools
from generator.interiors.own_layouts import NO_OWN
from generator.interiors.pools import Form
from generator.kinds import read_kit
from tests.commands import undercroft

from .base import write_kit

CROWD = "danger = 0\ndifficulty = 1\nenemies = [1, 2]\nroles = { walker = 1 }\n"
POINTS = "[encounters]\nstage = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\n"
HOUSES = """
[room.jail]
glyph = ">"
off_the_way = true
[room.sheriff]
glyph = "<"
{off}
[led.jail]
place = "beside:sheriff"
"""


def test_points_of_a_stage_do_nothing_in_a_kit_for_gungeon(tmp_path: Path) -> None:
    kit = write_kit(tmp_path / "heaps", f"[[crowd.gungeon]]\n{CROWD}{POINTS}")
    (line,) = kit_audit(read_kit(kit))
    assert "kit.toml: encounters.stage: counts only on grids" in line and "[[crowd.gungeon]]" in line
    both = f"[[crowd.gungeon]]\n{CROWD}[[difficulty.isaac]]\nshares = {{ easy = 1 }}\n{POINTS}"
    assert not any("encounters" in line for line in kit_audit(read_kit(write_kit(tmp_path / "both", both))))


@pytest.mark.parametrize(
    ("off", "says"), [("", "is seldom kept"), ("off_the_way = true", "is never kept, as both have one door")]
)
def test_a_dead_end_beside_another_room_is_told_to_ask_the_other_way(
    off: str, says: str, tmp_path: Path
) -> None:
    (line,) = unkept_places(read_kit(write_kit(tmp_path / "houses", HOUSES.format(off=off))))
    assert f"led.jail.place: beside:sheriff {says}" in line
    assert '[led.sheriff] place = "beside:jail"' in line
    turned = HOUSES.format(off="").replace("[led.jail]", "[led.sheriff]").replace("side:sheriff", "side:jail")
    assert list(unkept_places(read_kit(write_kit(tmp_path / "turned", turned)))) == []


@pytest.mark.parametrize(("size", "remedy"), [((15, 9), "`layouts`"), ((17, 9), "`layouts`, or use 15 x 9")])
def test_only_another_size_is_suggested(size: tuple[int, int], remedy: str) -> None:
    with pytest.raises(SpecError) as refused:
        pools.special_choices("shop", size, NO_OWN, Form("2x2", frozenset()))
    assert str(refused.value).endswith(f"give their folder as {remedy}")


def test_an_audit_of_levels_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    plan = ("--set", "rooms=8", "--set", "plan.shortcuts=[2,2]")
    result = undercroft("audit", "isaac", *plan, "--seeds", "1:3", "--rules", "seeds", cwd=tmp_path)
    assert result.returncode == 1 and result.stdout == ""
    assert "no level of these seeds can be made: " in result.stderr and "shortcuts" in result.stderr
