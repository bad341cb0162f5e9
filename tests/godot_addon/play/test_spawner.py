"""Fights: doors shut once the player is inside, wave follows wave, and doors open after the last one."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

from .conftest import Play, level

pytestmark = pytest.mark.xdist_group("play")

NAMES = ("rebirth", "gungeon")


@pytest.fixture(scope="module")
def told(play: Play) -> dict[str, Any]:
    """What happened in a room with waves, in the game of the page."""
    scenes = (f"res://{name}.tscn" for name in NAMES)
    return dict(zip(NAMES, play.ask("spawner.gd", "fights", *scenes), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_wave_follows_wave_behind_doors_that_are_shut(told: Any, name: str) -> None:
    made, here = level(name), told[name]["room"]
    enemies = [marker for marker in made.markers if marker.room == here and marker.kind == "enemy"]
    doors = [
        door for door in made.doors if here in door.rooms and door.kind not in {"locked", "secret", "red"}
    ]
    log = told[name]["log"]
    assert log[:2] == ["in the doorway", ["fight", here, len(doors)]]
    waves = [
        list(group)
        for is_wave, group in groupby(log[2:], lambda entry: entry[0] in {"wave", "foe"})
        if is_wave
    ]
    numbers = sorted({int(str(marker.properties["wave"])) for marker in enemies})
    assert len(numbers) > 1
    assert waves == [
        [["wave", number]]
        + [
            ["foe", marker.id, "Archer" if marker.properties["role"] == "shooter" else "Slime", True]
            for marker in enemies
            if marker.properties["wave"] == number
        ]
        for number in numbers
    ]
    left = [entry[1] for entry in log if entry[0] == "left"]
    assert {entry[2] for entry in log if entry[0] == "left"} == {len(doors)}
    first = sum(marker.properties["wave"] == numbers[0] for marker in enemies)
    # Its last one calls another before it dies.
    assert left == [*range(len(enemies), len(enemies) - first, -1), *range(len(enemies) - first + 1, 0, -1)]
    assert log[-2:] == [["cleared", here, 0], ["shut", 0]]
    assert told[name]["start_cleared"]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_chooses_enemies_within_the_budget_of_the_level(told: Any, name: str) -> None:
    chosen = told[name]["chosen"]
    left = chosen["budget"]
    assert left == sum(3 if role == "shooter" else 2 for role in chosen["roles"]) > 4
    come = 0
    for number, asked in enumerate(chosen["asked"], 1):
        assert asked == left
        cost = 5 if left > 4 else 0 if number % 2 or left < 2 else 2
        left -= cost
        come += cost > 0
    assert len(chosen["asked"]) == len(chosen["roles"]) and chosen["left"] == left
    assert told[name]["page"] == ["", "enemy"]
    assert chosen["guarded"] == chosen["again"] == come and chosen["begun"] == 1
    assert set(chosen["names"]) <= {"large", "enemy"} and chosen["names"]
