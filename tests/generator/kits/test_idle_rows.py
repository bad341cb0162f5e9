"""Rows of a kit that do nothing, and messages that say what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import SpecError
from generator.batch.audit import kit_audit
from generator.interiors import pools
from generator.interiors.pools import Form
from generator.interiors.team_layouts import NO_OWN
from generator.kinds import read_kit
from generator.kinds.row_notes import row_notes
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
    (line,) = row_notes(read_kit(write_kit(tmp_path / "houses", HOUSES.format(off=off))))
    assert f"led.jail.place: beside:sheriff {says}" in line
    assert '[led.sheriff] place = "beside:jail"' in line
    turned = HOUSES.format(off="").replace("[led.jail]", "[led.sheriff]").replace("side:sheriff", "side:jail")
    assert list(row_notes(read_kit(write_kit(tmp_path / "turned", turned)))) == []


GHOST = '[enemy.ghost]\nrole = "walker"\ncost = 2\n'
LONE = '[room.jail]\nglyph = ">"\n[room.jail.gungeon]\nrooms = [1, 1]\n'
IDLE = {
    'only = ["stage >= 13"]': "special_room.library.only: can never hold for stage, which is 1 to 12 here",
    'only = ["stage > 1"]\nstyles = ["gungeon"]': "only: can never hold for stage, which is 1 to 1 here",
    'only = ["labyrinth"]\nneeds = ["not labyrinth"]': "only: can never hold for labyrinth, so",
    'only = ["coins > 3", "coins < 4"]': "only: can never hold for coins, so the row does nothing; change it",
    'chance = "0/3"': 'special_room.library.chance: 0/3 never comes; give a chance such as "1/3"',
    "[[difficulty.isaac]]\nshares = { easy = 1 }\n"
    * 2: "difficulty.isaac.only: a row without conditions comes before",
    f"{LONE}least_side = 12\nwidth = [9, 20]\n": "room.jail.gungeon.least_side: 12 is more than the shortest side of its",
    f'{LONE}[led.jail]\nplace = "beside:jail"\n': "led.jail.place: beside:jail is never kept, as a level has one",
    f'{GHOST}habits = ["splits"]\nmakes = "ghost"\n': "enemy.ghost.makes: splits into enemies of its own kind",
    '[arrangement.pile]\ndrawing = ["q"]\ndecor = ["normal"]\nletters = { q = "crate", z = "crate" }\n': (
        "arrangement.pile.letters: z is not in the drawing"
    ),
}


@pytest.mark.parametrize("rows", IDLE)
def test_what_a_row_says_without_effect_is_noted(rows: str, tmp_path: Path) -> None:
    head = "" if "[" in rows.split("=", maxsplit=1)[0] else '[special_room.library]\nplace = "dead_end"\n'
    (note,) = row_notes(read_kit(write_kit(tmp_path, head + rows)))
    assert note.startswith(str(tmp_path / "kit.toml")) and IDLE[rows] in note


def test_rows_that_can_have_an_effect_are_not_noted(tmp_path: Path) -> None:
    rows = """
[state.courage]
range = [0, 3]
[[special_room.library]]
only = ["courage != 0", "courage != 1", "courage <= 2", "stage >= 2"]
chance = "courage/3"
[[special_room.library]]
chance = "0/3"
again = { chance = "1/2", when = "hard_mode" }
only = ["labyrinth"]
needs = ["not labyrinth"]
becomes = { room = "vault", needs = ["coins > 3"] }
[[difficulty.isaac]]
only = ["second_stage"]
shares = { easy = 1 }
[[difficulty.isaac]]
shares = { medium = 1 }
"""
    assert list(row_notes(read_kit(write_kit(tmp_path, rows)))) == []
    examples = Path(__file__).parents[3] / "docs" / "examples"
    for kit in examples.rglob("kit.toml"):
        assert list(row_notes(read_kit(kit.parent))) == [], kit


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
