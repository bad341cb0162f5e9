"""A sample of the damage that levels can come to; `python -m tests.generator.damage` does all of it."""

from __future__ import annotations

import pytest

from generator import generate
from tests.generator.damage import DAMAGE, LEVELS, cases, damaged

# What nobody can see without making the level again, and why; all else must be seen somewhere.
UNSEEN = {
    "ware_of_a_price_below_nothing": "a property of a game's own",
    "bridge_in_the_floor": "drawings of `gungeon` may end a bridge on firm ground",
    "spec_of_huge_chests": "drawn rooms have the size that they were drawn in",
}
SAMPLE = 7  # every so many kinds


@pytest.mark.parametrize("number", [0, 2, 4, 8])
def test_damage_is_seen(number: int) -> None:
    names = tuple(name for name in list(DAMAGE)[number::SAMPLE] if name not in UNSEEN)
    done = list(cases(number, 1, names))
    assert len(done) > len(names) // 2
    assert [case.damage for case in done if not case.rules] == []


def test_the_list_is_long_and_all_of_it_fits_some_level() -> None:
    assert len(DAMAGE) > 200
    rare = ("seed_of_another_text", "wall_at_the_edge", "unicorn")
    level = generate(LEVELS[0][0], 1, **LEVELS[0][1])
    assert all(damaged(level, DAMAGE[name], 1) for name in rare)
