from __future__ import annotations

from dataclasses import replace

import pytest

from generator import generate
from generator.level import Level, Marker
from generator.styles.grid.checks import encounters_within_budget


def with_grubs(style: str, count: int) -> Level:
    """The first room of a late stage as a normal one, with some of the cheapest enemies in it."""
    level = generate(style, 7, stage=8)
    first = level.rooms[0]
    left, top, *_ = first.bounds
    grubs = [
        Marker(
            10**6 + number,
            "enemy",
            left + 2 + number % 9,
            top + 2 + number // 9,
            0,
            properties={"name": "grub"},
        )
        for number in range(count)
    ]
    first = replace(first, kind="normal", difficulty=1, layout="normal/any")
    return replace(level, rooms=(first, *level.rooms[1:]), markers=(*level.markers, *grubs))


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_the_floor_of_every_room_counts_for_its_budget_that_of_the_first_too(style: str) -> None:
    assert list(encounters_within_budget(with_grubs(style, 10))) == []
    (problem,) = encounters_within_budget(with_grubs(style, 45))
    assert "room 0" in str(problem) and "its 45 enemies cost 45" in str(problem)
