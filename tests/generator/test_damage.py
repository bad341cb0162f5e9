"""A sample of the damage that levels can come to; `python -m tests.generator.damage` does all of it."""

from __future__ import annotations

import pytest

from generator import generate
from tests.generator.damage import DAMAGE, FREE, LEVELS, cases, damaged

SAMPLE = 11  # every so many kinds


@pytest.mark.parametrize("number", [0, 2, 4, 8])
def test_damage_is_seen(number: int) -> None:
    names = tuple(name for name in list(DAMAGE)[number::SAMPLE] if name not in FREE)
    done = list(cases(number, 1, names))
    assert len(done) > len(names) // 2
    assert [case.damage for case in done if not case.rules] == []


OF_DRAWINGS = (
    "bosses_removed",
    "second_boss",
    "boss_in_a_common_room",
    "start_with_enemies",
    "fifty_enemies",
    "enemies_removed",
    "enemy_of_no_wave",
)


@pytest.mark.parametrize(
    ("number", "names"), [(5, ("room_in_limbo", "difficulty_a_step_up")), (6, OF_DRAWINGS)]
)
def test_what_a_flow_and_drawings_of_a_team_say_is_known(number: int, names: tuple[str, ...]) -> None:
    done = list(cases(number, 1, names))
    assert [case.damage for case in done if not case.rules] == []
    assert {case.damage for case in done} == set(names)


def test_the_list_is_long_and_all_of_it_fits_some_level() -> None:
    assert len(DAMAGE) > 200
    rare = ("seed_of_another_text", "wall_at_the_edge", "unicorn")
    level = generate(LEVELS[0][0], 1, **LEVELS[0][1])
    assert all(damaged(level, DAMAGE[name], 1) for name in rare)
